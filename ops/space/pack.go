package space

import "math"

// packer counts the leaves that the rows of a table fill when they are rewritten one after the
// other, as VACUUM does: a leaf is full when the next cell doesn't fit in.
type packer struct {
	usable int64 // Bytes of a page.
	// overhead is what a row has in bytes beside its texts: header and numbers.
	overhead               int64
	rowID                  int64 // Bytes of the number of a row.
	leaves, free, overflow int64
}

// The sizes that SQLite's file format has for a leaf of a table, in bytes.
const (
	leafHeader  = 8
	cellPointer = 2
	pageNumber  = 4 // What leads to the first overflow page.
)

// add puts a row with so many bytes of texts behind the others.
func (p *packer) add(bytes int64) {
	payload := bytes + p.overhead
	local := p.local(payload)
	if local < payload {
		inPage := p.usable - pageNumber
		p.overflow += (payload - (local - pageNumber) + inPage - 1) / inPage
	}
	cell := cellPointer + varintBytes(payload) + p.rowID + local
	if cell > p.free {
		p.leaves++
		p.free = p.usable - leafHeader
	}
	p.free -= cell
}

// rowIDBytes is how long the number of a row is, as in most tables.
const rowIDBytes = 3

// local returns how much of a row stands in its leaf, with the number of the page that has the rest.
func (p *packer) local(payload int64) int64 {
	if payload <= p.usable-35 {
		return payload
	}
	least := (p.usable-12)*32/255 - 23
	n := least + (payload-least)%(p.usable-4)
	if n > p.usable-35 {
		n = least
	}
	return n + pageNumber
}

// varintBytes returns how many bytes a number takes in SQLite's variable length.
func varintBytes(n int64) (bytes int64) {
	for bytes = 1; n >= 0x80; n >>= 7 {
		bytes++
	}
	return bytes
}

// packing is packers for several sizes of what a row has beside its texts, because that size is
// known only when all rows were seen.
type packing struct{ packers [overheadSteps]packer }

const (
	overheadSteps = 20
	overheadStep  = 4 // Bytes.
)

func newPacking(usable, columns int64) *packing {
	p := &packing{}
	for i := range p.packers {
		p.packers[i] = packer{usable: usable, overhead: columns + 1 + int64(i)*overheadStep, rowID: rowIDBytes}
	}
	return p
}

func (p *packing) add(bytes int64) {
	for i := range p.packers {
		p.packers[i].add(bytes)
	}
}

// leaves returns how many there are for rows that have so many bytes beside their texts.
func (p *packing) leaves(overhead float64) int64 {
	place := (overhead - float64(p.packers[0].overhead)) / overheadStep
	i := min(max(0, int(place)), overheadSteps-2)
	low, high := float64(p.packers[i].leaves), float64(p.packers[i+1].leaves)
	return int64(math.Round(low + (place-float64(i))*(high-low)))
}
