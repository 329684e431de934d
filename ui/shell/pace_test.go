package shell

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// tally is a screen that counts the keys that it gets and how often it is drawn.
type tally struct {
	page
	keys, drawn int
}

func (s *tally) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		s.keys++
	}
	return nil
}

func (s *tally) View(int, int) string {
	s.drawn++
	return fmt.Sprintf("%d keys", s.keys)
}

// TestPaced: keys that come faster than frames are all handled, in one drawing; the
// last of them is drawn when the frame ends, and a key that comes alone at once.
func TestPaced(t *testing.T) {
	t.Parallel()
	s := &tally{page: page{title: "root"}}
	jobs := ui.NewJobs(t.Context())
	t.Cleanup(jobs.Close)
	clock := time.Unix(1, 0)
	p := &paced{app: New(Config{First: s, Jobs: jobs}), now: func() time.Time { return clock }}
	shows := func(want string) {
		t.Helper()
		if got := p.View().Content; !strings.Contains(got, want) {
			t.Errorf("the window shows %q, want %q in it", got, want)
		}
	}
	key := tea.KeyPressMsg{Code: 'j', Text: "j"}
	p.Update(tea.WindowSizeMsg{Width: 40, Height: 10})
	shows("0 keys")
	clock = clock.Add(frameTime)
	p.Update(key)
	shows("1 keys")

	before, ticks := s.drawn, 0
	for range 300 {
		clock = clock.Add(time.Microsecond)
		if _, cmd := p.Update(key); cmd != nil {
			ticks++
		}
		shows("1 keys")
	}
	if s.keys != 301 || s.drawn != before || ticks != 1 {
		t.Errorf("%d keys handled, want 301; drawn %d times within a frame, want 0; %d drawings asked for, want 1", s.keys, s.drawn-before, ticks)
	}
	p.Update(drawMsg{})
	shows("301 keys")
	if s.drawn != before+1 {
		t.Errorf("drawn %d times for the burst, want once", s.drawn-before)
	}
}
