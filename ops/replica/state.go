package replica

import (
	"context"
	"database/sql/driver"
	"strconv"

	"lcm-tui/data"
)

// groupState is what is known of one conversation: of the file, or of the replica.
type groupState struct {
	messages, parts, summaries, rows, tokens int64

	lastMessage int64  // The highest message_id.
	index       digest // Of what indexes have of messages and parts.
	short, full halves // Without long texts, of which the lengths; and of every byte.

	// knownIndex, knownShort and knownFull are of the messages and parts up to the last message that the replica has.
	knownIndex, knownShort, knownFull digest

	bytes int64 // Of its texts, about.
	// searchFrom is the last message that can be searched, where newer ones or summaries can't yet; else nil.
	searchFrom *int64
}

// halves are two digests: a conversation that goes on gets messages, and everything else of it is small.
type halves struct {
	messages digest // Of messages and their parts.
	other    digest
}

// add adds a row of a table.
func (h *halves) add(isMessage bool, d digest) {
	if isMessage {
		h.messages = h.messages.add(d)
	} else {
		h.other = h.other.add(d)
	}
}

// fileState is what a file, or a replica, has.
type fileState struct {
	groups map[int64]*groupState
	tables map[string]tableState
	depth  depth // Which digests are known.
}

// depth is how much of messages and parts is read to find out what changed. Everything else is small, and read whole.
type depth int

const (
	byIndex depth = iota // What indexes have: ids, places, hashes and keys. Hosts change nothing else.
	byCells              // Every cell, and of long texts the length: migrations and this program change others.
	byBytes              // Every byte.
)

// tableState is what is known of a table whose rows are images.
type tableState struct {
	rows   int64
	digest digest
	bytes  int64
}

// newFileState returns the state of an empty file.
func newFileState(d depth) *fileState {
	return &fileState{groups: map[int64]*groupState{}, tables: map[string]tableState{}, depth: d}
}

// addIndexes adds what indexes have of messages and parts.
func (s *fileState) addIndexes(of *fileState) {
	for group, i := range of.groups {
		g := s.group(group)
		g.rows, g.messages, g.parts = g.rows+i.rows, g.messages+i.messages, g.parts+i.parts
		g.lastMessage = max(g.lastMessage, i.lastMessage)
		g.index, g.knownIndex = g.index.add(i.index), g.knownIndex.add(i.knownIndex)
	}
}

// group returns the state of a conversation, which is made if it isn't there.
func (s *fileState) group(number int64) *groupState {
	g := s.groups[number]
	if g == nil {
		g = &groupState{}
		s.groups[number] = g
	}
	return g
}

// isMessage reports whether the rows of a table are appended while a conversation goes on.
func (t *tableShape) isMessage() bool { return t.name == messageTable || t.name == partTable }

// note counts a row and adds its digests.
func (g *groupState) note(t *tableShape, row *readRow) {
	cells := row.cells
	g.rows++
	g.short.add(t.isMessage(), row.short)
	g.full.add(t.isMessage(), row.full)
	if t.isMessage() {
		g.index = g.index.add(row.index)
	}
	switch t.name {
	case messageTable:
		g.messages++
		g.lastMessage = max(g.lastMessage, t.messageOf(cells))
		if t.tokensAt >= 0 {
			g.tokens += data.CellInteger(cells[t.tokensAt])
		}
	case partTable:
		g.parts++
	case "summaries":
		g.summaries++
	}
}

// messageOf returns the message of a row of messages or parts, or 0.
func (t *tableShape) messageOf(cells []any) int64 {
	if t.messageAt < 0 {
		return 0
	}
	n, _ := cells[t.messageAt].(int64)
	return n
}

// rowReader reads rows of a file within one transaction, and makes their digests.
type rowReader struct {
	conn    *data.Tx
	mask    func(string) string // Takes secrets out of texts; nil leaves them.
	chosen  chosen
	hasher  rowHasher
	indexed []any // The cells of an index, for the next call.
}

// readRow is one row that was read. What it holds is another row's after the next one is read.
type readRow struct {
	group              int64
	cells              []any // As they are sent. Columns that weren't read are NULL.
	index, short, full digest
	bytes              int64
}

// each calls fn with the rows of a table for which a condition holds. What isn't read has no digest.
func (r *rowReader) each(ctx context.Context, t *tableShape, d depth, where string, args []any, fn func(*readRow) error) error {
	query := "SELECT coalesce(" + t.groupSQL() + ", " + strconv.FormatInt(noGroup, 10) + "), " + t.columnsSQL(d == byCells) + " FROM " + data.QuoteName(t.name) + " t" + where
	row := &readRow{cells: make([]any, len(t.columns))}
	return r.conn.EachCells(ctx, query, args, func(cells []driver.Value) error {
		row.group, _ = cells[0].(int64)
		if !r.chosen.has(t.name, row.group) {
			return nil
		}
		for i, cell := range cells[1:] {
			row.cells[i] = cell
		}
		r.digest(t, row, d)
		return fn(row)
	})
}

