package shell

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"lcm-tui/internal/outcome"
	"lcm-tui/ui"
)

type loadedMsg string

// TestAFailedReadCanBeTriedAgain: the error names the key that has every screen read again.
func TestAFailedReadCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	root := sample()
	d := drive(t, Config{First: root})
	d.run(d.app.jobs.Read(root, "load", answer(nil, errors.New("database is locked"))))
	d.until("the error shows", func() bool { return strings.Contains(d.screen(), "database is locked") })
	d.sees("ctrl+r read again")
	root.msgs = nil
	d.press("ctrl+r")
	if diff := cmp.Diff([]tea.Msg{ui.ChangedMsg{External: true}}, root.msgs); diff != "" {
		t.Error(diff)
	}
	d.misses("database is locked")
	d.send(ui.ErrorMsg{Err: errors.New("another error")})
	d.misses("read again")
}

// withJobs returns a program with a page that starts work by keys.
func withJobs(t *testing.T) (*driver, *page, *ui.Jobs) {
	t.Helper()
	jobs, root := ui.NewJobs(t.Context()), sample()
	return drive(t, Config{First: root, Jobs: jobs}), root, jobs
}

func TestResultGoesToItsOwner(t *testing.T) {
	t.Parallel()
	d, root, jobs := withJobs(t)
	child := &page{title: "child"}
	d.run(jobs.Start(root, "load", answer(loadedMsg("rows"), nil)))
	d.send(ui.PushMsg{Screen: child})
	d.until("the result is there", func() bool { return len(root.msgs) > 0 })
	if diff := cmp.Diff([]tea.Msg{loadedMsg("rows")}, root.msgs); diff != "" || len(child.msgs) > 0 {
		t.Error(diff, child.msgs)
	}
}

func TestPushFromAJob(t *testing.T) {
	t.Parallel()
	d, root, jobs := withJobs(t)
	d.run(jobs.Start(root, "plan", answer(ui.PushMsg{Screen: &page{title: "review"}}, nil)))
	d.until("the screen opens", func() bool { return d.app.Depth() == 2 })
}

func TestNewJobDropsTheOldOne(t *testing.T) {
	t.Parallel()
	d, root, jobs := withJobs(t)
	gate := make(chan struct{})
	old := jobs.Start(root, "load", func(context.Context, func(int, int, string)) (tea.Msg, error) {
		<-gate
		return loadedMsg("old"), nil
	})
	d.run(old)
	d.run(jobs.Start(root, "count", answer(loadedMsg("count"), nil)))
	d.run(jobs.Start(root, "load", answer(loadedMsg("new"), nil)))
	d.until("both results are there", func() bool { return len(root.msgs) == 2 })
	close(gate)
	d.settle()
	if len(root.msgs) != 2 || root.msgs[0] == loadedMsg("old") || root.msgs[1] == loadedMsg("old") {
		t.Errorf("the page got %v", root.msgs)
	}
}

func TestChangeIsNeverDropped(t *testing.T) {
	t.Parallel()
	d, root, jobs := withJobs(t)
	gate := make(chan struct{})
	child := &page{title: "child"}
	d.send(ui.PushMsg{Screen: child})
	d.run(jobs.Start(child, "apply", func(context.Context, func(int, int, string)) (tea.Msg, error) {
		<-gate
		return ui.ChangedMsg{Note: "applied"}, nil
	}))
	d.send(ui.PopMsg{Screen: child})
	close(gate)
	d.until("the root is shown and reloads", func() bool { return len(root.msgs) == 2 && root.msgs[0] == ui.ShownMsg{} })
	d.sees("applied")
}

func TestPoppedScreensJobsAreCancelled(t *testing.T) {
	t.Parallel()
	d, _, jobs := withJobs(t)
	child := &page{title: "child"}
	d.send(ui.PushMsg{Screen: child})
	ended := make(chan struct{})
	d.run(jobs.Start(child, "load", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	}))
	d.press("esc")
	<-ended
	d.settle()
	if len(child.msgs) > 0 || jobs.Running(child, "load") {
		t.Errorf("the popped page got %v", child.msgs)
	}
}

// TestACancelledWriteSaysWhatItDid: what a job noted before it was stopped is said, and a job that fails says it too.
func TestACancelledWriteSaysWhatItDid(t *testing.T) {
	t.Parallel()
	d, root, jobs := withJobs(t)
	d.run(jobs.Start(root, "prune", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		outcome.Of(ctx).Record(7)
		return hang(ctx, report)
	}))
	d.until("the job shows", func() bool { return strings.Contains(d.screen(), "prune…") })
	d.press("esc")
	d.until("it says so", func() bool { return strings.Contains(d.screen(), "cancelled; record 7 is written and stays") })
	d.run(jobs.Start(root, "prune", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		outcome.Of(ctx).Begin()
		return nil, errors.New("the disk is full")
	}))
	d.until("it says so", func() bool { return strings.Contains(d.screen(), "the disk is full; nothing was written") })
}

