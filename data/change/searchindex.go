package change

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"lcm-tui/data"
	"lcm-tui/internal/sorting"
)

// search brings the search tables up to date and returns what it did, which is recorded: first
// the batch's own changes of search tables, then those that follow from changed rows, then
// rebuilt tables.
func updateSearch(ctx context.Context, t *tx, b Batch, was indexRows) ([]Change, error) {
	if t.IsHome() {
		return nil, indexAtHome(ctx, t, b.Changes)
	}
	var own []Change
	for _, c := range b.Changes {
		if data.IsSearchTable(c.Table) && !slices.Contains(b.Rebuild, c.Table) {
			own = append(own, c)
		}
	}
	if occupied(ctx, t, own) {
		return nil, &data.StaleError{What: "a search table", Why: "has a row already that the plan adds"}
	}
	done, err := index(ctx, t, own)
	if err != nil {
		return nil, err
	}
	more, err := syncFTS(ctx, t, b.Changes, b.keptIndexes(t.Schema), was)
	if err != nil {
		return nil, err
	}
	done = append(done, more...)
	for _, name := range b.Rebuild {
		if err := rebuild(ctx, t, name); err != nil {
			return nil, fmt.Errorf("rebuild %s: %w", name, err)
		}
		done = append(done, Change{Table: name, Key: []string{wholeTable}})
	}
	return done, nil
}

// keptIndexes returns the search tables of a file that a batch doesn't rebuild.
func (b Batch) keptIndexes(s *data.Schema) []string {
	return slices.DeleteFunc(slices.Clone(s.FTS), func(n string) bool { return slices.Contains(b.Rebuild, n) })
}

// wholeTable is the key in a record that stands for a rebuilt search table.
const wholeTable = "*"

// withoutRebuilt separates the changes of rows from the names of the rebuilt search tables.
func withoutRebuilt(cs []Change) (rows []Change, rebuilt []string) {
	for _, c := range cs {
		if slices.Equal(c.Key, []string{wholeTable}) {
			rebuilt = append(rebuilt, c.Table)
		} else {
			rows = append(rows, c)
		}
	}
	return rows, rebuilt
}

// index changes rows of search tables, deletes before inserts, and returns the changes with
// the rowids that new rows got.
func index(ctx context.Context, t *tx, cs []Change) (done []Change, err error) {
	cs = byRowid(cs)
	for _, c := range cs {
		if c.Before == nil {
			continue
		}
		if _, err := exec(ctx, t, "DELETE FROM "+c.Table+" WHERE rowid = ?", c.Before["rowid"]); err != nil {
			return nil, fmt.Errorf("change %s: %w", c.Label(), err)
		}
		done = append(done, Change{Table: c.Table, Key: []string{"rowid"}, Before: c.Before})
	}
	for _, c := range cs {
		if c.After == nil {
			continue
		}
		query, args := insertSQL(c.Table, c.After)
		res, err := exec(ctx, t, query, args...)
		if err != nil {
			return nil, fmt.Errorf("change %s: %w", c.Label(), err)
		}
		r := c.After.Pick(c.After.Columns())
		if r["rowid"], err = res.LastInsertId(); err != nil {
			return nil, err
		}
		done = append(done, Change{Table: c.Table, Key: []string{"rowid"}, After: r})
	}
	return done, nil
}

// byRowid sorts changes of search tables by rowid; a new row has none and keeps its place
// after them. FTS5 collects words in memory as long as the rowids rise, and writes them out
// each time that one is lower than the one before.
func byRowid(cs []Change) []Change {
	cs = slices.Clone(cs)
	rowid := func(c Change) int64 {
		if id, ok := c.row()["rowid"].(int64); ok {
			return id
		}
		return math.MaxInt64
	}
	sorting.Stable(cs, func(a, b *Change) int { return cmp.Compare(rowid(*a), rowid(*b)) })
	return cs
}

