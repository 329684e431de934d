package work_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testdb"
	"lcm-tui/work"
)

// value returns a counter; not ok where it doesn't count yet.
func value(t *testing.T, s *work.Sidecar, name, first, second string) (float64, bool) {
	t.Helper()
	all, err := s.Counts().Counters(t.Context())
	testdb.Must(t, err)
	for _, c := range all {
		if c.Name == name && c.First == first && c.Second == second {
			return c.Value, true
		}
	}
	return 0, false
}

// wants fails where a counter has another value.
func wants(t *testing.T, s *work.Sidecar, name, first, second string, want float64) {
	t.Helper()
	if got, ok := value(t, s, name, first, second); got != want || !ok {
		t.Errorf("%s{%s,%s} = %v, %v; want %v", name, first, second, got, ok, want)
	}
}

// answering is a model that answers, or fails, with or without a price.
type answering struct {
	reply summarize.Reply
	err   error
}

func (answering) Name() string { return "test/priced" }

func (p answering) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	return p.reply, p.err
}

// TestCallsAreCountedWhenTheyEnd: with their tokens, and with dollars only where the price is known.
func TestCallsAreCountedWhenTheyEnd(t *testing.T) {
	t.Parallel()
	s := opened(t, t.TempDir())
	limits := work.Limits{Calls: 10}
	call := func(p answering) { _, _ = s.Meter(p, limits, 1).Summarize(t.Context(), summarize.Request{}) }
	call(answering{reply: summarize.Reply{InputTokens: 100, OutputTokens: 7}})
	if _, ok := value(t, s, work.CallDollars, "", ""); ok {
		t.Error("a call of unknown price has a cost")
	}
	call(answering{reply: summarize.Reply{InputTokens: 10, OutputTokens: 3, Cost: 0.25, Priced: true}})
	call(answering{err: errors.New("no")})
	wants(t, s, work.EndedCalls, "test/priced", "ok", 2)
	wants(t, s, work.EndedCalls, "test/priced", "failed", 1)
	wants(t, s, work.CallTokens, work.InputTokens, "", 110)
	wants(t, s, work.CallTokens, work.OutputTokens, "", 10)
	wants(t, s, work.CallDollars, "", "", 0.25)
}

// TestRunsAreCountedByReasonAndOutcome: also where a job is requested again while it runs, and where old jobs are deleted.
func TestRunsAreCountedByReasonAndOutcome(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	folder := t.TempDir()
	s := opened(t, folder)
	end := func(state work.State, again bool) {
		t.Helper()
		testdb.Must(t, s.Request(ctx, work.Compaction, 1, work.Threshold))
		due, err := s.Due(ctx, time.Now().Add(time.Hour))
		testdb.Must(t, err)
		j := due[0]
		_, err = s.Begin(ctx, &j)
		testdb.Must(t, err)
		if again {
			time.Sleep(2 * time.Millisecond) // Requests differ by their time.
			testdb.Must(t, s.Request(ctx, work.Compaction, 1, work.Threshold))
		}
		j.State = state
		testdb.Must(t, s.End(ctx, j))
		time.Sleep(2 * time.Millisecond)
	}
	end(work.Done, false)
	end(work.Skipped, false)
	end(work.Done, true)
	wants(t, s, work.EndedRuns, "threshold", "done", 2)
	wants(t, s, work.EndedRuns, "threshold", "skipped", 1)
	due, err := s.Due(ctx, time.Now().Add(time.Hour))
	testdb.Must(t, err)
	due[0].Error = "busy"
	testdb.Must(t, s.Postpone(ctx, due[0], time.Now().Add(time.Hour)))
	wants(t, s, work.EndedRuns, "threshold", "postponed", 1)
	db, err := sql.Open("sqlite", filepath.Join(folder, "work.db"))
	testdb.Must(t, err)
	_, err = db.ExecContext(ctx, "DELETE FROM job; DELETE FROM call; DELETE FROM injection")
	testdb.Must(t, errors.Join(err, db.Close()))
	wants(t, s, work.EndedRuns, "threshold", "done", 2)
}

// TestAnOlderSidecarIsCounted: what it has when it gets the tables is in the counters.
func TestAnOlderSidecarIsCounted(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := opened(t, folder)
	testdb.Must(t, s.NoteInjection(t.Context(), "codex", "SessionStart", "s1", nil, 70))
	testdb.Must(t, s.Close())
	db, err := sql.Open("sqlite", filepath.Join(folder, "work.db"))
	testdb.Must(t, err)
	var version int
	testdb.Must(t, db.QueryRowContext(t.Context(), "PRAGMA user_version").Scan(&version))
	before := fmt.Sprintf("PRAGMA user_version = %d;", version-1)
	_, err = db.ExecContext(t.Context(), `DROP TRIGGER count_call; DROP TRIGGER count_injection; DROP TRIGGER count_run; DROP TRIGGER count_postponed;
		DROP TABLE counted; DROP TABLE latency; DROP TABLE sample; `+before+`
		INSERT INTO call (at, conversation, model, input_tokens, output_tokens, dollars, outcome) VALUES ('2026', 1, 'a/b', 5, 6, NULL, 'ok'), ('2026', 1, 'a/b', 5, 6, 0.5, 'ok'), ('2026', 1, 'a/b', 9, 9, 9, '')`)
	testdb.Must(t, errors.Join(err, db.Close()))
	s = opened(t, folder)
	testdb.Must(t, s.NoteInjection(t.Context(), "codex", "SessionStart", "s1", nil, 30))
	wants(t, s, work.InjectedCharacters, "", "", 100)
	wants(t, s, work.EndedCalls, "a/b", "ok", 2)
	wants(t, s, work.CallTokens, work.OutputTokens, "", 12)
	wants(t, s, work.CallDollars, "", "", 0.5)
}

