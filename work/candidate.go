package work

import (
	"context"
	"database/sql"
	"time"

	"lcm-tui/data"
)

// Candidate is a conversation that is worth a job although nobody asked for it.
type Candidate struct {
	Conversation int64
	Reason       Reason
	// Mark says what is known of its context. While that is the same, a job of it that found nothing to do, or
	// failed for good, isn't repeated.
	Mark string
}

// Derive makes the job of a candidate. Not ok where one waits already, or the same was tried.
func (s *Sidecar) Derive(ctx context.Context, kind Kind, c Candidate) (j Job, ok bool, err error) {
	err = s.change(ctx, "request work", func(tx *sql.Tx) error {
		var known bool
		row := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM job WHERE kind = ?1 AND conversation = ?2 AND (state = 'queued' OR mark <> '' AND mark = ?3
			AND state IN ('skipped', 'failed')))`, kind, c.Conversation, c.Mark)
		if err := row.Scan(&known); err != nil || known {
			return err
		}
		now := data.FormatTimeMillis(time.Now())
		j = Job{Kind: kind, Conversation: c.Conversation, Reason: c.Reason, RequestedAt: now, NotBefore: now, State: Queued}
		ok = true
		return tx.QueryRowContext(ctx, "INSERT INTO job (kind, conversation, reason, requested_at, not_before, mark) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
			kind, c.Conversation, c.Reason, now, now, c.Mark).Scan(&j.ID)
	})
	return j, ok && err == nil, err
}

// ForgetFailures lets jobs that failed for good be derived again: the settings may be others now.
func (s *Sidecar) ForgetFailures(ctx context.Context) error {
	return s.change(ctx, "request work", func(tx *sql.Tx) error { return forgetFailures(ctx, tx) })
}

func forgetFailures(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "UPDATE job SET mark = '' WHERE state = 'failed' AND mark <> ''")
	return err
}

// setupSetting is the name under which it is kept how summaries were made last.
const setupSetting = "setup"

// NoteSetup notes how summaries are made, or why they can't be. Where that is another than it was, jobs that failed for good are
// derived again.
func (s *Sidecar) NoteSetup(ctx context.Context, setup string) error {
	return s.change(ctx, "note the setup", func(tx *sql.Tx) error {
		var was string
		err := tx.QueryRowContext(ctx, "SELECT coalesce(max(value), '') FROM setting WHERE name = ?", setupSetting).Scan(&was)
		if err != nil || was == setup {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", setupSetting, setup); err != nil {
			return err
		}
		return forgetFailures(ctx, tx)
	})
}