// digest makes the digests of a row, and takes the secrets out of its texts.
func (r *rowReader) digest(t *tableShape, row *readRow, d depth) {
	if t.isMessage() {
		row.index = r.indexDigest(t, row.cells)
	}
	row.bytes = 0
	r.hasher.begin(t.name)
	for i, c := range t.columns {
		cell := row.cells[i]
		if t.long[i] {
			if d == byBytes {
				cell = shortCell(cell)
			}
			if n, ok := cell.(int64); ok {
				row.bytes += max(n, -n)
			}
		} else if text, ok := cell.(string); ok {
			row.bytes += int64(len(text))
		} else {
			row.bytes += 8
		}
		r.hasher.cell(c, cell)
	}
	if row.short = r.hasher.end(); d != byBytes {
		return
	}
	r.hasher.begin(t.name)
	for i, c := range t.columns {
		row.cells[i] = r.masked(row.cells[i])
		r.hasher.cell(c, row.cells[i])
	}
	row.full = r.hasher.end()
}

// masked returns a cell without its secrets. A host may have stored a text as a BLOB.
func (r *rowReader) masked(cell any) any {
	if r.mask == nil {
		return cell
	}
	switch v := cell.(type) {
	case string:
		return r.mask(v)
	case []byte:
		return []byte(r.mask(string(v)))
	}
	return cell
}

// indexDigest returns the digest of what indexes have of a message or part: a digest for each index, because each is
// read by itself.
func (r *rowReader) indexDigest(t *tableShape, cells []any) (out digest) {
	for _, index := range t.indexes() {
		r.indexed = r.indexed[:0]
		for _, at := range index.places {
			r.indexed = append(r.indexed, cells[at])
		}
		if d, ok := r.oneIndexDigest(t, &index, r.indexed); ok {
			out = out.add(d)
		}
	}
	return out
}

// oneIndexDigest returns the digest of what one index has of a row; ok is false where the index has no entry of it.
func (r *rowReader) oneIndexDigest(t *tableShape, index *rowIndex, cells []any) (d digest, ok bool) {
	if index.optional && cells[len(cells)-1] == nil {
		return d, false
	}
	r.hasher.begin(t.name)
	for i, c := range index.columns {
		r.hasher.cell(c, cells[i])
	}
	return r.hasher.end(), true
}

// readState reads what a file has, but not what indexes are enough for. known is what the replica has.
func readState(ctx context.Context, r *rowReader, s *shape, known, out *fileState, report data.Report) error {
	for i, t := range s.tables {
		if report != nil {
			report(i, len(s.tables), "comparing "+t.name)
		}
		if t.isMessage() && out.depth == byIndex {
			continue
		}
		err := r.each(ctx, t, max(out.depth, byCells), "", nil, func(row *readRow) error {
			g := out.group(row.group)
			g.note(t, row)
			g.bytes += row.bytes
			if !t.isMessage() {
				return nil
			}
			if k := known.groups[row.group]; k != nil && t.messageOf(row.cells) <= k.lastMessage {
				g.knownIndex, g.knownShort, g.knownFull = g.knownIndex.add(row.index), g.knownShort.add(row.short), g.knownFull.add(row.full)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, t := range s.others {
		var state tableState
		err := r.each(ctx, t, byBytes, "", nil, func(row *readRow) error {
			state.rows++
			state.digest, state.bytes = state.digest.add(row.full), state.bytes+row.bytes
			return nil
		})
		if err != nil {
			return err
		}
		out.tables[t.name] = state
	}
	return nil
}

// How much of a file is kept in memory, in KiB: while rows are read in the order of conversations, since rows of messages and parts lie
// beside each other and one page has many; while all are read in their own order; and for other reads.
const (
	pageCache    = "4096"
	compareCache = "1024"
	usualCache   = "512"
)

// snapshot calls fn with a reader of one state of what a file has to send.
func snapshot(ctx context.Context, db *data.DB, verb, cache string, e extent, fn func(*data.Tx, *rowReader) error) error {
	return db.Snapshot(ctx, verb, func(t *data.Tx) error {
		if _, err := t.ExecContext(ctx, "PRAGMA cache_size = -"+cache); err != nil {
			return err
		}
		defer t.ExecContext(context.WithoutCancel(ctx), "PRAGMA cache_size = -"+usualCache) // It costs only memory.
		chosen, err := e.filter.choose(ctx, t)
		if err != nil {
			return err
		}
		return fn(t, &rowReader{conn: t, mask: e.mask, chosen: chosen})
	})
}
