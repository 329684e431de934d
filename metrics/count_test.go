package metrics_test

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/metrics"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/redo"
)

// brief is a model whose summaries are a few words.
type brief struct{}

func (brief) Name() string { return "test/brief" }

func (brief) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	return summarize.Reply{Text: "what happened, in brief", Model: "test/brief", InputTokens: 100, OutputTokens: 5}, nil
}

func noReport(int, int, string) {}

// compaction compacts hard: small chunks, nearly no fresh tail.
func compaction() *compact.Op {
	c := engine.Defaults()
	c.FreshTailCount, c.LeafChunkTokens, c.LeafMinFanout, c.CondensedMinFanout = 2, 100, 2, 2
	c.CondensedTargetTokens, c.SummaryPrefixTargetTokens = 10, 1
	return &compact.Op{Conversation: 1, Model: brief{}, Generate: true, Request: engine.Request{Mode: engine.Sweep, Config: c, Force: true}}
}

// apply plans and writes an operation, and returns its record.
func apply(t *testing.T, db *data.DB, o ops.Op) int64 {
	t.Helper()
	p, err := o.Plan(t.Context(), db, noReport)
	testdb.Must(t, err)
	id, err := ops.Apply(t.Context(), db, p)
	testdb.Must(t, err)
	return id
}

// created returns how many summaries were made of both kinds, and how many compactions nobody asked for.
func (s *station) created() (summaries, runs float64) {
	s.t.Helper()
	for line := range strings.Lines(s.text()) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "} ")
		n, _ := strconv.ParseFloat(value, 64)
		switch {
		case strings.HasPrefix(name, "lcm_summaries_created_total{"):
			summaries += n
		case name == `lcm_compaction_runs_total{outcome="done",reason="manual"`:
			runs += n
		}
	}
	return summaries, runs
}

// stored returns how many summaries a file has.
func stored(t *testing.T, path string) float64 {
	t.Helper()
	n, err := testdb.Count(path, "SELECT count(*) FROM summaries")
	testdb.Must(t, err)
	return float64(n)
}

// TestCountersNeverFall: what was created stays counted when it is undone, deleted, thrown away and restored, and when
// the records of all that are deleted; nothing is counted twice.
func TestCountersNeverFall(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	s := newStation(t, path)
	want, _ := s.created()
	if want != stored(t, path) {
		t.Fatalf("%v of %v at first", want, stored(t, path))
	}
	check := func(step string, more float64, runs float64) {
		t.Helper()
		want += more
		got, ran := s.created()
		if got != want || ran != runs {
			t.Errorf("%s: %v summaries and %v runs, want %v and %v", step, got, ran, want, runs)
		}
	}
	before := stored(t, path)
	id := apply(t, db, compaction())
	made := stored(t, path) - before
	if made == 0 {
		t.Fatal("nothing was made")
	}
	check("a compaction", made, 1)
	testdb.Must(t, ops.Undo(t.Context(), db, id))
	check("undo", 0, 1)
	redone := apply(t, db, &redo.Op{Record: id})
	check("redo makes them again", made, 1)
	testdb.Must(t, ops.Undo(t.Context(), db, redone))
	check("undo of the redo", 0, 1)
	apply(t, db, compaction())
	check("another compaction", made, 2)

	db.Now = func() time.Time { return time.Now().AddDate(1, 0, 0) }
	removed := apply(t, db, &prune.Op{Verb: prune.Conversations, Selector: selector.Selector{OlderThan: db.Now()}})
	if stored(t, path) >= before+made {
		t.Fatal("no summary was removed")
	}
	check("conversations in the trash", 0, 2)
	testdb.Must(t, ops.Undo(t.Context(), db, removed))
	check("and back", 0, 2)
	apply(t, db, &prune.HistoryOp{Before: db.Now().Add(time.Hour)})
	check("without records", 0, 2)
	testdb.Execute(t, path, "DELETE FROM context_items", "DELETE FROM summary_messages", "DELETE FROM summary_parents", "DELETE FROM summaries")
	check("deleted by a host", 0, 2)
}

// TestWhatWasUndoneBeforeTheFirstScrapeCounts: records say what was there once.
func TestWhatWasUndoneBeforeTheFirstScrapeCounts(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	before := stored(t, path)
	id := apply(t, db, compaction())
	made := stored(t, path) - before
	testdb.Must(t, ops.Undo(t.Context(), db, id))
	s := newStation(t, path)
	for range 2 { // A scrape counts nothing by itself.
		if got, runs := s.created(); got != before+made || runs != 1 {
			t.Errorf("%v summaries and %v runs, want %v and 1", got, runs, before+made)
		}
	}
	s.Notes = nil // And where nothing is noted beside the file.
	if got, _ := s.created(); got != before+made {
		t.Errorf("%v summaries, want %v", got, before+made)
	}
}

