package pass_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lcm-tui/data"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/work"
	"lcm-tui/work/pass"
)

// brief is a model whose summaries are a few words, or that fails.
type brief struct {
	calls atomic.Int64
	fail  error
	each  func() // Called in each call.
}

func (*brief) Name() string { return "test/brief" }

func (b *brief) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	b.calls.Add(1)
	if b.each != nil {
		b.each()
	}
	if b.fail != nil {
		return summarize.Reply{}, b.fail
	}
	return summarize.Reply{Text: "what happened, in brief", Model: b.Name(), InputTokens: 100, OutputTokens: 5}, nil
}

// station is a database with work beside it.
type station struct {
	*pass.Pass
	t     *testing.T
	path  string
	locks work.Locks
	model *brief
}

func newStation(t *testing.T) *station {
	t.Helper()
	path := testdb.Sample(t, fakehost.V0_15)
	notes, err := work.Open(t.Context(), t.TempDir())
	testdb.Must(t, err)
	t.Cleanup(func() { _ = notes.Close() })
	s := &station{t: t, path: path, locks: work.Locks{State: t.TempDir()}, model: &brief{}}
	s.Pass = &pass.Pass{
		DB: testdb.Open(t, path), Notes: notes, Report: func(int, int, string) {},
		Operation: func(_ context.Context, j work.Job) (ops.Op, error) { return compaction(s.model, j.Conversation), nil },
	}
	return s
}

// compaction compacts hard: small chunks, nearly no fresh tail.
func compaction(m summarize.Model, conversation int64) ops.Op {
	c := engine.Defaults()
	c.FreshTailCount, c.LeafChunkTokens, c.LeafMinFanout, c.CondensedMinFanout = 2, 100, 2, 2
	c.CondensedTargetTokens, c.SummaryPrefixTargetTokens = 10, 1
	return &compact.Op{Conversation: conversation, Model: m, Generate: true, Request: engine.Request{Mode: engine.Sweep, Config: c, Force: true}}
}

// run requests the compaction of conversations and does what is due.
func (s *station) run(conversations ...int64) (done []work.Job, err error) {
	s.t.Helper()
	for _, id := range conversations {
		testdb.Must(s.t, s.Notes.Request(s.t.Context(), work.Compaction, id, work.Manual))
	}
	return s.Run(ops.WithLocks(s.t.Context(), s.locks))
}

// TestAPassDoesWhatWaits, and says of each job what came of it: a record, nothing to do, or no such conversation. A
// second one finds nothing.
func TestAPassDoesWhatWaits(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	done, err := s.run(1, 4711)
	if err != nil || len(done) != 2 || done[0].State != work.Done || !strings.HasPrefix(done[0].Result, "record 1: compact") || done[1].State != work.Skipped {
		t.Fatalf("%+v, %v", done, err)
	}
	if done, err := s.run(); err != nil || len(done) != 0 {
		t.Errorf("nothing waits: %+v, %v", done, err)
	}
	after := testdb.Dump(t, s.path)
	if done, err := s.run(1); err != nil || len(done) != 1 || done[0].State != work.Skipped || testdb.Dump(t, s.path) != after {
		t.Errorf("done before: %+v, %v", done, err)
	}
}

