package shell

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/outcome"
	"lcm-tui/ui"
)

// ignoreKeysFor is how long keys are ignored after a job for which no keys wait has opened a screen under the
// fingers of someone who was typing: a letter must not apply anything.
const ignoreKeysFor = 500 * time.Millisecond

// updater is an owner of jobs that takes their results.
type updater interface{ Update(tea.Msg) tea.Cmd }

// result ends a job. What nobody waits for any more is dropped, except the
// word that something was changed, which is true all the same.
func (a *App) result(m ui.ResultMsg) tea.Cmd {
	r := a.jobs.Finish(m)
	if r == nil {
		if c, ok := m.Msg.(ui.ChangedMsg); ok && m.Err == nil {
			return a.changed(c)
		}
		return nil
	}
	if m.Err != nil {
		return a.failed(r, m.Err)
	}
	if m.Msg == nil {
		return nil
	}
	if _, ok := m.Msg.(ui.PushMsg); ok && !r.Opens && a.isTyped() {
		a.ignoreKeysUntil = a.jobs.Now().Add(ignoreKeysFor)
	}
	cmd, ok := a.handleShellMsg(m.Msg)
	if !ok {
		cmd = deliver(r.Owner, a.Top(), m.Msg)
	}
	if r.Opens { // What was asked for may come by one more message.
		return a.ahead.await(cmd)
	}
	return cmd
}

// isTyped reports whether the user is typing, or pressed a key just now.
func (a *App) isTyped() bool {
	return a.overlays.open != nil || typing(a.Top()) || a.jobs.Now().Sub(a.ahead.last) < ignoreKeysFor
}

// failed shows the error of a job and tells its owner. What ends because the
// user wanted it to end is not an error, whatever the work calls it.
func (a *App) failed(r *ui.Job, err error) tea.Cmd {
	if r.Opens {
		a.ahead.drop()
	}
	switch {
	case a.quitting:
		return nil
	case r.Stopping:
		end := status{text: r.Name + " cancelled"}
		if outcome.Says(err) {
			end = status{text: ui.Line(err.Error()), kind: ui.Warn}
		}
		a.status.say(end)
		err = context.Canceled
	case !cancelled(err):
		a.status.fail(err, r.Reads)
	}
	if u, ok := r.Owner.(updater); ok {
		return u.Update(ui.FailedMsg{Name: r.Name, Err: err})
	}
	return nil
}

// deliver hands a result to the job's owner; an owner that takes none stands
// for the top screen.
func deliver(owner any, top ui.Screen, msg tea.Msg) tea.Cmd {
	if u, ok := owner.(updater); ok {
		return u.Update(msg)
	}
	return top.Update(msg)
}

func cancelled(err error) bool { return errors.Is(err, context.Canceled) }
