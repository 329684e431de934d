package compact_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
)

// counting answers every call with another text, and with another one for another attempt.
type counting struct{ calls, attempts int }

func (*counting) Name() string { return "test/counting" }

func (c *counting) Summarize(_ context.Context, r summarize.Request) (summarize.Reply, error) {
	c.calls++
	c.attempts = max(c.attempts, r.Attempt)
	return summarize.Reply{Text: fmt.Sprintf("answer %d", c.calls), Model: c.Name()}, nil
}

// summaryRows returns the rows of the new summaries of a plan, by id, and the ids of those that are made of others.
func summaryRows(p *ops.Plan) (rows map[string]data.Row, condensed []string) {
	rows = map[string]data.Row{}
	for _, c := range p.Changes {
		if c.Table == "summaries" && c.Before == nil {
			id := data.CellText(c.After["summary_id"])
			rows[id] = c.After
			if data.CellText(c.After["kind"]) == lcm.KindCondensed {
				condensed = append(condensed, id)
			}
		}
	}
	return rows, condensed
}

// TestAnotherTextOfALeafKeepsTheOthers: only what is made of it is made again; the ids stay, so that each decision finds its
// summary.
func TestAnotherTextOfALeafKeepsTheOthers(t *testing.T) {
	t.Parallel()
	db, _ := sample(t, fakehost.Head)
	m := &counting{}
	o := op(m)
	o.Request.Choices = &engine.Choices{Seed: "one"}
	first := planned(t, db, o)
	rows, condensed := summaryRows(&first)
	if len(first.Texts) < 4 || len(condensed) == 0 {
		t.Fatalf("%d texts, %d condensed: too few to tell", len(first.Texts), len(condensed))
	}
	leaf := first.Texts[0].ID
	for name, c := range map[string]struct {
		next  ops.Chooser
		model string
		calls int // For the leaf.
	}{
		"another answer": {o.Keeping(&first, leaf).(ops.Chooser).Attempt(leaf, 1).(ops.Chooser), m.Name(), 1},
		"a text by hand": {o.Keeping(&first, leaf).(ops.Chooser).With(leaf, "written by hand", "").(ops.Chooser), regenerate.ByHand, 0},
	} {
		m.calls, m.attempts = 1000, 0
		again := planned(t, db, c.next)
		got, _ := summaryRows(&again)
		changed := 0
		for _, text := range again.Texts {
			was := slices.IndexFunc(first.Texts, func(old ops.Text) bool { return old.ID == text.ID })
			switch {
			case was < 0:
				t.Errorf("%s: the id %s is new", name, text.ID)
			case first.Texts[was].After != text.After:
				changed++
				if text.ID != leaf && !slices.Contains(condensed, text.ID) {
					t.Errorf("%s: the leaf %s has another text", name, text.ID)
				}
			case data.CellText(got[text.ID]["model"]) != data.CellText(rows[text.ID]["model"]):
				t.Errorf("%s: %s is of another model", name, text.ID)
			}
		}
		if model := data.CellText(got[leaf]["model"]); model != c.model {
			t.Errorf("%s: the leaf is noted as of %s", name, model)
		}
		if calls := m.calls - 1000; changed < 2 || calls != changed-1+c.calls || m.attempts != c.calls {
			t.Errorf("%s: %d texts changed by %d calls, attempt %d", name, changed, calls, m.attempts)
		}
		if _, given := c.next.Chosen(leaf); given != (c.calls == 0) {
			t.Errorf("%s: given is %v", name, given)
		}
		estimate := planned(t, db, c.next.(ops.Estimator).Estimating())
		if estimate.Impact.ModelCalls != m.calls-1000 {
			t.Errorf("%s: estimated %d calls, made %d", name, estimate.Impact.ModelCalls, m.calls-1000)
		}
	}
}

// TestStepsTakeNoChoices: each step writes its own summary, with an id of its own.
func TestStepsTakeNoChoices(t *testing.T) {
	t.Parallel()
	o := op(&counting{})
	o.EachPass, o.Request.Choices = true, &engine.Choices{Seed: "one"}
	step, ok := o.Step(0)
	if !ok || step.(*compact.Op).Request.Choices != nil {
		t.Error("a step has the choices of the whole run")
	}
}

// planned plans an operation.
func planned(t *testing.T, db *data.DB, o ops.Op) ops.Plan {
	t.Helper()
	p, err := o.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
