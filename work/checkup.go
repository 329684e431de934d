package work

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"lcm-tui/data"
)

// Checkup is what a check found.
type Checkup struct {
	At           string `json:"at"`
	Conversation int64  `json:"conversation_id"` // 0 is the whole file.
	Fatal        int    `json:"fatal"`
	Error        int    `json:"error"`
	Warn         int    `json:"warn"`
	Info         int    `json:"info"`
	Plan         string `json:"plan,omitempty"` // The file with the plan of the repair.
}

// Failures is the counter of findings that are errors or worse, of all checks there were.
const Failures = "integrity_failures"

// mostCheckups is how many checks are kept about.
const mostCheckups = 1000

// NoteCheckup notes what a check found.
func (s *Sidecar) NoteCheckup(ctx context.Context, c Checkup) error {
	return s.change(ctx, "note a check", func(tx *sql.Tx) error {
		c.At = data.FormatTimeMillis(time.Now())
		_, err := tx.ExecContext(ctx, "INSERT INTO checkup (at, conversation, fatal, error, warn, info, plan) VALUES (?, ?, ?, ?, ?, ?, ?)",
			c.At, c.Conversation, c.Fatal, c.Error, c.Warn, c.Info, c.Plan)
		if err != nil {
			return err
		}
		if err := count(ctx, tx, Failures, c.Fatal+c.Error); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM checkup WHERE id <= (SELECT max(id) FROM checkup) - ? AND conversation <> 0", mostCheckups)
		return err
	})
}

// count adds to a counter, which never falls.
func count(ctx context.Context, tx *sql.Tx, name string, n int) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO counter (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value", name, n)
	return err
}

// Counter returns how far a counter is.
func (s *Sidecar) Counter(ctx context.Context, name string) (n int64, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT coalesce(max(value), 0) FROM counter WHERE name = ?", name).Scan(&n)
	return n, s.wrap("read a counter", err)
}

// LastCheckup returns the newest check of a conversation, or with 0 of the whole file; not ok where there was none.
func (s *Sidecar) LastCheckup(ctx context.Context, conversation int64) (c Checkup, ok bool, err error) {
	row := s.db.QueryRowContext(ctx, "SELECT at, conversation, fatal, error, warn, info, plan FROM checkup WHERE conversation = ? ORDER BY id DESC LIMIT 1", conversation)
	err = row.Scan(&c.At, &c.Conversation, &c.Fatal, &c.Error, &c.Warn, &c.Info, &c.Plan)
	if errors.Is(err, sql.ErrNoRows) {
		return c, false, nil
	}
	return c, err == nil, s.wrap("read checks", err)
}

// LastCheck returns when a conversation, or with 0 the whole file, was checked last; the zero time is never.
func (s *Sidecar) LastCheck(ctx context.Context, conversation int64) (time.Time, error) {
	c, _, err := s.LastCheckup(ctx, conversation)
	at, _ := time.Parse(time.RFC3339, c.At) // Else it is zero.
	return at, err
}

// RequestCheck asks for a check of the whole file, if the last one is longer ago than a time and none waits.
func (s *Sidecar) RequestCheck(ctx context.Context, m Mode, every time.Duration) error {
	last, err := s.LastCheck(ctx, 0)
	if age := time.Since(last); err != nil || 0 <= age && age < every {
		return err
	}
	_, ok, err := s.Derive(ctx, Integrity, Candidate{Reason: Scheduled})
	if !ok || err != nil {
		return err
	}
	return s.change(ctx, "request work", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE job SET mode = ? WHERE kind = ? AND conversation = 0 AND state = 'queued'", m, Integrity)
		return err
	})
}
