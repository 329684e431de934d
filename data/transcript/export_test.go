package transcript

import (
	"bytes"
	"context"
	"io"
)

// OpenBytes is Open on what a file would hold.
func OpenBytes(ctx context.Context, b []byte) (*File, error) {
	f := &File{Size: int64(len(b)), source: fileSource{open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }}}
	return f, f.probe(ctx)
}
