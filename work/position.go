package work

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"lcm-tui/data"
	"lcm-tui/ops/backfill"
)

// Position returns how far a session file was imported; not ok where nothing is noted of it, or what is noted
// can't be read.
func (s *Sidecar) Position(ctx context.Context, path string) (p backfill.Position, ok bool, err error) {
	var state string
	err = s.conn().QueryRowContext(ctx, "SELECT state FROM position WHERE path = ?", path).Scan(&state)
	if errors.Is(err, sql.ErrNoRows) {
		return p, false, nil
	}
	if err != nil {
		return p, false, s.wrap("read positions", err)
	}
	return p, json.Unmarshal([]byte(state), &p) == nil, nil
}

// LastImport returns when a session file was imported last; empty where none was.
func (s *Sidecar) LastImport(ctx context.Context) (at string, err error) {
	err = s.conn().QueryRowContext(ctx, "SELECT coalesce(max(noted_at), '') FROM position").Scan(&at)
	return at, s.wrap("read positions", err)
}

// SetPosition notes how far a session file was imported.
func (s *Sidecar) SetPosition(ctx context.Context, path string, p backfill.Position) error {
	state, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return s.change(ctx, "note a position", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO position (path, state, noted_at) VALUES (?, ?, ?)", path, string(state), data.FormatTimeMillis(time.Now()))
		return err
	})
}
