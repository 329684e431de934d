package hint_test

import (
	"errors"
	"fmt"
	"testing"

	"lcm-tui/internal/hint"
)

// command has a hint that names a command, and none for screens.
type command struct{}

func (command) Error() string { return "no such row" }
func (command) Hint() string  { return "lcm-tui info" }

// TestHint: an error says itself what to do, or else its cause does; on a screen, words for
// screens count more than who says them.
func TestHint(t *testing.T) {
	t.Parallel()
	cause := errors.New("no room")
	both := &hint.Error{Text: "not written", Next: "add --force", OnScreen: "press f", Err: cause}
	for name, c := range map[string]struct {
		err                  error
		text, next, onScreen string
	}{
		"without a hint":                   {cause, "no room", "", ""},
		"a text and a hint":                {hint.New("not written", "try again"), "not written", "try again", "try again"},
		"the text of the cause":            {hint.Wrap(cause, "free some"), "no room", "free some", "free some"},
		"words for screens":                {both, "not written", "add --force", "press f"},
		"wrapped":                          {fmt.Errorf("plan: %w", both), "plan: not written", "add --force", "press f"},
		"no hint of its own":               {&hint.Error{Text: "stopped", Err: both}, "stopped", "add --force", "press f"},
		"no words for screens of its own":  {hint.Wrap(both, "add --all"), "not written", "add --all", "press f"},
		"a cause that names commands only": {&hint.Error{Text: "stopped", Err: command{}}, "stopped", "lcm-tui info", "lcm-tui info"},
		"commands only":                    {command{}, "no such row", "lcm-tui info", "lcm-tui info"},
		"no error":                         {nil, "<nil>", "", ""},
	} {
		if text, next, screen := fmt.Sprint(c.err), hint.Of(c.err), hint.OnScreen(c.err); text != c.text || next != c.next || screen != c.onScreen {
			t.Errorf("%s: %q, %q, and on a screen %q", name, text, next, screen)
		}
	}
	if !errors.Is(hint.Wrap(cause, "free some"), cause) || !errors.Is(both, cause) {
		t.Error("the cause is lost")
	}
}
