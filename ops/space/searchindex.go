package space

import (
	"context"
	"errors"
	"slices"

	"lcm-tui/data"
)

// errOtherIndex says that the index of a search table isn't as FTS5 writes it, or was written to
// while it was read.
var errOtherIndex = errors.New("the index of the search table has another form")

// searchIndexes returns the tables with the indexes of search tables, without what they have once they
// are merged.
func (m *Measurement) searchIndexes() map[string]*leafCounter {
	out := map[string]*leafCounter{}
	for i := range m.Objects {
		if o := &m.Objects[i]; searchSuffix(o) == dataSuffix && o.measured {
			out[o.Name] = nil
		}
	}
	return out
}

// mergeAll counts what each index has once it is merged. An index of a form that isn't known, or
// that is merged, keeps nil. usable is the bytes of a page.
func mergeAll(ctx context.Context, db *data.DB, indexes map[string]*leafCounter, usable int64) error {
	for table := range indexes {
		merged, err := mergedIndex(ctx, db, table, usable)
		if err != nil && !errors.Is(err, errOtherIndex) {
			return err
		}
		indexes[table] = merged
	}
	return nil
}

// packIndexes notes how many pages the indexes of search tables take once they are merged, as
// reclaim does: an index is in segments of which many name the same words, and rows of the search
// table that were deleted make it larger until then.
func (m *Measurement) packIndexes(indexes map[string]*leafCounter) {
	for table, merged := range indexes {
		if merged == nil {
			continue
		}
		o := m.object(table)
		o.PackedLeaves, o.PackedOverflow = merged.pack.leaves, merged.pack.overflow
		if words := m.object(o.Table + wordsSuffix); words.measured && words.Leaf.Cells > 0 {
			words.PackedLeaves = max(1, (words.Leaf.Count*merged.words+words.Leaf.Cells-1)/words.Leaf.Cells)
		}
	}
}

// dataSuffix ends the name of the table that has the index of a search table.
const dataSuffix = "_data"

// wordsSuffix ends the name of the table that has the first word of each leaf.
const wordsSuffix = "_idx"

// The parts of the number of a row of an index: that of its segment stands above that of its leaf.
const (
	segmentShift = 37
	averagesID   = 1  // Of the row that has the numbers of all rows and words.
	structureID  = 10 // Of the row that lists the segments.
)

const (
	cookieBytes    = 4  // Before the number of levels in that row.
	structureBytes = 12 // Of that row when it has one segment, beside two for each level before.
)

// mergedIndex counts what the index in a table has once it is merged, or returns nil where it is.
// usable is the bytes of a page.
func mergedIndex(ctx context.Context, db *data.DB, table string, usable int64) (*leafCounter, error) {
	records, err := readBlocks(ctx, db, table, averagesID, structureID, 2)
	if err != nil {
		return nil, err
	}
	if len(records) != 2 {
		return nil, errOtherIndex
	}
	index, err := parseStructure(records[1])
	if err != nil || len(index.segments) < 2 {
		return nil, err
	}
	merge := segmentMerge{counter: newLeafCounter(usable), keepsDeleted: index.keepsDeleted}
	merge.counter.pack.add(int64(len(records[0])))
	merge.counter.pack.add(structureBytes + 2*int64(records[1][cookieBytes]))
	for _, s := range index.segments {
		first, last := s.id<<segmentShift+s.first, s.id<<segmentShift+s.last
		merge.cursors = append(merge.cursors, &segmentCursor{load: func(after int64) ([][]byte, error) {
			return readBlocks(ctx, db, table, first+after, last, blocksPerRead)
		}})
	}
	return merge.run(ctx)
}

// blocksPerRead is how many leaves of a segment are read at once.
const blocksPerRead = 32

// readBlocks reads rows of an index whose numbers lie in a range. Those of leaves follow one
// another.
func readBlocks(ctx context.Context, db *data.DB, table string, first, last int64, limit int) (out [][]byte, err error) {
	query := "SELECT block FROM main." + data.QuoteName(table) + " WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?"
	err = db.EachRow(ctx, "read the index in "+table+" of", query, []any{first, last, limit}, func(scan data.RowScanner) error {
		var block []byte
		err := scan(&block)
		out = append(out, block)
		return err
	})
	return out, err
}

// segment is a part of an index that is in order by itself: the numbers of its leaves.
type segment struct{ id, first, last int64 }

// structure is the list of the segments of an index, the newest first.
type structure struct {
	segments []segment
	// keepsDeleted says that a merge keeps what says of rows that they were deleted. FTS5 drops
	// that when it writes the segment below all others, but where all of them are on one level it
	// leaves empty levels below.
	keepsDeleted bool
}

// parseStructure reads which segments an index has.
func parseStructure(block []byte) (out structure, err error) {
	if len(block) <= cookieBytes || block[cookieBytes] == 0xff { // With numbers of deleted rows.
		return out, errOtherIndex
	}
	r := varintReader{bytes: block, at: cookieBytes}
	levels, all, _ := r.next(), r.next(), r.next() // The last is how often it was written.
	for level := range levels {
		merging, n := r.next(), r.next()
		start := len(out.segments)
		for range n {
			s := segment{r.next(), r.next(), r.next()}
			if r.bad || s.last < s.first {
				return out, errOtherIndex
			}
			if s.first > 0 {
				out.segments = append(out.segments, s)
			}
		}
		slices.Reverse(out.segments[start:]) // The last of a level is its newest.
		if n == all || n > 0 && n == all-1 && merging == n {
			out.keepsDeleted = level+2 < levels
		}
	}
	if r.bad {
		return out, errOtherIndex
	}
	return out, nil
}

// varintReader reads numbers of variable length. Behind the end it sets bad.
type varintReader struct {
	bytes []byte
	at    int
	bad   bool
}

func (r *varintReader) next() (n int64) {
	for i := 0; ; i++ {
		if r.at >= len(r.bytes) {
			r.bad = true
			return 0
		}
		b := r.bytes[r.at]
		r.at++
		if i == 8 {
			return n<<8 | int64(b)
		}
		n = n<<7 | int64(b&0x7f)
		if b < 0x80 {
			return n
		}
	}
}
