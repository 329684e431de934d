package repair_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/engine/regenerate"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// plan returns the plan of an operation, or where nothing is to be repaired one that holds the
// items alone.
func plan(t *testing.T, path string, op ops.Op) ops.Plan {
	t.Helper()
	p, err := op.Plan(t.Context(), open(t, path), noReport)
	var nothing *repair.NothingError
	if errors.As(err, &nothing) {
		return ops.Plan{RowPlan: ops.RowPlan{Items: nothing.Items}}
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// states returns the states of a plan's items by their ids.
func states(p ops.Plan) map[string]ops.ItemState {
	out := map[string]ops.ItemState{}
	for _, i := range p.Items {
		out[i.ID] = i.State
	}
	return out
}

// item returns an item of a fault.
func item(t *testing.T, p ops.Plan, fault integrity.FaultID) ops.Item {
	t.Helper()
	i := slices.IndexFunc(p.Items, func(i ops.Item) bool { return i.Kind == string(fault) })
	if i < 0 {
		t.Fatalf("no item of %s: %+v", fault, p.Items)
	}
	return p.Items[i]
}

// TestEveryFindingIsAnItem with what is wrong and what is done in words, and with the rows
// that change for it.
func TestEveryFindingIsAnItem(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "context-duplicate", "counters-drift", "message-double")
	p := plan(t, path, &repair.Op{Conversation: 1})
	for fault, table := range map[integrity.FaultID]string{
		integrity.ContextItemDuplicate: "context_items", integrity.DescendantCountersWrong: "summaries",
	} {
		i := item(t, p, fault)
		if i.State != ops.Included || i.Problem == "" || i.Action == "" || i.Conversation != 1 {
			t.Errorf("%s: %+v", fault, i)
		}
		if !slices.ContainsFunc(i.Rows, func(label string) bool { return strings.HasPrefix(label, table+" ") }) {
			t.Errorf("%s: no row of %s among %q", fault, table, i.Rows)
		}
	}
	labels := map[string]bool{}
	for _, c := range p.Changes {
		labels[c.Label()] = true
	}
	for _, i := range p.Items {
		for _, label := range i.Rows {
			if !labels[label] {
				t.Errorf("%s names the row %s, which doesn't change", i.ID, label)
			}
		}
	}
	if strings.Contains(p.Title, "C03") || !strings.Contains(p.Title, "1 duplicate context item") {
		t.Errorf("the title isn't in words: %s", p.Title)
	}
}

// TestAFindingAlone: a repair may be about one finding only, in a conversation or in the file.
func TestAFindingAlone(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "context-duplicate", "counters-drift")
	all := plan(t, path, &repair.Op{Conversation: 1})
	one := item(t, all, integrity.ContextItemDuplicate)
	_, key, _ := strings.Cut(one.ID, "/")
	for _, op := range []ops.Op{
		&repair.Op{Conversation: 1, Findings: []string{key}},
		&repair.Op{Conversation: 1, Findings: []string{one.ID}},
		&repair.Op{All: true, Findings: []string{one.ID}},
	} {
		p := plan(t, path, op)
		if got := states(p); len(got) != 1 || got[one.ID] != ops.Included {
			t.Errorf("%v", got)
		}
		for _, c := range p.Changes {
			if c.Table == "summaries" {
				t.Errorf("%s is repaired too", c.Label())
			}
		}
	}
}

// TestASkippedFindingStays, and the others are repaired all the same; what was skipped can
// be included again.
func TestASkippedFindingStays(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "context-duplicate", "counters-drift")
	op := &repair.Op{Conversation: 1}
	all := plan(t, path, op)
	for _, i := range all.Items {
		if i.State != ops.Included {
			continue
		}
		skipping := op.Without(i.ID)
		p := plan(t, path, skipping)
		want := states(all)
		want[i.ID] = ops.Skipped
		if got := states(p); !maps.Equal(got, want) {
			t.Errorf("without %s: %v, not %v", i.ID, got, want)
		}
		again := plan(t, path, skipping.(ops.Decider).Back(i.ID))
		if got := states(again); !maps.Equal(got, states(all)) || len(again.Changes) != len(all.Changes) {
			t.Errorf("%s included again: %v", i.ID, got)
		}
	}
	if op.Skip != nil {
		t.Error("the operation itself changed")
	}
}

// TestASkippedTextStays, and no model is asked for it; one that was written by hand is taken
// without a model, and another attempt asks again.
func TestASkippedTextStays(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	ids := breakSummaries(t, path, 0)
	w := &writer{answer: well}
	op := &repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.SummaryFallback}, Regenerate: regenerating(w)}
	p := plan(t, path, op.Without(ids[0]))
	if len(p.Texts) != len(ids)-1 || len(w.asked) != len(ids)-1 || states(p)["1/Q01:"+ids[0]] != ops.Skipped {
		t.Errorf("%d texts, %d calls, %v", len(p.Texts), len(w.asked), states(p))
	}
	p = plan(t, path, (&repair.Op{Conversation: 1, Faults: op.Faults}).With(ids[0], "What I know of it myself.", ""))
	if len(p.Texts) != 1 || p.Texts[0].After != "What I know of it myself." || p.More {
		t.Errorf("by hand: %+v", p.Texts)
	}
	i := slices.IndexFunc(p.Items, func(i ops.Item) bool { return slices.Contains(i.Texts, ids[0]) })
	if i < 0 || p.Items[i].State != ops.Included {
		t.Errorf("no item has the text: %+v", p.Items)
	}
	p = plan(t, path, op.Without(ids[0]).(*repair.Op).With(ids[0], "What I know of it myself.", ""))
	if warnings := strings.Join(p.Warnings, "\n"); !strings.Contains(warnings, "the text that was written for "+ids[0]+" isn't used") {
		t.Errorf("a text of a skipped summary: %q", warnings)
	}
	w.asked = nil
	if plan(t, path, op.Attempt(ids[0], 1)); len(w.asked) != len(ids) {
		t.Errorf("%d calls for %d texts", len(w.asked), len(ids))
	}
}

