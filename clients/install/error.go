package install

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"lcm-tui/internal/hint"
)

// Errors of a change, which are wrapped with the path.
var (
	// ErrNothing says that a change has nothing to do.
	ErrNothing = errors.New("nothing to do")
	// ErrChanged says that the file changed after it was read.
	ErrChanged = errors.New("the file has changed since it was read")
)

// syntaxError says where a file isn't valid: line and column are from 1, and a column is a character.
func syntaxError(line, column int, problem string) error {
	return fmt.Errorf("line %d, column %d: %s", line, column, problem)
}

// syntaxErrorAt works as syntaxError for a byte.
func syntaxErrorAt(src []byte, at int, problem string) error {
	before := src[:min(at, len(src))]
	before = bytes.TrimPrefix(before, []byte(byteOrderMark))
	start := bytes.LastIndexByte(before, '\n') + 1
	return syntaxError(bytes.Count(before, []byte("\n"))+1, utf8.RuneCount(before[start:])+1, problem)
}

// refuse says why the file at a path isn't changed, and what to do instead.
func refuse(path string, err error, next string) error {
	return &hint.Error{Text: path + ": " + err.Error(), Next: next, Err: err}
}
