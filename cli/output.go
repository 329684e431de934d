package cli

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"
)

// exitPipe is the exit code where nobody reads the output any more: that of a program
// that the signal ended.
const exitPipe = 128 + 13

// trackedOutput is standard output, which remembers the first error of a write: help and some
// libraries pass it over.
type trackedOutput struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (o *trackedOutput) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("write the output: %w", err)
	}
	return n, err
}

// trackedFile is output to a file, which may be a terminal.
type trackedFile struct {
	term.File
	*trackedOutput
}

// Write implements io.Writer.
func (o trackedFile) Write(b []byte) (int, error) { return o.trackedOutput.Write(b) }

// trackErrors wraps standard output; what it has to say is in the second value.
func trackErrors(w io.Writer) (io.Writer, *trackedOutput) {
	o := &trackedOutput{Writer: w}
	if f, ok := w.(term.File); ok {
		return trackedFile{f, o}, o
	}
	return o, o
}

// isBrokenPipe reports whether err is that nobody reads what is written: of the output, or at the other end of a connection.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// lineBuffer collects text and writes whole lines, so that what follows, which looks at
// each piece by itself, never sees half of a letter or of a style.
type lineBuffer struct {
	to  io.Writer
	buf []byte
}

// lineBufferSize is how much is collected before it's written.
const lineBufferSize = 1 << 16

// WriteString adds text.
func (l *lineBuffer) WriteString(s string) error {
	l.buf = append(l.buf, s...)
	if len(l.buf) < lineBufferSize || s == "" || s[len(s)-1] != '\n' {
		return nil
	}
	return l.Flush()
}

// Flush writes what is left.
func (l *lineBuffer) Flush() error {
	if len(l.buf) == 0 {
		return nil
	}
	_, err := l.to.Write(l.buf)
	l.buf = l.buf[:0]
	return err
}

// ControlEscaper writes JSON with those control characters escaped that JSON allows and
// that a terminal obeys: the eight-bit controls, and those that reorder text. In JSON they
// stand only in strings, so the value stays the same.
type ControlEscaper struct{ To io.Writer }

// Write implements io.Writer.
func (h ControlEscaper) Write(b []byte) (int, error) {
	start := 0
	for i := 0; i < len(b); {
		if c := b[i]; c < utf8.RuneSelf && c != 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if isControl(r) {
			if _, err := h.To.Write(b[start:i]); err != nil {
				return start, err
			}
			if _, err := fmt.Fprintf(h.To, `\u%04x`, r); err != nil {
				return i, err
			}
			start = i + n
		}
		i += n
	}
	if _, err := h.To.Write(b[start:]); err != nil {
		return start, err
	}
	return len(b), nil
}

func isControl(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
