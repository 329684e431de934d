package ops_test

import (
	"strings"
	"testing"

	engine "lcm-tui/engine/compact"

	"lcm-tui/data"
	"lcm-tui/ops/compact"
)

// TestHintsForScreensNameNoFlags: what a screen shows can be done on a screen.
func TestHintsForScreensNameNoFlags(t *testing.T) {
	t.Parallel()
	for _, err := range []interface {
		error
		Hint() string
		ScreenHint() string
	}{
		&data.HostError{Conversation: 1}, &data.ReplayError{Conversation: 1}, &data.BlockedError{Record: 1, By: 2}, &data.UnfinishedError{Record: 1},
		&data.Loss{Record: 1, Conversation: 1}, &compact.NothingError{Why: engine.BelowThreshold}, &compact.NothingError{Why: engine.Nothing},
	} {
		hint := err.ScreenHint()
		if hint == "" || strings.Contains(hint, "--") || strings.Contains(hint, "lcm-tui ") {
			t.Errorf("%T: %q", err, hint)
		}
		if !strings.Contains(err.Hint(), "--") && !strings.Contains(err.Hint(), "lcm-tui ") {
			t.Errorf("%T: the hint for commands names none: %q", err, err.Hint())
		}
	}
}
