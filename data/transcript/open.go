package transcript

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"lcm-tui/data/sessiondb"
	"lcm-tui/internal/regularfile"
)

// Open looks at a transcript and tells its kind by what is in it. It takes a session file,
// one that is packed with zstd, too, or the address of a session in a transcript database
// (see Address).
func Open(ctx context.Context, path string) (*File, error) {
	if file, session, ok := SplitAddress(path); ok {
		return openStored(ctx, file, session)
	}
	if filepath.Base(path) == sessiondb.FileName { // It may be open: no ordinary handle.
		return nil, namelessError(ctx, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open transcript: %w", &fs.PathError{Op: "read", Path: path, Err: regularfile.ErrNotRegular})
	}
	if info.Size() == 0 {
		return nil, fmt.Errorf("%s: %w", path, ErrEmpty)
	}
	f := &File{Path: path, Size: info.Size(), ModTime: info.ModTime()}
	if err := f.findSource(ctx); err != nil {
		return nil, err
	}
	return f, f.probe(ctx)
}

// How files begin that aren't lines of JSON.
const (
	sqliteMagic = "SQLite format 3\x00"
	zstdMagic   = "\x28\xb5\x2f\xfd"
)

// findSource tells by its first bytes how the file is read. SQLite's files are refused: a row
// of one may look like a line of a transcript.
func (f *File) findSource(ctx context.Context) error {
	plain := fileSource{path: f.Path, open: func() (io.ReadCloser, error) { return regularfile.Open(f.Path) }}
	f.source, f.isPlain = plain, true
	head, err := readHead(plain, len(sqliteMagic))
	switch {
	case err != nil:
		return fmt.Errorf("open transcript: %w", err)
	case head == sqliteMagic:
		return namelessError(ctx, f.Path)
	case IsGeminiDocument(f.Path):
		f.source, f.isPlain = documentSource{plain}, false
	case len(head) >= len(zstdMagic) && head[:len(zstdMagic)] == zstdMagic:
		return f.unpack(ctx, plain)
	}
	return nil
}

// readHead reads the first bytes of a file, fewer if it has no more.
func readHead(s fileSource, n int) (string, error) {
	h, err := s.open()
	if err != nil {
		return "", err
	}
	defer h.Close()
	head := make([]byte, n)
	n, err = io.ReadFull(h, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return string(head[:n]), err
}

// maxUnpacked is the size in bytes of the largest packed session file that is read, when it
// is unpacked.
const maxUnpacked = 8 << 30

// unpack reads a packed file unpacked.
func (f *File) unpack(ctx context.Context, packed fileSource) error {
	f.isPlain = false
	return f.measure(ctx, fileSource{path: f.Path, open: func() (io.ReadCloser, error) {
		h, err := packed.open()
		if err != nil {
			return nil, err
		}
		return sessiondb.Unpack(h)
	}})
}

// measure makes a packed transcript the file's source. It reads it once to learn its size.
func (f *File) measure(ctx context.Context, unpacked fileSource) error {
	h, err := unpacked.open()
	if err != nil {
		return fmt.Errorf("open transcript: %w", err)
	}
	defer h.Close()
	f.source, f.Size = unpacked, 0
	for {
		const piece = 16 << 20 // Between two looks at whether it's still wanted.
		n, err := io.CopyN(io.Discard, h, piece)
		f.Size += n
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("unpack %s: %w", f.Path, err)
		case ctx.Err() != nil:
			return ctx.Err()
		case f.Size > maxUnpacked:
			return fmt.Errorf("unpack %s: it is larger than %d GB", f.Path, maxUnpacked>>30)
		}
	}
}
