package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

type (
	watchedMsg struct {
		changed bool
		err     error
	}
	redrawMsg struct{}
)

// watch waits for one Poll and asks Watch once.
func (a *App) watch() tea.Cmd {
	if a.cfg.Watch == nil {
		return nil
	}
	look := func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		if err := Sleep(ctx, a.cfg.Poll); err != nil {
			return nil, err
		}
		changed, err := a.cfg.Watch(ctx)
		return watchedMsg{changed: changed}, err
	}
	return a.jobs.spawn(func(ctx context.Context) tea.Msg {
		msg, err := guard(ctx, look, nil)
		if err != nil {
			return watchedMsg{err: err}
		}
		return msg
	})
}

// watched has the screens reload after a change from outside. An error that
// comes back every second is shown once, and again after the key that reads again.
func (a *App) watched(m watchedMsg) tea.Cmd {
	if m.err != nil {
		if text := m.err.Error(); text != a.watchErr && !cancelled(m.err) {
			a.watchErr, a.err, a.errOfRead = text, m.err, false
		}
		return a.watch()
	}
	a.watchErr = ""
	if !m.changed {
		return a.watch()
	}
	a.pulse = a.jobs.now()
	return tea.Batch(a.watch(), a.fade(), a.changed(ChangedMsg{External: true}))
}

// fade draws once more when the dot is to go.
func (a *App) fade() tea.Cmd {
	return a.jobs.spawn(func(ctx context.Context) tea.Msg {
		_ = Sleep(ctx, pulseDuration) // On quit there is nothing left to draw.
		return redrawMsg{}
	})
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
