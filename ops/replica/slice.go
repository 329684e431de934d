package replica

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

// A slice is conversations that are read in one transaction of the file and written in one of the server. It is so
// large that the transaction of the file stays short: as long as it lasts, the -wal of a host can't shrink.
const (
	maxSliceRows  = 40_000
	maxSliceBytes = 48 << 20
)

// slices splits changes into slices.
func slicesOf(all []groupChange) (out [][]groupChange) {
	var now []groupChange
	var rows, bytes int64
	for _, c := range all {
		if len(now) > 0 && (rows+c.rows > maxSliceRows || bytes+c.bytes > maxSliceBytes) {
			out, now, rows, bytes = append(out, now), nil, 0, 0
		}
		now, rows, bytes = append(now, c), rows+c.rows, bytes+c.bytes
	}
	if len(now) > 0 {
		out = append(out, now)
	}
	return out
}

// sender sends slices of a file to its source in a replica.
type sender struct {
	db     *data.DB
	conn   *postgres.Conn
	source int64
	extent extent
	sent   Sent
	// revision is that of the source, as it was read or as this sender left it.
	revision int64

	isFirst bool  // The source is new.
	deleted int64 // The source to which rows go that the file doesn't have any more, or 0.

	principal, origin string // Who sends, and with what program.
}

// Sent counts what was written to the replica.
type Sent struct {
	Rows    int64 `json:"sent_rows"`
	Deleted int64 `json:"deleted_rows"`
	Kept    int64 `json:"kept_rows"`  // That the host deleted, and that can be read as a source of their own.
	Bytes   int64 `json:"sent_bytes"` // Of texts, about.
	Slices  int   `json:"slices"`
	// Searchable is how many texts can be searched now that couldn't before.
	Searchable int64 `json:"search_texts"`

	Findings int `json:"findings"` // Of the doctor, where it looked.
}

// slice sends the conversations of one slice: all of it is there afterwards, or nothing. It doesn't wait for the disk of the server;
// finish does, for all slices. Where the server fails before, the next sync finds what is missing.
func (s *sender) slice(ctx context.Context, changes []groupChange) error {
	sent := s.sent
	err := s.conn.TransactBulk(ctx, "write to", func() error {
		if err := s.revise(ctx); err != nil {
			return err
		}
		err := snapshot(ctx, s.db, "sync", pageCache, s.extent, func(t *data.Tx, r *rowReader) error {
			now, err := readShapeOf(ctx, t, s.extent)
			if err != nil {
				return err
			}
			if !s.isFirst { // Else there are no rows.
				if err := s.findEqual(ctx, r, now, changes); err != nil {
					return err
				}
				if err := s.takeAway(ctx, changes); err != nil {
					return err
				}
			}
			return s.copyGroups(ctx, r, now, changes)
		})
		if err != nil {
			return err
		}
		return s.settleDeleted(ctx, changes)
	})
	if err != nil {
		s.sent = sent // It was rolled back.
		return err
	}
	s.sent.Slices++
	return nil
}

// revise gives the source another revision: its rows change with this transaction.
func (s *sender) revise(ctx context.Context) error { return s.reviseBy(ctx, true) }

// reviseBy keeps others from changing the source until the transaction ends, and gives it another revision where its rows change. It fails
// with data.ErrLocked where another sync wrote since the revision was read: the lock of this one was lost, or given back.
func (s *sender) reviseBy(ctx context.Context, changes bool) error {
	by := 0
	if changes {
		by = 1
	}
	const query = "UPDATE lcm.sources SET revision = revision + $3 WHERE source_id = $1 AND revision = $2"
	n, err := s.conn.Exec(ctx, "write to", query, s.source, s.revision, by)
	if err == nil && n == 0 {
		err = &postgres.Error{Place: s.conn.Place(), Verb: "write to", Kind: data.ErrLocked}
	}
	s.revision += int64(by)
	return err
}

// readShapeOf finds out what a file has within a transaction: a host may have migrated it.
func readShapeOf(ctx context.Context, t *data.Tx, e extent) (*shape, error) {
	schema, err := data.Probe(ctx, t)
	if err != nil {
		return nil, err
	}
	derived, err := derivedTables(ctx, t)
	if err != nil {
		return nil, err
	}
	return shapeOf(schema, derived, e), nil
}

// takeAway deletes what the replica has of conversations that are sent again or gone. Where deleted rows are kept, it moves them, and
// settleDeleted has to follow.
func (s *sender) takeAway(ctx context.Context, changes []groupChange) error {
	if s.deleted != 0 {
		if err := s.keepDeleted(ctx, changes); err != nil {
			return err
		}
	}
	return s.delete(ctx, changes)
}

// delete deletes what the replica has of conversations that are replaced or gone, and of those that go on everything
// but messages and parts.
func (s *sender) delete(ctx context.Context, changes []groupChange) error {
	var whole []int64
	for _, c := range changes {
		switch c.how {
		case isNew, isReplaced, isGone:
			whole = append(whole, c.group)
		}
	}
	for _, table := range append(tableNames(), "odd_cells", "other_rows", "search_docs") {
		if err := s.deleteRows(ctx, table, whole, ""); err != nil {
			return err
		}
		condition, of := "", table
		switch table {
		case messageTable, partTable:
			continue
		case "search_docs":
			condition, of = " AND kind = 'summary'", "summaries"
		case "odd_cells", "other_rows": // Tables that are equal have none.
			condition = " AND table_name NOT IN ('" + messageTable + "', '" + partTable + "')"
		}
		var rest []int64
		sent, _ := withoutEqual(changes, of)
		for _, c := range sent {
			if c.how == isAppended {
				rest = append(rest, c.group)
			}
		}
		if err := s.deleteRows(ctx, table, rest, condition); err != nil {
			return err
		}
	}
	if len(whole) == 0 {
		return nil
	}
	_, err := s.conn.Exec(ctx, "write to", "DELETE FROM lcm.sync_conversations WHERE source_id = $1 AND sync_group = ANY($2)", s.source, whole)
	return err
}

