package replica

import (
	"context"
	"strconv"

	"lcm-tui/data"
)

// groupState is what is known of one conversation: of the file, or of the replica.
type groupState struct {
	messages, parts, summaries, rows, tokens int64
	lastMessage                              int64  // The highest message_id.
	short, full                              halves // Without long texts, of which the lengths; and of every byte.

	// knownShort and knownFull are of the messages and parts up to the last message that the replica has.
	knownShort, knownFull digest
	bytes                 int64 // Of its texts, about.
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
	isFull bool // The digests of every byte are known.
}

// tableState is what is known of a table whose rows are images.
type tableState struct {
	rows   int64
	digest digest
	bytes  int64
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
func (g *groupState) note(t *tableShape, cells []any, short, full digest) {
	g.rows++
	g.short.add(t.isMessage(), short)
	g.full.add(t.isMessage(), full)
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
	conn   data.Connection
	mask   func(string) string // Takes secrets out of texts; nil leaves them.
	hasher rowHasher
}

// readRow is one row that was read. What it holds is another row's after the next one is read.
type readRow struct {
	group int64
	cells []any // As they are sent.
	short digest
	full  digest
	bytes int64
}

// each calls fn with the rows of a table for which a condition holds. With short, long texts are their lengths, and
// there is no full digest.
func (r *rowReader) each(ctx context.Context, t *tableShape, short bool, where string, args []any, fn func(*readRow) error) error {
	query := "SELECT coalesce(" + t.groupSQL() + ", " + strconv.FormatInt(noGroup, 10) + "), " + t.columnsSQL(short) + " FROM " + data.QuoteName(t.name) + " t" + where
	row := &readRow{cells: make([]any, len(t.columns))}
	places := append([]any{&row.group}, data.Pointers(row.cells)...)
	return data.EachRow(ctx, r.conn, query, args, func(scan data.RowScanner) error {
		if err := scan(places...); err != nil {
			return err
		}
		r.digest(t, row, short)
		return fn(row)
	})
}

// digest makes the digests of a row, and takes the secrets out of its texts.
func (r *rowReader) digest(t *tableShape, row *readRow, short bool) {
	row.bytes = 0
	r.hasher.begin(t.name)
	for i, c := range t.columns {
		cell := row.cells[i]
		if t.isLong(c) {
			if !short {
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
	row.short = r.hasher.end()
	if short {
		return
	}
	r.hasher.begin(t.name)
	for i, c := range t.columns {
		if text, ok := row.cells[i].(string); ok && r.mask != nil {
			row.cells[i] = r.mask(text)
		}
		r.hasher.cell(c, row.cells[i])
	}
	row.full = r.hasher.end()
}

// readState reads what a file has. known is what the replica has, or nil. With full every byte is read.
func readState(ctx context.Context, r *rowReader, s *shape, known *fileState, full bool, report data.Report) (*fileState, error) {
	out := &fileState{groups: map[int64]*groupState{}, tables: map[string]tableState{}, isFull: full}
	for i, t := range s.tables {
		if report != nil {
			report(i, len(s.tables), "comparing "+t.name)
		}
		err := r.each(ctx, t, !full, "", nil, func(row *readRow) error {
			g := out.group(row.group)
			g.note(t, row.cells, row.short, row.full)
			g.bytes += row.bytes
			if !t.isMessage() || known == nil {
				return nil
			}
			if k := known.groups[row.group]; k != nil && t.messageOf(row.cells) <= k.lastMessage {
				g.knownShort, g.knownFull = g.knownShort.add(row.short), g.knownFull.add(row.full)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, t := range s.others {
		var state tableState
		err := r.each(ctx, t, false, "", nil, func(row *readRow) error {
			state.rows++
			state.digest, state.bytes = state.digest.add(row.full), state.bytes+row.bytes
			return nil
		})
		if err != nil {
			return nil, err
		}
		out.tables[t.name] = state
	}
	return out, nil
}

// snapshot calls fn with a reader of one state of the file.
func snapshot(ctx context.Context, db *data.DB, verb string, mask func(string) string, fn func(*data.Tx, *rowReader) error) error {
	return db.Snapshot(ctx, verb, func(t *data.Tx) error {
		return fn(t, &rowReader{conn: t, mask: mask})
	})
}
