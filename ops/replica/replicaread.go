package replica

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

// oddCells are the exact values of cells by row and column.
type oddCells map[string]map[string]any

// readOdd reads the odd cells of a table of a source. With a group, those of one conversation.
func readOdd(ctx context.Context, conn *postgres.Conn, source int64, table string, group *int64) (oddCells, error) {
	out := oddCells{}
	query := "SELECT row_key, column_name, class, bytes FROM lcm.odd_cells WHERE source_id = $1 AND table_name = $2"
	args := []any{source, table}
	if group != nil {
		query, args = query+" AND sync_group = $3", append(args, *group)
	}
	err := conn.Query(ctx, "read the odd cells of", query, args, func(scan postgres.Scanner) error {
		var key, column, class string
		var content []byte
		if err := scan(&key, &column, &class, &content); err != nil {
			return err
		}
		cell, err := postgres.DecodeOdd(class, content)
		if err != nil {
			return fmt.Errorf("the odd cell %s of %s %s: %w", column, table, key, err)
		}
		if out[key] == nil {
			out[key] = map[string]any{}
		}
		out[key][column] = cell
		return nil
	})
	return out, err
}

// eachReplicaRow calls fn with the rows that a replica has of a table of a file, with exact cells. With a group, with
// those of one conversation. The row is another one after the next call.
func eachReplicaRow(ctx context.Context, conn *postgres.Conn, source int64, t *tableShape, group *int64, fn func(*readRow) error) error {
	if t.described.Name != "" {
		if err := eachColumnRow(ctx, conn, source, t, group, fn); err != nil {
			return err
		}
	}
	query := "SELECT sync_group, image::text FROM lcm.other_rows WHERE source_id = $1 AND table_name = $2"
	args := []any{source, t.name}
	if group != nil {
		query, args = query+" AND sync_group = $3", append(args, *group)
	}
	row := &readRow{cells: make([]any, len(t.columns))}
	return conn.Query(ctx, "read", query+" ORDER BY row_number", args, func(scan postgres.Scanner) error {
		var image string
		if err := scan(&row.group, &image); err != nil {
			return err
		}
		var cells data.Row
		if err := json.Unmarshal([]byte(image), &cells); err != nil {
			return err
		}
		for i, c := range t.columns {
			row.cells[i] = cells[c]
		}
		return fn(row)
	})
}

// eachColumnRow works as eachReplicaRow for the rows that stand in columns.
func eachColumnRow(ctx context.Context, conn *postgres.Conn, source int64, t *tableShape, group *int64, fn func(*readRow) error) error {
	odd, err := readOdd(ctx, conn, source, t.name, group)
	if err != nil {
		return err
	}
	expressions := []string{"sync_group"}
	row := &readRow{cells: make([]any, len(t.columns))}
	places := []any{&row.group}
	for i, name := range t.columns {
		if c, ok := t.described.Column(name); ok {
			expressions, places = append(expressions, c.Expression()), append(places, &row.cells[i])
		}
	}
	query := "SELECT " + strings.Join(expressions, ", ") + " FROM lcm." + t.name + " WHERE source_id = $1"
	args := []any{source}
	if group != nil {
		query, args = query+" AND sync_group = $2", append(args, *group)
	}
	return conn.Query(ctx, "read", query, args, func(scan postgres.Scanner) error {
		for i := range row.cells {
			row.cells[i] = nil
		}
		if err := scan(places...); err != nil {
			return err
		}
		if len(odd) > 0 && t.key != nil {
			for column, cell := range odd[rowKey(t, row.cells)] {
				if i := t.indexOf(column); i >= 0 {
					row.cells[i] = cell
				}
			}
		}
		return fn(row)
	})
}