// deleteRows deletes the rows of conversations from a table of the replica.
func (s *sender) deleteRows(ctx context.Context, table string, groups []int64, condition string) error {
	if len(groups) == 0 {
		return nil
	}
	if table == "other_rows" {
		condition += " AND table_name = ANY($3)"
	}
	args := []any{s.source, groups}
	if table == "other_rows" {
		args = append(args, tableNames())
	}
	n, err := s.conn.Exec(ctx, "write to", "DELETE FROM lcm."+table+" WHERE source_id = $1 AND sync_group = ANY($2)"+condition, args...)
	s.sent.Deleted += n
	return err
}

// tableNames returns the names of the tables with rows of files.
func tableNames() (out []string) {
	for _, t := range postgres.Tables {
		out = append(out, t.Name)
	}
	return out
}

// copyGroups reads the conversations of a slice, copies their rows, and notes what the replica has then.
func (s *sender) copyGroups(ctx context.Context, r *rowReader, now *shape, changes []groupChange) error {
	states := map[int64]*groupState{}
	for _, c := range changes {
		if c.how == isGone {
			continue
		}
		g := &groupState{searchFrom: new(int64(math.MinInt64))}
		if c.how == isAppended {
			g.messages, g.parts, g.lastMessage, g.tokens = c.known.messages, c.known.parts, c.known.lastMessage, c.known.tokens
			g.rows = g.messages + g.parts
			if g.searchFrom = c.known.searchFrom; g.searchFrom == nil {
				g.searchFrom = &c.from
			}
			g.index, g.short.messages, g.full.messages = c.known.index, c.known.short.messages, c.known.full.messages
		}
		states[c.group] = g
	}
	if len(states) == 0 {
		return nil
	}
	e := &encoder{source: s.source}
	for _, t := range now.tables {
		if err := s.copyTable(ctx, r, t, e, changes, states); err != nil {
			return err
		}
	}
	if err := s.copyRest(ctx, e); err != nil {
		return err
	}
	return s.noteGroups(ctx, states)
}

// copyTable copies the rows that a table has of the conversations of a slice.
func (s *sender) copyTable(ctx context.Context, r *rowReader, t *tableShape, e *encoder, changes []groupChange, states map[int64]*groupState) error {
	count := func(row *readRow) error {
		g := states[row.group]
		if g == nil {
			return fmt.Errorf("a row of %s belongs to the conversation %d, which wasn't asked for", t.name, row.group)
		}
		g.note(t, row)
		s.sent.Rows++
		s.sent.Bytes += row.bytes
		return nil
	}
	sent, equal := withoutEqual(changes, t.name)
	if s.extent.level == LevelMetrics {
		sent, equal = nil, changes
	}
	if _, err := s.conn.Copy(ctx, t.name, t.described.CopyColumns(), ahead(encodedRows(ctx, r, t, e, t.queries(sent), count))); err != nil {
		return err
	}
	before := s.sent
	for _, q := range t.queries(equal) { // Their rows are counted, and not sent.
		if err := r.each(ctx, t, byBytes, q.where, q.args, count); err != nil {
			return err
		}
	}
	s.sent = before
	return nil
}

// encodedRows returns the rows for which one of some conditions holds, as the server takes them. count is called with
// each.
func encodedRows(ctx context.Context, r *rowReader, t *tableShape, e *encoder, queries []groupQuery, count func(*readRow) error) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		stopped := false
		take := func(row *readRow) error {
			if err := count(row); err != nil {
				return err
			}
			values, ok, err := e.row(t, row)
			if err != nil || !ok {
				return err
			}
			if stopped = !yield(values, nil); stopped {
				return data.ErrEndRows
			}
			return nil
		}
		for _, q := range queries {
			err := r.each(ctx, t, byBytes, q.where, q.args, take)
			if err != nil && !stopped {
				yield(nil, err)
			}
			if err != nil || stopped {
				return
			}
		}
	}
}

// groupQuery is a condition for rows of conversations, with its arguments.
type groupQuery struct {
	where string
	args  []any
}

// queries returns the conditions for the rows of a slice.
func (t *tableShape) queries(changes []groupChange) (out []groupQuery) {
	var whole []any
	for _, c := range changes {
		switch {
		case c.how == isGone:
		case c.group == noGroup:
			out = append(out, groupQuery{where: " WHERE " + t.groupSQL() + " IS NULL"})
		case c.how == isAppended && t.isMessage():
			out = append(out, groupQuery{where: " WHERE " + t.whereSQL(1) + " AND t." + messageID + " > ?", args: []any{c.group, c.from}})
		default:
			whole = append(whole, c.group)
		}
	}
	for chunk := range slices.Chunk(whole, data.MaxArgs) {
		out = append(out, groupQuery{where: " WHERE " + t.whereSQL(len(chunk)), args: chunk})
	}
	return out
}

// copyRest copies the cells and rows that no column can hold.
func (s *sender) copyRest(ctx context.Context, e *encoder) error {
	for _, part := range []struct {
		table   string
		columns []string
		rows    [][]any
	}{{"odd_cells", oddColumns, e.odd}, {"other_rows", otherColumns, e.other}} {
		if len(part.rows) == 0 {
			continue
		}
		if _, err := s.conn.Copy(ctx, part.table, part.columns, sequence(part.rows)); err != nil {
			return err
		}
	}
	return nil
}

// sequence returns rows as Copy takes them.
func sequence(rows [][]any) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}
