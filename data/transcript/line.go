package transcript

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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

// lines reads whole lines. What it returns is good until the next call.
type lines struct {
	r      *bufio.Reader
	n      int64 // Of the line that was read last.
	offset int64 // Behind it.
	long   []byte
	open   bool // The last line isn't ended: it may be being written.
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 1<<18)} }

// next is the next line that isn't blank, or io.EOF. With a *LineError it can be
// called again.
func (l *lines) next(ctx context.Context) ([]byte, error) {
	for {
		line, err := l.read(ctx)
		if err != nil {
			return nil, err
		}
		if l.n%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

// skip passes over the rest of a line that is too long, of which size bytes are read.
func (l *lines) skip(ctx context.Context, size int) error {
	l.long = nil
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

func (l *lines) read(ctx context.Context) ([]byte, error) {
	l.long = l.long[:0]
	if cap(l.long) > 8<<20 {
		l.long = nil
	}
	size := 0
	for {
		part, err := l.r.ReadSlice('\n')
		size += len(part)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if l.long = append(l.long, part...); size > maxLine {
				return nil, l.skip(ctx, size)
			}
			continue
		case errors.Is(err, io.EOF) && size > 0:
			l.open = true
		case err != nil:
			return nil, err
		}
		l.n++
		l.offset += int64(size)
		if len(l.long) == 0 {
			return part, nil
		}
		l.long = append(l.long, part...)
		return l.long, nil
	}
}
