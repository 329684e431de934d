package change

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"lcm-tui/data"
)

// growth is by how much counters of a summary change.
type growth struct{ below, messages int64 }

// counterColumns are the columns that count what is below a summary, behind the one that names it.
var counterColumns = []string{"summary_id", "descendant_token_count", "source_message_token_count"}

// addCounted adds, unchanged, the summaries that were made of those whose sizes the changes are about. So the record
// tells which of them were there, and an undo leaves their counters as they are.
func addCounted(ctx context.Context, t *tx, b Batch, _ *Outcome) ([]Change, bool, error) {
	grown, _, err := growths(ctx, t, b.Changes, b.Changes)
	if err != nil || len(grown) == 0 {
		return nil, false, err
	}
	cs := slices.Clone(b.Changes)
	for _, id := range slices.Sorted(maps.Keys(grown)) {
		row, err := t.Row(ctx, "summaries", data.Row{"summary_id": id}, counterColumns)
		if err != nil {
			return nil, false, err
		}
		if row != nil {
			cs = append(cs, Change{Table: "summaries", Key: []string{"summary_id"}, Before: row, After: row})
		}
	}
	return cs, true, nil
}

// updateCounters brings the counters of summaries in step that a host has made of those
// whose sizes the changes restore. The record doesn't know them, since they came later.
func updateCounters(ctx context.Context, t *tx, cs, record []Change) error {
	grown, _, err := growths(ctx, t, cs, record)
	for id, g := range grown {
		if err != nil {
			break
		}
		_, err = exec(ctx, t, `UPDATE summaries SET descendant_token_count = descendant_token_count + ?,
			source_message_token_count = source_message_token_count + ? WHERE summary_id = ?`, g.below, g.messages, id)
	}
	return err
}

// countChanges returns what updateCounters does, as changes, and the guards that nothing else is
// made of these summaries until they are written.
func countChanges(ctx context.Context, t *tx, cs []Change) (out []Change, guards []Guard, err error) {
	grown, guards, err := growths(ctx, t, cs, cs)
	for _, id := range slices.Sorted(maps.Keys(grown)) {
		before, err := t.Row(ctx, "summaries", data.Row{"summary_id": id}, counterColumns)
		if err != nil || before == nil {
			return out, guards, err
		}
		after := before.Pick(counterColumns)
		after["descendant_token_count"] = data.CellInteger(before["descendant_token_count"]) + grown[id].below
		after["source_message_token_count"] = data.CellInteger(before["source_message_token_count"]) + grown[id].messages
		out = append(out, Change{Table: "summaries", Key: []string{"summary_id"}, Before: before, After: after})
	}
	return out, guards, err
}

// growths returns by how much the counters change of what was made of summaries whose sizes
// change, directly or not, but for summaries that a record knows and what was made of
// those. The guards are those of what was made of all of them.
func growths(ctx context.Context, t *tx, cs, record []Change) (out map[string]growth, guards []Guard, err error) {
	out = map[string]growth{}
	if !t.Schema.Has("summaries", "descendant_token_count", "source_message_token_count") || !t.Schema.Has("summary_parents") {
		return out, nil, nil
	}
	known, made := map[string]bool{}, map[string]int64{}
	for _, c := range record {
		if c.Table == "summaries" {
			known[data.CellText(c.row()["summary_id"])] = true
		}
	}
	for _, c := range cs {
		if c.Table != "summaries" || c.Before == nil || c.After == nil {
			continue
		}
		grown := func(column string) int64 {
			return data.CellInteger(c.After[column]) - data.CellInteger(c.Before[column])
		}
		g := growth{grown("token_count") + grown("descendant_token_count"), grown("source_message_token_count")}
		id := data.CellText(c.Before["summary_id"])
		if err := growAbove(ctx, t, id, g, known, made, out); err != nil {
			return nil, nil, fmt.Errorf("count what was made of %s: %w", id, err)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(made)) {
		guards = append(guards, Guard{Table: "summary_parents", Where: data.Row{"parent_summary_id": id}, Count: made[id]})
	}
	return out, guards, nil
}

// growAbove adds a growth to that of what was made of a summary. It counts in made how many
// were made of each.
func growAbove(ctx context.Context, t *tx, id string, g growth, known map[string]bool, made map[string]int64, out map[string]growth) error {
	if g == (growth{}) {
		return nil
	}
	seen := map[string]bool{}
	for waiting := []string{id}; len(waiting) > 0; waiting = waiting[1:] {
		made[waiting[0]] = 0
		err := data.EachRow(ctx, t, "SELECT summary_id FROM summary_parents WHERE parent_summary_id = ?", []any{waiting[0]}, func(scan data.RowScanner) error {
			var above data.Text
			err := scan(&above)
			made[waiting[0]]++
			if a := string(above); err == nil && !known[a] && !seen[a] {
				seen[a], waiting = true, append(waiting, a)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	for a := range seen {
		out[a] = growth{out[a].below + g.below, out[a].messages + g.messages}
	}
	return nil
}
