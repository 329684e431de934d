package pagestream_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"lcm-tui/data/pagestream"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// hostile packs what another machine might send in the place of a stream.
func hostile(t *testing.T, header any, body func(w *zstd.Encoder)) []byte {
	t.Helper()
	var out bytes.Buffer
	out.WriteString("lcm-tui pages 1 zstd\n")
	w, err := zstd.NewWriter(&out, zstd.WithWindowSize(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(binary.BigEndian.AppendUint32(nil, uint32(len(b))))
	_, _ = w.Write(b)
	body(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// writeZeroPages writes the pages from 1 to n, all zero.
func writeZeroPages(w *zstd.Encoder, n, size int) {
	page := make([]byte, size)
	for i := range n {
		_, _ = w.Write(binary.BigEndian.AppendUint32(nil, uint32(i+1)))
		_, _ = w.Write(page)
	}
}

const someStamp = "0123456789abcdef01234567"

// TestHostileStreamsMakeNoFile: sizes that are lies, streams without an end, and bombs end with an error, and leave nothing.
func TestHostileStreamsMakeNoFile(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	header := func(pages int64, size int) map[string]any {
		return map[string]any{"stamp": someStamp, "pages": pages, "page_size": size}
	}
	nothing := func(*zstd.Encoder) {}
	for name, c := range map[string]struct {
		header any
		body   func(w *zstd.Encoder)
		err    error
	}{
		"more pages than there is room for": {header(1<<40, 4096), nothing, pagestream.ErrTooLarge},
		"a number of pages that overflows":  {header(1<<62, 65536), nothing, pagestream.ErrTooLarge},
		"fewer pages than none":             {header(-1, 4096), nothing, pagestream.ErrBadStream},
		"a page of no size":                 {header(1, 0), nothing, pagestream.ErrBadStream},
		"a page of an odd size":             {header(1, 4097), nothing, pagestream.ErrBadStream},
		"a stamp that is a path":            {map[string]any{"stamp": "../../x", "pages": 1, "page_size": 4096}, nothing, pagestream.ErrBadStream},
		"a change of what isn't here":       {map[string]any{"stamp": someStamp, "base": "fedcba9876543210", "pages": 1, "page_size": 4096}, nothing, pagestream.ErrBadStream},
		"unchanged since another":           {map[string]any{"stamp": someStamp, "unchanged": true}, nothing, pagestream.ErrBadStream},
		"no header":                         {[]int{1}, nothing, pagestream.ErrBadStream},
		"a page of beyond the end":          {header(1, 512), func(w *zstd.Encoder) { _, _ = w.Write([]byte{0, 0, 0, 9}) }, pagestream.ErrBadStream},
		"a bomb of pages":                   {header(1<<40, 512), func(w *zstd.Encoder) { writeZeroPages(w, 100_000, 512) }, pagestream.ErrTooLarge},
		"a bomb behind the only page":       {header(1, 4096), func(w *zstd.Encoder) { _, _ = w.Write(make([]byte, 64<<20)) }, pagestream.ErrBadStream},
		"a trailer that is huge": {header(1, 512), func(w *zstd.Encoder) {
			writeZeroPages(w, 1, 512)
			_, _ = w.Write([]byte{0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff})
		}, pagestream.ErrBadStream},
		"a digest of other pages": {header(1, 512), func(w *zstd.Encoder) {
			writeZeroPages(w, 1, 512)
			end := []byte(`{"sent":1,"root":"` + strings.Repeat("0", 64) + `"}`)
			_, _ = w.Write(append([]byte{0, 0, 0, 0, 0, 0, 0, byte(len(end))}, end...))
		}, pagestream.ErrBadStream},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			_, err := pagestream.Receive(t.Context(), bytes.NewReader(hostile(t, c.header, c.body)), filepath.Join(folder, "copy.db"), pagestream.Receiving{MaxBytes: 1 << 30})
			if left, _ := os.ReadDir(folder); !errors.Is(err, c.err) || len(left) > 0 {
				t.Errorf("%v, left: %v", err, left)
			}
		})
	}
}

// TestPagesTakeNoMemory: a stream of a million small pages is received with hardly more memory than one of a few.
func TestPagesTakeNoMemory(t *testing.T) { //nolint:paralleltest // It measures the memory of the process.
	testlength.Long(t)
	const pages, size = 300_000, 512
	stream := hostile(t, map[string]any{"stamp": someStamp, "pages": pages, "page_size": size}, func(w *zstd.Encoder) { writeZeroPages(w, pages, size) })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := pagestream.Receive(t.Context(), bytes.NewReader(stream), filepath.Join(t.TempDir(), "copy.db"), pagestream.Receiving{})
	runtime.ReadMemStats(&after)
	const most = 12 << 20
	if took := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, pagestream.ErrBadStream) || took > most {
		t.Errorf("%v; %d bytes were taken for %d pages", err, took, pages)
	}
}

// TestADatabaseWithoutAHostIsReadOnce: our own reads make an empty -wal beside it, whose time is no write.
func TestADatabaseWithoutAHostIsReadOnce(t *testing.T) {
	t.Parallel()
	s := newSource(t)
	s.exec("PRAGMA journal_mode = wal")
	s.exec("UPDATE test_pair SET a = 1, b = 1")
	if err := s.writer.Close(); err != nil { // The last to close it takes the -wal away.
		t.Fatal(err)
	}
	s.age()
	first, _ := s.send("")
	for range 2 {
		db := testdb.Open(t, s.path) // Another program reads it meanwhile.
		if again, stream := s.send(first.Stamp); !again.Unchanged || len(stream) > 1000 {
			t.Errorf("%+v, %d bytes", again, len(stream))
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
