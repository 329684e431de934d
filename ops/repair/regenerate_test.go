package repair_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// writer is a model that answers by a function and remembers what it was shown.
type writer struct {
	answer func(n int, r summarize.Request) (string, error)
	mu     sync.Mutex
	asked  []summarize.Request
}

func (w *writer) Name() string { return "test/writer" }

func (w *writer) Summarize(_ context.Context, r summarize.Request) (summarize.Reply, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, r)
	text, err := w.answer(len(w.asked), r)
	return summarize.Reply{Text: text, Model: w.Name(), Cost: 0.5, Priced: true}, err
}

func (w *writer) Price(int64, int64) (float64, bool) { return 0.5, true }

// well answers with a few words.
func well(n int, _ summarize.Request) (string, error) { return fmt.Sprintf("told again %d", n), nil }

func regenerating(m summarize.Model) regenerate.Options {
	return regenerate.Options{
		Model: m, Ask: true, Jobs: 2, LeafTarget: 2400, CondensedTarget: 2000, Job: summarize.Job{Overage: 3},
	}
}

const broke = "XYZZY, which no model may see.\n[Truncated from 2314 tokens]"

// breakSummaries makes summaries of these depths ones that no model wrote, and returns
// their ids.
func breakSummaries(t *testing.T, path string, depths ...int64) (ids []string) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	db := open(t, path)
	all, err := lcm.Summaries(t.Context(), db, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		for _, d := range depths {
			if s.Depth == d {
				ids = append(ids, s.ID)
				if err := h.Exec("UPDATE summaries SET content = ?, token_count = 17 WHERE summary_id = ?", broke, s.ID); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return ids
}

// TestBrokenTextsAreRegenerated from the bottom up, and never from broken ones.
func TestBrokenTextsAreRegenerated(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	ids := breakSummaries(t, path, 0, 1)
	db := open(t, path)
	w := &writer{answer: well}
	_, after := roundTrip(t, path, db, &repair.Op{All: true, Faults: []integrity.FaultID{integrity.SummaryFallback}, Regenerate: regenerating(w)})
	if n := count(after, "Q01"); n != 0 {
		t.Errorf("%d are still broken", n)
	}
	if len(w.asked) < len(ids) {
		t.Errorf("%d calls for %d summaries", len(w.asked), len(ids))
	}
	for _, r := range w.asked {
		if strings.Contains(r.Prompt+r.Previous+r.Source, "XYZZY") {
			t.Errorf("a model was shown what is broken: %.300s", r.Prompt)
		}
		if r.Depth > 0 && !strings.Contains(r.Source, "told again") {
			t.Errorf("one of depth %d wasn't made of the new texts: %.300s", r.Depth, r.Source)
		}
	}
}

// TestALeafIsMadeOfItsMessages, and not of a summary that is linked to it as well.
func TestALeafIsMadeOfItsMessages(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	leaf := breakSummaries(t, path, 0)[0]
	altered(t, path,
		"UPDATE summaries SET content = 'a text of another' WHERE summary_id <> '"+leaf+"'",
		"INSERT INTO summary_parents SELECT '"+leaf+"', summary_id, 9 FROM summaries WHERE kind = 'leaf' AND summary_id <> '"+leaf+"' LIMIT 1")
	w := &writer{answer: well}
	apply(t, open(t, path), &repair.Op{All: true, Faults: []integrity.FaultID{integrity.SummaryFallback}, Regenerate: regenerating(w)})
	if len(w.asked) != 1 || strings.Contains(w.asked[0].Source, "a text of another") || w.asked[0].Source == "" {
		t.Errorf("the model was asked %+v", w.asked)
	}
}

// TestAnEstimateAsksNoModel: it says what the calls would take, and what is repaired without
// a model is in the plan already.
func TestAnEstimateAsksNoModel(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "context-duplicate")
	breakSummaries(t, path, 0)
	w := &writer{answer: well}
	o := &repair.Op{Conversation: 1, Regenerate: regenerating(w)}
	o.Regenerate.Ask = false
	p, err := o.Plan(t.Context(), open(t, path), noReport)
	if err != nil {
		t.Fatal(err)
	}
	if len(w.asked) != 0 || !p.More || p.Impact.ModelCalls == 0 || len(p.Changes) == 0 || len(p.Texts) != 0 {
		t.Errorf("%d calls, %+v, %d changes", len(w.asked), p.Impact, len(p.Changes))
	}
	p, err = o.Generating().Plan(t.Context(), open(t, path), noReport)
	if err != nil || len(p.Texts) == 0 || p.More {
		t.Errorf("%v, %d texts", err, len(p.Texts))
	}
}

// TestATextWithAMarkerIsRefused, and so is what would be made of it.
func TestATextWithAMarkerIsRefused(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	ids := breakSummaries(t, path, 0, 1)
	w := &writer{answer: func(int, summarize.Request) (string, error) { return "short\n[Truncated from 9 tokens]", nil }}
	_, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.SummaryFallback}, Regenerate: regenerating(w)}).Plan(t.Context(), open(t, path), noReport)
	var nothing *repair.NothingError
	if !errors.As(err, &nothing) || len(nothing.Left) != len(ids)+1 {
		t.Fatalf("%v: %v", err, nothing)
	}
	note := nothing.Hint()
	for _, want := range []string{"mark of a summary that no model made", "was not regenerated"} {
		if !strings.Contains(note, want) {
			t.Errorf("%q isn't said:\n%s", want, note)
		}
	}
}

