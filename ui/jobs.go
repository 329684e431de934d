package ui

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Report tells how far a job is. A total of 0 means that it is not known. It
// may be called from any goroutine and as often as one likes.
type Report = func(done, total int, note string)

// Work is what a job does. It runs off the update loop, must not touch any
// screen, and should end soon once ctx is done. Its message is the result.
type Work func(ctx context.Context, report func(done, total int, note string)) (tea.Msg, error)

// Jobs runs work off the update loop for owners, which are mostly screens (any
// comparable value will do). An owner has at most one job of a name: a new one
// cancels the old one, whose result is then dropped. All methods but Close must
// be called on the update loop.
type Jobs struct {
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	spent   atomic.Int64 // What reading took in all, in ns.
	last    int
	running map[slot]*job
	now     func() time.Time
}

type slot struct {
	owner any
	name  string
}

// NewJobs returns a runner whose jobs all end with ctx.
func NewJobs(ctx context.Context) *Jobs {
	ctx, cancel := context.WithCancel(ctx)
	return &Jobs{ctx: ctx, cancel: cancel, running: map[slot]*job{}, now: time.Now}
}

// Start starts work for owner. A result of type PushMsg, PopMsg, SwitchMsg,
// ChangedMsg, StatusMsg or ErrorMsg goes to the shell, any other to the owner's
// Update. An error goes to the status line and, as FailedMsg, to the owner. A
// job that lasts is shown on the status line, and esc cancels it.
func (j *Jobs) Start(owner any, name string, work Work) tea.Cmd {
	return j.start(owner, name, work, false)
}

// Read works as Start for work that only reads what a screen shows. Nothing is lost when it is
// cancelled, so the shell doesn't ask about it before it quits.
func (j *Jobs) Read(owner any, name string, work Work) tea.Cmd {
	cmd := j.start(owner, name, j.timed(work), false)
	if r := j.running[slot{owner, name}]; r != nil {
		r.reads = true
	}
	return cmd
}

// Quiet works as Start for work that nobody waits for, such as loading what belongs
// to the visible rows: it is never shown, and esc does not cancel it. An error
// is shown all the same.
func (j *Jobs) Quiet(owner any, name string, work Work) tea.Cmd {
	return j.start(owner, name, j.timed(work), true)
}

// QuietAfter works as Quiet for work that begins after a pause. The pause is no part of what reading takes,
// on which it depends how soon a change is shown.
func (j *Jobs) QuietAfter(owner any, name string, pause time.Duration, work Work) tea.Cmd {
	work = j.timed(work)
	return j.start(owner, name, func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		if err := Sleep(ctx, pause); err != nil {
			return nil, err
		}
		return work(ctx, report)
	}, true)
}

// timed returns work that adds its time to what reading took.
func (j *Jobs) timed(work Work) Work {
	return func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		begun := time.Now()
		defer func() { j.spent.Add(int64(time.Since(begun))) }()
		return work(ctx, report)
	}
}

// Running reports whether owner has a job of this name.
func (j *Jobs) Running(owner any, name string) bool {
	return j.running[slot{owner, name}] != nil
}

// Cancel cancels the jobs of owner, drops their results, and reports whether
// there were any. With names only the jobs of these names are cancelled.
func (j *Jobs) Cancel(owner any, names ...string) bool {
	found := false
	for s, r := range j.running {
		if s.owner == owner && nameWanted(s.name, names) {
			r.cancel()
			delete(j.running, s)
			found = true
		}
	}
	return found
}

func nameWanted(name string, names []string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return len(names) == 0
}

// Close cancels every job and waits for all of them. Call it after
// tea.Program.Run, which does not wait, and before what the jobs use is closed.
func (j *Jobs) Close() {
	j.cancel()
	j.wg.Wait()
}

func (j *Jobs) start(owner any, name string, work Work, quiet bool) tea.Cmd {
	j.Cancel(owner, name)
	if j.ctx.Err() != nil {
		return nil
	}
	ctx, cancel := context.WithCancel(j.ctx)
	j.last++
	r := &job{
		id: j.last, slot: slot{owner, name}, quiet: quiet, cancel: cancel,
		started: j.now(), mailbox: newMailbox(),
	}
	j.running[r.slot] = r
	j.wg.Go(func() { r.run(ctx, work) })
	if quiet {
		return r.next
	}
	return tea.Batch(r.next, r.wait(showJobAfter))
}

// job returns the running job with this id, or nil if it is stale.
func (j *Jobs) job(s slot, id int) *job {
	if r := j.running[s]; r != nil && r.id == id {
		return r
	}
	return nil
}

// visible returns the newest job that is to be shown: one of owner's before
// any other.
func (j *Jobs) visible(owner any) *job {
	var best *job
	for _, r := range j.running {
		if r.quiet || j.now().Sub(r.started) < showJobAfter {
			continue
		}
		if best == nil || r.isShownBefore(best, owner) {
			best = r
		}
	}
	return best
}

// unfinished returns the jobs whose end the user waits for, oldest first.
func (j *Jobs) unfinished() (out []*job) {
	for _, r := range j.running {
		if !r.quiet && !r.reads {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b *job) int { return a.id - b.id })
	return out
}

// finish ends the job of m. It returns nil if the result is no longer wanted.
func (j *Jobs) finish(m resultMsg) *job {
	r := j.job(m.slot, m.id)
	if r != nil {
		r.cancel()
		delete(j.running, m.slot)
	}
	return r
}

// spawn runs f in a goroutine that Close waits for. Unlike a plain command it
// is running before the loop sees it, so none is started behind Close's back.
func (j *Jobs) spawn(f func(context.Context) tea.Msg) tea.Cmd {
	if j.ctx.Err() != nil {
		return nil
	}
	out := make(chan tea.Msg, 1)
	j.wg.Go(func() { out <- f(j.ctx) })
	return func() tea.Msg { return <-out }
}

func cancelled(err error) bool { return errors.Is(err, context.Canceled) }
