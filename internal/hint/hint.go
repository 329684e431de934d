// Package hint is errors that name the next step.
//
// It stands below every package that has errors for users: an error gets a type of its own only where
// somebody asks for that type. It must not know what went wrong.
package hint

import "errors"

// Error is an error with what to do about it.
type Error struct {
	Text     string // Empty is the text of Err.
	Next     string // What to do; empty is the hint of Err.
	OnScreen string // Next where no command can be typed and no flag given; empty is that of Err, or else Next.
	Err      error  // The cause, or what errors.Is asks for; may be nil where there is a text.
}

// New returns an error with what to do about it.
func New(text, next string) error { return &Error{Text: text, Next: next} }

// Wrap returns an error with the text of err, and with what to do about it.
func Wrap(err error, next string) error { return &Error{Next: next, Err: err} }

func (e *Error) Error() string {
	if e.Text == "" {
		return e.Err.Error()
	}
	return e.Text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Hint says what to do, or is empty.
func (e *Error) Hint() string {
	if e.Next == "" {
		return Of(e.Err)
	}
	return e.Next
}

// ScreenHint says it for a screen.
func (e *Error) ScreenHint() string {
	var cause interface{ ScreenHint() string }
	switch {
	case e.OnScreen != "":
		return e.OnScreen
	case errors.As(e.Err, &cause):
		return cause.ScreenHint()
	}
	return e.Hint()
}

// Of returns the hint of the first error of a chain that has one, or empty.
func Of(err error) string {
	var e interface{ Hint() string }
	if errors.As(err, &e) {
		return e.Hint()
	}
	return ""
}

// OnScreen works as Of, but prefers hints for screens, which name no commands and flags.
func OnScreen(err error) string {
	var e interface{ ScreenHint() string }
	if errors.As(err, &e) {
		return e.ScreenHint()
	}
	return Of(err)
}