// TestLatenciesAddUp: from several processes.
func TestLatenciesAddUp(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a, b := opened(t, folder), opened(t, folder)
	testdb.Must(t, a.Counts().AddLatencies(t.Context(), []work.Latency{{"search", 4, 2, 5.5}, {"search", 16, 1, 9}}))
	testdb.Must(t, b.Counts().AddLatencies(t.Context(), []work.Latency{{"search", 4, 1, 2.5}}))
	all, err := a.Counts().Latencies(t.Context())
	if err != nil || len(all) != 2 || all[0] != (work.Latency{"search", 4, 3, 8}) {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestOneSampleAtATime: who waits for too long takes none.
func TestOneSampleAtATime(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a, b := opened(t, folder), opened(t, folder)
	release, ok, err := a.Counts().LockSamples(t.Context(), 0)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, ok, err := b.Counts().LockSamples(t.Context(), 0); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	release()
	release, ok, err = b.Counts().LockSamples(t.Context(), 0)
	if !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	release()
}

// TestCallsByHandAreCounted where anything is noted: they use up nothing of the limits of a day, and make no file.
func TestCallsByHandAreCounted(t *testing.T) {
	t.Parallel()
	folder, empty := t.TempDir(), t.TempDir()
	s := opened(t, folder)
	call := func(folder string, p answering) {
		_, err := work.CountCalls(p, folder).Summarize(t.Context(), summarize.Request{})
		if !errors.Is(err, p.err) {
			t.Errorf("%v, want %v", err, p.err)
		}
	}
	call(folder, answering{reply: summarize.Reply{InputTokens: 100, OutputTokens: 7, Cost: 0.5, Priced: true}})
	call(folder, answering{err: errors.New("no answer")})
	wants(t, s, work.EndedCalls, "test/priced", "ok", 1)
	wants(t, s, work.EndedCalls, "test/priced", "failed", 1)
	wants(t, s, work.CallTokens, work.InputTokens, "", 100)
	wants(t, s, work.CallTokens, work.OutputTokens, "", 7)
	wants(t, s, work.CallDollars, "", "", 0.5)
	if sp, err := s.Today(t.Context(), time.Now()); err != nil || sp.Calls != 0 {
		t.Errorf("%+v, %v", sp, err)
	}
	call(empty, answering{})
	if files, err := filepath.Glob(filepath.Join(empty, "*")); err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
}

// answersWithTools is a model with tools, and a program with tools, that answers or fails.
type answersWithTools struct {
	reply model.ToolReply
	err   error
}

func (answersWithTools) Name() string { return "test/tools" }

func (answersWithTools) Identity() string { return "test" }

func (a answersWithTools) CallWithTools(context.Context, model.ToolRequest) (model.ToolReply, error) {
	return a.reply, a.err
}

func (a answersWithTools) Run(context.Context, model.ProgramRequest) (string, error) {
	return "", a.err
}

// TestCallsForAnswersAreCounted by the model that answered, with its tokens and price; runs of programs have neither.
func TestCallsForAnswersAreCounted(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := opened(t, folder)
	failed := errors.New("no answer")
	for _, a := range []answersWithTools{
		{reply: model.ToolReply{Model: "test/other", InputTokens: 100, OutputTokens: 7, Cost: 0.5, Priced: true}}, {err: failed},
	} {
		got, err := work.CountToolCalls(a, folder).CallWithTools(t.Context(), model.ToolRequest{})
		if !errors.Is(err, a.err) || got.InputTokens != a.reply.InputTokens {
			t.Errorf("%+v, %v", got, err)
		}
	}
	wants(t, s, work.EndedCalls, "test/other", "ok", 1)
	wants(t, s, work.EndedCalls, "test/tools", "failed", 1)
	wants(t, s, work.CallTokens, work.InputTokens, "", 100)
	wants(t, s, work.CallDollars, "", "", 0.5)
	for _, a := range []answersWithTools{{}, {err: failed}} {
		if _, err := work.CountProgramRuns(a, folder).Run(t.Context(), model.ProgramRequest{}); !errors.Is(err, a.err) {
			t.Error(err)
		}
	}
	wants(t, s, work.EndedCalls, "test/tools", "ok", 1)
	wants(t, s, work.EndedCalls, "test/tools", "failed", 2)
	wants(t, s, work.CallDollars, "", "", 0.5)
}
