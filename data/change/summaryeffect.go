package change

import (
	"context"
	"encoding/json"

	"lcm-tui/data"
)

// SummaryEffect is what a record did to the table of summaries.
type SummaryEffect struct {
	Record int64
	Op     string
	Reason string // Why it was written, where the operation notes that.
	Undone bool
	// Made and Deleted are how many rows it inserted and deleted, by kind. Rows of which it keeps no image don't count.
	Made, Deleted map[string]int64
}

// SummaryEffects returns all records, the oldest first. What a record did is read only of those after known, and of
// those that are undone and weren't when the caller looked last.
func SummaryEffects(ctx context.Context, q data.Querier, known int64, undone []int64) (out []SummaryEffect, err error) {
	if some, err := data.HasTable(ctx, q, undoTable); err != nil || !some {
		return nil, err
	}
	at := map[int64]int{}
	const records = `SELECT id, op, undone_at IS NOT NULL, CASE WHEN id > ?1 AND json_valid(detail) THEN coalesce(json_extract(detail, '$.reason'), '') ELSE '' END
		FROM lcm_tui_undo ORDER BY id`
	err = data.Each(ctx, q, "read history", records, []any{known}, func(scan data.RowScanner) error {
		e := SummaryEffect{Made: map[string]int64{}, Deleted: map[string]int64{}}
		err := scan(&e.Record, (*data.Text)(&e.Op), &e.Undone, (*data.Text)(&e.Reason))
		at[e.Record] = len(out)
		out = append(out, e)
		return err
	})
	if err != nil {
		return nil, err
	}
	parts, err := data.HasTable(ctx, q, partTable)
	if err != nil {
		return nil, err
	}
	query := `WITH wanted(id) AS MATERIALIZED (SELECT id FROM lcm_tui_undo WHERE id > ?1 OR undone_at IS NOT NULL AND id NOT IN (SELECT value FROM json_each(?2))),
		recorded(record, changes) AS (SELECT id, changes FROM wanted JOIN lcm_tui_undo USING (id)`
	if parts {
		query += " UNION ALL SELECT record, changes FROM wanted JOIN lcm_tui_undo_part ON record = id"
	}
	list, err := json.Marshal(append([]int64{}, undone...))
	if err != nil {
		return nil, err
	}
	query += `), changed(record, was, now) AS (SELECT r.record, json_extract(e.value, '$.before.kind'), json_extract(e.value, '$.after.kind')
			FROM recorded r, json_each(CASE WHEN instr(r.changes, '"table":"summaries"') > 0 AND json_valid(r.changes) THEN r.changes ELSE '[]' END) e
			WHERE json_extract(e.value, '$.table') = 'summaries')
		SELECT record, coalesce(was, ''), coalesce(now, ''), count(*) FROM changed WHERE was IS NULL OR now IS NULL GROUP BY 1, 2, 3`
	err = data.Each(ctx, q, "read history", query, []any{known, string(list)}, func(scan data.RowScanner) error {
		var id, n int64
		var was, now data.Text
		err := scan(&id, &was, &now, &n)
		if i, ok := at[id]; ok && err == nil {
			out[i].Made[string(now)] += n
			out[i].Deleted[string(was)] += n
		}
		return err
	})
	for _, e := range out {
		delete(e.Made, "")
		delete(e.Deleted, "")
	}
	return out, err
}
