package transcript

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// source is where the lines of a transcript lie.
type source interface {
	// eachLine calls fn with every line of the first size bytes, until it returns false, and
	// bad with those that can't be read.
	eachLine(ctx context.Context, size int64, fn func(place, string) (bool, error), bad func(*LineError)) error
}

// fileSource is a file with a line for each event.
type fileSource struct {
	path string
	open func() (io.ReadCloser, error)
	from place // Behind which it is read.
}

func (s fileSource) eachLine(ctx context.Context, size int64, fn func(place, string) (bool, error), bad func(*LineError)) error {
	h, err := s.open()
	if err != nil {
		return fmt.Errorf("read transcript: %w", err)
	}
	defer h.Close()
	if file, ok := h.(io.Seeker); ok && s.from.end > 0 {
		if _, err := file.Seek(s.from.end, io.SeekStart); err != nil {
			return fmt.Errorf("read transcript: %w", err)
		}
	}
	l := newLines(io.LimitReader(h, size-s.from.end))
	l.n, l.offset = s.from.line, s.from.end
	for {
		line, err := l.next(ctx)
		var wrong *LineError
		switch {
		case errors.As(err, &wrong):
			bad(wrong)
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read transcript %s: %w", s.path, err)
		}
		if more, err := fn(place{l.n, l.offset, l.open}, line); err != nil || !more {
			return err
		}
	}
}
