package diff

import (
	"context"
	"maps"
	"slices"

	"lcm-tui/data"
)

// tableRows are rows by their table.
type tableRows map[string][]data.Row

// insert passes all rows on.
func (t tableRows) insert(insert func(string, data.Row) error) error {
	for _, table := range slices.Sorted(maps.Keys(t)) {
		for _, r := range t[table] {
			if err := insert(table, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// values returns the values of a column in the rows of all tables but one, by their text.
func (t tableRows) values(column, except string) map[string]any {
	out := map[string]any{}
	for table, list := range t {
		for _, r := range list {
			if v := r[column]; v != nil && table != except {
				out[data.CellText(v)] = v
			}
		}
	}
	return out
}

// owners returns the rows by which the changed ones belong to a conversation, and the conversations:
// those that are no changed rows themselves. Of messages and summaries they have only the ids.
func (b *pastBuilder) owners(ctx context.Context, lists ...tableRows) (tableRows, error) {
	out := tableRows{}
	for _, o := range []struct {
		table, column string
		columns       []string
	}{
		{"messages", "message_id", []string{"message_id", "conversation_id"}},
		{"summaries", "summary_id", []string{"summary_id", "conversation_id"}},
		{"conversations", "conversation_id", nil},
	} {
		wanted := out.values(o.column, o.table)
		for _, rows := range lists {
			maps.Copy(wanted, rows.values(o.column, o.table))
		}
		for _, i := range b.images[o.table] {
			delete(wanted, data.CellText(i.key[o.column]))
		}
		found, err := data.ImagesIn(ctx, b.db, o.table, o.column, slices.Collect(maps.Values(wanted)), o.columns...)
		if err != nil {
			return nil, err
		}
		out[o.table] = found
	}
	return out, nil
}
