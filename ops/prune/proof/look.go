package proof

import (
	"context"
	"maps"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/columntexts"
	"lcm-tui/data/promoted"
	"lcm-tui/engine/pieces"
	"lcm-tui/engine/search"
)

// Look says what is looked for, and where.
type Look struct {
	Pieces *pieces.Set
	// Query is asked again; nil isn't.
	Query *search.Query
	// FilesFolder has the contents of large files; empty reads none.
	FilesFolder string
	// Own are messages whose rows are no places: those that are to be forgotten.
	Own map[int64]bool
	// DropCommon takes pieces out of the set that other messages have too: they don't tell these texts from others.
	DropCommon bool
	// Rows looks only at rows: not at pages, the -wal and files.
	Rows bool
	// Beside are the files beside the database.
	Beside Beside
	// LeftInWAL are pages of the -wal that couldn't be moved into the file.
	LeftInWAL int64

	// Kept are messages that were left as they are.
	Kept []Kept

	places placeList
	has    map[uint64]bool // Pieces that rows have, by their digests.
}

// Check looks, and says what was found.
func (l *Look) Check(ctx context.Context, db *data.DB, report data.Report) (c Check, err error) {
	c = Check{At: data.FormatTimeMillis(db.Now()), Texts: map[string]int64{}, Files: []File{}, Back: []int64{}, Unchecked: []string{}}
	l.has = map[uint64]bool{}
	if err := l.lookAtTexts(ctx, db, &c, report); err != nil {
		return c, err
	}
	if l.Query != nil {
		c.Asked = true
		if err := l.ask(ctx, db, report); err != nil {
			return c, err
		}
	}
	if !l.Rows {
		if err := l.lookAtPages(ctx, db, &c, report); err != nil {
			return c, err
		}
		if err := l.lookAtFiles(ctx, db, &c, report); err != nil {
			return c, err
		}
		c.Unchecked = append(c.Unchecked, unchecked...)
	}
	c.Left = l.places.list
	c.leaveOut(l.Kept)
	c.finish()
	return c, nil
}

// unchecked is what nobody can look at from here.
var unchecked = []string{
	"what models were sent, and what their vendors keep",
	"copies on other disks, snapshots of the file system, and blocks of the disk that are free",
	"session files that no conversation of this file follows, and databases of the host",
}

// cellVisitor collects the pieces that texts have, and counts the texts.
type cellVisitor struct {
	pieces *pieces.Set
	parts  []cellPart
}

type cellPart struct {
	found []foundCell
	texts map[string]int64
}

type foundCell struct {
	cell   columntexts.Cell
	pieces []int
}

// Visit implements columntexts.Visitor.
func (v *cellVisitor) Visit(part int, cell columntexts.Cell, text string) {
	p := &v.parts[part]
	if p.texts == nil {
		p.texts = map[string]int64{}
	}
	p.texts[cell.Table.Name]++
	var some []int
	v.pieces.Find([]byte(text), func(n int) { some = append(some, n) })
	if len(some) > 0 {
		cell.Key = slices.Clone(cell.Key)
		slices.Sort(some)
		p.found = append(p.found, foundCell{cell, slices.Compact(some)})
	}
}

// lookAtTexts looks at every text of every table.
func (l *Look) lookAtTexts(ctx context.Context, db *data.DB, c *Check, report data.Report) error {
	tables, err := columntexts.Tables(ctx, db)
	if err != nil {
		return err
	}
	parts, err := columntexts.Divide(ctx, db, tables)
	if err != nil {
		return err
	}
	v := &cellVisitor{l.Pieces, make([]cellPart, parts.Len())}
	if err := parts.Visit(ctx, v, "looking for the texts in every row", report); err != nil {
		return err
	}
	common := l.commonInMessages(v.parts)
	var all []placed
	for _, p := range v.parts {
		for table, n := range p.texts {
			c.Texts[table] += n
		}
		for _, f := range p.found {
			if f.pieces = slices.DeleteFunc(f.pieces, func(n int) bool { return common[n] }); len(f.pieces) == 0 {
				continue
			}
			place, message, err := placeOf(ctx, db, f.cell)
			if err != nil {
				return err
			}
			if message == 0 || !l.Own[message] {
				all = append(all, placed{place, f.pieces})
			}
		}
	}
	l.addTexts(all, common)
	return nil
}

