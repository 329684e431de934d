package ui

import (
	"context"
	"sync/atomic"
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

// pollsPerDrawing is after how many calls of Watch without a change the screen is drawn again: times
// such as 3m ago grow.
const pollsPerDrawing = 5

const (
	// quietAfter is how long nothing happens until Watch is called less often.
	quietAfter = 5 * time.Second
	// quietPolls is how many Polls pass between two calls then.
	quietPolls = 4
	// refreshShare is the part of the time that reading again after changes may take: one in so many.
	refreshShare = 20
	// maxRefreshPause is the longest time between two calls, however long reading again takes.
	maxRefreshPause = 10 * time.Second
)

// pollPause returns the time between two calls of Watch: poll, longer where nothing has happened for a
// while, and longer where reading again what is shown took long since the last change.
func pollPause(poll, quiet, reading time.Duration) time.Duration {
	pause := poll
	if quiet >= quietAfter {
		pause = quietPolls * poll
	}
	return max(pause, min(refreshShare*reading, maxRefreshPause))
}

// pace is what pollPause depends on. It is written on the update loop and read off it.
type pace struct {
	event   atomic.Int64 // When something happened last, in ns.
	reading atomic.Int64 // What jobs had read in all, in ns, when the last change from outside came.
}

// wait waits until Watch is to be called.
func (a *App) wait(ctx context.Context) error {
	begun := time.Now()
	for {
		quiet := time.Since(time.Unix(0, a.pace.event.Load()))
		left := pollPause(a.cfg.Poll, quiet, time.Duration(a.jobs.spent.Load()-a.pace.reading.Load())) - time.Since(begun)
		if left <= 0 {
			return nil
		}
		if err := Sleep(ctx, left); err != nil {
			return err
		}
	}
}

// watch asks Watch again and again until something has changed, or so often that the screen is drawn
// again.
func (a *App) watch() tea.Cmd {
	if a.cfg.Watch == nil {
		return nil
	}
	look := func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		for range pollsPerDrawing {
			if err := a.wait(ctx); err != nil {
				return nil, err
			}
			if changed, err := a.cfg.Watch(ctx); changed || err != nil {
				return watchedMsg{changed: changed}, err
			}
		}
		return watchedMsg{}, nil
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
	a.pace.reading.Store(a.jobs.spent.Load())
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
