package pages

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"slices"
)

// File is a database as pages, numbered from 1.
type File struct {
	r             io.ReaderAt
	size          int // Of a page.
	usable        int // Of a page, without what is reserved at its end.
	count         uint32
	utf16         binary.ByteOrder // nil is UTF-8.
	free          uint32           // The first page of the freelist.
	wal           *wal
	hasHeader     bool   // The header of the file could be read.
	declaredPages uint32 // How many pages the header says there are; 0 where it says nothing.
}

// ErrNoPages says that a file has nothing that looks like a page of SQLite's.
var ErrNoPages = errors.New("no page of it is one of SQLite's")

const (
	headerSize = 100
	minPage    = 512
	maxPage    = 65536
)

var magic = []byte("SQLite format 3\x00")

// Open looks at a file of length bytes, and at its -wal, which may be nil. Frames
// of a -wal that don't belong to the file are passed over.
func Open(file io.ReaderAt, length int64, log io.ReaderAt) (*File, error) {
	f := &File{r: file}
	f.wal = openWAL(log)
	header := make([]byte, headerSize)
	_, err := file.ReadAt(header, 0)
	if first := f.wal.page(1); len(first) >= headerSize {
		header, err = first[:headerSize], nil
	}
	if err == nil && bytes.HasPrefix(header, magic) {
		f.read(header)
	}
	if f.size == 0 && f.wal != nil {
		f.size = f.wal.size
	}
	if f.size == 0 {
		f.size = guessPageSize(file, length)
	}
	if f.size == 0 {
		return nil, ErrNoPages
	}
	if f.usable == 0 {
		f.usable = f.size
	}
	f.setCount(header, length)
	return f, nil
}

// read reads the header. Values that can't be right are ignored.
func (f *File) read(h []byte) {
	size := int(binary.BigEndian.Uint16(h[16:]))
	if size == 1 {
		size = maxPage
	}
	if size < minPage || size > maxPage || size&(size-1) != 0 {
		return
	}
	f.size, f.usable, f.hasHeader = size, size-int(h[20]), true
	f.free = binary.BigEndian.Uint32(h[32:])
	switch binary.BigEndian.Uint32(h[56:]) {
	case 2:
		f.utf16 = binary.LittleEndian
	case 3:
		f.utf16 = binary.BigEndian
	}
}

// setCount sets the number of pages to that of the newest commit or of the header, if it can be
// true: pages after it are no longer part of the database.
func (f *File) setCount(h []byte, length int64) {
	f.count = uint32(min(length/int64(f.size), 1<<32-2))
	if length%int64(f.size) != 0 {
		f.count++ // Cut off within a page.
	}
	switch {
	case f.wal != nil:
		f.count = min(f.wal.count, max(f.count, slices.Max(slices.Collect(maps.Keys(f.wal.at)))))
	case f.hasHeader && bytes.Equal(h[24:28], h[92:96]):
		f.declaredPages = binary.BigEndian.Uint32(h[28:])
		if f.declaredPages > 0 && f.declaredPages < f.count {
			f.count = f.declaredPages
		}
	}
}

// Declared returns how many bytes the file has by its own header; 0 where that isn't known.
func (f *File) Declared() int64 { return int64(f.declaredPages) * int64(f.size) }

// guessPageSize returns the page size at which most leaves are filled from their end, as SQLite fills
// them, or 0.
func guessPageSize(r io.ReaderAt, length int64) (size int) {
	best := 0
	for s := minPage; s <= maxPage; s *= 2 {
		found, b := 0, make([]byte, s)
		f := &File{size: s, usable: s}
		for at := int64(s); at < min(length, guessBytes); at += int64(s) {
			if _, err := r.ReadAt(b, at); err == nil && f.isFilledLeaf(page{b: b, usable: s}) {
				found++
			}
		}
		if found > best {
			best, size = found, s
		}
	}
	return size
}

// guessBytes is how much of a file guess reads, in bytes.
const guessBytes = 64 << 20

// isFilledLeaf reports whether a page is a table's leaf whose last cell ends with it.
func (f *File) isFilledLeaf(p page) bool {
	if p.kind() != leafTable {
		return false
	}
	at, cellCount := p.cells()
	if cellCount == 0 || len(at) < cellCount {
		return false
	}
	last := slices.Max(at)
	size, n := varint(p.b[last:])
	_, m := varint(p.b[last+n:])
	if n == 0 || m == 0 || size > uint64(maxPayload) {
		return false
	}
	local := f.localSize(int(size))
	if local < int(size) {
		local += 4 // The page on which it goes on.
	}
	return last+n+m+local == f.usable
}

// PageCount returns the number of pages by the file or its header.
func (f *File) PageCount() uint32 { return f.count }

// PageSize returns the size of a page in bytes.
func (f *File) PageSize() int { return f.size }

// HasHeader reports whether the header of the file could be read.
func (f *File) HasHeader() bool { return f.hasHeader }

// WALPages returns how many pages come from the -wal.
func (f *File) WALPages() int {
	if f.wal == nil {
		return 0
	}
	return len(f.wal.at)
}

// bytes returns those of a page, or nil where it can't be read.
func (f *File) bytes(n uint32) []byte {
	if n == 0 || n > f.count {
		return nil
	}
	if b := f.wal.page(n); b != nil {
		return b
	}
	b := make([]byte, f.size)
	if got, err := f.r.ReadAt(b, int64(n-1)*int64(f.size)); got < f.size && (err != nil || got == 0) {
		return nil
	}
	return b
}

// page returns a page as the node of a tree.
func (f *File) page(n uint32) page {
	p := page{number: n, b: f.bytes(n), usable: f.usable}
	if n == 1 {
		p.start = headerSize
	}
	return p
}

// Free marks the pages of the freelist as seen: their rows were deleted.
func (f *File) Free(seen map[uint32]bool) {
	for trunk := f.free; trunk != 0 && !seen[trunk]; {
		b := f.bytes(trunk)
		if len(b) < f.usable {
			return
		}
		seen[trunk] = true
		next, leaves := binary.BigEndian.Uint32(b), int(binary.BigEndian.Uint32(b[4:]))
		if leaves > f.usable/4-2 {
			return
		}
		for i := range leaves {
			if n := binary.BigEndian.Uint32(b[8+4*i:]); n > 1 && n <= f.count {
				seen[n] = true
			}
		}
		trunk = next
	}
}
