package shell

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
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

// watcher calls Config.Watch again and again.
type watcher struct {
	look  func(context.Context) (changed bool, err error) // Nil watches nothing.
	poll  time.Duration
	jobs  *ui.Jobs
	event atomic.Int64 // When something happened last, in ns.
	read  atomic.Int64 // What jobs had read in all, in ns, when the last change from outside came.
	// failed says that the last call of Watch failed. What screens read since then failed too.
	failed bool
}

// noteEvent notes that something happened.
func (w *watcher) noteEvent() { w.event.Store(time.Now().UnixNano()) }

// noteChange notes that something was changed from outside, which is now read again.
func (w *watcher) noteChange() { w.read.Store(int64(w.jobs.TimeRead())) }

// wait waits until Watch is to be called.
func (w *watcher) wait(ctx context.Context) error {
	begun := time.Now()
	for {
		quiet := time.Since(time.Unix(0, w.event.Load()))
		left := pollPause(w.poll, quiet, w.jobs.TimeRead()-time.Duration(w.read.Load())) - time.Since(begun)
		if left <= 0 {
			return nil
		}
		if err := ui.Sleep(ctx, left); err != nil {
			return err
		}
	}
}

// watch asks Watch again and again until something has changed, or so often that the screen is drawn
// again.
func (w *watcher) watch() tea.Cmd {
	if w.look == nil {
		return nil
	}
	tellAtOnce := w.failed
	return w.jobs.Spawn(func(ctx context.Context) (tea.Msg, error) {
		for range pollsPerDrawing {
			if err := w.wait(ctx); err != nil {
				return nil, err
			}
			if changed, err := w.look(ctx); changed || err != nil || tellAtOnce {
				return watchedMsg{changed: changed}, err
			}
		}
		return watchedMsg{}, nil
	}, func(err error) tea.Msg { return watchedMsg{err: err} })
}

// fade draws once more when the dot of a change is to go.
func (w *watcher) fade() tea.Cmd {
	redraw := func(error) tea.Msg { return redrawMsg{} }
	return w.jobs.Spawn(func(ctx context.Context) (tea.Msg, error) {
		return redraw(nil), ui.Sleep(ctx, pulseDuration) // On quit there is nothing left to draw.
	}, redraw)
}

// watched has the screens reload after a change from outside, and when the file or its server is back.
// An error that comes back every second is shown once, and again after the key that reads again.
func (a *App) watched(m watchedMsg) tea.Cmd {
	back := a.watcher.failed && m.err == nil
	a.watcher.failed = m.err != nil
	if m.err != nil {
		if text := m.err.Error(); text != a.watchErr && !cancelled(m.err) {
			a.watchErr = text
			a.status.fail(m.err, false)
		}
		return a.watcher.watch()
	}
	a.watchErr = ""
	if !m.changed && !back {
		return a.watcher.watch()
	}
	if m.changed {
		a.pulse = a.jobs.Now()
	}
	a.watcher.noteChange()
	return tea.Batch(a.watcher.watch(), a.watcher.fade(), a.changed(ui.ChangedMsg{External: true}))
}
