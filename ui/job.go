package ui

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	showJobAfter    = 150 * time.Millisecond // shorter jobs would only flicker
	spinnerInterval = 100 * time.Millisecond // of the spinner
	reportInterval  = 50 * time.Millisecond  // between two reports that are drawn
)

// job is one run of work. Its fields belong to the update loop; the worker
// touches only the mailbox.
type job struct {
	id       int
	slot     slot
	quiet    bool
	reads    bool // Nothing is lost when it is cancelled.
	stopping bool // esc was pressed; the result is still awaited
	cancel   context.CancelFunc
	started  time.Time
	mailbox  *mailbox

	done, total int
	note        string
}

type (
	progressMsg struct {
		slot        slot
		id          int
		done, total int
		note        string
		next        tea.Cmd
	}
	resultMsg struct {
		slot slot
		id   int
		msg  tea.Msg
		err  error
	}
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
func (r *job) run(ctx context.Context, work Work) {
	msg, err := guard(ctx, work, func(done, total int, note string) {
		r.mailbox.put(progressMsg{slot: r.slot, id: r.id, done: done, total: total, note: note, next: r.nextAfterPause})
	})
	r.mailbox.putLast(resultMsg{slot: r.slot, id: r.id, msg: msg, err: err})
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
func (r *job) next() tea.Msg { return <-r.mailbox.out }

// nextAfterPause works as next after a pause, so that a job that reports a million times
// does not have the screen drawn a million times.
func (r *job) nextAfterPause() tea.Msg {
	r.mailbox.pause(reportInterval)
	return r.next()
}

// wait asks for a drawing after d, and for none if the job ends before.
func (r *job) wait(d time.Duration) tea.Cmd {
	m := frameMsg{r.slot, r.id}
	return func() tea.Msg {
		if r.mailbox.pause(d) {
			return nil
		}
		return m
	}
}

// isShownBefore reports whether r is to be shown rather than o.
func (r *job) isShownBefore(o *job, owner any) bool {
	if mine, its := r.slot.owner == owner, o.slot.owner == owner; mine != its {
		return mine
	}
	return r.id > o.id
}
