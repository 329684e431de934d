package replica

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

// groupColumns are the columns of sync_conversations in the order of groupValues.
var groupColumns = []string{
	"source_id", "sync_group", "messages", "parts", "summaries", "row_count", "tokens", "last_message",
	"index_digest", "message_digest", "other_digest", "full_message_digest", "full_other_digest", "search_from",
	"principal", "origin",
}

// readKnown reads what a replica has of a source.
func readKnown(ctx context.Context, conn *postgres.Conn, source int64) (*fileState, error) {
	out := newFileState(byBytes)
	const query = `SELECT sync_group, messages, parts, summaries, row_count, tokens, last_message, index_digest, message_digest, other_digest, full_message_digest, full_other_digest, search_from
		FROM lcm.sync_conversations WHERE source_id = $1`
	err := conn.Query(ctx, "read", query, []any{source}, func(scan postgres.Scanner) error {
		var group int64
		g := &groupState{}
		var digests [5][]byte
		err := scan(&group, &g.messages, &g.parts, &g.summaries, &g.rows, &g.tokens, &g.lastMessage, &digests[0], &digests[1], &digests[2], &digests[3], &digests[4], &g.searchFrom)
		g.index = digestFrom(digests[0])
		g.short = halves{digestFrom(digests[1]), digestFrom(digests[2])}
		g.full = halves{digestFrom(digests[3]), digestFrom(digests[4])}
		out.groups[group] = g
		return err
	})
	if err != nil {
		return nil, err
	}
	err = conn.Query(ctx, "read", "SELECT table_name, row_count, digest FROM lcm.sync_tables WHERE source_id = $1", []any{source}, func(scan postgres.Scanner) error {
		var name string
		var state tableState
		var d []byte
		err := scan(&name, &state.rows, &d)
		state.digest = digestFrom(d)
		out.tables[name] = state
		return err
	})
	return out, err
}

// noteGroups notes what the replica has of the conversations of a slice.
func (s *sender) noteGroups(ctx context.Context, states map[int64]*groupState) error {
	groups := make([]int64, 0, len(states))
	rows := make([][]any, 0, len(states))
	for group, g := range states {
		groups = append(groups, group)
		if g.rows == 0 {
			continue // It went in the meantime.
		}
		rows = append(rows, []any{
			s.source, group, g.messages, g.parts, g.summaries, g.rows, g.tokens, g.lastMessage,
			g.index.bytes(), g.short.messages.bytes(), g.short.other.bytes(), g.full.messages.bytes(), g.full.other.bytes(), g.searchFrom,
			s.principal, s.origin,
		})
	}
	if _, err := s.conn.Exec(ctx, "write to", "DELETE FROM lcm.sync_conversations WHERE source_id = $1 AND sync_group = ANY($2)", s.source, groups); err != nil {
		return err
	}
	_, err := s.conn.Copy(ctx, "sync_conversations", groupColumns, sequence(rows))
	return err
}

// table sends all images of a table again, or deletes them where the file doesn't have it any more.
func (s *sender) table(ctx context.Context, name string) error {
	sent := s.sent
	err := s.conn.Transact(ctx, "write to", func() error {
		if err := s.revise(ctx); err != nil {
			return err
		}
		n, err := s.conn.Exec(ctx, "write to", "DELETE FROM lcm.other_rows WHERE source_id = $1 AND table_name = $2", s.source, name)
		if err != nil {
			return err
		}
		s.sent.Deleted += n
		if _, err := s.conn.Exec(ctx, "write to", "DELETE FROM lcm.sync_tables WHERE source_id = $1 AND table_name = $2", s.source, name); err != nil {
			return err
		}
		return snapshot(ctx, s.db, "sync", pageCache, s.extent, func(t *data.Tx, r *rowReader) error {
			now, err := readShapeOf(ctx, t, s.extent)
			if err != nil {
				return err
			}
			for _, shape := range now.others {
				if shape.name == name {
					return s.copyImages(ctx, r, shape)
				}
			}
			return nil
		})
	})
	if err != nil {
		s.sent = sent
	}
	return err
}

// copyImages copies the rows of a table as images.
func (s *sender) copyImages(ctx context.Context, r *rowReader, t *tableShape) error {
	var state tableState
	e := &encoder{source: s.source}
	rows := func(yield func([]any, error) bool) {
		err := r.each(ctx, t, byBytes, "", nil, func(row *readRow) error {
			state.rows++
			state.digest = state.digest.add(row.full)
			s.sent.Rows++
			s.sent.Bytes += row.bytes
			e.other = e.other[:0]
			if err := e.image(t, row); err != nil {
				return err
			}
			if !yield(e.other[0], nil) {
				return data.ErrEndRows
			}
			return nil
		})
		if err != nil {
			yield(nil, err)
		}
	}
	if _, err := s.conn.Copy(ctx, "other_rows", otherColumns, rows); err != nil {
		return err
	}
	_, err := s.conn.Exec(ctx, "write to", "INSERT INTO lcm.sync_tables (source_id, table_name, row_count, digest, principal, origin) VALUES ($1, $2, $3, $4, $5, $6)",
		s.source, t.name, state.rows, state.digest.bytes(), s.principal, s.origin)
	return err
}
