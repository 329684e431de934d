package change

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"lcm-tui/data"
)

// syncFTS brings search tables in step with the changes, and returns what it
// did to them as changes that can be inverted. Tables that are absent or broken
// are left alone; a host makes them again.
func syncFTS(ctx context.Context, t *tx, cs []Change, names []string) ([]Change, error) {
	var done []Change
	for _, name := range names {
		table, key := "summaries", "summary_id"
		if name == data.MessageIndex {
			table, key = "messages", "message_id"
		}
		want := wantedIndex(cs, table, key)
		if len(want) == 0 {
			continue
		}
		old, err := indexedRows(ctx, t, name, want)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		made, err := reindex(ctx, t, name, old, want)
		if err != nil {
			return nil, fmt.Errorf("update %s: %w", name, err)
		}
		done = append(done, made...)
	}
	return done, nil
}

// wantedIndex is the text that the index should have for every changed row of a
// table, by id; a nil text means none.
func wantedIndex(cs []Change, table, key string) map[any]any {
	want := map[any]any{}
	for _, c := range cs {
		if c.Table != table || c.Before != nil && c.After != nil && data.SameValue(c.Before["content"], c.After["content"]) {
			continue
		}
		id := c.row()[key]
		if _, blob := id.([]byte); blob {
			continue // No id: search tables know rows by text and numbers.
		}
		if c.After == nil {
			want[id] = nil
			continue
		}
		want[id] = c.After["content"]
		if table == "messages" {
			want[id] = data.MessageIndexText(c.After["content"])
		}
	}
	return want
}

// indexedRows are the rows that a search table has for the ids, as changes that
// delete them.
func indexedRows(ctx context.Context, t *tx, name string, want map[any]any) ([]Change, error) {
	ids := make([]any, 0, len(want))
	for id := range want {
		ids = append(ids, id)
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	columns, by := data.SearchColumns(name)
	query := "SELECT " + strings.Join(columns, ", ") + " FROM " + name + " WHERE " + by + " IN (SELECT value FROM json_each(?)) ORDER BY rowid"
	var out []Change
	err = data.EachRow(ctx, t, query, []any{string(list)}, func(scan data.RowScanner) error {
		r, err := data.ScanRow(scan, columns)
		out = append(out, Change{Table: name, Key: []string{"rowid"}, Before: r})
		return err
	})
	return out, err
}

// reindex deletes old rows and inserts the wanted ones.
func reindex(ctx context.Context, t *tx, name string, old []Change, want map[any]any) ([]Change, error) {
	for _, c := range old {
		if _, err := exec(ctx, t, "DELETE FROM "+name+" WHERE rowid = ?", c.Before["rowid"]); err != nil {
			return nil, err
		}
	}
	done := slices.Clone(old)
	for _, id := range sortedIDs(want) {
		if want[id] == nil {
			continue
		}
		r := data.Row{"summary_id": id, "content": want[id]}
		if name == data.MessageIndex {
			r = data.Row{"rowid": id, "content": want[id]}
		}
		query, args := insertSQL(name, r)
		res, err := exec(ctx, t, query, args...)
		if err != nil {
			return nil, err
		}
		if r["rowid"], err = res.LastInsertId(); err != nil {
			return nil, err
		}
		done = append(done, Change{Table: name, Key: []string{"rowid"}, After: r})
	}
	return done, nil
}

func sortedIDs(want map[any]any) []any {
	ids := make([]any, 0, len(want))
	for id := range want {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool {
		if x, ok := ids[i].(int64); ok {
			return x < data.CellInteger(ids[j])
		}
		return data.CellText(ids[i]) < data.CellText(ids[j])
	})
	return ids
}
