package space

import (
	"bytes"
	"context"
)

// segmentMerge merges the segments of an index without writing: it only counts the leaves.
type segmentMerge struct {
	cursors []*segmentCursor // The newest first.
	counter *leafCounter
	// keepsDeleted says that what says of rows that they were deleted stays.
	keepsDeleted bool
}

// deletedRow is the size of an entry that says that its row was deleted.
const deletedRow = 1

// run merges all segments.
func (m *segmentMerge) run(ctx context.Context) (*leafCounter, error) {
	for _, c := range m.cursors {
		if isWord, err := c.next(); err != nil || !isWord && !c.ended {
			return nil, orOther(err)
		}
	}
	var same []*segmentCursor
	for words := 0; ; words++ {
		same = m.smallest(same[:0])
		if len(same) == 0 {
			m.counter.flush()
			return m.counter, nil
		}
		if words%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := m.mergeWord(same); err != nil {
			return nil, err
		}
	}
}

func orOther(err error) error {
	if err == nil {
		return errOtherIndex
	}
	return err
}

// smallest returns the segments that have the first of all words that are left.
func (m *segmentMerge) smallest(same []*segmentCursor) []*segmentCursor {
	for _, c := range m.cursors {
		if c.ended {
			continue
		}
		order := -1
		if len(same) > 0 {
			order = bytes.Compare(c.word, same[0].word)
		}
		if order < 0 {
			same = same[:0]
		}
		if order <= 0 {
			same = append(same, c)
		}
	}
	return same
}

// mergeWord counts the rows of a word: of each row its newest entry, unless that says that it was
// deleted. It leaves the segments at their next words.
func (m *segmentMerge) mergeWord(same []*segmentCursor) error {
	word, written := bytes.Clone(same[0].word), false
	same, err := advance(same, func(*segmentCursor) bool { return true })
	for err == nil && len(same) > 0 {
		newest := same[0]
		for _, c := range same[1:] {
			if c.row < newest.row {
				newest = c
			}
		}
		row, size := newest.row, newest.size
		if size>>1 > 0 || size == deletedRow && m.keepsDeleted {
			if !written {
				m.counter.addWord(word)
				written = true
			}
			m.counter.addRow(row, size)
		}
		same, err = advance(same, func(c *segmentCursor) bool { return c.row == row })
	}
	return err
}

// advance goes on by a row in the segments that are passed, and leaves out those that have no more
// rows of their word.
func advance(same []*segmentCursor, passed func(*segmentCursor) bool) ([]*segmentCursor, error) {
	left := same[:0]
	for _, c := range same {
		if passed(c) {
			isWord, err := c.next()
			if err != nil {
				return nil, err
			}
			if isWord || c.ended {
				continue
			}
		}
		left = append(left, c)
	}
	return left, nil
}
