package replica

import (
	"context"
	"math"
	"slices"
	"strings"

	"lcm-tui/data/postgres"
	"lcm-tui/internal/hint"
)

// What a host deletes can be kept: the rows go to a source of their own, which is read as every other. A row is there as long as the
// file has none with its key.

// DeletedEnd ends the name of the source with what was deleted from another one.
const DeletedEnd = "/deleted"

// keptTables are the tables of which deleted rows are kept. What hosts note about their next steps comes and goes with each turn.
var keptTables = []string{"conversations", messageTable, partTable, "summaries", "summary_messages", "summary_parents", "large_files"}

// checkName refuses names of sources that hold what was deleted from others.
func checkName(name string) error {
	if strings.HasSuffix(name, DeletedEnd) {
		return hint.New(name+" is the name for what was deleted from "+strings.TrimSuffix(name, DeletedEnd)+": no file is sent there",
			"give this database another name with --source")
	}
	return nil
}

// saveDeletedSource makes the source for what is deleted from another one, or notes what that is now.
func saveDeletedSource(ctx context.Context, conn *postgres.Conn, source int64) (id int64, err error) {
	const query = `INSERT INTO lcm.sources (name, host, path, principal, origin, level, redacted, kind, schema_level, generation, tables, statements, filter, deleted_of, stamp)
		SELECT name || $2, host, path, principal, origin, level, redacted, kind, schema_level, generation, tables, statements, filter, source_id, 'deleted' FROM lcm.sources WHERE source_id = $1
		ON CONFLICT (name) DO UPDATE SET host = excluded.host, path = excluded.path, principal = excluded.principal, origin = excluded.origin, level = excluded.level,
			redacted = excluded.redacted, kind = excluded.kind, schema_level = excluded.schema_level, generation = excluded.generation, tables = excluded.tables,
			statements = excluded.statements, filter = excluded.filter
		RETURNING source_id`
	_, err = conn.One(ctx, "write to", query, []any{source, DeletedEnd}, &id)
	return id, err
}

// deletedSource returns the source with what was deleted from another one, or 0.
func deletedSource(ctx context.Context, conn *postgres.Conn, source int64) (id int64, name string, err error) {
	_, err = conn.One(ctx, "read the sources of", "SELECT source_id, name FROM lcm.sources WHERE deleted_of = $1", []any{source}, &id, &name)
	return id, name, err
}

// sendsLess reports whether less is sent than at the sync before. Then what was deleted goes altogether: the file, by which it would be
// shortened, doesn't have it any more.
func (p *Plan) sendsLess() bool {
	return slices.Index(Levels, p.Level) < slices.Index(Levels, p.known.Level) || p.Redacted && !p.known.Redacted
}

// limitDeleted takes away what was deleted earlier and would not be sent any more.
func (s *sender) limitDeleted(ctx context.Context, p *Plan) error {
	id, _, err := deletedSource(ctx, s.conn, s.source)
	switch {
	case err != nil || id == 0:
		return err
	case p.again && p.sendsLess():
		_, err = deleteSource(ctx, s.conn, id)
		return err
	case !p.isFiltered(), p.Filter.IsEmpty():
		return nil
	}
	gone := []groupChange{{group: noGroup, how: isGone}}
	const query = `SELECT g.sync_group, coalesce(c.session_key, '') FROM lcm.sync_conversations g
		LEFT JOIN lcm.conversations c ON c.source_id = g.source_id AND c.sync_group = g.sync_group WHERE g.source_id = $1`
	err = s.conn.Query(ctx, "read", query, []any{id}, func(scan postgres.Scanner) error {
		var group int64
		var key string
		err := scan(&group, &key)
		if !p.Filter.Matches(key) {
			gone = append(gone, groupChange{group: group, how: isGone})
		}
		return err
	})
	if err != nil {
		return err
	}
	return (&sender{conn: s.conn, source: id}).delete(ctx, gone)
}

// keepDeleted moves the rows of conversations that are about to be sent again to the source of deleted ones. What the file still has is
// taken out there by settleDeleted. Rows that have no key aren't kept: nobody could say whether they came back.
func (s *sender) keepDeleted(ctx context.Context, changes []groupChange) error {
	// A conversation of which something was deleted earlier has its row there already: the one that comes now takes its place.
	const described = `DELETE FROM lcm.conversations p USING lcm.conversations n WHERE p.source_id = $3 AND n.source_id = $1
		AND p.conversation_id = n.conversation_id AND n.sync_group = ANY($2)`
	if _, err := s.conn.Exec(ctx, "write to", described, s.source, s.movedGroups("conversations", changes), s.deleted); err != nil {
		return err
	}
	for _, table := range keptTables {
		n, err := s.conn.Exec(ctx, "write to", "UPDATE lcm."+table+" SET source_id = $3 WHERE source_id = $1 AND sync_group = ANY($2)", s.source, s.movedGroups(table, changes), s.deleted)
		if err != nil {
			return err
		}
		s.sent.Kept += n
		const odd = "UPDATE lcm.odd_cells SET source_id = $3 WHERE source_id = $1 AND sync_group = ANY($2) AND table_name = $4"
		if _, err := s.conn.Exec(ctx, "write to", odd, s.source, s.movedGroups(table, changes), s.deleted, table); err != nil {
			return err
		}
	}
	return nil
}