// commonInMessages returns the pieces that the contents of many messages have, so that these needn't be located.
func (l *Look) commonInMessages(parts []cellPart) map[int]bool {
	common, counts := map[int]bool{}, map[int]int{}
	for _, p := range parts {
		for _, f := range p.found {
			if !l.DropCommon || f.cell.Table.Name != "messages" || f.cell.Column != "content" || !f.cell.Table.HasNumbers() || l.Own[data.CellInteger(f.cell.Key[0])] {
				continue
			}
			for _, n := range f.pieces {
				counts[n]++
				common[n] = counts[n] > mostMessages
			}
		}
	}
	maps.DeleteFunc(common, func(_ int, is bool) bool { return !is })
	return common
}

// placed is a text with pieces, and where it is.
type placed struct {
	place  Place
	pieces []int
}

// mostMessages is how many messages may have a piece until it is a common one.
const mostMessages = 3

// addTexts adds the places of texts, each with the number of its different pieces. common are pieces that many
// messages have.
func (l *Look) addTexts(all []placed, common map[int]bool) {
	if l.DropCommon {
		messages := map[int]map[string]bool{}
		for _, p := range all {
			for _, n := range p.pieces {
				if p.place.Kind != MessagePlace {
					continue
				}
				if messages[n] == nil {
					messages[n] = map[string]bool{}
				}
				messages[n][p.place.Where] = true
				common[n] = common[n] || len(messages[n]) > mostMessages
			}
		}
	}
	seen := map[string]map[int]bool{} // By place: the same text may stand in several columns.
	for _, p := range all {
		some := slices.DeleteFunc(p.pieces, func(n int) bool { return common[n] })
		if len(some) == 0 {
			continue
		}
		at := l.places.find(p.place)
		key := string(at.Kind) + at.Where
		if seen[key] == nil {
			seen[key] = map[int]bool{}
		}
		for _, n := range some {
			seen[key][n] = true
			l.has[l.Pieces.Digest(n)] = true
		}
		at.Pieces = len(seen[key])
	}
	if l.DropCommon {
		l.Pieces.Drop(common)
	}
}

// lookAtPages looks at the bytes of the file. What a row has is named by that.
func (l *Look) lookAtPages(ctx context.Context, db *data.DB, c *Check, report data.Report) error {
	found := map[int]bool{}
	err := columntexts.EachPage(ctx, db, report, func(_ int64, page []byte) {
		c.Pages++
		l.Pieces.Find(page, func(n int) {
			if !l.has[l.Pieces.Digest(n)] {
				found[n] = true
			}
		})
	})
	if len(found) > 0 {
		l.places.find(Place{Kind: PagePlace, Where: db.Path()}).Pieces = len(found)
	}
	if l.LeftInWAL > 0 {
		l.places.find(Place{Kind: WALPlace, Where: db.Path() + "-wal"})
		c.Unchecked = append(c.Unchecked, "the -wal, and the pages of the file that newer ones in it replace")
	}
	return err
}

// ask asks the query again.
func (l *Look) ask(ctx context.Context, db *data.DB, report data.Report) error {
	hits, _, err := Ask(ctx, db, *l.Query, l.FilesFolder, report)
	if err != nil {
		return err
	}
	for _, h := range hits {
		p := Place{Where: h.ID(), Conversation: h.Conversation, depth: h.Depth}
		switch h.Kind {
		case search.SummaryKind:
			p.Kind = SummaryPlace
		case search.FileKind:
			p.Kind = LargeFile
		case search.FocusKind:
			p.Kind = FocusPlace
		default:
			if p.Kind, p.Where = MessagePlace, messageID(h.Message); l.Own[h.Message] {
				continue
			}
		}
		l.places.find(p).Words = true
	}
	return l.askMemory(ctx, db)
}

// askMemory asks the query of promoted memory, which belongs to no conversation.
func (l *Look) askMemory(ctx context.Context, db *data.DB) error {
	if !l.Query.HasText() || len(l.Query.Filters) > 0 {
		return nil
	}
	entries, err := promoted.List(ctx, db)
	for _, e := range entries {
		if l.Query.Matches(e.Content) {
			l.places.find(Place{Kind: MemoryPlace, Where: e.ID}).Words = true
		}
	}
	return err
}

// Ask returns all that a query finds, and what the search says about it.
func Ask(ctx context.Context, db *data.DB, q search.Query, filesFolder string, report data.Report) (hits []search.Hit, notes []string, err error) {
	err = search.Run(ctx, db, q, search.Options{Whole: true, FilesFolder: filesFolder}, func(e search.Event) {
		switch e := e.(type) {
		case search.Found:
			hits = append(hits, e.Hits...)
		case search.Noted:
			notes = append(notes, e.Text)
		case search.Progress:
			report(int(e.Done*1000), 1000, "searching every text")
		}
	})
	return hits, notes, err
}