// TestWhatFails: after a failure that may pass, the job waits; at the limit of a day until the next; where no try
// would help it failed. Nothing is written, and no pass tries again at once.
func TestWhatFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fail  error
		state work.State
		waits time.Duration
	}{
		{errors.New("no answer"), work.Queued, 5 * time.Minute},
		{&model.Error{Kind: model.KindRate, RetryAfter: time.Minute}, work.Queued, 5 * time.Minute},
		{&model.Error{Kind: model.KindRate, RetryAfter: 2 * time.Hour}, work.Queued, 2 * time.Hour},
		{&model.Error{Kind: model.KindRate, RetryAfter: 1000 * time.Hour}, work.Queued, 24 * time.Hour},
		{summarize.ErrAuth, work.Queued, 0},
		{fmt.Errorf("the vendor refuses the key: %w, %w", summarize.ErrAuth, summarize.ErrPermanent), work.Queued, 0},
		{fmt.Errorf("the quota: %w", summarize.ErrPermanent), work.Failed, 0},
	} {
		s := newStation(t)
		s.model.fail = c.fail
		before := testdb.Dump(t, s.path)
		done, err := s.run(1)
		if err != nil || len(done) != 1 || done[0].State != c.state || done[0].Error == "" || s.model.calls.Load() != 1 || testdb.Dump(t, s.path) != before {
			t.Fatalf("%v: %+v, %v, %d calls", c.fail, done, err, s.model.calls.Load())
		}
		jobs, err := s.Notes.Due(t.Context(), time.Now().Add(c.waits-time.Minute))
		if err != nil || len(jobs) != 0 {
			t.Errorf("%v: due too early: %+v, %v", c.fail, jobs, err)
		}
		if jobs, err := s.Notes.Due(t.Context(), time.Now().Add(c.waits+time.Minute)); err != nil || (len(jobs) == 1) != (c.state == work.Queued) {
			t.Errorf("%v: due: %+v, %v", c.fail, jobs, err)
		}
	}
	s := newStation(t)
	s.Operation = func(_ context.Context, j work.Job) (ops.Op, error) {
		return compaction(s.Notes.Meter(s.model, work.Limits{}, j.Conversation), j.Conversation), nil
	}
	done, err := s.run(1)
	if err != nil || len(done) != 1 || done[0].State != work.Blocked || s.model.calls.Load() != 0 || done[0].NotBefore <= data.FormatTimeMillis(time.Now()) {
		t.Errorf("at the limit: %+v, %v, %d calls", done, err, s.model.calls.Load())
	}
}

// TestAPassSaysThatItWaits for the lock of another program, before it asks a model.
func TestAPassSaysThatItWaits(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	host, err := fakehost.Open(s.path)
	testdb.Must(t, err)
	testdb.Must(t, host.Exec("BEGIN IMMEDIATE"))
	var notes []string
	s.Report = func(_, _ int, note string) {
		if strings.Contains(note, "waiting for another program's lock") && s.model.calls.Load() == 0 {
			notes = append(notes, note)
			testdb.Must(t, errors.Join(host.Exec("ROLLBACK"), host.Close()))
		}
	}
	if done, err := s.run(1); err != nil || len(done) != 1 || done[0].State != work.Done || len(notes) != 1 {
		t.Errorf("%+v, %v, notes %q", done, err, notes)
	}
}

// TestAPausedPassDoesNothing.
func TestAPausedPassDoesNothing(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	testdb.Must(t, s.Notes.Pause(t.Context(), true))
	if done, err := s.run(1); !errors.Is(err, pass.ErrPaused) || len(done) != 0 || s.model.calls.Load() != 0 {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestAConversationOfAnotherProcessIsLeft: its job stays, and others are done.
func TestAConversationOfAnotherProcessIsLeft(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	release, err := s.locks.Take(t.Context(), s.path, 1)
	testdb.Must(t, err)
	if done, err := s.run(1, 4711); err != nil || len(done) != 1 || done[0].Conversation != 4711 {
		t.Errorf("%+v, %v", done, err)
	}
	release()
	if done, err := s.run(); err != nil || len(done) != 1 || done[0].State != work.Done || done[0].Attempts != 1 {
		t.Errorf("after: %+v, %v", done, err)
	}
}

// TestNobodyWritesWhileAModelIsAsked for the same conversation: who tries is refused, and what was paid for is
// written.
func TestNobodyWritesWhileAModelIsAsked(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	var refused error
	var once sync.Once
	s.model.each = func() {
		once.Do(func() {
			ctx := ops.WithLocks(t.Context(), s.locks)
			_, refused = compaction(&brief{}, 1).Plan(ctx, s.DB, s.Report)
		})
	}
	done, err := s.run(1)
	if err != nil || len(done) != 1 || done[0].State != work.Done || !errors.Is(refused, ops.ErrBusy) {
		t.Errorf("%+v, %v; the other: %v", done, err, refused)
	}
}

// TestACancelledPassLosesNoJob.
func TestACancelledPassLosesNoJob(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.model.each = cancel
	testdb.Must(t, s.Notes.Request(ctx, work.Compaction, 1, work.Manual))
	if _, err := s.Run(ops.WithLocks(ctx, s.locks)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	s.model.each = nil
	if done, err := s.run(); err != nil || len(done) != 1 || done[0].State != work.Done {
		t.Errorf("after: %+v, %v", done, err)
	}
}
