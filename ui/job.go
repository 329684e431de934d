package ui

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"lcm-tui/internal/outcome"

	tea "charm.land/bubbletea/v2"
)

const (
	showJobAfter   = 150 * time.Millisecond // shorter jobs would only flicker
	reportInterval = 50 * time.Millisecond  // between two reports that are drawn
)

// SpinnerInterval is the time between two drawings of a job that runs.
const SpinnerInterval = 100 * time.Millisecond

// Job is one run of work. Its fields belong to the update loop; the worker
// touches only the mailbox.
type Job struct {
	slot

	// Reads says that nothing is lost when it is cancelled.
	Reads bool
	// Stopping says that Stop was called and that the result is still awaited.
	Stopping bool
	// Opens says that it ends in another screen, for which keys wait.
	Opens bool
	// Done, Total and Note are its newest report.
	Done, Total int
	Note        string

	id      int
	quiet   bool
	cancel  context.CancelFunc
	started time.Time
	mailbox *mailbox
}

// Stop cancels the job, whose result is still awaited.
func (r *Job) Stop() {
	r.Stopping = true
	r.cancel()
}

type (
	progressMsg struct {
		slot        slot
		id          int
		done, total int
		note        string
		next        tea.Cmd
	}
	// ResultMsg is how a job ends.
	ResultMsg struct {
		Msg  tea.Msg
		Err  error
		slot slot
		id   int
	}
	// startedMsg answers the command that starts a job at once.
	startedMsg struct{ next tea.Cmd }
	// frameMsg draws the job once more.
	frameMsg struct {
		slot slot
		id   int
	}
)

// PanicError is a panic in a job's work, caught so that the terminal and the
// other screens survive it.
type PanicError struct {
	// Value is what was passed to panic.
	Value any
	// Stack is the stack of the goroutine that panicked.
	Stack string
}

// Error implements error.
func (e *PanicError) Error() string { return fmt.Sprintf("internal error: %v", e.Value) }

// Hint says what a user can do about it.
func (e *PanicError) Hint() string {
	return "this is a bug; D shows the details to report, and everything else still works"
}

// run does the work and posts its result.
func (r *Job) run(ctx context.Context, work Work) {
	ctx, changed := outcome.With(ctx)
	msg, err := guard(ctx, work, func(done, total int, note string) {
		r.mailbox.put(progressMsg{slot: r.slot, id: r.id, done: done, total: total, note: note, next: r.nextAfterPause})
	})
	if changed.Tried() {
		err = changed.Explain(err)
	}
	r.mailbox.putLast(ResultMsg{Msg: msg, Err: err, slot: r.slot, id: r.id})
}

func guard(ctx context.Context, work Work, report Report) (msg tea.Msg, err error) {
	defer func() {
		if p := recover(); p != nil {
			msg, err = nil, &PanicError{Value: p, Stack: string(debug.Stack())}
		}
	}()
	return work(ctx, report)
}

// next waits for the job's next message.
func (r *Job) next() tea.Msg { return <-r.mailbox.out }

// nextAfterPause works as next after a pause, so that a job that reports a million times
// does not have the screen drawn a million times.
func (r *Job) nextAfterPause() tea.Msg {
	r.mailbox.pause(reportInterval)
	return r.next()
}

// wait asks for a drawing after d, and for none if the job ends before.
func (r *Job) wait(d time.Duration) tea.Cmd {
	m := frameMsg{r.slot, r.id}
	return func() tea.Msg {
		if r.mailbox.pause(d) {
			return nil
		}
		return m
	}
}

// isShownBefore reports whether r is to be shown rather than o.
func (r *Job) isShownBefore(o *Job, owner any) bool {
	if mine, its := r.Owner == owner, o.Owner == owner; mine != its {
		return mine
	}
	return r.id > o.id
}

// Sleep waits so long, or until the end of ctx, whose error it returns then.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
