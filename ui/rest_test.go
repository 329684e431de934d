package ui

import (
	"fmt"
	"os"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// newRestOn is a rest whose terminal is a pipe, and what is read from it.
func newRestOn(t *testing.T) (*Rest, *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = read.Close(), write.Close() })
	return NewRest(write), read
}

// TestRestEndsWithAnyMessage: the painter waits at the mark, which no terminal sees, until a message
// comes; and not at all where one came since the mark was asked for.
func TestRestEndsWithAnyMessage(t *testing.T) {
	t.Parallel()
	rest, terminal := newRestOn(t)
	mark := rest.begin()()
	rest.Filter(nil, mark) // The mark itself ends nothing.
	painted := make(chan struct{})
	go func() {
		if n, err := fmt.Fprint(rest, "before "+restMark+"behind"); err != nil || n != len("before "+restMark+"behind") {
			t.Errorf("%d bytes, %v", n, err)
		}
		close(painted)
	}()
	b := make([]byte, 100)
	if n, err := terminal.Read(b); err != nil || string(b[:n]) != "before behind" {
		t.Errorf("the terminal gets %q, %v", b[:n], err)
	}
	select {
	case <-painted:
		t.Error("the painter doesn't rest")
	default:
	}
	rest.Filter(nil, tea.KeyPressMsg{Code: 'j'})
	<-painted
	rest.begin()
	rest.Filter(nil, tea.KeyPressMsg{Code: 'j'})
	if _, err := fmt.Fprint(rest, restMark); err != nil { // It returns at once.
		t.Error(err)
	}
}

// TestTheProgramRestsWhereNothingHappens: the rest begins some time after the last message and the
// last drawing, once, and the mark draws nothing.
func TestTheProgramRestsWhereNothingHappens(t *testing.T) {
	t.Parallel()
	rest, _ := newRestOn(t)
	s := &tally{page: page{title: "root"}}
	jobs := NewJobs(t.Context())
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
