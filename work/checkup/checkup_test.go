package checkup_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/data"
	"lcm-tui/data/change"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/planfile"
	"lcm-tui/work"
	"lcm-tui/work/checkup"
)

// checker returns one on a database, with the codecs of the program.
func checker(t *testing.T, db *data.DB) *checkup.Checker {
	t.Helper()
	notes, err := work.Open(t.Context(), t.TempDir())
	testdb.Must(t, err)
	t.Cleanup(func() { _ = notes.Close() })
	run := &cli.Invocation{App: cli.New(cli.System{Env: func(string) string { return "" }}, commands.Rooms...)}
	return &checkup.Checker{DB: db, Notes: notes, Folder: filepath.Join(t.TempDir(), "plans"), Codecs: run.Codecs(), Version: "1.2.3", Report: func(int, int, string) {}}
}

// number reads a number.
func number(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	testdb.Must(t, err)
	return n
}

// apply applies a plan file as lcm-tui apply does.
func apply(t *testing.T, c *checkup.Checker, path string) {
	t.Helper()
	f, err := planfile.Open(path, true)
	testdb.Must(t, err)
	p, err := (&planfile.Op{File: f, Options: planfile.Options{Codecs: c.Codecs}}).Plan(t.Context(), c.DB, c.Report)
	testdb.Must(t, err)
	_, err = ops.Apply(t.Context(), c.DB, p)
	testdb.Must(t, err)
}

// TestAHealthyFile: a check notes that there was one, and no plan.
func TestAHealthyFile(t *testing.T) {
	t.Parallel()
	c := checker(t, testdb.Open(t, testdb.Sample(t, fakehost.V0_15)))
	result, err := c.Do(t.Context(), work.Job{Kind: work.Integrity, Mode: work.ScanAndPlan})
	if err != nil || strings.Contains(result, "error") {
		t.Errorf("%q, %v", result, err)
	}
	last, ok, err := c.Notes.Checks().LastCheckup(t.Context(), 0)
	if err != nil || !ok || last.Fatal+last.Error > 0 || last.Plan != "" || last.At == "" {
		t.Errorf("%+v, %v, %v", last, ok, err)
	}
}

// TestADamagedFile: scan counts what is found; scan_and_plan also plans the repair into a private file, which can be
// applied. Neither writes to the database, and the plan before goes.
func TestADamagedFile(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.V0_15, "context-missing-message")
	c := checker(t, testdb.Open(t, path))
	was := testdb.Dump(t, path)
	scan := func(m work.Mode) (last work.Checkup) {
		t.Helper()
		_, err := c.Do(t.Context(), work.Job{Kind: work.Integrity, Mode: m, Conversation: 1})
		testdb.Must(t, err)
		last, _, err = c.Notes.Checks().LastCheckup(t.Context(), 1)
		testdb.Must(t, err)
		return last
	}
	if last := scan(work.Scan); last.Plan != "" || last.Error+last.Warn+last.Info == 0 {
		t.Errorf("%+v", last)
	}
	first := scan(work.ScanAndPlan)
	info, err := os.Stat(first.Plan)
	testdb.Must(t, err)
	if info.Mode().Perm() != 0o600 || testdb.Dump(t, path) != was {
		t.Errorf("the plan is %v; written: %v", info.Mode(), testdb.Dump(t, path) != was)
	}
	scan(work.Scan) // It makes no plan, and the next one finds that of before nevertheless.
	second := scan(work.ScanAndPlan)
	if _, err := os.Stat(first.Plan); err == nil || second.Plan == "" {
		t.Errorf("the plan before is there still, or none is new: %+v", second)
	}
	apply(t, c, second.Plan)
	if testdb.Dump(t, path) == was {
		t.Error("the plan changes nothing")
	}
}

// TestWhatIsFoundIsNotedWithoutAPlan: where the repair can't be planned, that is an error beside what was found.
func TestWhatIsFoundIsNotedWithoutAPlan(t *testing.T) {
	t.Parallel()
	c := checker(t, testdb.Open(t, testdb.Sample(t, fakehost.V0_15, "context-missing-message")))
	testdb.WriteText(t, c.Folder, "no folder")
	result, err := c.Do(t.Context(), work.Job{Kind: work.Integrity, Mode: work.ScanAndPlan, Conversation: 1})
	if err == nil || result == "" {
		t.Errorf("%q, %v", result, err)
	}
	if last, ok, err := c.Notes.Checks().LastCheckup(t.Context(), 1); err != nil || !ok || last.Plan != "" || last.Error+last.Warn == 0 {
		t.Errorf("%+v, %v, %v", last, ok, err)
	}
}

