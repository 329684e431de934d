package jsregexp_test

import (
	"errors"
	"testing"
	"time"

	"lcm-tui/engine/jsregexp"
)

// TestASearchHasItsWholeTime: one that was stopped before its limit is done again, one that reached
// its limit isn't.
func TestASearchHasItsWholeTime(t *testing.T) {
	t.Parallel()
	stopped := errors.New("match timeout")
	calls := 0
	if found, err := jsregexp.InItsTime(time.Hour, func() (int, error) {
		if calls++; calls < 3 {
			return 0, stopped
		}
		return 7, nil
	}); found != 7 || err != nil || calls != 3 {
		t.Errorf("stopped early: %d, %v, %d calls", found, err, calls)
	}
	calls = 0
	if _, err := jsregexp.InItsTime(time.Millisecond, func() (int, error) {
		calls++
		time.Sleep(2 * time.Millisecond)
		return 0, stopped
	}); !errors.Is(err, stopped) || calls != 1 {
		t.Errorf("at its limit: %v, %d calls", err, calls)
	}
}
