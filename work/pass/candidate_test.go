package pass_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/work"
	"lcm-tui/work/pass"
)

// derive makes candidates of conversations, all with one mark.
func (s *station) derive(mark string, conversations ...int64) {
	s.Candidates = func(context.Context) (out []work.Candidate, err error) {
		for _, id := range conversations {
			out = append(out, work.Candidate{Conversation: id, Reason: work.Threshold, Mark: mark})
		}
		return out, nil
	}
}

// TestNobodyHasToAsk: a context that is too full is compacted. What found nothing to do isn't tried again before the
// context is another.
func TestNobodyHasToAsk(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	s.derive("first", 1)
	done, err := s.run()
	if err != nil || len(done) != 1 || done[0].State != work.Done || done[0].Reason != work.Threshold {
		t.Fatalf("%+v, %v", done, err)
	}
	s.derive("second", 1)
	if done, err := s.run(); err != nil || len(done) != 1 || done[0].State != work.Skipped {
		t.Errorf("nothing is left to compact: %+v, %v", done, err)
	}
	if done, err := s.run(); err != nil || len(done) != 0 {
		t.Errorf("the same again: %+v, %v", done, err)
	}
	s.derive("third", 1)
	if done, err := s.run(); err != nil || len(done) != 1 {
		t.Errorf("another context: %+v, %v", done, err)
	}
}

