package work

import (
	"context"
	"database/sql"
	"errors"
	"slices"
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
	Integrity   Kind = "integrity"   // Looks for damage, and changes nothing.
)

// Reason is why a job was requested.
type Reason string

// The reasons.
const (
	Threshold  Reason = "threshold"         // The context is fuller than its threshold.
	Compacting Reason = "client-compaction" // The client is about to compact the session.
	SessionEnd Reason = "session-end"
	Manual     Reason = "manual"
	Messages   Reason = "active-messages" // More messages stand in the context than may.
	Scheduled  Reason = "maintenance"     // The last check is long ago.
)

// Mode is how far a check goes.
type Mode string

// The modes.
const (
	Scan        Mode = "scan"          // Findings are counted.
	ScanAndPlan Mode = "scan_and_plan" // What repairs them is planned into a file, too. Nobody applies it but a user.
)

// State is how far a job is.
type State string

// The states.
const (
	Queued  State = "queued" // Also while it runs, so that it is not lost with the process that runs it.
	Running State = "running"
	Blocked State = "blocked" // It waits because a limit is reached.
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
	Mode         Mode   `json:"mode,omitempty"`   // Of a check.
	Error        string `json:"error,omitempty"`  // Of the last attempt.
	Result       string `json:"result,omitempty"` // What it did, in words.
	StartedAt    string `json:"started_at,omitempty"`
	FinishedAt   string `json:"finished_at,omitempty"`
	// What its calls of models took. Cost is in US dollars, nil where no price is known.
	InputTokens  int64    `json:"input_tokens,omitempty"`
	OutputTokens int64    `json:"output_tokens,omitempty"`
	Cost         *float64 `json:"cost,omitempty"`
	// What the pass that did it knows: the record of its last write, and the context before and after.
	Record       int64 `json:"record,omitempty"`
	TokensBefore int64 `json:"token_before,omitempty"`
	TokensAfter  int64 `json:"token_after,omitempty"`
}

// Request asks for work on a conversation. What is queued already stays one job: it begins at once, and has the
// newest reason.
func (s *Sidecar) Request(ctx context.Context, kind Kind, conversation int64, reason Reason) error {
	_, err := s.RequestMode(ctx, kind, conversation, reason, "")
	return err
}

// RequestMode works as Request, for a check that goes so far, and returns the id of the job.
func (s *Sidecar) RequestMode(ctx context.Context, kind Kind, conversation int64, reason Reason, m Mode) (id int64, err error) {
	err = s.change(ctx, "request work", func(tx *sql.Tx) error {
		now := data.FormatTimeMillis(time.Now())
		return tx.QueryRowContext(ctx, `INSERT INTO job (kind, conversation, reason, requested_at, not_before, mode) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (kind, conversation) WHERE state = 'queued' DO UPDATE SET reason = excluded.reason, requested_at = excluded.requested_at,
			not_before = min(not_before, excluded.not_before), mode = excluded.mode RETURNING id`, kind, conversation, reason, now, now, m).Scan(&id)
	})
	return id, err
}

const jobColumns = `id, kind, conversation, reason, requested_at, not_before, attempts, CASE WHEN state = 'queued' AND blocked THEN 'blocked' ELSE state END, error, result,
	started_at, finished_at, mode, input_tokens, output_tokens, cost`

// Jobs returns those that wait, oldest request first, and then at most so many of those that ended, newest first.
func (s *Sidecar) Jobs(ctx context.Context, ended int) ([]Job, error) {
	return s.jobs(ctx, "SELECT "+jobColumns+" FROM (SELECT * FROM job WHERE state = 'queued' ORDER BY requested_at, id) UNION ALL SELECT "+jobColumns+
		" FROM (SELECT * FROM job WHERE state <> 'queued' ORDER BY finished_at DESC, id DESC LIMIT ?)", ended)
}

// MostAhead is how long a job is put off at most: to the end of a day. One that is put off for longer by the clock was
// put off before the clock was set back.
const MostAhead = 25 * time.Hour

// IsDue reports whether a job may begin.
func (j Job) IsDue(now time.Time) bool {
	return j.NotBefore <= data.FormatTimeMillis(now) || j.NotBefore > data.FormatTimeMillis(now.Add(MostAhead))
}

// Waits reports whether a job on a conversation is due, or being done.
func (s *Sidecar) Waits(ctx context.Context, kind Kind, conversation int64, now time.Time) (waits bool, err error) {
	err = s.conn().QueryRowContext(ctx, "SELECT count(*) > 0 FROM job WHERE kind = ? AND conversation = ? AND state = 'queued' AND (not_before <= ? OR not_before > ?)",
		kind, conversation, data.FormatTimeMillis(now), data.FormatTimeMillis(now.Add(MostAhead))).Scan(&waits)
	return waits, s.wrap("read jobs", err)
}

