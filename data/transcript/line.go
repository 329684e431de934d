package transcript

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxLine is the length in bytes of the longest line that is read. A longer one is
// no message of anyone's. It is passed over in the memory of one buffer.
const maxLine = 64 << 20

// LineError is a line that can't be read. Other lines are read all the same.
type LineError struct {
	Line int64 // From 1.
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap gives the cause.
func (e *LineError) Unwrap() error { return e.Err }

var errTooLong = fmt.Errorf("longer than %d MB, which no message is", maxLine>>20)

// lines reads whole lines.
type lines struct {
	r      *bufio.Reader
	n      int64 // Of the line that was read last.
	offset int64 // Behind it.
	open   bool  // The last line isn't ended: it may be being written.
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 1<<18)} }

// next returns the next line that isn't blank, or io.EOF. With a *LineError it can be
// called again.
func (l *lines) next(ctx context.Context) (string, error) {
	for {
		line, err := l.read(ctx)
		if err != nil {
			return "", err
		}
		if l.n%1024 == 0 && ctx.Err() != nil {
			return "", ctx.Err()
		}
		if l.n == 1 {
			line = strings.TrimPrefix(line, "\ufeff") // A program of Windows may have written the file.
		}
		if line = strings.TrimSpace(line); line != "" {
			return line, nil
		}
	}
}

// skip passes over the rest of a line that is too long, of which size bytes are read.
func (l *lines) skip(ctx context.Context, size int) error {
	for {
		part, err := l.r.ReadSlice('\n')
		size += len(part)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue
		case errors.Is(err, io.EOF):
			l.open = true
		case err != nil:
			return err
		}
		l.n++
		l.offset += int64(size)
		return &LineError{l.n, errTooLong}
	}
}

func (l *lines) read(ctx context.Context) (string, error) {
	var long [][]byte // What was read of a line that is longer than the reader's buffer.
	size := 0
	for {
		part, err := l.r.ReadSlice('\n')
		size += len(part)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if size > maxLine {
				return "", l.skip(ctx, size)
			}
			long = append(long, bytes.Clone(part))
			continue
		case errors.Is(err, io.EOF) && size > 0:
			l.open = true
		case err != nil:
			return "", err
		}
		l.n++
		l.offset += int64(size)
		if long == nil {
			return string(part), nil
		}
		return join(append(long, part), size), nil
	}
}

// join returns the text of some pieces. It frees each once it is copied.
func join(pieces [][]byte, size int) string {
	var b strings.Builder
	b.Grow(size)
	for i, p := range pieces {
		b.Write(p)
		pieces[i] = nil
	}
	return b.String()
}
