package repair

import (
	"context"
	"maps"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops/repair/draft"
)

// mostRows is how many rows of a search table are repaired one by one; above, rebuilding it
// is quicker and takes less room in the record.
const mostRows = 500

// repairSearchRows brings the search tables in step with the rows.
func repairSearchRows(ctx context.Context, s *state) error {
	if s.op.Conversation == 0 {
		if err := deleteDanglingIndexRows(ctx, s); err != nil {
			return err
		}
	}
	messages := messagesOf(append(slices.Clone(s.found.of(integrity.MessageNotIndexed)), s.found.of(integrity.MessageIndexStale)...))
	keys := make([]any, 0, len(messages))
	for _, m := range messages {
		keys = append(keys, m)
	}
	if err := indexRows(ctx, s, data.MessageIndex, "messages", "message_id", keys); err != nil {
		return err
	}
	about := map[string]bool{}
	for _, f := range append(slices.Clone(s.found.of(integrity.SummaryIndexRowsWrong)), s.found.of(integrity.SummaryIndexStale)...) {
		if f.Table == "summaries" {
			about[f.Row] = true
		}
	}
	var summaries []any
	for _, id := range sortedKeys(about) {
		summaries = append(summaries, id)
	}
	for _, table := range []string{data.SummaryIndex, data.SummaryTrigrams} {
		if err := indexRows(ctx, s, table, "summaries", "summary_id", summaries); err != nil {
			return err
		}
	}
	s.found.markAll(integrity.MessageNotIndexed, integrity.MessageIndexStale, integrity.SummaryIndexStale)
	for _, f := range s.found.of(integrity.SummaryIndexRowsWrong) {
		if f.Table == "summaries" {
			s.found.markRepaired(f)
		}
	}
	return nil
}

// indexRows makes a search table hold one right row about each of some messages
// or summaries, but those that change themselves, which the writer indexes.
func indexRows(ctx context.Context, s *state, table, of, key string, ids []any) error {
	if len(ids) == 0 || !slices.Contains(s.db.Schema().FTS, table) {
		return nil
	}
	if len(ids) > mostRows {
		rebuildSearch(s, table)
		return nil
	}
	rows, err := data.ImagesIn(ctx, s.db, of, key, ids, key, "content")
	if err != nil {
		return err
	}
	had, err := data.IndexRows(ctx, s.db, table, ids)
	if err != nil {
		return err
	}
	by := "summary_id"
	if table == data.MessageIndex {
		by = "rowid"
	}
	for _, r := range rows {
		if isRewritten(s, of, r, key) {
			continue
		}
		setIndexRow(s, table, by, r[key], data.IndexedText(table, r["content"]), had)
	}
	return nil
}

// setIndexRow makes a search table hold one row of this text about an id: a wrong one is
// changed, others go.
func setIndexRow(s *state, table, by string, id, want any, had []data.Row) {
	var mine []data.Row
	for _, h := range had {
		if sameCell(h[by], id) {
			mine = append(mine, h)
		}
	}
	right := slices.IndexFunc(mine, func(h data.Row) bool { return want != nil && sameCell(h["content"], want) })
	if right < 0 && want != nil {
		if len(mine) == 0 {
			s.plan.Changes = append(s.plan.Changes, change.Change{Table: table, Key: []string{by}, After: data.Row{by: id, "content": want}})
			return
		}
		right = 0
		after := maps.Clone(mine[0])
		after["content"] = want
		s.plan.Changes = append(s.plan.Changes, change.Change{Table: table, Key: []string{"rowid"}, Before: mine[0], After: after})
	}
	for i, h := range mine {
		if i != right {
			s.plan.Changes = append(s.plan.Changes, change.Change{Table: table, Key: []string{"rowid"}, Before: h})
		}
	}
}

// isRewritten reports whether a row goes or gets another text.
func isRewritten(s *state, table string, r data.Row, key string) bool {
	if s.rows.Has(table, r.Pick([]string{key})) && !data.SameValue(s.rows.Value(table, r, "content"), r["content"]) {
		return true
	}
	if table == "summaries" {
		n := s.graph.Summary(draft.Text(r[key]))
		return n != nil && n.IsDeleted() || s.texts[draft.Text(r[key])] != ""
	}
	return false
}

// rebuildSearch has a search table made again from the rows.
func rebuildSearch(s *state, table string) {
	if !slices.Contains(s.plan.Rebuild, table) {
		s.plan.Rebuild = append(s.plan.Rebuild, table)
	}
}

// deleteDanglingIndexRows deletes rows of search tables about rows that don't exist.
func deleteDanglingIndexRows(ctx context.Context, s *state) error {
	byTable := map[string][]any{}
	for _, f := range append(slices.Clone(s.found.of(integrity.MessageIndexDangling)), s.found.of(integrity.SummaryIndexRowsWrong)...) {
		if f.Table == "summaries" {
			continue
		}
		var key any = f.Row
		if f.Table == data.MessageIndex {
			key = id(f.Row)
		}
		byTable[f.Table] = append(byTable[f.Table], key)
		s.found.markRepaired(f)
	}
	for _, table := range sortedKeys(byTable) {
		if len(byTable[table]) > mostRows {
			rebuildSearch(s, table)
			continue
		}
		rows, err := data.IndexRows(ctx, s.db, table, byTable[table])
		if err != nil {
			return err
		}
		for _, r := range rows {
			s.plan.Changes = append(s.plan.Changes, change.Change{Table: table, Key: []string{"rowid"}, Before: r})
		}
	}
	return nil
}

// rebuildSearchTables has damaged search tables made again.
func rebuildSearchTables(_ context.Context, s *state) error {
	if s.op.Conversation != 0 {
		return nil
	}
	for _, f := range append(slices.Clone(s.found.of(integrity.SearchTableDamaged)), s.found.of(integrity.TablesIncomplete)...) {
		rebuildDamaged(s, f)
	}
	return nil
}

// rebuildDamaged has one damaged search table made again.
func rebuildDamaged(s *state, f integrity.Finding) {
	table := f.Row
	broken := slices.Contains(s.db.Schema().BrokenFTS, table)
	switch {
	case f.Fault == integrity.SearchTableDamaged && slices.Contains(data.SearchTables(), table), broken:
		rebuildSearch(s, table)
		s.found.markRepaired(f)
	case slices.Contains(data.SearchTables(), table):
		s.found.leave(f, "the host creates it when it starts the next time")
	default:
		s.found.leave(f, "lcm-tui creates no tables in a host's file: the host does when it starts the next time, or lcm-tui salvage does in a new file")
	}
}
