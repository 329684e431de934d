package repair

import (
	"context"
	"maps"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// mostRows is how many rows of a search table are mended one by one; above, making it
// anew is quicker and takes less room in the record.
const mostRows = 500

// search brings the search tables in step with the rows.
func (d *draft) search(ctx context.Context) error {
	messages := rowsOf(append(slices.Clone(d.take(integrity.MessageNotIndexed)), d.take(integrity.MessageIndexStale)...))
	keys := make([]any, 0, len(messages))
	for _, m := range messages {
		keys = append(keys, m)
	}
	if err := d.reindex(ctx, data.MessageIndex, "messages", "message_id", keys); err != nil {
		return err
	}
	about := map[string]bool{}
	for _, f := range append(slices.Clone(d.take(integrity.SummaryIndexRowsWrong)), d.take(integrity.SummaryIndexStale)...) {
		if f.Table == "summaries" {
			about[f.Row] = true
		}
	}
	var summaries []any
	for _, id := range sortedKeys(about) {
		summaries = append(summaries, id)
	}
	for _, table := range []string{data.SummaryIndex, data.SummaryTrigrams} {
		if err := d.reindex(ctx, table, "summaries", "summary_id", summaries); err != nil {
			return err
		}
	}
	d.all(integrity.MessageNotIndexed, integrity.MessageIndexStale, integrity.SummaryIndexStale)
	for _, f := range d.take(integrity.SummaryIndexRowsWrong) {
		if f.Table == "summaries" {
			d.done(f)
		}
	}
	return nil
}

// reindex makes a search table hold one right row about each of these messages or
// summaries, but those that change themselves, which the writer sees to.
func (d *draft) reindex(ctx context.Context, table, of, key string, ids []any) error {
	if len(ids) == 0 || !slices.Contains(d.db.Schema().FTS, table) {
		return nil
	}
	if len(ids) > mostRows {
		d.rebuild(table)
		return nil
	}
	rows, err := d.db.ImagesIn(ctx, of, key, ids, key, "content")
	if err != nil {
		return err
	}
	had, err := d.db.IndexRows(ctx, table, ids)
	if err != nil {
		return err
	}
	by := "summary_id"
	if table == data.MessageIndex {
		by = "rowid"
	}
	for _, r := range rows {
		if d.rewritten(of, r, key) {
			continue
		}
		d.indexed(table, by, r[key], data.IndexedText(table, r["content"]), had)
	}
	return nil
}

// indexed makes a search table hold one row of this text about an id: a wrong one is
// changed, others go.
func (d *draft) indexed(table, by string, id, want any, had []data.Row) {
	var mine []data.Row
	for _, h := range had {
		if sameCell(h[by], id) {
			mine = append(mine, h)
		}
	}
	right := slices.IndexFunc(mine, func(h data.Row) bool { return want != nil && sameCell(h["content"], want) })
	if right < 0 && want != nil {
		if len(mine) == 0 {
			d.plan.Changes = append(d.plan.Changes, data.Change{Table: table, Key: []string{by}, After: data.Row{by: id, "content": want}})
			return
		}
		right = 0
		after := maps.Clone(mine[0])
		after["content"] = want
		d.plan.Changes = append(d.plan.Changes, data.Change{Table: table, Key: []string{"rowid"}, Before: mine[0], After: after})
	}
	for i, h := range mine {
		if i != right {
			d.plan.Changes = append(d.plan.Changes, data.Change{Table: table, Key: []string{"rowid"}, Before: h})
		}
	}
}

// rewritten reports whether a row goes or gets another text.
func (d *draft) rewritten(table string, r data.Row, key string) bool {
	if table == "summaries" {
		n := d.nodes[word(r[key])]
		return n != nil && n.gone || d.remade[word(r[key])] != ""
	}
	return d.edits.deleted(table, data.Row{key: r[key]})
}

func (d *draft) rebuild(table string) {
	if !slices.Contains(d.plan.Rebuild, table) {
		d.plan.Rebuild = append(d.plan.Rebuild, table)
	}
}

// strayed deletes rows of search tables about what doesn't exist, and makes damaged
// search tables anew.
func (d *draft) strayed(ctx context.Context) error {
	byTable := map[string][]any{}
	for _, f := range append(slices.Clone(d.take(integrity.MessageIndexDangling)), d.take(integrity.SummaryIndexRowsWrong)...) {
		if f.Table == "summaries" {
			continue
		}
		var key any = f.Row
		if f.Table == data.MessageIndex {
			key = id(f.Row)
		}
		byTable[f.Table] = append(byTable[f.Table], key)
		d.done(f)
	}
	for _, table := range sortedKeys(byTable) {
		if len(byTable[table]) > mostRows {
			d.rebuild(table)
			continue
		}
		rows, err := d.db.IndexRows(ctx, table, byTable[table])
		if err != nil {
			return err
		}
		for _, r := range rows {
			d.plan.Changes = append(d.plan.Changes, data.Change{Table: table, Key: []string{"rowid"}, Before: r})
		}
	}
	for _, f := range append(slices.Clone(d.take(integrity.SearchTableDamaged)), d.take(integrity.TablesIncomplete)...) {
		d.damaged(f)
	}
	return nil
}

// damaged has a search table made anew.
func (d *draft) damaged(f integrity.Finding) {
	table := f.Row
	broken := slices.Contains(d.db.Schema().BrokenFTS, table)
	switch {
	case f.Fault == integrity.SearchTableDamaged && slices.Contains(data.SearchTables(), table), broken:
		d.rebuild(table)
		d.done(f)
	case slices.Contains(data.SearchTables(), table):
		d.leave(f, "the host makes it at its next start")
	default:
		d.leave(f, "this program makes no tables; the host does at its next start, or lcm-tui salvage into a new file")
	}
}
