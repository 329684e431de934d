package lcmtest

import (
	"context"
	"database/sql"
	"fmt"
)

// Query is what a query answers, cell by cell as text, NULL as an empty one. It reads
// the file at path only.
func Query(path, query string) (rows [][]string, err error) {
	db, err := sql.Open("sqlite", dsn(path)+"?mode=ro&_pragma=busy_timeout(30000)")
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	defer db.Close()
	found, err := db.QueryContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		return nil, err
	}
	for found.Next() {
		cells, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := found.Scan(into...); err != nil {
			return nil, err
		}
		row := make([]string, len(cells))
		for i, c := range cells {
			row[i] = c.String
		}
		rows = append(rows, row)
	}
	return rows, found.Err()
}
