package compact_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
)

var dump = testdb.Dump

func sample(t *testing.T, level fakehost.Level) (*data.DB, string) {
	t.Helper()
	path := testdb.Sample(t, level)
	return testdb.Open(t, path), path
}

// sampleCache is where the tests' databases come from.
var sampleCache samples.Cache

func noReport(int, int, string) {}

// brief is a model whose summaries are a few words.
type brief struct {
	calls int
	fail  error
}

func (b *brief) Name() string { return "test/brief" }

func (b *brief) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	b.calls++
	if b.fail != nil {
		return summarize.Reply{}, b.fail
	}
	return summarize.Reply{Text: "what happened, in brief", Model: b.Name(), InputTokens: 100, OutputTokens: 5}, nil
}

// op compacts hard: small chunks, nearly no fresh tail.
func op(m summarize.Model) *compact.Op {
	c := engine.Defaults()
	c.FreshTailCount, c.LeafChunkTokens, c.LeafMinFanout, c.CondensedMinFanout = 2, 100, 2, 2
	c.CondensedTargetTokens, c.SummaryPrefixTargetTokens = 10, 1
	return &compact.Op{
		Conversation: 1, Model: m, Generate: true,
		Request: engine.Request{Mode: engine.Sweep, Config: c, Force: true},
	}
}

func TestRoundTripAtEveryLevel(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range fakehost.Levels() {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			db, path := sample(t, level)
			was := dump(t, path)
			p, err := op(&brief{}).Plan(t.Context(), db, noReport)
			if err != nil {
				t.Fatal(err)
			}
			if got := dump(t, path); got != was {
				t.Fatal("planning wrote")
			}
			if len(p.Texts) == 0 || !p.Texts[0].Made || p.Impact.TokensAfter >= p.Impact.TokensBefore {
				t.Errorf("%d texts, %+v", len(p.Texts), p.Impact)
			}
			id, err := ops.Apply(t.Context(), db, p)
			if err != nil {
				t.Fatal(err)
			}
			stats, err := lcm.ReadStats(t.Context(), db, 1)
			if err != nil || stats.ContextTokens != p.Impact.TokensAfter || int(stats.ContextItems) != p.Impact.ItemsAfter {
				t.Errorf("%+v, planned %+v, %v", stats, p.Impact, err)
			}
			var stale *data.StaleError
			if _, err := ops.Apply(t.Context(), db, p); !errors.As(err, &stale) {
				t.Errorf("again: %v", err)
			}
			if err := ops.Undo(t.Context(), db, id); err != nil {
				t.Fatal(err)
			}
			if got := dump(t, path); got != was {
				t.Error(cmp.Diff(was, got))
			}
		})
	}
}

func TestAnEstimateCallsNobody(t *testing.T) {
	t.Parallel()
	db, _ := sample(t, fakehost.Head)
	m := &brief{}
	o := op(m)
	o.Generate = false
	p, err := o.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if m.calls != 0 || !p.Estimate() || p.Impact.InputTokens == 0 || len(p.Changes) != 0 {
		t.Errorf("%d calls, %+v", m.calls, p.Impact)
	}
	var unwritten int
	for _, it := range p.Contexts[0].After {
		if it.Preview == "not written yet" {
			unwritten++
		}
		if strings.Contains(it.Preview, "Zz") {
			t.Errorf("an invented text is shown: %q", it.Preview)
		}
	}
	if unwritten == 0 {
		t.Error("no summary is marked as not written")
	}
}

func TestNothingToDoSaysWhy(t *testing.T) {
	t.Parallel()
	db, _ := sample(t, fakehost.Head)
	o := op(&brief{})
	o.Request.Force = false
	_, err := o.Plan(t.Context(), db, noReport)
	var nothing *compact.NothingError
	if !errors.Is(err, ops.ErrNothing) || !errors.As(err, &nothing) || nothing.Why != engine.BelowThreshold || nothing.Hint() == "" {
		t.Errorf("got %v", err)
	}
}

