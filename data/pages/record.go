package pages

import (
	"encoding/binary"
	"math"
	"unicode/utf16"
)

// Row is a row of a table as it is stored: what its columns hold, nil, int64,
// float64, string or []byte. A column that is the rowid under another name is nil,
// and columns that came after the row was written are left out.
type Row struct {
	ID     int64
	Values []any
}

// maxPayload is more than SQLite stores in a row.
const maxPayload = math.MaxInt32

// row reads the cell of a leaf at an offset. ok is false where it is damaged; the id
// is known then if known says so. Pages of chains that were seen are damage; those of
// this row are added to chains.
func (f *File) row(p page, at int, seen, chains map[uint32]bool) (r Row, known, ok bool) {
	size, n := varint(p.b[at:p.usable])
	id, m := varint(p.b[at+n : p.usable])
	if n == 0 || m == 0 || size == 0 || size > maxPayload {
		return r, false, false
	}
	r.ID = int64(id) //nolint:gosec // A rowid is signed.
	payload := f.payload(p, at+n+m, int(size), seen, chains)
	if payload == nil {
		return r, true, false
	}
	r.Values, ok = f.values(payload)
	return r, true, ok
}

// localSize returns how much of a leaf's payload stands on the page itself.
func (f *File) localSize(size int) int {
	most := f.usable - 35
	if size <= most {
		return size
	}
	least := (f.usable-12)*32/255 - 23
	if k := least + (size-least)%(f.usable-4); k <= most {
		return k
	}
	return least
}

// payload puts together what stands on the page and on those that follow; nil where
// the chain is broken.
func (f *File) payload(p page, at, size int, seen, chains map[uint32]bool) []byte {
	local := f.localSize(size)
	if at+local > p.usable || size > int(min(int64(f.count)*int64(f.size), maxPayload)) {
		return nil
	}
	if local == size {
		return p.b[at : at+size]
	}
	if at+local+4 > p.usable {
		return nil
	}
	out := append(make([]byte, 0, size), p.b[at:at+local]...)
	var chain []uint32
	for next := binary.BigEndian.Uint32(p.b[at+local:]); len(out) < size; {
		b := f.bytes(next)
		if b == nil || seen[next] || chains[next] || len(b) < f.usable || len(chain) > int(f.count) {
			return nil
		}
		chain = append(chain, next)
		next = binary.BigEndian.Uint32(b)
		out = append(out, b[4:4+min(size-len(out), f.usable-4)]...)
		if len(out) == size && next != 0 {
			return nil // The last page of a chain names none.
		}
	}
	for _, n := range chain {
		chains[n] = true
	}
	return out
}

// values reads a record.
func (f *File) values(b []byte) (out []any, ok bool) {
	head, n := varint(b)
	if n == 0 || head > uint64(len(b)) || int(head) < n {
		return nil, false
	}
	types, body := b[n:head], b[head:]
	for len(types) > 0 {
		t, n := varint(types)
		if n == 0 {
			return nil, false
		}
		types = types[n:]
		size := valueSize(t)
		if size < 0 || size > len(body) {
			return nil, false
		}
		out, body = append(out, f.value(t, body[:size])), body[size:]
	}
	return out, len(body) == 0
}

// valueSize returns the length of a value of a type, or -1 where there is no such type.
func valueSize(t uint64) int {
	switch {
	case t <= 4:
		return int(t)
	case t == 5:
		return 6
	case t <= 7:
		return 8
	case t <= 9:
		return 0
	case t <= 11 || t > maxPayload:
		return -1
	}
	return int(t-12) / 2
}

func (f *File) value(t uint64, b []byte) any {
	switch {
	case t == 0:
		return nil
	case t == 7:
		return math.Float64frombits(binary.BigEndian.Uint64(b))
	case t == 8 || t == 9:
		return int64(t - 8) //nolint:gosec // 0 or 1.
	case t < 7:
		v := int64(int8(b[0]))
		for _, x := range b[1:] {
			v = v<<8 | int64(x)
		}
		return v
	case t%2 == 0:
		return append([]byte{}, b...)
	}
	return f.text(b)
}

func (f *File) text(b []byte) string {
	if f.utf16 == nil {
		return string(b)
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = f.utf16.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}
