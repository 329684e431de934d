package pages

import (
	"encoding/binary"
	"io"
)

// wal has the positions of the newest pages in a -wal, up to its last commit.
type wal struct {
	r     io.ReaderAt
	size  int // Of a page.
	at    map[uint32]int64
	count uint32 // Pages of the database after the last commit.
}

const (
	walHeader   = 32
	frameHeader = 24
	walMagic    = 0x377f0682 // The last bit says in which byte order it's summed.
)

// openWAL reads which frames are valid, as SQLite tells: by the salts of this run of
// the log, and by a sum over everything before. It is nil if there are none.
func openWAL(r io.ReaderAt) *wal {
	if r == nil {
		return nil
	}
	h := make([]byte, walHeader)
	if _, err := r.ReadAt(h, 0); err != nil {
		return nil
	}
	m := binary.BigEndian.Uint32(h)
	var order binary.ByteOrder = binary.LittleEndian
	if m&1 == 1 {
		order = binary.BigEndian
	}
	size := int(binary.BigEndian.Uint32(h[8:]))
	if m&^1 != walMagic || size < minPage || size > maxPage || size&(size-1) != 0 {
		return nil
	}
	s := sums{}
	s.add(order, h[:24])
	if !s.match(h[24:]) {
		return nil
	}
	w := &wal{r: r, size: size, at: map[uint32]int64{}}
	w.frames(order, s, h[16:24])
	if len(w.at) == 0 {
		return nil
	}
	return w
}

// frames takes the frames of all whole transactions.
func (w *wal) frames(order binary.ByteOrder, s sums, salts []byte) {
	open := map[uint32]int64{}
	b := make([]byte, frameHeader+w.size)
	for at := int64(walHeader); ; at += int64(len(b)) {
		if _, err := w.r.ReadAt(b, at); err != nil || string(b[8:16]) != string(salts) {
			return
		}
		s.add(order, b[:8])
		s.add(order, b[frameHeader:])
		if !s.match(b[16:24]) {
			return
		}
		open[binary.BigEndian.Uint32(b)] = at + frameHeader
		if n := binary.BigEndian.Uint32(b[4:]); n != 0 { // A commit.
			for page, at := range open {
				w.at[page] = at
			}
			w.count = n
			clear(open)
		}
	}
}

// page returns the bytes of a page that the log holds, or nil.
func (w *wal) page(n uint32) []byte {
	if w == nil {
		return nil
	}
	at, ok := w.at[n]
	if !ok {
		return nil
	}
	b := make([]byte, w.size)
	if _, err := w.r.ReadAt(b, at); err != nil {
		return nil
	}
	return b
}

// sums is SQLite's running checksum of a -wal.
type sums struct{ a, b uint32 }

func (s *sums) add(order binary.ByteOrder, p []byte) {
	for ; len(p) >= 8; p = p[8:] {
		s.a += order.Uint32(p) + s.b
		s.b += order.Uint32(p[4:]) + s.a
	}
}

func (s *sums) match(p []byte) bool {
	return s.a == binary.BigEndian.Uint32(p) && s.b == binary.BigEndian.Uint32(p[4:])
}
