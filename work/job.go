package work

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"lcm-tui/data"
)

// Kind is what a job does with its conversation.
type Kind string

// The kinds.
const (
	Compaction  Kind = "compaction"  // Makes summaries.
	Promotion   Kind = "promotion"   // Keeps those that say most as entries of promoted memory.
	Description Kind = "description" // Has a model describe large text files.
)

// Reason is why a job was requested.
type Reason string

// The reasons.
const (
	Threshold  Reason = "threshold"         // The context is fuller than its threshold.
	Compacting Reason = "client-compaction" // The client is about to compact the session.
	SessionEnd Reason = "session-end"
	Manual     Reason = "manual"
)

// State is how far a job is.
type State string

// The states.
const (
	Queued  State = "queued" // Also while it runs, so that it is not lost with the process that runs it.
	Done    State = "done"
	Skipped State = "skipped" // There was nothing to do.
	Failed  State = "failed"  // No further try would help.
)

// Job is work on a conversation that was requested. Its times are RFC 3339 in UTC, or empty.
type Job struct {
	ID           int64  `json:"job_id"`
	Kind         Kind   `json:"kind"`
	Conversation int64  `json:"conversation_id"`
	Reason       Reason `json:"reason"`
	RequestedAt  string `json:"requested_at"`
	NotBefore    string `json:"not_before"`
	Attempts     int    `json:"attempts"`
	State        State  `json:"state"`
	Error        string `json:"error,omitempty"`  // Of the last attempt.
	Result       string `json:"result,omitempty"` // What it did, in words.
	StartedAt    string `json:"started_at,omitempty"`
	FinishedAt   string `json:"finished_at,omitempty"`
}

// Request asks for work on a conversation. What is queued already stays one job: it begins at once, and has the
// newest reason.
func (s *Sidecar) Request(ctx context.Context, kind Kind, conversation int64, reason Reason) error {
	return s.change(ctx, "request work", func(tx *sql.Tx) error {
		now := data.FormatTimeMillis(time.Now())
		_, err := tx.ExecContext(ctx, `INSERT INTO job (kind, conversation, reason, requested_at, not_before) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (kind, conversation) WHERE state = 'queued' DO UPDATE SET reason = excluded.reason, requested_at = excluded.requested_at,
			not_before = min(not_before, excluded.not_before)`, kind, conversation, reason, now, now)
		return err
	})
}

const jobColumns = "id, kind, conversation, reason, requested_at, not_before, attempts, state, error, result, started_at, finished_at"

// Jobs returns those that wait, oldest request first, and then at most so many of those that ended, newest first.
func (s *Sidecar) Jobs(ctx context.Context, ended int) ([]Job, error) {
	return s.jobs(ctx, "SELECT "+jobColumns+" FROM (SELECT * FROM job WHERE state = 'queued' ORDER BY requested_at, id) UNION ALL SELECT "+jobColumns+
		" FROM (SELECT * FROM job WHERE state <> 'queued' ORDER BY finished_at DESC, id DESC LIMIT ?)", ended)
}

// Waits reports whether a job on a conversation is due, or being done.
func (s *Sidecar) Waits(ctx context.Context, kind Kind, conversation int64, now time.Time) (waits bool, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT count(*) > 0 FROM job WHERE kind = ? AND conversation = ? AND state = 'queued' AND not_before <= ?",
		kind, conversation, data.FormatTimeMillis(now)).Scan(&waits)
	return waits, s.wrap("read jobs", err)
}

// Due returns the jobs that may begin, oldest request first.
func (s *Sidecar) Due(ctx context.Context, now time.Time) ([]Job, error) {
	return s.jobs(ctx, "SELECT "+jobColumns+" FROM job WHERE state = 'queued' AND not_before <= ? ORDER BY requested_at, id", data.FormatTimeMillis(now))
}

func (s *Sidecar) jobs(ctx context.Context, query string, args ...any) ([]Job, error) {
	out := []Job{}
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.wrap("read jobs", err)
	}
	defer rows.Close()
	for rows.Next() {
		var j Job
		if err := rows.Scan(&j.ID, &j.Kind, &j.Conversation, &j.Reason, &j.RequestedAt, &j.NotBefore, &j.Attempts, &j.State, &j.Error, &j.Result, &j.StartedAt, &j.FinishedAt); err != nil {
			return nil, s.wrap("read jobs", err)
		}
		out = append(out, j)
	}
	return out, s.wrap("read jobs", rows.Err())
}

// Begin notes that a job begins; not ok where another process ended it in the meantime. The job has its newest
// reason.
func (s *Sidecar) Begin(ctx context.Context, j *Job) (ok bool, err error) {
	err = s.change(ctx, "begin a job", func(tx *sql.Tx) error {
		j.StartedAt = data.FormatTimeMillis(time.Now())
		row := tx.QueryRowContext(ctx, "UPDATE job SET started_at = ?, attempts = attempts + 1 WHERE id = ? AND state = 'queued' RETURNING reason, requested_at, attempts", j.StartedAt, j.ID)
		err := row.Scan(&j.Reason, &j.RequestedAt, &j.Attempts)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		ok = err == nil
		return err
	})
	return ok, err
}

// End notes what became of a job that began. One that was requested again since it began stays queued.
func (s *Sidecar) End(ctx context.Context, j Job) error {
	return s.change(ctx, "end a job", func(tx *sql.Tx) error {
		j.FinishedAt = data.FormatTimeMillis(time.Now())
		_, err := tx.ExecContext(ctx, `UPDATE job SET state = CASE WHEN requested_at > ? THEN 'queued' ELSE ? END, error = ?, result = ?, finished_at = ?,
			attempts = CASE WHEN requested_at > ? THEN 0 ELSE attempts END WHERE id = ?`, j.RequestedAt, j.State, j.Error, j.Result, j.FinishedAt, j.RequestedAt, j.ID)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM job WHERE state <> 'queued' AND id <= (SELECT max(id) FROM job) - ?", mostJobs)
		return err
	})
}

// mostJobs is how many jobs are kept about.
const mostJobs = 1000

// Postpone notes why a job that began goes on only later.
func (s *Sidecar) Postpone(ctx context.Context, j Job, until time.Time) error {
	return s.change(ctx, "put a job off", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE job SET not_before = ?, error = ? WHERE id = ? AND state = 'queued'", data.FormatTimeMillis(until), j.Error, j.ID)
		return err
	})
}

// pausedSetting is the name under which a pause is kept.
const pausedSetting = "paused"

// Pause stops work by itself, or lets it go on. It is kept until it is changed.
func (s *Sidecar) Pause(ctx context.Context, paused bool) error {
	return s.change(ctx, "pause", func(tx *sql.Tx) error {
		if !paused {
			_, err := tx.ExecContext(ctx, "DELETE FROM setting WHERE name = ?", pausedSetting)
			return err
		}
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", pausedSetting, data.FormatTimeMillis(time.Now()))
		return err
	})
}

// Paused returns since when work by itself is paused, or empty.
func (s *Sidecar) Paused(ctx context.Context) (since string, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT coalesce(max(value), '') FROM setting WHERE name = ?", pausedSetting).Scan(&since)
	return since, s.wrap("read settings", err)
}