// movedGroups returns the conversations of which a table is sent again, or nothing any more, because the host deleted something. Rows of no
// conversation aren't kept with a filter.
func (s *sender) movedGroups(table string, changes []groupChange) []int64 {
	out := []int64{}
	for _, c := range changes {
		goesOn := c.how == isAppended && (table == messageTable || table == partTable)
		if !c.isUnchosen && !goesOn && (c.group != noGroup || s.extent.filter.IsEmpty()) {
			out = append(out, c.group)
		}
	}
	return out
}

// settleDeleted takes what the file still has, or has again, out of the source of deleted rows, and makes the rest readable there. It does
// nothing where no deleted rows are kept.
func (s *sender) settleDeleted(ctx context.Context, changes []groupChange) error {
	if s.deleted == 0 || s.isFirst {
		return nil
	}
	groups := s.movedGroups("", changes)
	exec := func(query string, args ...any) (int64, error) {
		return s.conn.Exec(ctx, "write to", query, append([]any{s.deleted, groups}, args...)...)
	}
	// The rows were moved within this transaction, so that the server takes them for a few and would read all others for each of them.
	if _, err := s.conn.Exec(ctx, "write to", "SET LOCAL enable_nestloop = off"); err != nil {
		return err
	}
	for _, table := range keptTables {
		t, _ := postgres.TableOf(table)
		var same, key []string
		for _, c := range t.Key {
			same, key = append(same, "p."+c+" = n."+c), append(key, "to_json(p."+c+")::text")
		}
		of := " FROM lcm." + table + " p USING lcm." + table + " n WHERE p.source_id = $1 AND n.source_id = $3 AND " + strings.Join(same, " AND ")
		n, err := exec("DELETE"+of+" AND p.sync_group = ANY($2)", s.source)
		if err != nil {
			return err
		}
		s.sent.Kept -= n
		if _, err := exec("DELETE"+of+" AND n.sync_group = ANY($2)", s.source); err != nil { // It came from another conversation, or came back.
			return err
		}
		odd := "DELETE FROM lcm.odd_cells o WHERE source_id = $1 AND sync_group = ANY($2) AND table_name = $3 AND NOT EXISTS (SELECT 1 FROM lcm." + table +
			" p WHERE p.source_id = $1 AND p.sync_group = o.sync_group AND o.row_key = '[' || " + strings.Join(key, " || ',' || ") + " || ']')"
		if _, err := exec(odd, table); err != nil {
			return err
		}
	}
	return s.describeDeleted(ctx, groups)
}

// describeDeleted gives the conversations of deleted rows what reading needs: their own row, which the file may still have, counts, and texts
// that are to be made searchable.
func (s *sender) describeDeleted(ctx context.Context, groups []int64) error {
	conversations, _ := postgres.TableOf("conversations")
	columns := strings.Join(conversations.CopyColumns()[1:], ", ")
	has := func(table string) string {
		return "EXISTS (SELECT 1 FROM lcm." + table + " t WHERE t.source_id = $1 AND t.sync_group = n.sync_group)"
	}
	some := has(messageTable) + " OR " + has(partTable) + " OR " + has("summaries") + " OR " + has("large_files")
	count := func(table string) string {
		return "(SELECT count(*) FROM lcm." + table + " t WHERE t.source_id = $1 AND t.sync_group = n.sync_group)"
	}
	for _, statement := range []struct {
		query string
		args  []any
	}{
		{"INSERT INTO lcm.conversations (source_id, " + columns + ") SELECT $1, " + columns + " FROM lcm.conversations n WHERE n.source_id = $3 AND n.sync_group = ANY($2) AND (" + some + ")", []any{s.source}},
		{"DELETE FROM lcm.search_docs WHERE source_id = $1 AND sync_group = ANY($2)", nil},
		{"DELETE FROM lcm.sync_conversations WHERE source_id = $1 AND sync_group = ANY($2)", nil},
		{`INSERT INTO lcm.sync_conversations (source_id, sync_group, messages, parts, summaries, row_count, tokens, last_message, index_digest, message_digest, other_digest,
				full_message_digest, full_other_digest, search_from, principal, origin)
			SELECT $1, n.sync_group, ` + count(messageTable) + ", " + count(partTable) + ", " + count("summaries") + ", " + count(messageTable) + " + " + count(partTable) + " + " + count("summaries") + `,
				(SELECT coalesce(sum(token_count), 0) FROM lcm.messages t WHERE t.source_id = $1 AND t.sync_group = n.sync_group),
				(SELECT coalesce(max(message_id), 0) FROM lcm.messages t WHERE t.source_id = $1 AND t.sync_group = n.sync_group),
				'', '', '', '', '', $3, $4, $5 FROM (SELECT DISTINCT sync_group FROM lcm.conversations WHERE source_id = $1 AND sync_group = ANY($2)) n`, []any{int64(math.MinInt64), s.principal, s.origin}},
		{"UPDATE lcm.sources SET revision = revision + 1 WHERE source_id = $1 AND $2::bigint[] IS NOT NULL", nil},
	} {
		if _, err := s.conn.Exec(ctx, "write to", statement.query, append([]any{s.deleted, groups}, statement.args...)...); err != nil {
			return err
		}
	}
	return nil
}
