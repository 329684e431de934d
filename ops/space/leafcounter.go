package space

// leafCounter counts the leaves that FTS5 fills when it writes a segment of an index.
type leafCounter struct {
	pack  packer // Of the table that has the leaves as its rows.
	words int64  // The leaves in which a word begins.

	used, footer, lastWord int64
	word                   []byte
	hasWord, hasRow        bool
	afterWord              bool
	row                    int64
}

// leafLimit is the size of a leaf in bytes, unless a program set another one.
const leafLimit = 4050

const (
	recordOverhead = 3 // Bytes of a row of an index beside its block, where that is short.
	leafOverhead   = 4 // The same of a leaf.
	leafIDBytes    = 6 // Bytes of the number of a leaf: it contains that of its segment.
)

func newLeafCounter(usable int64) *leafCounter {
	return &leafCounter{pack: packer{usable: usable, overhead: recordOverhead, rowID: 1}, used: leafStart}
}

// flush ends a leaf.
func (c *leafCounter) flush() {
	if c.used <= leafStart {
		return
	}
	c.pack.overhead, c.pack.rowID = leafOverhead, leafIDBytes
	c.pack.add(c.used + c.footer)
	if c.hasWord {
		c.words++
	}
	c.used, c.footer, c.lastWord, c.hasWord, c.hasRow = leafStart, 0, 0, false, false
}

// addWord begins a word.
func (c *leafCounter) addWord(word []byte) {
	if c.used+c.footer+int64(len(word))+2 >= leafLimit {
		c.flush()
	}
	c.footer += varintBytes(c.used - c.lastWord)
	c.lastWord = c.used
	same := 0
	if c.hasWord {
		for same < len(c.word) && same < len(word) && c.word[same] == word[same] {
			same++
		}
		c.used += varintBytes(int64(same))
	}
	left := int64(len(word) - same)
	c.used += varintBytes(left) + left
	c.word = append(c.word[:0], word...)
	c.hasWord, c.hasRow, c.afterWord = true, true, true
}

// addRow adds a row with places of a size to the word.
func (c *leafCounter) addRow(row, size int64) {
	if c.used+c.footer >= leafLimit {
		c.flush()
	}
	number := row
	if !c.afterWord && c.hasRow {
		number -= c.row
	}
	c.used += varintBytes(number) + varintBytes(size)
	c.row, c.hasRow, c.afterWord = row, true, false
	left := size >> 1
	for c.used+c.footer+left >= leafLimit {
		left -= leafLimit - c.used - c.footer
		c.used = leafLimit - c.footer
		c.flush()
	}
	c.used += left
}
