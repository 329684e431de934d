package pages

import "encoding/binary"

// The kinds of page of a tree, as its first byte has it.
const (
	interiorIndex = 2
	interiorTable = 5
	leafIndex     = 10
	leafTable     = 13
)

// page is a node of a tree. The first page of the file begins behind the header.
type page struct {
	number uint32
	b      []byte
	start  int
	usable int
}

func (p page) kind() byte {
	if len(p.b) < p.usable || p.usable < minPage/2 {
		return 0
	}
	return p.b[p.start]
}

// head returns the length of the node's header.
func (p page) head() int {
	if k := p.kind(); k == interiorTable || k == interiorIndex {
		return 12
	}
	return 8
}

// cells returns the offsets of the node's cells that lie within the page, and how many
// it says it has.
func (p page) cells() (at []int, cellCount int) {
	cellCount = int(binary.BigEndian.Uint16(p.b[p.start+3:]))
	array := p.start + p.head()
	end := array + 2*cellCount
	if end > p.usable {
		return nil, cellCount
	}
	for i := array; i < end; i += 2 {
		if o := int(binary.BigEndian.Uint16(p.b[i:])); o >= end && o < p.usable {
			at = append(at, o)
		}
	}
	return at, cellCount
}

// child is a pointer of an inner node and the highest key below it.
type child struct {
	page uint32
	key  int64 // Only of tables.
}

// children returns the pointers of an inner node in order; the last has no key.
func (p page) children() (out []child, last uint32) {
	at, _ := p.cells()
	for _, o := range at {
		if o+5 > p.usable {
			continue
		}
		c := child{page: binary.BigEndian.Uint32(p.b[o:])}
		if p.kind() == interiorTable {
			key, n := varint(p.b[o+4 : p.usable])
			if n == 0 {
				continue
			}
			c.key = int64(key) //nolint:gosec // A rowid is signed.
		}
		out = append(out, c)
	}
	return out, binary.BigEndian.Uint32(p.b[p.start+8:])
}

// varint reads SQLite's number of one to nine bytes; n is 0 where there is none.
func varint(b []byte) (v uint64, n int) {
	for i := range min(len(b), 9) {
		if i == 8 {
			return v<<8 | uint64(b[8]), 9
		}
		v = v<<7 | uint64(b[i]&0x7f)
		if b[i] < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}
