package install

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Errors of a change, which are wrapped with the path.
var (
	// ErrNothing says that a change has nothing to do.
	ErrNothing = errors.New("nothing to do")
	// ErrChanged says that the file changed after it was read.
	ErrChanged = errors.New("the file has changed since it was read")
)

// SyntaxError says where a file isn't valid.
type SyntaxError struct {
	Line, Column int // From 1; a column is a character.
	Problem      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// newSyntaxError finds the line and column of a byte.
func newSyntaxError(src []byte, at int, problem string) *SyntaxError {
	before := src[:min(at, len(src))]
	before = bytes.TrimPrefix(before, []byte(byteOrderMark))
	start := bytes.LastIndexByte(before, '\n') + 1
	return &SyntaxError{bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1, problem}
}

// RefusedError says why a file isn't changed, and what to do instead.
type RefusedError struct {
	Path string
	err  error
	hint string
}

func (e *RefusedError) Error() string { return e.Path + ": " + e.err.Error() }

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.err }

// Hint returns the next step.
func (e *RefusedError) Hint() string { return e.hint }

// nothingError says that a client is as it should be.
type nothingError struct{ text string }

func (e *nothingError) Error() string { return e.text }

// Unwrap returns ErrNothing.
func (*nothingError) Unwrap() error { return ErrNothing }