// rebuild drops a search table with its shadow tables and fills a new one from the rows, as
// hosts do.
func rebuild(ctx context.Context, t *tx, name string) error {
	newest := data.NewestSchema()
	i := slices.IndexFunc(newest, func(o data.SchemaObject) bool { return o.Name == name })
	if i < 0 {
		return fmt.Errorf("%s is no search table", name)
	}
	if err := drop(ctx, t, name); err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, newest[i].SQL); err != nil {
		return err
	}
	return fillLater(ctx, t, name)
}

// drop removes a search table. One that is damaged can't be dropped as such: its row is
// deleted from the schema, and its shadow tables are dropped as ordinary tables.
func drop(ctx context.Context, t *tx, name string) error {
	t.ForgetStatements() // One that reads the table would be in the way.
	if _, err := t.ExecContext(ctx, "DROP TABLE IF EXISTS "+name); err == nil {
		return nil
	}
	steps := []string{
		"PRAGMA writable_schema = ON",
		"DELETE FROM sqlite_master WHERE type = 'table' AND name = '" + name + "' AND sql LIKE 'CREATE VIRTUAL%'",
		"PRAGMA writable_schema = RESET",
	}
	for _, suffix := range data.SearchShadows {
		steps = append(steps, "DROP TABLE IF EXISTS "+name+suffix)
	}
	for _, s := range steps {
		if _, err := t.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", strings.ToLower(s), err)
		}
	}
	return nil
}

// indexRows are what search tables have of changed rows, by table, as changes that delete it.
type indexRows map[string][]Change

// readIndexRows reads what the search tables have of the rows that a batch changes. Search tables know summaries by a column
// that has no index, so all of a table is read: too long under the lock, and more than the writing connection should keep in
// memory. A reader sees what the transaction sees, or others have written and it is read again. Tables that the batch itself
// changes are left out, as they won't be the same by then.
func readIndexRows(ctx context.Context, t *tx, b Batch) (indexRows, error) {
	reader, err := t.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	found := indexRows{}
	for _, name := range b.keptIndexes(t.Schema) {
		if slices.ContainsFunc(b.Changes, func(c Change) bool { return c.Table == name }) {
			continue
		}
		want := wantedIndex(b.Changes, name)
		if len(want) == 0 {
			continue
		}
		if found[name], err = indexedRows(ctx, reader, name, want); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// syncFTS brings search tables in step with the changes, and returns what it
// did to them as changes that can be inverted. Tables that are absent or broken
// are left alone; a host makes them again. It reads itself what isn't in was.
func syncFTS(ctx context.Context, t *tx, cs []Change, names []string, was indexRows) ([]Change, error) {
	var done []Change
	for _, name := range names {
		want := wantedIndex(cs, name)
		if len(want) == 0 {
			continue
		}
		old, known := was[name]
		if !known {
			var err error
			if old, err = indexedRows(ctx, t, name, want); err != nil {
				return nil, err
			}
		}
		made, err := reindex(ctx, t, name, old, want)
		if err != nil {
			return nil, fmt.Errorf("update %s: %w", name, err)
		}
		done = append(done, made...)
	}
	return done, nil
}

// wantedIndex returns the text that a search table should have for every changed row, by id; a nil text means none.
func wantedIndex(cs []Change, name string) map[any]any {
	table, key := "summaries", "summary_id"
	if name == data.MessageIndex {
		table, key = "messages", "message_id"
	}
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

// indexedRows returns the rows that a search table has for the ids, as changes that
// delete them.
func indexedRows(ctx context.Context, on data.Connection, name string, want map[any]any) ([]Change, error) {
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
	err = data.EachRow(ctx, on, query, []any{string(list)}, func(scan data.RowScanner) error {
		r, err := data.ScanRow(scan, columns)
		out = append(out, Change{Table: name, Key: []string{"rowid"}, Before: r})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return out, nil
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