// TestABackupThatIsRestored: counters go on from where they were, and records whose numbers are used again count.
func TestABackupThatIsRestored(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	old, err := os.ReadFile(path)
	testdb.Must(t, err)
	s := newStation(t, path)
	first, _ := s.created()
	compactOnce := func() float64 {
		db, err := data.Open(t.Context(), path)
		testdb.Must(t, err)
		testdb.WithoutHost(db)
		before := stored(t, path)
		apply(t, db, compaction())
		testdb.Must(t, db.Close())
		return stored(t, path) - before
	}
	made := compactOnce()
	if got, _ := s.created(); got != first+made {
		t.Fatalf("%v, want %v", got, first+made)
	}
	testdb.Must(t, errors.Join(os.WriteFile(path, old, 0o600), os.RemoveAll(path+"-wal"), os.RemoveAll(path+"-shm")))
	if got, runs := s.created(); got != first+made || runs != 1 {
		t.Errorf("the older file: %v summaries and %v runs", got, runs)
	}
	made += compactOnce()
	if got, runs := s.created(); got != first+made || runs != 2 {
		t.Errorf("a compaction of it: %v summaries and %v runs, want %v and 2", got, runs, first+made)
	}
}

// TestARunOfAJobCountsOnce: as the job's, not as one that nobody asked for.
func TestARunOfAJobCountsOnce(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	p, err := compaction().Plan(t.Context(), db, noReport)
	testdb.Must(t, err)
	_, err = ops.Apply(ops.WithReason(t.Context(), "threshold"), db, p)
	testdb.Must(t, err)
	if _, runs := newStation(t, path).created(); runs != 0 {
		t.Errorf("%v runs", runs)
	}
}

// TestLostMessagesAreCounted: those that a host took out of a context because it had begun before this program wrote.
func TestLostMessagesAreCounted(t *testing.T) {
	t.Parallel()
	h, db := testdb.Beside(t, fakehost.Head)
	choice := testdb.Choose(t, h, 0, 1)
	o := compaction()
	o.Request.Config.LeafChunkTokens = 20_000
	apply(t, db, o)
	s := newStation(t, db.Path())
	s.wants("lcm_uncovered_messages 0")
	// Another program gives the items ordinals from 0, as this one doesn't beside a host.
	testdb.Must(t, h.Exec("UPDATE context_items SET ordinal = (SELECT min(ordinal) FROM context_items) - ordinal - 1"))
	testdb.Must(t, h.Exec("UPDATE context_items SET ordinal = -1 - ordinal"))
	testdb.Finish(t, h, choice)
	s.wants("lcm_uncovered_messages 17") // Of 20, the host summarized 2, and 1 still stands there.
}

// TestALockedFileGivesTheLastNumbers, and the error is counted.
func TestALockedFileGivesTheLastNumbers(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	s := newStation(t, path)
	good := s.text()
	open := s.Open
	s.Open = func(context.Context) (*data.DB, error) {
		return nil, &data.Error{Path: path, Verb: "open", Kind: data.ErrLocked}
	}
	all, stale, err := s.Gather(t.Context())
	testdb.Must(t, err)
	if !errors.Is(stale, data.ErrLocked) {
		t.Errorf("stale: %v", stale)
	}
	text, err := metrics.Text(all)
	testdb.Must(t, err)
	if want := strings.Replace(good, "lcm_scrape_errors_total 0", "lcm_scrape_errors_total 1", 1); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	s.Open = open
	s.wants("lcm_scrape_errors_total 1")
}

// TestADamagedFileGivesTheLastNumbers: what can still be read of it is not taken for all of it.
func TestADamagedFileGivesTheLastNumbers(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	s := newStation(t, path)
	good := s.text()
	testdb.Execute(t, path, "PRAGMA wal_checkpoint(TRUNCATE)")
	root, err := testdb.Count(path, "SELECT rootpage FROM sqlite_master WHERE name = 'context_items'")
	testdb.Must(t, err)
	size, err := testdb.Count(path, "PRAGMA page_size")
	testdb.Must(t, err)
	b, err := os.ReadFile(path)
	testdb.Must(t, err)
	copy(b[(root-1)*size:], strings.Repeat("x", size))
	testdb.Must(t, os.WriteFile(path, b, 0o600))
	all, stale, err := s.Gather(t.Context())
	testdb.Must(t, err)
	if !errors.Is(stale, data.ErrDamaged) {
		t.Errorf("stale: %v", stale)
	}
	text, err := metrics.Text(all)
	testdb.Must(t, err)
	if want := strings.Replace(good, "lcm_scrape_errors_total 0", "lcm_scrape_errors_total 1", 1); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}
