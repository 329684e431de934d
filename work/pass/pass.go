package pass

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/summarize"
	"lcm-tui/ops"
	"lcm-tui/work"
)

// Pass does what is due.
type Pass struct {
	DB    *data.DB
	Notes *work.Sidecar
	// Operation returns the operation that does a job. An error that wraps ops.ErrNothing says that there is
	// nothing to do.
	Operation func(ctx context.Context, j work.Job) (ops.Op, error)
	// Check does a job that only looks, and says in words what it found; or nil, where there are none.
	Check func(ctx context.Context, j work.Job) (result string, err error)
	// Candidates returns the conversations that are worth a compaction, the first to do first; or nil, where only
	// what was requested is done.
	Candidates func(ctx context.Context) ([]work.Candidate, error)
	// Wrote is called after each write, while the conversation is still locked; or nil. What it
	// returns is added to the result of the job.
	Wrote func(ctx context.Context, j work.Job) (note string)
	// After is called when nothing is left to do; or nil.
	After func(ctx context.Context) error
	// Outside reports whether it isn't the time to begin a job; or nil, where it always is.
	Outside func() bool
	// Tell is called with each job that ended or was put off; or nil.
	Tell func(work.Job)
	// Report gets how far a job is.
	Report data.Report
	// Only is the id of the only job that is done, also where work is paused; 0 is all of them.
	Only int64
	// Waits knows since when this process waits for jobs, so that a clock that is set back doesn't put them off; or
	// nil, in a process that ends at once.
	Waits *Waits
	// Left is how many jobs were left because another process has their conversations, and Busy why the last of them
	// was.
	Left int
	Busy error

	tried      map[int64]string // When each was requested that was tried.
	candidates []work.Candidate
	derived    bool
}

// ErrPaused says that work by itself is paused.
var ErrPaused = errors.New("work is paused: lcm-tui work resume lets it go on")

// ErrOutside says that the hours are over in which jobs are begun.
var ErrOutside = errors.New("the hours of work are over")

// Run does the jobs that are due, those that become due meanwhile, and then the candidates. An error ends the pass:
// those of single jobs stand in them. A job whose conversation another process has is left to it.
func (p *Pass) Run(ctx context.Context) (done []work.Job, err error) {
	p.tried, p.candidates, p.derived, p.Left, p.Busy = map[int64]string{}, nil, false, 0, nil
	for ctx.Err() == nil {
		if err := p.mayBegin(ctx); err != nil {
			return done, err
		}
		j, ok, err := p.next(ctx)
		if err == nil && !ok && p.After != nil {
			err = p.After(ctx)
		}
		if err != nil || !ok {
			return done, err
		}
		p.tried[j.ID] = j.RequestedAt
		ended, err := p.do(ctx, &j)
		if ended {
			done = append(done, j)
			p.tell(j)
		}
		if err != nil {
			return done, err
		}
	}
	return done, ctx.Err()
}

// mayBegin returns why no further job may begin, or nil.
func (p *Pass) mayBegin(ctx context.Context) error {
	since, err := p.Notes.Paused(ctx)
	switch {
	case err != nil:
		return err
	case since != "" && p.Only == 0:
		return ErrPaused
	case p.Outside != nil && p.Outside():
		return ErrOutside
	}
	return nil
}

func (p *Pass) tell(j work.Job) {
	if p.Tell != nil {
		p.Tell(j)
	}
}

// next returns a job that is due and wasn't tried since it was requested, or else one that it makes of a candidate.
func (p *Pass) next(ctx context.Context) (j work.Job, ok bool, err error) {
	paused, err := p.Notes.PausedOnes(ctx)
	if err != nil {
		return j, false, err
	}
	waiting, err := p.Notes.Waiting(ctx)
	if err == nil {
		p.Waits.forget(waiting)
	}
	for _, j := range waiting {
		if p.tried[j.ID] != j.RequestedAt && (p.Only == j.ID || p.Only == 0 && paused[j.Conversation] == "") && p.Waits.IsOver(j) {
			return j, true, nil
		}
	}
	if err != nil || p.Only != 0 || p.Candidates == nil {
		return j, false, err
	}
	if !p.derived {
		p.derived = true
		if p.candidates, err = p.Candidates(ctx); err != nil {
			return j, false, err
		}
	}
	for len(p.candidates) > 0 {
		c := p.candidates[0]
		p.candidates = p.candidates[1:]
		if paused[c.Conversation] != "" {
			continue
		}
		if j, ok, err := p.Notes.Derive(ctx, work.Compaction, c); ok || err != nil {
			return j, ok, err
		}
	}
	return j, false, nil
}