// TestProgressKnowsEveryText: those that are ready and those that are skipped.
func TestProgressKnowsEveryText(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	ids := breakSummaries(t, path, 0)
	var progress regenerate.Progress
	op := &repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.SummaryFallback}, Regenerate: regenerating(&writer{answer: well})}
	plan(t, path, op.Without(ids[0]).(*repair.Op).WithProgress(&progress))
	states := map[string]regenerate.State{}
	for _, i := range progress.All() {
		states[i.ID] = i.State
	}
	for n, id := range ids {
		want := regenerate.StateReady
		if n == 0 {
			want = regenerate.StateSkipped
		}
		if states[id] != want {
			t.Errorf("%s is %q, want %q", id, states[id], want)
		}
	}
}

// TestADecisionIsAboutOneItem: what is open waits for it, and is open again without it.
func TestADecisionIsAboutOneItem(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "message-decorated", "message-masked")
	op := &repair.Op{All: true, Faults: []integrity.FaultID{integrity.MessageDuplicate}}
	before := plan(t, path, op)
	open := item(t, before, integrity.MessageDuplicate)
	if open.State != ops.Open || open.Reason == "" || len(open.Choices) != 2 {
		t.Fatalf("%+v", open)
	}
	decided := op.Decide(open.ID, "drop")
	p := plan(t, path, decided)
	want := states(before)
	want[open.ID] = ops.Included
	if got := states(p); !maps.Equal(got, want) || len(p.Contexts) != 1 {
		t.Errorf("decided: %v", got)
	}
	kept := plan(t, path, op.Decide(open.ID, integrity.Keep))
	if got := states(kept); got[open.ID] != ops.Skipped {
		t.Errorf("kept: %v", got)
	}
	if got := states(plan(t, path, decided.(ops.Decider).Decide(open.ID, ""))); !maps.Equal(got, states(before)) {
		t.Errorf("undecided again: %v", got)
	}
}

// TestWhatNeedsAModelIsEstimated: such an item isn't done yet, and not open either.
func TestWhatNeedsAModelIsEstimated(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	breakSummaries(t, path, 0)
	op := &repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.SummaryFallback}, Regenerate: regenerating(&writer{answer: well})}
	if p := plan(t, path, op.Estimating()); p.CountItems(ops.Estimated) != len(p.Items) || len(p.Items) == 0 {
		t.Errorf("%+v", p.Items)
	}
}

// TestWithoutAModelAnItemNeedsOne: where no model is chosen, an item that waits for a text isn't
// called one that can't be repaired.
func TestWithoutAModelAnItemNeedsOne(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	breakSummaries(t, path, 0)
	for _, op := range []*repair.Op{
		{Conversation: 1, Faults: []integrity.FaultID{integrity.SummaryFallback}},
		{All: true, Faults: []integrity.FaultID{integrity.SummaryFallback}},
	} {
		items := plan(t, path, op).Items
		if len(items) == 0 {
			t.Fatal("no finding is listed")
		}
		for _, i := range items {
			if i.State != ops.NeedsModel || i.Reason == "" || i.Action == "" {
				t.Errorf("%+v", i)
			}
		}
	}
}

// TestNoOtherRepairTouchesWhatIsSkipped: repairs that go over a whole context or graph pass
// over the rows of findings that are skipped, or that the request isn't about.
func TestNoOtherRepairTouchesWhatIsSkipped(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct {
		faults []string
		more   []string
		fault  integrity.FaultID
	}{
		"duplicate items": {[]string{"context-duplicate"}, []string{"INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) SELECT 1, 2000, 'message', message_id FROM context_items WHERE conversation_id = 1 AND ordinal = 5"}, integrity.ContextItemDuplicate},
		"covered items":   {[]string{"context-double"}, nil, integrity.CoveredMessageInContext},
		"missing rows":    {[]string{"dangling-edges"}, nil, integrity.LinkDangling},
		"missing items": {nil, []string{
			"INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) VALUES (1, 2000, 'message', 777001), (1, 2001, 'message', 777002)",
		}, integrity.ContextItemDangling},
		"cycles": {nil, []string{
			"INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) SELECT summary_id, summary_id, 50 FROM summaries WHERE conversation_id = 1 AND depth = 1 LIMIT 2",
		}, integrity.SummaryCycle},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head, c.faults...)
			altered(t, path, c.more...)
			var found []integrity.Finding
			for _, f := range check(t, open(t, path)) {
				if f.Conversation == 1 && f.Fault == c.fault {
					found = append(found, f)
				}
			}
			if len(found) == 0 {
				t.Fatal("nothing is broken")
			}
			kept := found[len(found)-1]
			op := &repair.Op{Conversation: 1, Skip: map[string]bool{repair.ID(kept): true}}
			db := open(t, path)
			if p := plan(t, path, op); len(p.Changes) > 0 {
				if _, err := ops.Apply(t.Context(), db, p); err != nil {
					t.Fatal(err)
				}
			}
			// Of what is kept only the ordinal may differ.
			if n := count(check(t, open(t, path)), c.fault); n != 1 {
				t.Errorf("%d are still there of %d, want 1", n, len(found))
			}
		})
	}
}
