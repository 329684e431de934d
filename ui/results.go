package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// ignoreKeysFor is how long keys are ignored after a job has opened a screen under the
// fingers of someone who was typing: a letter must not apply anything.
const ignoreKeysFor = 500 * time.Millisecond

// updater is an owner of jobs that takes their results.
type updater interface{ Update(tea.Msg) tea.Cmd }

func (a *App) progress(m progressMsg) tea.Cmd {
	if r := a.jobs.job(m.slot, m.id); r != nil {
		r.done, r.total, r.note = m.done, m.total, m.note
	}
	return m.next
}

// nextSpinnerFrame keeps the spinner of a job turning.
func (a *App) nextSpinnerFrame(m frameMsg) tea.Cmd {
	if r := a.jobs.job(m.slot, m.id); r != nil {
		return r.wait(spinnerInterval)
	}
	return nil
}

// result ends a job. What nobody waits for any more is dropped, except the
// word that something was changed, which is true all the same.
func (a *App) result(m resultMsg) tea.Cmd {
	r := a.jobs.finish(m)
	if r == nil {
		if c, ok := m.msg.(ChangedMsg); ok && m.err == nil {
			return a.changed(c)
		}
		return nil
	}
	if m.err != nil {
		return a.failed(r, m.err)
	}
	if m.msg == nil {
		return nil
	}
	if _, ok := m.msg.(PushMsg); ok && (a.overlay != nil || a.typing()) {
		a.ignoreKeysUntil = a.jobs.now().Add(ignoreKeysFor)
	}
	if cmd, ok := a.handleShellMsg(m.msg); ok {
		return cmd
	}
	return a.deliver(r.slot.owner, m.msg)
}

// failed shows the error of a job and tells its owner. What ends because the
// user wanted it to end is not an error, whatever the work calls it.
func (a *App) failed(r *job, err error) tea.Cmd {
	switch {
	case a.quitting:
		return nil
	case r.stopping:
		err = context.Canceled
		a.setStatus(status{text: r.slot.name + " cancelled"})
	case !cancelled(err):
		a.err, a.errOfRead = err, r.reads
	}
	if u, ok := r.slot.owner.(updater); ok {
		return u.Update(FailedMsg{Name: r.slot.name, Err: err})
	}
	return nil
}

// deliver hands a result to the job's owner; an owner that takes none stands
// for the top screen.
func (a *App) deliver(owner any, msg tea.Msg) tea.Cmd {
	if u, ok := owner.(updater); ok {
		return u.Update(msg)
	}
	return a.top().Update(msg)
}
