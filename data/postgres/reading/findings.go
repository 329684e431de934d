package reading

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

// sentFindings reads what the machine of a source found in its file.
type sentFindings struct {
	address *postgres.Address
	pool    *sql.DB
	source  int64
}

// read returns the findings as JSON, and when the file was checked: the zero time is never.
func (f *sentFindings) read(ctx context.Context) (found []json.RawMessage, at time.Time, err error) {
	var checked sql.NullTime
	if err := f.pool.QueryRowContext(ctx, "SELECT checked_at FROM lcm.sources WHERE source_id = $1", f.source).Scan(&checked); err != nil {
		return nil, at, f.address.Wrap(ctx, "read the findings of", err)
	}
	const query = "SELECT finding::text FROM lcm.findings WHERE source_id = $1 AND finding::text <> '{}' ORDER BY fault, conversation_id"
	err = data.EachRow(ctx, f.pool, query, []any{f.source}, func(scan data.RowScanner) error {
		var text string
		err := scan(&text)
		found = append(found, json.RawMessage(text))
		return err
	})
	return found, checked.Time, f.address.Wrap(ctx, "read the findings of", err)
}
