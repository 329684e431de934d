package data

import (
	"context"
	"fmt"
)

// growth is by how much counters of a summary change.
type growth struct{ below, messages int64 }

// followCounts brings the counters of summaries in step that a host has made of those
// whose sizes the changes restore. The changes don't know them, since they came later.
func (t *tx) followCounts(ctx context.Context, cs []Change) error {
	if !t.schema.Has("summaries", "descendant_token_count", "source_message_token_count") || !t.schema.Has("summary_parents") {
		return nil
	}
	known := map[string]bool{}
	for _, c := range cs {
		if c.Table == "summaries" {
			known[asText(c.row()["summary_id"])] = true
		}
	}
	for _, c := range cs {
		if c.Table != "summaries" || c.Before == nil || c.After == nil {
			continue
		}
		grown := func(column string) int64 { return asInteger(c.After[column]) - asInteger(c.Before[column]) }
		g := growth{grown("token_count") + grown("descendant_token_count"), grown("source_message_token_count")}
		id := asText(c.Before["summary_id"])
		if err := t.growAbove(ctx, id, g, known); err != nil {
			return fmt.Errorf("count what was made of %s: %w", id, err)
		}
	}
	return nil
}

// growAbove adds to the counters of what was made of a summary, directly or not, but for
// the known ones and what was made of those.
func (t *tx) growAbove(ctx context.Context, id string, g growth, known map[string]bool) error {
	if g == (growth{}) {
		return nil
	}
	seen := map[string]bool{}
	for waiting := []string{id}; len(waiting) > 0; waiting = waiting[1:] {
		err := each(ctx, t, "SELECT summary_id FROM summary_parents WHERE parent_summary_id = ?", []any{waiting[0]}, func(scan RowScanner) error {
			var above text
			err := scan(&above)
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
		_, err := t.exec(ctx, `UPDATE summaries SET descendant_token_count = descendant_token_count + ?,
			source_message_token_count = source_message_token_count + ? WHERE summary_id = ?`, g.below, g.messages, a)
		if err != nil {
			return err
		}
	}
	return nil
}
