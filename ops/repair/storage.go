package repair

import (
	"context"
	"strconv"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

// raiseIDCounters sets counters of ids to the highest id.
func raiseIDCounters(ctx context.Context, s *state) error {
	if s.op.Conversation != 0 {
		return nil
	}
	for _, f := range s.found.of(integrity.IDCounterBehind) {
		rows, err := data.Images(ctx, s.db, "sqlite_sequence", data.Row{"name": f.Row})
		if err != nil {
			return err
		}
		key := s.db.Schema().Key(f.Row)
		if len(rows) != 1 || len(key) != 1 {
			continue
		}
		highest, err := data.MaxValue(ctx, s.db, f.Row, key[0])
		if err != nil {
			return err
		}
		s.rows.Set("sqlite_sequence", rows[0], data.Row{"seq": highest})
		s.found.markRepaired(f)
	}
	return nil
}

// deleteDanglingRows deletes links and parts that name rows which don't exist, so that they
// belong to no conversation.
func deleteDanglingRows(ctx context.Context, s *state) error {
	if !s.found.has(integrity.ReferenceDangling, integrity.LinkDangling) {
		return nil
	}
	for _, l := range []struct{ table, column, other, key string }{
		{"message_parts", "message_id", "messages", "message_id"},
		{draft.SourceTable, "summary_id", "summaries", "summary_id"},
		{draft.MessageTable, "summary_id", "summaries", "summary_id"},
	} {
		rows, err := data.DanglingRows(ctx, s.db, l.table, l.column, l.other, l.key)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if l.table == "message_parts" || !isExcludedLink(s, l.table, r) && isOtherEndMissing(ctx, s, l.table, r) {
				s.rows.Delete(l.table, r)
			}
		}
	}
	for _, fault := range []integrity.FaultID{integrity.ReferenceDangling, integrity.LinkDangling} {
		for _, f := range s.found.of(fault) {
			switch f.Table {
			case "message_parts", draft.SourceTable, draft.MessageTable:
				s.found.markRepaired(f)
			default:
				s.found.leave(f, "the file doesn't say which conversation it belonged to")
			}
		}
	}
	return nil
}

// isExcludedLink reports whether a link has a finding that is not repaired.
func isExcludedLink(s *state, table string, r data.Row) bool {
	source := draft.Text(r["parent_summary_id"])
	if table == draft.MessageTable {
		source = strconv.FormatInt(draft.Number(r["message_id"]), 10)
	}
	return s.found.excludes(table, draft.Text(r["summary_id"]), source)
}

// isOtherEndMissing reports whether neither end of a link exists, so that no conversation's
// repair sees it.
func isOtherEndMissing(ctx context.Context, s *state, table string, r data.Row) bool {
	other, column, key := "messages", "message_id", "message_id"
	if table == draft.SourceTable {
		other, column, key = "summaries", "parent_summary_id", "summary_id"
	}
	rows, err := data.ImagesIn(ctx, s.db, other, key, []any{r[column]}, key)
	return err == nil && len(rows) == 0
}
