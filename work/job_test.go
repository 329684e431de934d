package work_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testdb"
	"lcm-tui/work"
)

// due returns the jobs that may begin now.
func due(t *testing.T, s *work.Sidecar) []work.Job {
	t.Helper()
	jobs, err := s.Due(t.Context(), time.Now().Add(time.Second))
	testdb.Must(t, err)
	return jobs
}

// TestJobs: a request twice is one job; one that comes while the job runs stays; what ended isn't due.
func TestJobs(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := opened(t, t.TempDir())
	request := func(conversation int64, why work.Reason) {
		t.Helper()
		testdb.Must(t, s.Request(ctx, work.Compaction, conversation, why))
	}
	request(1, work.Threshold)
	request(2, work.Threshold)
	request(1, work.SessionEnd)
	jobs := due(t, s)
	if len(jobs) != 2 || jobs[0].Conversation+jobs[1].Conversation != 3 {
		t.Fatalf("%+v", jobs)
	}
	one, two := jobs[0], jobs[1]
	if one.Conversation == 2 {
		one, two = two, one
	}
	begin := func(j *work.Job, want bool) {
		t.Helper()
		if ok, err := s.Begin(ctx, j); ok != want || err != nil {
			t.Fatalf("begin %+v: %v, %v", j, ok, err)
		}
	}
	begin(&one, true)
	if one.Reason != work.SessionEnd || one.Attempts != 1 {
		t.Errorf("%+v", one)
	}
	time.Sleep(2 * time.Millisecond) // The next request is later.
	request(1, work.Manual)
	one.State = work.Done
	testdb.Must(t, s.End(ctx, one))
	begin(&two, true)
	two.Error = "too many calls"
	testdb.Must(t, s.Postpone(ctx, two, time.Now().Add(time.Hour)))
	jobs = due(t, s)
	if len(jobs) != 1 || jobs[0].Conversation != 1 || jobs[0].Reason != work.Manual {
		t.Fatalf("the request during the run: %+v", jobs)
	}
	again := jobs[0]
	begin(&again, true)
	again.State, again.Result = work.Done, "record 1"
	testdb.Must(t, s.End(ctx, again))
	begin(&again, false)
	all, err := s.Jobs(ctx, 10)
	if err != nil || len(all) != 2 || all[0].Error != "too many calls" || all[0].State != work.Queued || all[1].State != work.Done || all[1].Result != "record 1" || all[1].FinishedAt == "" {
		t.Errorf("%+v, %v", all, err)
	}
	request(2, work.Manual)
	if jobs := due(t, s); len(jobs) != 1 || jobs[0].Conversation != 2 {
		t.Errorf("what a user asks for doesn't wait: %+v", jobs)
	}
}

// TestPause: it stays when the sidecar is opened again.
func TestPause(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := opened(t, folder)
	testdb.Must(t, s.Pause(t.Context(), true))
	testdb.Must(t, s.Close())
	s = opened(t, folder)
	if since, err := s.Paused(t.Context()); since == "" || err != nil {
		t.Errorf("%q, %v", since, err)
	}
	testdb.Must(t, s.Pause(t.Context(), false))
	if since, err := s.Paused(t.Context()); since != "" || err != nil {
		t.Errorf("%q, %v", since, err)
	}
}

// TestAnOlderSidecarGetsTheNewTables, and keeps what it has.
func TestAnOlderSidecarGetsTheNewTables(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(folder, "work.db"))
	testdb.Must(t, err)
	for _, q := range []string{
		"CREATE TABLE position (path TEXT PRIMARY KEY, state TEXT NOT NULL, noted_at TEXT NOT NULL)",
		"CREATE TABLE injection (id INTEGER PRIMARY KEY, at TEXT NOT NULL, client TEXT NOT NULL, event TEXT NOT NULL, session TEXT NOT NULL, ids TEXT NOT NULL, characters INTEGER NOT NULL)",
		"INSERT INTO position VALUES ('/a.jsonl', '{\"conversation\": 7}', '2026-11-23T00:00:00.000Z')", "PRAGMA user_version = 1",
	} {
		_, err := db.ExecContext(t.Context(), q)
		testdb.Must(t, err)
	}
	testdb.Must(t, db.Close())
	s := opened(t, folder)
	if _, ok, err := s.Position(t.Context(), "/a.jsonl"); !ok || err != nil {
		t.Errorf("the position: %v, %v", ok, err)
	}
	testdb.Must(t, s.Request(t.Context(), work.Compaction, 1, work.Manual))
}

