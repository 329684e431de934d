package transcript

import (
	"bytes"
	"context"
	"io"
)

// OpenBytes works as Open on what a file would hold.
func OpenBytes(ctx context.Context, b []byte) (*File, error) {
	f := &File{Size: int64(len(b)), source: fileSource{open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }}}
	return f, f.probe(ctx)
}

// CountReads counts how often the lines of a transcript are read from now on.
func CountReads(f *File) *int {
	n := new(int)
	f.source = countedSource{f.source, n}
	return n
}

type countedSource struct {
	source
	n *int
}

func (s countedSource) eachLine(ctx context.Context, size int64, fn func(place, string) (bool, error), bad func(*LineError)) error {
	*s.n++
	return s.source.eachLine(ctx, size, fn, bad)
}