// TestWhatFailedForGoodIsTriedAgainWithOtherSettings.
func TestWhatFailedForGoodIsTriedAgainWithOtherSettings(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	s.derive("mark", 1)
	s.Operation = func(context.Context, work.Job) (ops.Op, error) { return nil, errors.New("no key") }
	for i, want := range []int{1, 0} {
		if done, err := s.run(); err != nil || len(done) != want {
			t.Errorf("%d: %+v, %v", i, done, err)
		}
	}
	testdb.Must(t, s.Notes.ForgetFailures(t.Context()))
	if done, err := s.run(); err != nil || len(done) != 1 || done[0].State != work.Failed {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestACandidateThatWaitsIsLeft: after a failure it isn't tried before its time.
func TestACandidateThatWaitsIsLeft(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	s.model.fail = errors.New("no answer")
	s.derive("mark", 1)
	for i, want := range []int{1, 0, 0} {
		if done, err := s.run(); err != nil || len(done) != want {
			t.Errorf("%d: %+v, %v", i, done, err)
		}
	}
	if n := s.model.calls.Load(); n != 1 {
		t.Errorf("%d calls", n)
	}
}

// TestAPausedConversationIsLeft, whether its work was requested or not; a user's own request is done.
func TestAPausedConversationIsLeft(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	s.derive("mark", 1)
	testdb.Must(t, s.Notes.PauseOne(t.Context(), 1, true))
	if done, err := s.run(1, 4711); err != nil || len(done) != 1 || done[0].Conversation != 4711 {
		t.Errorf("%+v, %v", done, err)
	}
	var err error
	s.Only, err = s.Notes.RequestMode(t.Context(), work.Compaction, 1, work.Manual, "")
	testdb.Must(t, err)
	if done, err := s.run(); err != nil || len(done) != 1 || done[0].State != work.Done {
		t.Errorf("asked for by name: %+v, %v", done, err)
	}
	ones, err := s.Notes.PausedOnes(t.Context())
	if err != nil || len(ones) != 1 || ones[1] == "" {
		t.Errorf("%v, %v", ones, err)
	}
}

// TestRefusedKeys: each refusal is followed by a try in the next pass, until there were five in a row. Then no call is
// made for half an hour.
func TestRefusedKeys(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	s.model.fail = summarize.ErrAuth
	s.Operation = func(_ context.Context, j work.Job) (ops.Op, error) {
		return compaction(s.Notes.Meter(s.model, work.Limits{Calls: 100}, j.Conversation), j.Conversation), nil
	}
	for range 8 {
		done, err := s.run(1)
		if err != nil || len(done) != 1 {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	if n := s.model.calls.Load(); n != 5 {
		t.Errorf("%d calls", n)
	}
	jobs, err := s.Notes.Jobs(t.Context(), 5)
	half := data.FormatTimeMillis(time.Now().Add(25 * time.Minute))
	if err != nil || len(jobs) != 1 || jobs[0].State != work.Blocked || jobs[0].NotBefore < half {
		t.Errorf("%+v, %v", jobs, err)
	}
	open, err := s.Notes.Breakers(t.Context(), work.Rests{}, time.Now())
	if err != nil || open["test/brief"] == "" {
		t.Errorf("%v, %v", open, err)
	}
	testdb.Must(t, s.Notes.CloseBreakers(t.Context()))
	s.model.fail = nil
	if done, err := s.run(1); err != nil || len(done) != 1 || done[0].State != work.Done {
		t.Errorf("with another key: %+v, %v", done, err)
	}
}

// TestWaitsPassAlthoughTheClockIsSetBack.
func TestWaitsPassAlthoughTheClockIsSetBack(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	began := time.Now()
	clock, runs := began.Add(time.Minute), time.Duration(0)
	s.Waits = pass.NewWaits(func() time.Time { return clock }, func() time.Duration { return runs })
	s.model.fail = errors.New("no answer")
	if done, err := s.run(1); err != nil || len(done) != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	s.model.fail = nil
	for i, step := range []struct {
		clock, runs time.Duration
		want        int
	}{
		{time.Minute, time.Minute, 0},
		{-10 * time.Hour, 2 * time.Minute, 0},
		{-10 * time.Hour, 3 * time.Minute, 0},
		{-10 * time.Hour, 6 * time.Minute, 1},
	} {
		clock, runs = began.Add(step.clock), step.runs
		if done, err := s.run(); err != nil || len(done) != step.want {
			t.Errorf("%d: %+v, %v", i, done, err)
		}
	}
}

// TestAClockThatWasSetBackBeforeTheStart puts a job off by half an hour at most.
func TestAClockThatWasSetBackBeforeTheStart(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	s.model.fail = errors.New("no answer")
	if done, err := s.run(1); err != nil || len(done) != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	s.model.fail = nil
	clock, runs := time.Now().Add(-48*time.Hour), time.Duration(0)
	s.Waits = pass.NewWaits(func() time.Time { return clock }, func() time.Duration { return runs })
	for _, step := range []struct {
		runs time.Duration
		want int
	}{{0, 0}, {29 * time.Minute, 0}, {31 * time.Minute, 1}} {
		runs = step.runs
		if done, err := s.run(); err != nil || len(done) != step.want {
			t.Errorf("%s: %+v, %v", step.runs, done, err)
		}
	}
}

// TestOnlyFailuresOfItsOwnUseUpTheTriesOfAJob: not a program that is stopped, a lock of another one, or a key that is
// refused, however often.
func TestOnlyFailuresOfItsOwnUseUpTheTriesOfAJob(t *testing.T) {
	t.Parallel()
	for _, fail := range []error{context.Canceled, data.ErrLocked, data.ErrServer, summarize.ErrAuth, fmt.Errorf("enough: %w", summarize.ErrLimit)} {
		s := newStation(t)
		ctx, cancel := context.WithCancel(t.Context())
		for range 9 {
			s.model.fail = fail
			if errors.Is(fail, context.Canceled) {
				s.model.each = cancel
			}
			testdb.Must(t, s.Notes.Request(t.Context(), work.Compaction, 1, work.Threshold))
			_, _ = s.Run(ops.WithLocks(ctx, s.locks))
			ctx, cancel = context.WithCancel(t.Context())
		}
		cancel()
		s.model.fail, s.model.each = errors.New("no answer"), nil
		if done, err := s.run(1); err != nil || len(done) != 1 || done[0].State != work.Queued || done[0].Attempts != 1 {
			t.Errorf("%v: %+v, %v", fail, done, err)
		}
	}
}

// TestARequestDuringATryBeginsAtOnce, although that one failed.
func TestARequestDuringATryBeginsAtOnce(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	s.model.fail = errors.New("no answer")
	s.model.each = func() {
		s.model.each = nil
		time.Sleep(2 * time.Millisecond) // The next request is later.
		testdb.Must(t, s.Notes.Request(t.Context(), work.Compaction, 1, work.Manual))
	}
	if done, err := s.run(1); err != nil || len(done) != 2 || done[1].Attempts != 1 || s.model.calls.Load() != 2 {
		t.Errorf("%+v, %v, %d calls", done, err, s.model.calls.Load())
	}
}

// TestNoJobBeginsOutsideOfTheHours: the pass ends with the job that it does, also where a user's request waits.
func TestNoJobBeginsOutsideOfTheHours(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	s.Outside = func() bool { return s.model.calls.Load() > 0 }
	if done, err := s.run(1, 2); !errors.Is(err, pass.ErrOutside) || len(done) != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	jobs, err := s.Notes.Waiting(t.Context())
	if err != nil || len(jobs) != 1 || jobs[0].Attempts != 0 {
		t.Errorf("%+v, %v", jobs, err)
	}
}