// priced is a model of which a call costs a quarter of a dollar, or fails.
type priced struct {
	mu    sync.Mutex
	calls int
	err   error
}

func (*priced) Name() string                       { return "test/priced" }
func (*priced) Price(int64, int64) (float64, bool) { return 0.25, true }
func (p *priced) made() int                        { p.mu.Lock(); defer p.mu.Unlock(); return p.calls }

func (p *priced) reply() (summarize.Reply, error) {
	return summarize.Reply{Text: "short", Cost: 0.25, Priced: true, InputTokens: 10, OutputTokens: 2}, p.err
}

func (p *priced) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	p.mu.Lock()
	p.calls++
	p.mu.Unlock()
	return p.reply()
}

// TestTheLimitsOfADay: no call is made past them, by however many processes; what was spent is known to the next one.
func TestTheLimitsOfADay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limits work.Limits
		calls  int
	}{
		"calls":   {work.Limits{Calls: 3}, 3},
		"dollars": {work.Limits{Calls: 100, Dollars: 1}, 4},
		"none":    {work.Limits{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder, m := t.TempDir(), &priced{}
			var all sync.WaitGroup
			for range 4 {
				s := opened(t, folder)
				all.Go(func() {
					for range 5 {
						_, err := s.Meter(m, c.limits, 1).Summarize(t.Context(), summarize.Request{})
						var limit *work.LimitError
						if err != nil && (!errors.As(err, &limit) || !errors.Is(err, summarize.ErrLimit) || limit.RetryAfter() <= 0 || limit.RetryAfter() > 25*time.Hour) {
							t.Errorf("%v", err)
						}
					}
				})
			}
			all.Wait()
			sp, err := opened(t, folder).Today(t.Context(), time.Now())
			if err != nil || m.made() != c.calls || sp.Calls != c.calls || sp.Dollars != 0.25*float64(c.calls) || sp.InputTokens != 10*int64(c.calls) {
				t.Errorf("%d calls, %+v, %v", m.made(), sp, err)
			}
		})
	}
}

// TestACallThatFailsCounts: its price may be paid.
func TestACallThatFailsCounts(t *testing.T) {
	t.Parallel()
	s, m := opened(t, t.TempDir()), &priced{err: errors.New("no answer")}
	if _, err := s.Meter(m, work.Limits{Calls: 1}, 1).Summarize(t.Context(), summarize.Request{}); !errors.Is(err, m.err) {
		t.Error(err)
	}
	if sp, err := s.Today(t.Context(), time.Now()); err != nil || sp.Calls != 1 || sp.Dollars != 0.25 {
		t.Errorf("%+v, %v", sp, err)
	}
	if sp, err := s.Today(t.Context(), time.Now().AddDate(0, 0, 1)); err != nil || sp.Calls != 0 {
		t.Errorf("tomorrow: %+v, %v", sp, err)
	}
}

