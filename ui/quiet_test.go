package ui

import (
	"context"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// TestWhatTheUserWaitsForIsReadFirst: quiet work of the same owner begins after it, unless that takes long.
func TestWhatTheUserWaitsForIsReadFirst(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ends  bool // The read ends by itself soon.
		wait  time.Duration
		order string
	}{
		"a short one": {true, time.Hour, "rows marks "},
		"a long one":  {false, time.Millisecond, "marks rows "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			order, marked := "", make(chan struct{})
			began := func(what string) {
				mu.Lock()
				defer mu.Unlock()
				order += what + " "
			}
			jobs, owner := NewJobs(t.Context()), new(int)
			jobs.quietWait = c.wait
			jobs.Read(owner, "load", func(context.Context, func(int, int, string)) (tea.Msg, error) {
				if c.ends {
					time.Sleep(20 * time.Millisecond)
				} else {
					<-marked
				}
				began("rows")
				return nil, nil
			})
			jobs.Quiet(owner, "marks", func(context.Context, func(int, int, string)) (tea.Msg, error) {
				began("marks")
				close(marked)
				return nil, nil
			})
			jobs.wg.Wait()
			if order != c.order {
				t.Errorf("they ran as %q, want %q", order, c.order)
			}
		})
	}
}
