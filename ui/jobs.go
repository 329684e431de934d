package ui

import (
	"context"
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
	running map[slot]*Job

	// Now returns the present.
	Now func() time.Time
}

// slot says whose job it is, and which of its jobs.
type slot struct {
	Owner any
	Name  string
}

// NewJobs returns a runner whose jobs all end with ctx.
func NewJobs(ctx context.Context) *Jobs {
	ctx, cancel := context.WithCancel(ctx)
	return &Jobs{ctx: ctx, cancel: cancel, running: map[slot]*Job{}, Now: time.Now}
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
		r.Reads = true
	}
	return cmd
}

// Open works as Start for work that ends in another screen or a question. Keys that are typed meanwhile wait
// for it, but not for long.
func (j *Jobs) Open(owner any, name string, work Work) tea.Cmd {
	cmd := j.start(owner, name, work, false)
	j.HoldKeys(owner, name)
	return cmd
}

// HoldKeys has keys wait for the end of a job, and reports whether it runs.
func (j *Jobs) HoldKeys(owner any, name string) bool {
	r := j.running[slot{owner, name}]
	if r != nil {
		r.Opens = true
	}
	return r != nil
}

// Opening returns the newest job for whose end keys wait, or nil.
func (j *Jobs) Opening() (newest *Job) {
	for _, r := range j.running {
		if r.Opens && !r.Stopping && (newest == nil || r.id > newest.id) {
			newest = r
		}
	}
	return newest
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
		if s.Owner == owner && nameWanted(s.Name, names) {
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

// CancelAll cancels every job, and no other begins.
func (j *Jobs) CancelAll() { j.cancel() }

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
	r := &Job{
		id: j.last, slot: slot{owner, name}, quiet: quiet, cancel: cancel,
		started: j.Now(), mailbox: newMailbox(),
	}
	j.running[r.slot] = r
	j.wg.Go(func() { r.run(ctx, work) })
	next := r.next
	if !quiet {
		next = tea.Batch(r.next, r.wait(showJobAfter))
	}
	return Say(startedMsg{next})
}

// job returns the running job with this id, or nil if it is stale.
func (j *Jobs) job(s slot, id int) *Job {
	if r := j.running[s]; r != nil && r.id == id {
		return r
	}
	return nil
}

// Visible returns the newest job that is to be shown: one of owner's before
// any other.
func (j *Jobs) Visible(owner any) *Job {
	var best *Job
	for _, r := range j.running {
		if r.quiet || j.Elapsed(r) < showJobAfter {
			continue
		}
		if best == nil || r.isShownBefore(best, owner) {
			best = r
		}
	}
	return best
}

// Elapsed returns how long a job has been running.
func (j *Jobs) Elapsed(r *Job) time.Duration { return j.Now().Sub(r.started) }

// TimeRead returns what reading took in all. It may be called from any goroutine.
func (j *Jobs) TimeRead() time.Duration { return time.Duration(j.spent.Load()) }

// Unfinished returns the jobs whose end the user waits for, oldest first.
func (j *Jobs) Unfinished() (out []*Job) {
	for _, r := range j.running {
		if !r.quiet && !r.Reads {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b *Job) int { return a.id - b.id })
	return out
}

// Handle takes the message of a job that began or tells how far it is, and reports whether msg is one.
func (j *Jobs) Handle(msg tea.Msg) (tea.Cmd, bool) {
	switch m := msg.(type) {
	case startedMsg:
		return m.next, true
	case progressMsg:
		if r := j.job(m.slot, m.id); r != nil {
			r.Done, r.Total, r.Note = m.done, m.total, m.note
		}
		return m.next, true
	case frameMsg:
		if r := j.job(m.slot, m.id); r != nil {
			return r.wait(SpinnerInterval), true
		}
		return nil, true
	}
	return nil, false
}

// Finish ends the job of m. It returns nil if the result is no longer wanted.
func (j *Jobs) Finish(m ResultMsg) *Job {
	r := j.job(m.slot, m.id)
	if r != nil {
		r.cancel()
		delete(j.running, m.slot)
	}
	return r
}

// Spawn runs f in a goroutine that Close waits for. Unlike a plain command it
// is running before the loop sees it, so none is started behind Close's back.
// An error, and a panic, is the message that failed makes of it.
func (j *Jobs) Spawn(f func(context.Context) (tea.Msg, error), failed func(error) tea.Msg) tea.Cmd {
	if j.ctx.Err() != nil {
		return nil
	}
	out := make(chan tea.Msg, 1)
	j.wg.Go(func() {
		msg, err := guard(j.ctx, func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) { return f(ctx) }, nil)
		if err != nil {
			msg = failed(err)
		}
		out <- msg
	})
	return func() tea.Msg { return <-out }
}
