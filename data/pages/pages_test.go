package pages_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/data/pages"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/samples"
)

// sample returns a small database as bytes, and its -wal.
func sample(f testing.TB) (file, wal []byte) {
	f.Helper()
	path := filepath.Join(f.TempDir(), "lcm.db")
	if err := samples.Write(path, fakehost.V0_1); err != nil {
		f.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	wal, err = os.ReadFile(path + "-wal")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		f.Fatal(err)
	}
	return file, wal
}

// walk reads all that can be read.
func walk(file, wal []byte) (rows int, err error) {
	var log *bytes.Reader
	p, err := func() (*pages.File, error) {
		if wal == nil {
			return pages.Open(bytes.NewReader(file), int64(len(file)), nil)
		}
		log = bytes.NewReader(wal)
		return pages.Open(bytes.NewReader(file), int64(len(file)), log)
	}()
	if err != nil {
		return 0, err
	}
	seen := map[uint32]bool{}
	p.Free(seen)
	for root := uint32(1); root <= min(p.PageCount(), 500); root++ {
		if _, err := p.Walk(root, seen, func(pages.Row) error { rows++; return nil }); err != nil {
			return rows, err
		}
	}
	return rows, p.Unreferenced(seen, func(rs []pages.Row) (bool, error) { rows += len(rs); return true, nil })
}

func TestNoPages(t *testing.T) {
	t.Parallel()
	for _, b := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte("not a database "), 1000)} {
		if _, err := walk(b, nil); !errors.Is(err, pages.ErrNoPages) {
			t.Errorf("%d bytes: %v", len(b), err)
		}
	}
}

// FuzzWalk: whatever the bytes are, reading ends, and never past them.
func FuzzWalk(f *testing.F) {
	file, wal := sample(f)
	f.Add(file[:min(len(file), 64<<10)], wal[:min(len(wal), 16<<10)])
	f.Add(file[4096:min(len(file), 32<<10)], []byte{})
	f.Add([]byte("SQLite format 3\x00"), []byte{0x37, 0x7f, 6, 0x82})
	f.Fuzz(func(t *testing.T, file, wal []byte) {
		if _, err := walk(file, wal); err != nil && !errors.Is(err, pages.ErrNoPages) {
			t.Error(err)
		}
	})
}
