package work

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"time"

	"lcm-tui/data"
)

// pausedSetting is the name under which a pause is kept; that of a conversation has its number behind it.
const pausedSetting = "paused"

// pauseName returns the name under which the pause of a conversation is kept, with 0 that of all of them.
func pauseName(conversation int64) string {
	if conversation == 0 {
		return pausedSetting
	}
	return pausedSetting + ":" + strconv.FormatInt(conversation, 10)
}

// Pause stops work by itself, or lets it go on. It is kept until it is changed.
func (s *Sidecar) Pause(ctx context.Context, paused bool) error { return s.PauseOne(ctx, 0, paused) }

// PauseOne works as Pause, for one conversation.
func (s *Sidecar) PauseOne(ctx context.Context, conversation int64, paused bool) error {
	return s.change(ctx, "pause", func(tx *sql.Tx) error {
		name := pauseName(conversation)
		if !paused {
			_, err := tx.ExecContext(ctx, "DELETE FROM setting WHERE name = ?", name)
			return err
		}
		_, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)", name, data.FormatTimeMillis(time.Now()))
		return err
	})
}

// Paused returns since when work by itself is paused, or empty.
func (s *Sidecar) Paused(ctx context.Context) (since string, err error) {
	err = s.conn().QueryRowContext(ctx, "SELECT coalesce(max(value), '') FROM setting WHERE name = ?", pausedSetting).Scan(&since)
	return since, s.wrap("read settings", err)
}

// PausedOnes returns the conversations whose work is paused, and since when.
func (s *Sidecar) PausedOnes(ctx context.Context) (map[int64]string, error) {
	out := map[int64]string{}
	rows, err := s.conn().QueryContext(ctx, "SELECT name, value FROM setting WHERE name LIKE ?", pausedSetting+":%")
	if err != nil {
		return nil, s.wrap("read settings", err)
	}
	defer rows.Close()
	for rows.Next() {
		var name, since string
		if err := rows.Scan(&name, &since); err != nil {
			return nil, s.wrap("read settings", err)
		}
		_, number, _ := strings.Cut(name, ":")
		if id, err := strconv.ParseInt(number, 10, 64); err == nil {
			out[id] = since
		}
	}
	return out, s.wrap("read settings", rows.Err())
}