func TestEscCancelsTheVisibleJob(t *testing.T) {
	t.Parallel()
	d, root, jobs := withJobs(t)
	d.send(ui.PushMsg{Screen: &page{title: "child"}})
	d.run(jobs.Quiet(root, "counts", hang))
	d.run(jobs.Start(root, "plan", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		report(1, 3, "asking")
		return hang(ctx, report)
	}))
	d.misses("plan…")
	d.until("the job shows", func() bool { return strings.Contains(d.screen(), "plan… 1/3 · asking") })
	d.sees("esc cancel")
	d.misses("counts")
	d.press("esc")
	d.sees("cancelling…")
	d.until("it says so", func() bool { return strings.Contains(d.screen(), "plan cancelled") })
	if d.app.Depth() != 2 || !jobs.Running(root, "counts") {
		t.Error("esc did more than cancel the visible job")
	}
	if diff := cmp.Diff([]tea.Msg{ui.FailedMsg{Name: "plan", Err: context.Canceled}}, root.msgs, cmp.Comparer(sameError)); diff != "" {
		t.Error(diff)
	}
}

func sameError(a, b error) bool { return errors.Is(a, b) }

func TestSuccessInSpiteOfCancelCounts(t *testing.T) {
	t.Parallel()
	d, root, jobs := withJobs(t)
	d.run(jobs.Start(root, "apply", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		<-ctx.Done()
		return ui.ChangedMsg{Note: "applied all the same"}, nil
	}))
	d.until("the job shows", func() bool { return strings.Contains(d.screen(), "apply…") })
	d.press("esc")
	d.until("the change is shown", func() bool { return strings.Contains(d.screen(), "applied all the same") })
}

func TestJobErrorIsShownAndReported(t *testing.T) {
	t.Parallel()
	d, root, jobs := withJobs(t)
	broken := errors.New("no such table")
	d.run(jobs.Start(root, "load", answer(nil, broken)))
	d.until("the error shows", func() bool { return strings.Contains(d.screen(), "! no such table") })
	if diff := cmp.Diff([]tea.Msg{ui.FailedMsg{Name: "load", Err: broken}}, root.msgs, cmp.Comparer(sameError)); diff != "" {
		t.Error(diff)
	}
}

func TestPanicBecomesAnError(t *testing.T) {
	t.Parallel()
	d, root, jobs := withJobs(t)
	d.run(jobs.Start(root, "load", func(context.Context, func(int, int, string)) (tea.Msg, error) {
		panic("index out of range")
	}))
	d.until("the error shows", func() bool { return strings.Contains(d.screen(), "internal error: index out of range") })
	d.press("D")
	d.sees("report it with the lines below")
}

func TestQuitWaitsForJobs(t *testing.T) {
	t.Parallel()
	d, root, jobs := withJobs(t)
	var ended atomic.Bool
	d.run(jobs.Start(root, "apply", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		<-ctx.Done()
		time.Sleep(50 * time.Millisecond)
		ended.Store(true)
		return nil, ctx.Err()
	}))
	d.press("ctrl+c")
	d.sees("stopping…")
	d.until("the program ends", func() bool { return d.quit })
	if !ended.Load() {
		t.Error("the program ended before its job")
	}
	if jobs.Start(root, "late", hang) != nil {
		t.Error("a job was started after Close")
	}
}

func TestNewestReportWins(t *testing.T) {
	t.Parallel()
	d, root, jobs := withJobs(t)
	d.run(jobs.Start(root, "count", func(_ context.Context, report func(int, int, string)) (tea.Msg, error) {
		for i := range 100_000 {
			report(i, 100_000, "")
		}
		return loadedMsg("done"), nil
	}))
	d.until("the result is there", func() bool { return len(root.msgs) == 1 })
}

func TestScreenThatOpensUnderTypingFingersIsDeafAtFirst(t *testing.T) {
	t.Parallel()
	d, root, jobs := withJobs(t)
	review := &page{title: "review"}
	root.typing = true
	d.run(jobs.Start(root, "plan", answer(ui.PushMsg{Screen: review}, nil)))
	d.until("the screen opens", func() bool { return d.app.Depth() == 2 })
	now := time.Now()
	jobs.Now = func() time.Time { return now }
	if d.app.ignoreKeysUntil.IsZero() {
		t.Fatal("no key is ignored")
	}
	d.app.ignoreKeysUntil = now.Add(ignoreKeysFor)
	d.press("a")
	now = now.Add(ignoreKeysFor)
	d.press("k")
	if diff := cmp.Diff([]string{"k"}, review.keys); diff != "" {
		t.Error(diff)
	}
}

// TestAPauseIsNoReading: what waits before it reads doesn't put off the next look for changes.
func TestAPauseIsNoReading(t *testing.T) {
	t.Parallel()
	jobs := ui.NewJobs(t.Context())
	t.Cleanup(jobs.Close)
	const pause = 50 * time.Millisecond
	begun, read := time.Now(), time.Duration(0)
	cmd := jobs.QuietAfter("owner", "job", pause, func(context.Context, func(int, int, string)) (tea.Msg, error) {
		read = time.Since(begun)
		return "read", nil
	})
	next, _ := jobs.Handle(cmd())
	if m, ok := next().(ui.ResultMsg); !ok || m.Msg != "read" {
		t.Errorf("the job ends with %v", m)
	}
	if spent := jobs.TimeRead(); read < pause || spent >= pause {
		t.Errorf("it read after %v, and %v counts as reading", read, spent)
	}
}