// TestLimits: what was made before a limit is kept; the plan says what is missing.
func TestLimits(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]func(summarize.Model) summarize.Model{
		"calls": func(m summarize.Model) summarize.Model { return summarize.Limit(m, 2, 0) },
		"cost":  func(m summarize.Model) summarize.Model { return summarize.Limit(m, 0, 1) },
	} {
		path := broken(t, fakehost.Head)
		breakSummaries(t, path, 0)
		w := &writer{answer: well}
		p, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.SummaryFallback}, Regenerate: regenerating(limit(w))}).Plan(t.Context(), open(t, path), noReport)
		if err != nil {
			t.Fatal(err)
		}
		if len(w.asked) != 2 || len(p.Texts) != 2 || !strings.Contains(strings.Join(p.Warnings, "\n"), "the limit is reached") {
			t.Errorf("%s: %d calls, %d texts, %q", name, len(w.asked), len(p.Texts), p.Warnings)
		}
		if notes := strings.Join(p.Notes, "\n"); p.Impact.ModelCalls != 2 || !strings.Contains(notes, "cost: $1.0000") || strings.Contains(notes, "unknown") {
			t.Errorf("%s: %d calls are counted, %q", name, p.Impact.ModelCalls, p.Notes)
		}
	}
}

// TestOneSummary repairs the findings of one summary and leaves others.
func TestOneSummary(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	ids := breakSummaries(t, path, 0)
	w := &writer{answer: well}
	db := open(t, path)
	p, err := (&repair.Op{Conversation: 1, Summaries: ids[:1], Regenerate: regenerating(w)}).Plan(t.Context(), db, noReport)
	if err != nil || len(p.Texts) != 1 || p.Texts[0].ID != ids[0] {
		t.Fatalf("%v, %+v", err, p.Texts)
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	s, err := lcm.ReadSummary(t.Context(), db, ids[0])
	if err != nil || s.Content != "told again 1" || s.Model != "test/writer" || s.Tokens == 17 {
		t.Errorf("%+v, %v", s, err)
	}
	if n, err := testdb.Count(path, "SELECT count(*) FROM summaries_fts WHERE summaries_fts MATCH 'again'"); err != nil || n != 1 {
		t.Errorf("found %d times, %v", n, err)
	}
}

// TestForgottenSourcesStay: a broken summary of which a message was forgotten is left, with the
// reason, whether or not a model may be asked; the others are regenerated.
func TestForgottenSourcesStay(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	ids := breakSummaries(t, path, 0)
	testdb.Forget(t, path, "message_id IN (SELECT message_id FROM summary_messages WHERE summary_id = '"+ids[0]+"')")
	w := &writer{answer: well}
	for name, options := range map[string]regenerate.Options{"no model": {}, "an estimate": {Model: w}, "a run": regenerating(w)} {
		o := &repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.SummaryFallback}, Regenerate: options}
		p, err := o.Plan(t.Context(), open(t, path), noReport)
		items := p.Items
		var nothing *repair.NothingError
		if errors.As(err, &nothing) {
			items = nothing.Items
		}
		if err != nil && !errors.Is(err, ops.ErrNothing) {
			t.Fatalf("%s: %v", name, err)
		}
		left := ""
		for _, i := range items {
			if i.State == ops.Open && strings.Contains(i.ID, ids[0]) {
				left = i.Reason
			}
		}
		if !strings.Contains(left, "were forgotten") {
			t.Errorf("%s: left because %q: %+v", name, left, items)
		}
		if name == "a run" && len(p.Texts) != len(ids)-1 {
			t.Errorf("%d texts for %d summaries", len(p.Texts), len(ids)-1)
		}
	}
}
