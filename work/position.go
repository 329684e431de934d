package work

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
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

// Imports returns how far session files are imported, by conversation: as far as the database says, and further where an import found
// nothing behind it to store, such as what a client notes at the end of a session. Notes may be nil.
func Imports(ctx context.Context, db *data.DB, notes *Sidecar) (map[int64]lcm.Bootstrap, error) {
	imported, err := lcm.Bootstraps(ctx, db)
	if err != nil || notes == nil {
		return imported, err
	}
	for conv, b := range imported {
		if info, gone := os.Stat(b.Path); gone != nil || info.Size() <= b.Offset {
			continue
		}
		seen, err := seenOffset(ctx, db, notes, conv, b.Path)
		if err != nil {
			return nil, err
		}
		b.Offset = max(b.Offset, seen)
		imported[conv] = b
	}
	return imported, nil
}

// seenOffset returns how far imports have read a session file; 0 where its conversation has changed since, as after an undo.
func seenOffset(ctx context.Context, db *data.DB, notes *Sidecar, conversation int64, path string) (int64, error) {
	p, ok, err := notes.Position(ctx, path)
	if err != nil || !ok || p.Conversation != conversation {
		return 0, err
	}
	newest, err := lcm.ReadNewestMessage(ctx, db, conversation)
	if err != nil || newest.Entry != p.Entry {
		return 0, err
	}
	return max(p.Mark.Offset, p.Seen), nil
}
