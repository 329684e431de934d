package shell

import (
	"fmt"
	"os"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// newRestOn returns a rest whose terminal is a pipe, and what is read from it.
func newRestOn(t *testing.T) (*Rest, *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = read.Close(), write.Close() })
	return NewRest(write), read
}

// sleeping reports whether writing a mark waits; its channel is closed when it no longer does.
func sleeping(t *testing.T, rest *Rest) (painter chan struct{}, waits bool) {
	t.Helper()
	painter = make(chan struct{})
	go func() {
		defer close(painter)
		if n, err := fmt.Fprint(rest, "before "+restMark+"behind"); err != nil || n != len("before "+restMark+"behind") {
			t.Errorf("%d bytes, %v", n, err)
		}
	}()
	select {
	case <-painter:
		return painter, false
	case <-time.After(50 * time.Millisecond):
		return painter, true
	}
}

// TestRestEndsWithAnyMessage: the painter waits at the second mark, which no terminal sees, until a
// message comes; and not at all where one came since the rest was asked for.
func TestRestEndsWithAnyMessage(t *testing.T) {
	t.Parallel()
	rest, terminal := newRestOn(t)
	sent := make(chan struct{}, 1)
	rest.sendMark = func() { sent <- struct{}{} }
	mark := rest.begin()()
	rest.Filter(nil, mark) // The mark itself ends nothing.
	if _, waits := sleeping(t, rest); waits {
		t.Fatal("the painter rests before it painted what was drawn")
	}
	<-sent
	b := make([]byte, 100)
	if n, err := terminal.Read(b); err != nil || string(b[:n]) != "before behind" {
		t.Errorf("the terminal gets %q, %v", b[:n], err)
	}
	painter, waits := sleeping(t, rest)
	if !waits {
		t.Error("the painter doesn't rest")
	}
	rest.Filter(nil, tea.KeyPressMsg{Code: 'j'})
	<-painter
	rest.begin()
	rest.Filter(nil, tea.KeyPressMsg{Code: 'j'})
	if _, waits := sleeping(t, rest); waits {
		t.Error("the painter rests behind a message")
	}
}

// TestWhatIsDrawnBetweenTwoMarksIsPainted: after a key both are needed again.
func TestWhatIsDrawnBetweenTwoMarksIsPainted(t *testing.T) {
	t.Parallel()
	rest, _ := newRestOn(t)
	rest.begin()
	sleeping(t, rest)
	rest.Filter(nil, tea.KeyPressMsg{Code: 'j'})
	if rest.begin() != nil {
		t.Error("a second mark is sent while one is on its way")
	}
	if _, waits := sleeping(t, rest); waits {
		t.Error("the painter rests before it painted what the key changed")
	}
}

// TestOnlyOneMarkIsOnItsWay: a mark that comes while the painter waits would hold the update loop, and
// with it the keys.
func TestOnlyOneMarkIsOnItsWay(t *testing.T) {
	t.Parallel()
	rest, _ := newRestOn(t)
	if rest.begin() == nil {
		t.Fatal("no mark is sent")
	}
	for range 3 {
		rest.Filter(nil, tea.KeyPressMsg{Code: 'j'})
		if rest.begin() != nil {
			t.Error("another mark is sent while one is on its way")
		}
	}
	sleeping(t, rest) // The first mark, late, which sends the second.
	if rest.begin() != nil {
		t.Error("a third mark is sent while the second is on its way")
	}
	rest.Filter(nil, tea.KeyPressMsg{Code: 'j'})
	sleeping(t, rest) // The second mark, behind a message.
	if rest.begin() == nil {
		t.Error("no mark is sent where none is on its way")
	}
}

// TestTheProgramRestsWhereNothingHappens: the rest begins some time after the last message and the
// last drawing, once, and the mark draws nothing.
func TestTheProgramRestsWhereNothingHappens(t *testing.T) {
	t.Parallel()
	rest, _ := newRestOn(t)
	s := &tally{page: page{title: "root"}}
	jobs := ui.NewJobs(t.Context())
	t.Cleanup(jobs.Close)
	clock := time.Unix(1, 0)
	p := &paced{app: New(Config{First: s, Jobs: jobs}), now: func() time.Time { return clock }, rest: rest}
	p.Update(tea.WindowSizeMsg{Width: 40, Height: 10})
	p.View()
	if !p.settling {
		t.Error("nothing asks whether it can rest")
	}
	clock = clock.Add(settled / 2)
	p.Update(tea.KeyPressMsg{Code: 'j', Text: "j"})
	p.View()
	drawn := s.drawn
	clock = clock.Add(settled / 2)
	if p.Update(settledMsg{}); !p.settling {
		t.Error("a key came meanwhile, and nothing asks again")
	}
	clock = clock.Add(settled / 2)
	_, cmd := p.Update(settledMsg{})
	if cmd == nil || p.settling {
		t.Fatal("it doesn't rest")
	}
	msg := cmd()
	if !isRestMark(msg) {
		t.Fatalf("the rest begins with %v", msg)
	}
	if _, cmd := p.Update(msg); cmd != nil {
		t.Error("the mark asks for something")
	}
	if p.View(); s.drawn != drawn {
		t.Error("resting draws the screen")
	}
}

// TestPollPause: Watch is called less often where nothing happens, and where reading again takes long.
func TestPollPause(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ quiet, reading, want time.Duration }{
		{0, 0, time.Second},
		{quietAfter - 1, 0, time.Second},
		{quietAfter, 0, 4 * time.Second},
		{0, 40 * time.Millisecond, time.Second},
		{0, 100 * time.Millisecond, 2 * time.Second},
		{time.Hour, 100 * time.Millisecond, 4 * time.Second},
		{0, time.Minute, maxRefreshPause},
	} {
		if got := pollPause(time.Second, c.quiet, c.reading); got != c.want {
			t.Errorf("quiet for %v, reading for %v: %v, want %v", c.quiet, c.reading, got, c.want)
		}
	}
}