// Due returns the jobs that may begin, in the order of Waiting.
func (s *Sidecar) Due(ctx context.Context, now time.Time) ([]Job, error) {
	all, err := s.Waiting(ctx)
	return slices.DeleteFunc(all, func(j Job) bool { return !j.IsDue(now) }), err
}

// Waiting returns the jobs that are queued: first what users asked for, as they asked, then what was requested last. A
// promotion comes after compactions, of whose summaries it is.
func (s *Sidecar) Waiting(ctx context.Context) ([]Job, error) {
	return s.jobs(ctx, "SELECT "+jobColumns+` FROM job WHERE state = 'queued' ORDER BY reason <> 'manual', kind,
		CASE WHEN reason = 'manual' THEN requested_at END, CASE WHEN reason = 'manual' THEN id END, requested_at DESC, id DESC`)
}

func (s *Sidecar) jobs(ctx context.Context, query string, args ...any) ([]Job, error) {
	out := []Job{}
	rows, err := s.conn().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.wrap("read jobs", err)
	}
	defer rows.Close()
	for rows.Next() {
		var j Job
		if err := rows.Scan(&j.ID, &j.Kind, &j.Conversation, &j.Reason, &j.RequestedAt, &j.NotBefore, &j.Attempts, &j.State, &j.Error, &j.Result, &j.StartedAt, &j.FinishedAt,
			&j.Mode, &j.InputTokens, &j.OutputTokens, &j.Cost); err != nil {
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
		row := tx.QueryRowContext(ctx, "UPDATE job SET started_at = ?, attempts = attempts + 1, blocked = 0 WHERE id = ? AND state = 'queued' RETURNING reason, requested_at, attempts", j.StartedAt, j.ID)
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
		_, err := tx.ExecContext(ctx, `UPDATE job SET state = CASE WHEN requested_at > ?1 THEN 'queued' ELSE ?2 END, error = ?3, result = ?4, finished_at = ?5,
			attempts = CASE WHEN requested_at > ?1 THEN 0 ELSE attempts END WHERE id = ?6`, j.RequestedAt, j.State, j.Error, j.Result, j.FinishedAt, j.ID)
		if err == nil {
			err = addCalls(ctx, tx, j)
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM job WHERE state <> 'queued' AND id <= (SELECT max(id) FROM job) - ?", mostJobs)
		return err
	})
}

// mostJobs is how many jobs are kept about.
const mostJobs = 1000

// addCalls adds what the calls for a job took since it began.
func addCalls(ctx context.Context, tx *sql.Tx, j Job) error {
	if j.Kind != Compaction {
		return nil
	}
	_, err := tx.ExecContext(ctx, `UPDATE job SET input_tokens = input_tokens + c.i, output_tokens = output_tokens + c.o, cost = CASE WHEN c.d IS NULL THEN cost ELSE coalesce(cost, 0) + c.d END
		FROM (SELECT coalesce(sum(input_tokens), 0) i, coalesce(sum(output_tokens), 0) o, sum(dollars) d FROM call WHERE conversation = ? AND at >= ?) c WHERE id = ?`,
		j.Conversation, j.StartedAt, j.ID)
	return err
}

// Postpone notes why a job that began goes on only later, a failure or with Blocked a limit, and how many attempts it had.
// One that was requested again since it began is due at once.
func (s *Sidecar) Postpone(ctx context.Context, j Job, until time.Time) error {
	return s.change(ctx, "put a job off", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE job SET error = ?1, result = ?2, blocked = ?3 AND requested_at <= ?4,
			not_before = CASE WHEN requested_at > ?4 THEN max(not_before, requested_at) ELSE ?5 END,
			attempts = CASE WHEN requested_at > ?4 THEN 0 ELSE ?6 END WHERE id = ?7 AND state = 'queued'`,
			j.Error, j.Result, j.State == Blocked, j.RequestedAt, data.FormatTimeMillis(until), j.Attempts, j.ID)
		if err != nil {
			return err
		}
		return addCalls(ctx, tx, j)
	})
}

// Release gives back a job that began and of which nothing came: that was no attempt.
func (s *Sidecar) Release(ctx context.Context, j Job) error {
	return s.change(ctx, "give a job back", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE job SET attempts = max(attempts - 1, 0) WHERE id = ? AND state = 'queued'", j.ID)
		return err
	})
}
