package work

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"lcm-tui/data"
)

// Checks are what was found by itself: by checks of the database, and of what hosts did to contexts.
type Checks struct{ notes *Sidecar }

// Checks returns those of the sidecar.
func (s *Sidecar) Checks() Checks { return Checks{s} }

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

// mostCheckups is how many checks are kept about.
const mostCheckups = 1000

// NoteCheckup notes what a check found, and counts it. What was found in the whole file is also what NoteCheck notes.
func (c Checks) NoteCheckup(ctx context.Context, found Checkup) error {
	return c.notes.change(ctx, "note a check", func(tx *sql.Tx) error {
		found.At = data.FormatTimeMillis(time.Now())
		_, err := tx.ExecContext(ctx, "INSERT INTO checkup (at, conversation, fatal, error, warn, info, plan) VALUES (?, ?, ?, ?, ?, ?, ?)",
			found.At, found.Conversation, found.Fatal, found.Error, found.Warn, found.Info, found.Plan)
		if err != nil {
			return err
		}
		if err := add(ctx, tx, Counter{Name: FoundFaults, Value: float64(found.Fatal + found.Error)}); err != nil {
			return err
		}
		if found.Conversation == 0 {
			all := map[string]int{"fatal": found.Fatal, "error": found.Error, "warn": found.Warn, "info": found.Info}
			if err := setSample(ctx, tx, checkSample, all); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM checkup WHERE id <= (SELECT max(id) FROM checkup) - ? AND conversation <> 0", mostCheckups)
		return err
	})
}

// LastCheckup returns the newest check of a conversation, or with 0 of the whole file; not ok where there was none.
func (c Checks) LastCheckup(ctx context.Context, conversation int64) (last Checkup, ok bool, err error) {
	row := c.notes.conn().QueryRowContext(ctx, "SELECT at, conversation, fatal, error, warn, info, plan FROM checkup WHERE conversation = ? ORDER BY id DESC LIMIT 1", conversation)
	err = row.Scan(&last.At, &last.Conversation, &last.Fatal, &last.Error, &last.Warn, &last.Info, &last.Plan)
	if errors.Is(err, sql.ErrNoRows) {
		return last, false, nil
	}
	return last, err == nil, c.notes.wrap("read checks", err)
}

// LastPlan returns the newest plan that a check of a conversation, or with 0 of the whole file, made; empty where none did.
func (c Checks) LastPlan(ctx context.Context, conversation int64) (path string, err error) {
	err = c.notes.conn().QueryRowContext(ctx, "SELECT coalesce((SELECT plan FROM checkup WHERE conversation = ? AND plan <> '' ORDER BY id DESC LIMIT 1), '')", conversation).Scan(&path)
	return path, c.notes.wrap("read checks", err)
}

// LastCheck returns when a conversation, or with 0 the whole file, was checked last; the zero time is never.
func (c Checks) LastCheck(ctx context.Context, conversation int64) (time.Time, error) {
	last, _, err := c.LastCheckup(ctx, conversation)
	at, _ := time.Parse(time.RFC3339, last.At) // Else it is zero.
	return at, err
}

// RequestCheck asks for a check of the whole file, if the last one is longer ago than a time and none waits.
func (c Checks) RequestCheck(ctx context.Context, m Mode, every time.Duration) error {
	last, err := c.LastCheck(ctx, 0)
	if age := time.Since(last); err != nil || 0 <= age && age < every {
		return err
	}
	_, ok, err := c.notes.Derive(ctx, Integrity, Candidate{Reason: Scheduled})
	if !ok || err != nil {
		return err
	}
	return c.notes.change(ctx, "request work", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE job SET mode = ? WHERE kind = ? AND conversation = 0 AND state = 'queued'", m, Integrity)
		return err
	})
}
