package space

// segmentCursor reads the words of a segment of an index in their order, and of each word the
// entries: a row's number, and the bytes of the places in that row.
//
// A leaf begins with the offset of its first row and that of its end; behind the end stand the
// offsets of its words. The first word of a leaf stands in full, and the others without what they
// have in common with the one before them; so do numbers of rows.
type segmentCursor struct {
	load   func(after int64) ([][]byte, error) // Reads leaves behind so many.
	blocks [][]byte
	loaded int64

	varintReader // Of the leaf, up to its end.
	footer       varintReader
	firstRow     int // Offset of the first row that begins in the leaf, or 0.
	nextWord     int // Offset of the next word, or 0.
	wordInLeaf   bool
	afterWord    bool  // The next row is the first of its word.
	skip         int64 // Bytes of places that are left to pass.

	word  []byte
	row   int64
	size  int64 // Of the places with their mark, as it is written: twice the bytes, and 1 where the row was deleted.
	ended bool
}

// leafStart is where the content of a leaf begins.
const leafStart = 4

// nextLeaf goes to the next leaf, or to the end.
func (c *segmentCursor) nextLeaf() error {
	if len(c.blocks) == 0 {
		blocks, err := c.load(c.loaded)
		if err != nil {
			return err
		}
		c.blocks = blocks
		c.loaded += int64(len(blocks))
	}
	if len(c.blocks) == 0 {
		c.ended = true
		return nil
	}
	leaf := c.blocks[0]
	c.blocks = c.blocks[1:]
	if len(leaf) < leafStart {
		return errOtherIndex
	}
	end := int(leaf[2])<<8 | int(leaf[3])
	if end < leafStart || end > len(leaf) {
		return errOtherIndex
	}
	c.firstRow = int(leaf[0])<<8 | int(leaf[1])
	c.varintReader = varintReader{bytes: leaf[:end], at: leafStart}
	c.footer, c.nextWord, c.wordInLeaf = varintReader{bytes: leaf[end:]}, 0, false
	c.findNextWord()
	return nil
}

// findNextWord reads from the footer where the next word stands.
func (c *segmentCursor) findNextWord() {
	if c.footer.at >= len(c.footer.bytes) {
		c.nextWord = 0
		return
	}
	c.nextWord += int(c.footer.next())
}

// pass goes behind the places of the last row, and to a leaf that has something.
func (c *segmentCursor) pass() error {
	for !c.ended && (c.skip > 0 || c.at >= len(c.bytes)) {
		end := len(c.bytes)
		if c.nextWord > 0 {
			end = c.nextWord
		}
		n := min(c.skip, int64(end-c.at))
		if n < 0 || n == 0 && c.at < len(c.bytes) {
			return errOtherIndex
		}
		c.skip, c.at = c.skip-n, c.at+int(n)
		if c.at < len(c.bytes) {
			continue
		}
		if err := c.nextLeaf(); err != nil {
			return err
		}
	}
	return nil
}

// next goes on by a word, if isWord is true, or by a row of the present word.
func (c *segmentCursor) next() (isWord bool, err error) {
	if err := c.pass(); err != nil || c.ended {
		return false, err
	}
	if c.nextWord > 0 && c.at == c.nextWord {
		return true, c.readWord()
	}
	return false, c.readRow()
}

func (c *segmentCursor) readWord() error {
	same := int64(0)
	if c.wordInLeaf {
		same = c.varintReader.next()
	}
	n := c.varintReader.next()
	if c.bad || same < 0 || n < 0 || same > int64(len(c.word)) || n > int64(len(c.bytes)-c.at) {
		return errOtherIndex
	}
	c.word = append(c.word[:same], c.bytes[c.at:c.at+int(n)]...)
	c.at += int(n)
	c.wordInLeaf, c.afterWord = true, true
	c.findNextWord()
	return nil
}

func (c *segmentCursor) readRow() error {
	absolute := c.afterWord || c.at == c.firstRow
	row := c.varintReader.next()
	if !absolute {
		row += c.row
	}
	c.row, c.afterWord = row, false
	c.size = c.varintReader.next()
	c.skip = c.size >> 1
	if c.bad || c.size < 0 {
		return errOtherIndex
	}
	return nil
}
