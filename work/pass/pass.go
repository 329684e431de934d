package pass

import (
	"context"
	"errors"
	"fmt"
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
	// Tell is called with each job that ended or was put off; or nil.
	Tell func(work.Job)
	// Report gets how far a job is.
	Report data.Report
	// Only is the conversation whose work is done, also where work is paused; 0 is all of them.
	Only int64
}

// ErrPaused says that work by itself is paused.
var ErrPaused = errors.New("work is paused: lcm-tui work resume lets it go on")

// Run does the jobs that are due, and those that become due meanwhile. An error ends the pass: those of single
// jobs stand in them. A job whose conversation another process has is left to it.
func (p *Pass) Run(ctx context.Context) (done []work.Job, err error) {
	tried := map[int64]string{} // When each was requested that was tried.
	for {
		since, err := p.Notes.Paused(ctx)
		if err == nil && since != "" && p.Only == 0 {
			err = ErrPaused
		}
		if err != nil {
			return done, err
		}
		j, ok, err := p.next(ctx, tried)
		if err != nil || !ok {
			return done, err
		}
		tried[j.ID] = j.RequestedAt
		ended, err := p.do(ctx, &j)
		if err != nil {
			return done, err
		}
		if ended {
			done = append(done, j)
			p.tell(j)
		}
	}
}

func (p *Pass) tell(j work.Job) {
	if p.Tell != nil {
		p.Tell(j)
	}
}

// next returns a job that is due and wasn't tried since it was requested.
func (p *Pass) next(ctx context.Context, tried map[int64]string) (j work.Job, ok bool, err error) {
	due, err := p.Notes.Due(ctx, time.Now())
	for _, j := range due {
		if tried[j.ID] != j.RequestedAt && (p.Only == 0 || p.Only == j.Conversation) {
			return j, true, nil
		}
	}
	return j, false, err
}

// do does one job; not ended where another process has its conversation. An error ends the pass, and the job stays
// as it is.
func (p *Pass) do(ctx context.Context, j *work.Job) (ended bool, err error) {
	locked, release, err := ops.LockConversation(ctx, p.DB, j.Conversation)
	if errors.Is(err, ops.ErrBusy) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer release()
	if ok, err := p.Notes.Begin(ctx, j); !ok || err != nil {
		return false, err
	}
	result, err := p.write(ops.WithReason(locked, string(j.Reason)), *j)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	j.Result, j.Error = result, ""
	if err != nil {
		j.Error = err.Error()
	}
	switch wait, again := later(err, j.Attempts); {
	case again:
		until := time.Now().Add(wait)
		j.NotBefore = data.FormatTimeMillis(until)
		return true, errors.Join(p.Notes.Postpone(ctx, *j, until), ending(err))
	case errors.Is(err, ops.ErrNothing), errors.Is(err, data.ErrNotFound):
		j.State, j.Result, j.Error = work.Skipped, j.Error, ""
	case err != nil:
		j.State = work.Failed
	default:
		j.State = work.Done
	}
	return true, p.Notes.End(ctx, *j)
}

// mostTries is how often a job is planned again because a host wrote meanwhile; what a model answered is kept.
const mostTries = 3

// write plans and writes a job, and says in words what was written.
func (p *Pass) write(ctx context.Context, j work.Job) (result string, err error) {
	op, err := p.Operation(ctx, j)
	if err != nil && !errors.Is(err, data.ErrLocked) {
		return "", &setupError{err}
	}
	if err != nil {
		return "", err
	}
	for tries := 1; ; tries++ {
		plan, err := op.Plan(ctx, p.DB, p.Report)
		if err != nil {
			return "", err
		}
		out, err := ops.ApplyPlan(ctx, p.DB, plan, p.Report)
		var stale *data.StaleError
		if errors.As(err, &stale) && tries < mostTries {
			continue
		}
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("record %d: %s", out.Record, plan.Title), plan.Partial
	}
}

// setupError says that a job can't be begun as the settings are.
type setupError struct{ err error }

func (e *setupError) Error() string { return e.err.Error() }

// Unwrap gives the cause.
func (e *setupError) Unwrap() error { return e.err }

// The waits between the tries of a job, as those of the reference engine.
const (
	firstWait = 5 * time.Minute
	mostWait  = 30 * time.Minute
	mostAgain = 8 // Tries.
)

// later returns after which time a job is tried again that failed, if another try may help.
func later(err error, attempts int) (wait time.Duration, again bool) {
	var limit *work.LimitError
	var setup *setupError
	switch {
	case errors.As(err, &setup):
		return 0, false
	case err == nil, errors.Is(err, ops.ErrNothing), errors.Is(err, data.ErrNotFound), errors.Is(err, summarize.ErrPermanent), errors.Is(err, summarize.ErrAuth):
		return 0, false
	case errors.As(err, &limit):
		return limit.RetryAfter(), true
	case attempts >= mostAgain:
		return 0, false
	}
	return min(firstWait<<(attempts-1), mostWait), true
}

// ending returns an error after which no other job can be done either, or nil.
func ending(err error) error {
	for _, kind := range []error{data.ErrFull, data.ErrDamaged, data.ErrReadOnly, data.ErrPermission, data.ErrVanished, data.ErrReplaced, data.ErrEmptied, data.ErrCutOff, data.ErrLocked} {
		if errors.Is(err, kind) {
			return err
		}
	}
	return nil
}