// TestAConversationWithManyCallsRests: after 24 calls within ten minutes none is made for it, and others go on. The next
// process knows.
func TestAConversationWithManyCallsRests(t *testing.T) {
	t.Parallel()
	folder, m := t.TempDir(), &priced{}
	limits := work.Limits{Calls: 1000}
	call := func(conversation int64) error {
		_, err := opened(t, folder).Meter(m, limits, conversation).Summarize(t.Context(), summarize.Request{})
		return err
	}
	for range 24 {
		testdb.Must(t, call(1))
	}
	for range 2 {
		var pause *work.PauseError
		if err := call(1); !errors.As(err, &pause) || !errors.Is(err, summarize.ErrLimit) || pause.RetryAfter() > 30*time.Minute || pause.RetryAfter() < 29*time.Minute {
			t.Errorf("%v", err)
		}
	}
	if err := call(2); err != nil || m.made() != 25 {
		t.Errorf("another conversation: %v, %d calls", err, m.made())
	}
}

// TestRestsAreThoseOfTheSettings: after as many refusals and calls as they say, for as long as they say.
func TestRestsAreThoseOfTheSettings(t *testing.T) {
	t.Parallel()
	limits := work.Limits{Calls: 1000, Rests: work.Rests{Refusals: 1, Key: time.Hour, Calls: 2, Window: time.Minute, Calm: 2 * time.Hour}}
	pause := func(s *work.Sidecar, m *priced, before int) (wait time.Duration) {
		t.Helper()
		for range before {
			_, _ = s.Meter(m, limits, 1).Summarize(t.Context(), summarize.Request{})
		}
		var pause *work.PauseError
		if _, err := s.Meter(m, limits, 1).Summarize(t.Context(), summarize.Request{}); !errors.As(err, &pause) || m.made() != before {
			t.Fatalf("%v after %d calls", err, m.made())
		}
		return pause.RetryAfter()
	}
	refused, busy := opened(t, t.TempDir()), opened(t, t.TempDir())
	if wait := pause(refused, &priced{err: summarize.ErrAuth}, 1); wait > time.Hour || wait < 59*time.Minute {
		t.Errorf("after a refusal: %s", wait)
	}
	open, err := refused.Breakers(t.Context(), limits.Rests, time.Now())
	if err != nil || len(open) != 1 {
		t.Errorf("%v, %v", open, err)
	}
	if wait := pause(busy, &priced{}, 2); wait > 2*time.Hour || wait < 119*time.Minute {
		t.Errorf("after two calls: %s", wait)
	}
	for s, want := range map[*work.Sidecar]bool{refused: true, busy: false} {
		_, err := s.Meter(&priced{}, limits, 1).Summarize(t.Context(), summarize.Request{})
		if errors.Is(err, summarize.ErrResting) != want {
			t.Errorf("another model may be asked: %v", err)
		}
	}
}

// TestAClockThatWasFarAhead puts no job off and uses up no limit when it is right again; one that is a little ahead does.
func TestAClockThatWasFarAhead(t *testing.T) {
	t.Parallel()
	s, now := opened(t, t.TempDir()), time.Now()
	_, _ = s.Meter(&priced{}, work.Limits{Calls: 1}, 1).Summarize(t.Context(), summarize.Request{})
	testdb.Must(t, s.Request(t.Context(), work.Compaction, 1, work.Threshold))
	j := due(t, s)[0]
	if ok, err := s.Begin(t.Context(), &j); !ok || err != nil {
		t.Fatal(ok, err)
	}
	testdb.Must(t, s.Postpone(t.Context(), j, now.Add(time.Hour)))
	for ago, want := range map[time.Duration]bool{0: false, 12 * time.Hour: false, 400 * 24 * time.Hour: true} {
		was := now.Add(-ago)
		jobs, err := s.Due(t.Context(), was)
		waits, err2 := s.Waits(t.Context(), work.Compaction, 1, was)
		if err != nil || err2 != nil || (len(jobs) > 0) != want || waits != want {
			t.Errorf("%s ago: %+v, %v, %v, %v", ago, jobs, waits, err, err2)
		}
		if full, err := s.AtLimit(t.Context(), work.Limits{Calls: 1}, was); err != nil || full == want {
			t.Errorf("%s ago: the limit is reached: %v, %v", ago, full, err)
		}
	}
}
