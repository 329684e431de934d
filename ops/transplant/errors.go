package transplant

import (
	"fmt"
	"strings"

	"lcm-tui/ops"
)

// RefusedError says why a transplant can't be planned.
type RefusedError struct {
	Source, Target int64
	Why, Next      string
	NextOnScreen   string // Next where no command can be typed; empty is Next itself.
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("can't transplant conversation %d into %d: %s", e.Source, e.Target, e.Why)
}

// Hint says what to do instead.
func (e *RefusedError) Hint() string { return e.Next }

// ScreenHint says it for a screen.
func (e *RefusedError) ScreenHint() string {
	if e.NextOnScreen != "" {
		return e.NextOnScreen
	}
	return e.Next
}

// refuse says why it can't be planned and what to do instead, with other words for a screen
// where next names a command or a flag.
func (o *Op) refuse(why, next string, onScreen ...string) error {
	return &RefusedError{Source: o.Source, Target: o.Target, Why: why, Next: next, NextOnScreen: strings.Join(onScreen, "")}
}

// NothingError says that there is nothing to copy.
type NothingError struct{ Why, Next string }

func (e *NothingError) Error() string { return e.Why }

// Hint says what else can be done.
func (e *NothingError) Hint() string { return e.Next }

// Unwrap makes it an ops.ErrNothing.
func (e *NothingError) Unwrap() error { return ops.ErrNothing }

// joinSome joins the first names and says how many more there are.
func joinSome(names []string) string {
	const most = 30
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
