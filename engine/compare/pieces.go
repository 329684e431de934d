package compare

import "slices"

// alignPieces finds the message of each item: the one that names its entry, else the next one that
// says the same, else any.
func (c *comparer) alignPieces() {
	next := 0
	for _, i := range c.items {
		n, ambiguous := c.match(i, next)
		switch {
		case len(i.keys) == 0:
			i.Place = Redacted
			c.Redacted = append(c.Redacted, i.Row)
		case n < 0:
			i.Place = Missing
			c.Missing = append(c.Missing, i.Row)
		default:
			at := c.places[n]
			i.Place, i.Message, i.Seq, i.Ordinal, i.Summary, i.Ambiguous = at.Place, at.Message, at.Seq, at.Ordinal, at.Summary, ambiguous
			c.Aligned++
			c.addExtra(next, n)
			c.taken[n] = true
			next = max(next, n)
			if ambiguous {
				c.Ambiguous = append(c.Ambiguous, i.Row)
			}
		}
		c.Rows = append(c.Rows, i.Row)
	}
	c.addExtra(next, len(c.places))
	for n, at := range c.places {
		if !c.taken[n] {
			at.Preview = preview(at.Preview)
			c.Extra = append(c.Extra, at)
		}
	}
}

// match returns the message that an item belongs to, or -1: the one that names it, else the next that says the same and
// whose text no item had yet, else an earlier one, else the last of all.
func (c *comparer) match(i item, next int) (n int, ambiguous bool) {
	if n, ok := c.named(i.Entry); ok {
		return n, false
	}
	for _, key := range i.keys {
		all := c.pieces[key]
		if len(all) == 0 {
			continue
		}
		free := func(at int) bool { return !c.used[piece{key, at}] }
		best := all[len(all)-1]
		if k := slices.IndexFunc(all, func(at int) bool { return at >= next && free(at) }); k >= 0 {
			best = all[k]
		} else if k := slices.IndexFunc(all, free); k >= 0 {
			best = all[k]
		}
		c.used[piece{key, best}] = true
		return best, len(all) != c.textCount[key]
	}
	return -1, false
}

// named returns the message that names an entry.
func (c *comparer) named(entry string) (int, bool) {
	if c.byEntry == nil {
		c.byEntry = map[string]int{}
		for n, m := range c.messages {
			if m.Entry != "" {
				c.byEntry[m.Entry] = n
			}
		}
	}
	n, ok := c.byEntry[entry]
	return n, ok
}

// piece is a text of a message.
type piece struct {
	key     string
	message int
}

// addExtra puts the context items between two messages that the transcript lacks into the rows.
func (c *comparer) addExtra(from, to int) {
	for n := from; n < to; n++ {
		if c.taken[n] || c.places[n].Place != InContext || c.hasEntry(n) {
			continue
		}
		row := c.places[n]
		row.Place = Extra
		c.Rows = append(c.Rows, row)
	}
}

// hasEntry reports whether an item of the transcript has the text of a message.
func (c *comparer) hasEntry(n int) bool {
	return c.textCount[c.firstKeys[n]] > 0
}