// TestFailuresAreCounted over all checks, and never less.
func TestFailuresAreCounted(t *testing.T) {
	t.Parallel()
	c := checker(t, testdb.Open(t, testdb.Sample(t, fakehost.V0_15)))
	for range 2 {
		testdb.Must(t, c.Notes.Checks().NoteCheckup(t.Context(), work.Checkup{Fatal: 1, Error: 2, Warn: 4}))
	}
	counted, err := c.Notes.Counts().Counters(t.Context())
	if err != nil || len(counted) != 1 || counted[0].Name != work.FoundFaults || counted[0].Value != 6 {
		t.Errorf("%+v, %v", counted, err)
	}
	if found, err := c.Notes.Counts().CheckedFindings(t.Context()); err != nil || found["warn"] != 4 {
		t.Errorf("the last check: %v, %v", found, err)
	}
}

// TestTheCheckAfterAWrite looks at the context and the links of the conversation.
func TestTheCheckAfterAWrite(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.V0_15)
	c := checker(t, testdb.Open(t, path))
	if note, err := c.Wrote(t.Context(), 1); err != nil || note != "" {
		t.Errorf("%q, %v", note, err)
	}
	testdb.Execute(t, path, "UPDATE summaries SET depth = depth + 5 WHERE conversation_id = 1 AND kind = 'condensed'")
	if note, err := c.Wrote(t.Context(), 1); err != nil || !strings.Contains(note, "lcm-tui doctor 1") {
		t.Errorf("%q, %v", note, err)
	}
}

// brief is a model of few words.
type brief struct{}

func (brief) Name() string { return "test/brief" }

func (brief) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	return summarize.Reply{Text: "in brief"}, nil
}

// TestWhatAHostLoses after a write of this program is found with the plan of its repair, is counted while it lasts, and
// is over once that is applied. It is noted once.
func TestWhatAHostLoses(t *testing.T) {
	t.Parallel()
	h, db := testdb.Beside(t, fakehost.Head)
	c := checker(t, db)
	set := engine.Defaults()
	set.FreshTailCount, set.LeafChunkTokens, set.MaxSweepIterations = 10, 20, 1
	p, err := (&compact.Op{Conversation: 1, Model: brief{}, Generate: true, Request: engine.Request{Mode: engine.Sweep, Config: set, Force: true}}).Plan(t.Context(), db, c.Report)
	testdb.Must(t, err)
	_, err = ops.Apply(t.Context(), db, p)
	testdb.Must(t, err)
	watch := func(fresh, lasting int, uncovered int64) (found []work.Finding) {
		t.Helper()
		newOnes, err := c.Watch(t.Context())
		testdb.Must(t, err)
		all, err := c.Notes.Checks().Findings(t.Context())
		testdb.Must(t, err)
		n, err := c.Notes.Checks().Uncovered(t.Context())
		if err != nil || len(newOnes) != fresh || len(all) != lasting || n != uncovered {
			t.Fatalf("new %+v, all %+v, %d messages, %v", newOnes, all, n, err)
		}
		return all
	}
	watch(0, 0, 0)
	// A host that numbers as earlier versions of this program wrote takes away what it did not choose.
	first := testdb.Rows(t, db.Path(), "SELECT min(ordinal) FROM context_items WHERE conversation_id = 1")
	testdb.Execute(t, db.Path(), "DELETE FROM context_items WHERE conversation_id = 1 AND ordinal - "+first[0]+" BETWEEN 1 AND 3")
	later := testdb.Choose(t, h, number(t, first[0])+4, number(t, first[0])+5)
	testdb.Finish(t, h, later)
	found := watch(1, 1, 3)
	if found[0].Kind != work.Lost || found[0].Plan == "" || !strings.Contains(found[0].What, "3 messages") {
		t.Errorf("%+v", found)
	}
	watch(0, 1, 3)
	apply(t, c, found[0].Plan)
	watch(0, 0, 0)
	query := "SELECT count(*) FROM messages m WHERE m.conversation_id = ?1 AND m.message_id NOT IN (" + change.CoveredSQL + ")"
	if n, err := testdb.Count(db.Path(), query, 1); err != nil || n != 0 {
		t.Errorf("%d messages can't be reached, %v", n, err)
	}
}