// do does one job; not ended where another process has its conversation. An error ends the pass.
func (p *Pass) do(ctx context.Context, j *work.Job) (ended bool, err error) {
	locked, release, err := ops.LockConversation(ctx, p.DB, j.Conversation)
	if errors.Is(err, ops.ErrBusy) {
		p.Left, p.Busy = p.Left+1, err
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer release()
	if ok, err := p.Notes.Begin(ctx, j); !ok || err != nil {
		return false, err
	}
	result, err := p.perform(ops.WithReason(locked, string(j.Reason)), j)
	if ctx.Err() != nil && result == "" { // It stays as it was.
		return false, errors.Join(ctx.Err(), p.Notes.Release(context.WithoutCancel(ctx), *j))
	}
	return true, p.note(context.WithoutCancel(ctx), j, result, err)
}

// note notes what became of a job that began. Its error ends the pass.
func (p *Pass) note(ctx context.Context, j *work.Job, result string, failed error) error {
	j.Result, j.Error = result, ""
	if failed != nil {
		j.Error = failed.Error()
	}
	wait, again := later(failed, j.Attempts)
	ends := ending(failed)
	if errors.Is(failed, data.ErrLocked) {
		wait, again = busyWait, true
	}
	if errors.Is(failed, data.ErrServer) && !again { // It isn't the job that fails.
		wait, again = mostWait, true
	}
	if p.isBusyHome(failed) {
		ends = nil
	}
	switch {
	case again:
		if j.State = work.Queued; errors.Is(failed, summarize.ErrLimit) {
			j.State = work.Blocked
		}
		if !isTry(failed) {
			j.Attempts--
		}
		until := time.Now().Add(wait)
		j.NotBefore = data.FormatTimeMillis(until)
		return errors.Join(p.Notes.Postpone(ctx, *j, until), ends)
	case errors.Is(failed, ops.ErrNothing), errors.Is(failed, data.ErrNotFound):
		j.State, j.Result, j.Error = work.Skipped, j.Error, ""
	case failed != nil:
		j.State = work.Failed
	default:
		j.State = work.Done
	}
	return errors.Join(p.Notes.End(ctx, *j), ends)
}

// perform does a job, and says in words what came of it.
func (p *Pass) perform(ctx context.Context, j *work.Job) (result string, err error) {
	if j.Kind != work.Integrity {
		return p.write(ctx, j)
	}
	if p.Check == nil {
		return "", fmt.Errorf("nothing checks here: %w", ops.ErrNothing)
	}
	return p.Check(ctx, *j)
}

// mostTries is how often a job is planned again because a host wrote meanwhile; what a model answered is kept.
const mostTries = 3

// write plans and writes a job, and says in words what was written.
func (p *Pass) write(ctx context.Context, j *work.Job) (result string, err error) {
	op, err := p.Operation(ctx, *j)
	if err != nil && !errors.Is(err, data.ErrLocked) {
		return "", &setupError{err}
	}
	if err != nil {
		return "", err
	}
	if err := p.DB.ReadyToWrite(data.ReportWaits(ctx, p.Report)); err != nil { // Before a model is asked for what couldn't be written.
		return "", err
	}
	for tries := 1; ; tries++ {
		plan, err := op.Plan(ctx, p.DB, p.Report)
		if err != nil {
			return "", err
		}
		record, err := p.apply(ctx, plan)
		var stale *data.StaleError
		if errors.As(err, &stale) && tries < mostTries {
			continue
		}
		if err != nil {
			return "", err
		}
		partial := plan.Partial // The plan itself isn't kept in memory while the check reads the conversation.
		result = fmt.Sprintf("record %d: %s", record, plan.Title)
		j.Record, j.TokensBefore, j.TokensAfter = record, plan.Impact.TokensBefore, plan.Impact.TokensAfter
		if p.Wrote != nil {
			if note := p.Wrote(context.WithoutCancel(ctx), *j); note != "" {
				result += "; " + note
			}
		}
		return result, partial
	}
}

// A home says at once that another program changes a conversation. It does for some milliseconds, so the same plan is tried again, with
// pauses in which others aren't in the way of a waiting worker.
const (
	mostBusy             = 8
	leastPause, addPause = 10 * time.Millisecond, 60 * time.Millisecond
	busyWait             = 2 * time.Second // Until the job is tried again.
)

// apply writes a plan and returns the number of its record.
func (p *Pass) apply(ctx context.Context, plan ops.Plan) (record int64, err error) {
	for tries := 1; ; tries++ {
		out, err := ops.ApplyPlan(ctx, p.DB, plan, p.Report)
		if !p.isBusyHome(err) || tries == mostBusy {
			return out.Record, err
		}
		select {
		case <-time.After(leastPause + rand.N(addPause)):
		case <-ctx.Done():
			return 0, err
		}
	}
}

// isBusyHome reports whether a home refused a write because another program changes the same conversation: those of others are free.
func (p *Pass) isBusyHome(err error) bool { return p.DB.IsHome() && errors.Is(err, data.ErrLocked) }

// setupError says that a job can't be begun as the settings are.
type setupError struct{ err error }

func (e *setupError) Error() string { return e.err.Error() }

// Unwrap gives the cause.
func (e *setupError) Unwrap() error { return e.err }

// The waits between the tries of a job, as those of the reference engine.
const (
	firstWait = 5 * time.Minute
	mostWait  = 30 * time.Minute
	mostAsked = 24 * time.Hour // Where the vendor of the model asks for a longer wait.
	mostAgain = 8              // Tries.
)

// isTry reports whether a failure is one of the tries of a job, of which there are mostAgain. Limits, locks and servers have no part
// in the job, and keys that are refused are counted with their models.
func isTry(failed error) bool {
	for _, kind := range []error{summarize.ErrLimit, summarize.ErrAuth, data.ErrLocked, data.ErrServer, context.Canceled} {
		if errors.Is(failed, kind) {
			return false
		}
	}
	return true
}

// later returns after which time a job is tried again that failed, if another try may help. A refused key has no wait
// of its own: after some of them in a row, none is made for a while.
func later(err error, attempts int) (wait time.Duration, again bool) {
	var limit interface{ RetryAfter() time.Duration }
	var setup *setupError
	switch {
	case errors.As(err, &setup):
		return 0, false
	case err == nil, errors.Is(err, ops.ErrNothing), errors.Is(err, data.ErrNotFound):
		return 0, false
	case errors.Is(err, summarize.ErrAuth), errors.Is(err, context.Canceled): // What refuses a key says that no further call helps, too.
		return 0, true
	case errors.Is(err, summarize.ErrPermanent):
		return 0, false
	case errors.Is(err, summarize.ErrLimit) && errors.As(err, &limit):
		return limit.RetryAfter(), true
	case attempts >= mostAgain:
		return 0, false
	}
	wait = min(firstWait<<(max(attempts, 1)-1), mostWait)
	var vendor interface{ AskedWait() time.Duration }
	if errors.As(err, &vendor) {
		wait = max(wait, min(vendor.AskedWait(), mostAsked))
	}
	return wait, true
}

// ending returns an error after which no other job can be done either, or nil.
func ending(err error) error {
	for _, kind := range []error{context.Canceled, data.ErrFull, data.ErrDamaged, data.ErrReadOnly, data.ErrPermission, data.ErrVanished, data.ErrReplaced, data.ErrEmptied, data.ErrCutOff, data.ErrLocked, data.ErrServer} {
		if errors.Is(err, kind) {
			return err
		}
	}
	return nil
}
