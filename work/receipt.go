package work

import (
	"context"
	"database/sql"
	"time"

	"lcm-tui/data"
)

// Receipt says when a client called a hook last, and what came of it.
type Receipt struct {
	Client       string `json:"client"`
	Event        string `json:"event"`
	At           string `json:"at"`
	Session      string `json:"session_id"`
	Milliseconds int64  `json:"milliseconds"`
	Outcome      string `json:"outcome"` // "ok", or the error.
	Times        int64  `json:"times"`   // That the event came.
	Failures     int64  `json:"failures"`
}

// NoteReceipt notes that a hook ran; failed says why it couldn't do all, or is empty.
func (s *Sidecar) NoteReceipt(ctx context.Context, client, event, session string, took time.Duration, failed string) error {
	outcome, failures := "ok", 0
	if failed != "" {
		outcome, failures = failed, 1
	}
	return s.change(ctx, "write receipts", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO receipt (client, event, at, session, milliseconds, outcome, times, failures) VALUES (?, ?, ?, ?, ?, ?, 1, ?)
			ON CONFLICT (client, event) DO UPDATE SET at = excluded.at, session = excluded.session, milliseconds = excluded.milliseconds,
			outcome = excluded.outcome, times = times + 1, failures = failures + excluded.failures`,
			client, event, data.FormatTimeMillis(time.Now()), session, took.Milliseconds(), outcome, failures)
		return err
	})
}

// Receipts returns the last call of each hook, by client and event.
func (s *Sidecar) Receipts(ctx context.Context) ([]Receipt, error) {
	rows, err := s.conn().QueryContext(ctx, "SELECT client, event, at, session, milliseconds, outcome, times, failures FROM receipt ORDER BY client, event")
	if err != nil {
		return nil, s.wrap("read receipts", err)
	}
	defer rows.Close()
	out := []Receipt{}
	for rows.Next() {
		var r Receipt
		if err := rows.Scan(&r.Client, &r.Event, &r.At, &r.Session, &r.Milliseconds, &r.Outcome, &r.Times, &r.Failures); err != nil {
			return nil, s.wrap("read receipts", err)
		}
		out = append(out, r)
	}
	return out, s.wrap("read receipts", rows.Err())
}