// TestAHostMayWriteMeanwhile: what the host appends while a model is asked stays behind
// what is written, and undo leaves it there.
func TestAHostMayWriteMeanwhile(t *testing.T) {
	t.Parallel()
	db, path := sample(t, fakehost.Head)
	testdb.BesideHost(db)
	p, err := op(&brief{}).Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if _, err := h.Message(1, fakehost.Message{Role: "user", Content: "meanwhile"}); err != nil {
		t.Fatal(err)
	}
	was := dump(t, path)
	out, err := ops.ApplyPlan(t.Context(), db, p)
	if err != nil || out.Appended != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	items, err := lcm.Context(t.Context(), db, 1)
	if err != nil || items[len(items)-1].Preview != "meanwhile" || len(items) != p.Impact.ItemsAfter+1 {
		t.Errorf("the newest item is %+v, %v", items[len(items)-1], err)
	}
	testdb.WithoutHost(db)
	if err := ops.Undo(t.Context(), db, out.Record); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

func TestAFailureKeepsWhatWasMade(t *testing.T) {
	t.Parallel()
	db, _ := sample(t, fakehost.Head)
	if _, err := op(&brief{fail: errors.New("overloaded")}).Plan(t.Context(), db, noReport); err == nil || !strings.Contains(err.Error(), "overloaded") {
		t.Errorf("at the first call: %v", err)
	}
	m := &late{after: 1}
	p, err := op(m).Plan(t.Context(), db, noReport)
	if err != nil || len(p.Texts) != 1 || !strings.Contains(strings.Join(p.Warnings, "\n"), "overloaded") {
		t.Errorf("%d texts, %v, %v", len(p.Texts), p.Warnings, err)
	}
}

// late fails after so many calls.
type late struct {
	brief
	after int
}

func (l *late) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	if l.calls >= l.after {
		l.fail = errors.New("overloaded")
	}
	return l.brief.Summarize(ctx, r)
}

// TestManyAreOneChange: several conversations are compacted by one plan, and taken
// back by one undo; what has nothing to compact is passed over.
func TestManyAreOneChange(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Demo(path, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	was := dump(t, path)
	many := &compact.Many{}
	convs, err := lcm.Conversations(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range convs {
		o := op(&brief{})
		o.Conversation, o.Generate = c.ID, false
		o.Request.Force = c.ID%2 == 0
		many.Ops = append(many.Ops, o)
	}
	p, err := many.Plan(t.Context(), db, noReport)
	if err != nil || !p.Estimate() {
		t.Fatalf("%+v, %v", p.Impact, err)
	}
	if p, err = many.Generating().Plan(t.Context(), db, noReport); err != nil {
		t.Fatal(err)
	}
	if len(p.Contexts) < 2 || len(p.Contexts) == len(convs) {
		t.Errorf("%d contexts of %d", len(p.Contexts), len(convs))
	}
	id, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
	if _, err := (&compact.Many{}).Plan(t.Context(), db, noReport); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("none: %v", err)
	}
	idle := &compact.Many{Ops: many.Ops[:1]}
	idle.Ops[0].Request.Config.FreshTailCount = 1_000_000
	_, err = idle.Plan(t.Context(), db, noReport)
	if !errors.Is(err, ops.ErrNothing) || strings.Contains(err.Error(), "threshold") || !strings.Contains(err.Error(), "nothing to compact") {
		t.Errorf("nothing to compact in one that was asked for: %v", err)
	}
}

// TestManyInBatches: what is much to write is written in parts, each by itself, and comes
// to the same as one plan of all; a part that is planned again is the same part.
func TestManyInBatches(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Demo(path, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	was := dump(t, path)
	many := &compact.Many{Rows: 1}
	convs, err := lcm.Conversations(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range convs {
		o := op(&brief{})
		o.Conversation, o.Generate = c.ID, false
		many.Ops = append(many.Ops, o)
	}
	whole, err := many.Generating().Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	var records []int64
	rows := 0
	for n := 0; ; n++ {
		for range 2 {
			if _, err = many.Batch(n).Plan(t.Context(), db, noReport); err != nil {
				break
			}
		}
		if errors.Is(err, ops.ErrNothing) && n > 0 {
			break
		}
		p, err := many.Batch(n).Plan(t.Context(), db, noReport)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Contexts) != 1 {
			t.Errorf("part %d has %d contexts", n, len(p.Contexts))
		}
		id, err := ops.Apply(t.Context(), db, p)
		if err != nil {
			t.Fatal(err)
		}
		records, rows = append(records, id), rows+len(p.Changes)
	}
	if len(records) != len(whole.Contexts) || rows != len(whole.Changes) {
		t.Errorf("%d parts with %d rows, not %d with %d", len(records), rows, len(whole.Contexts), len(whole.Changes))
	}
	for _, id := range slices.Backward(records) {
		if err := ops.Undo(t.Context(), db, id); err != nil {
			t.Fatal(err)
		}
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}
