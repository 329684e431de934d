package lcm

import (
	"context"
	"slices"

	"lcm-tui/data"
)

// ReadableRows says how much of what a conversation has in a table can be read.
type ReadableRows struct {
	Table   string
	Counted int64 // Rows that an index tells of; -1 where that can't be read either.
	Read    int64 // Of the first Tried of them.
	Tried   int64
}

// Lost reports whether a row can't be read.
func (r ReadableRows) Lost() bool { return r.Counted < 0 || r.Read < r.Tried }

// maxRowsTried is how many rows are read to tell how much of a table is left.
const maxRowsTried = 5000

// ReadReadableRows tells for each core table with rows of conversations how much of this one's
// can be read, where a read has met damage; elsewhere it's empty. It reads whole rows.
func ReadReadableRows(ctx context.Context, db *data.DB, conv int64) ([]ReadableRows, error) {
	var out []ReadableRows
	cut := db.IncompleteTables()
	for _, table := range []string{"messages", "summaries", "context_items", "large_files"} {
		if !slices.Contains(cut, table) || !db.Schema().Has(table, "conversation_id") {
			continue
		}
		r, err := readable(ctx, db, table, conv)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func readable(ctx context.Context, db data.Querier, table string, conv int64) (ReadableRows, error) {
	r := ReadableRows{Table: table}
	var numbers []any
	query := "SELECT t.rowid FROM " + table + " t WHERE t.conversation_id = ?"
	whole, err := db.Query(ctx, "count "+table, query, []any{conv}, func(scan data.RowScanner) error {
		var n any
		err := scan(&n)
		numbers = append(numbers, n)
		return err
	})
	r.Counted = int64(len(numbers))
	if !whole {
		r.Counted = -1
	}
	for _, n := range numbers[:min(len(numbers), maxRowsTried)] {
		if err != nil {
			break
		}
		r.Tried++
		found := false
		whole, err = db.Query(ctx, "read "+table, "SELECT * FROM "+table+" t WHERE t.rowid = ?", []any{n}, func(data.RowScanner) error {
			found = true
			return nil
		})
		if whole && found {
			r.Read++
		}
	}
	return r, err
}
