package repair

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/thinking"
	"lcm-tui/ops"
)

// needsText are the faults that a new text of the summary repairs.
var needsText = integrity.Select(func(f integrity.Fault) bool { return f.NeedsText })

// withText are the faults whose repair changes or deletes the text of a summary.
var withText = append([]integrity.FaultID{integrity.SummaryUnreferenced, integrity.CompactionLeftover, integrity.SummaryDuplicate}, needsText...)

// texts regenerates broken summaries from their sources, after the links are repaired and
// the bottom first.
func (d *draft) texts(report data.Report) stage {
	return func(ctx context.Context) error {
		if err := d.thinking(ctx); err != nil {
			return err
		}
		ids, err := d.swollen(ctx, d.broken(needsText...))
		if err != nil || len(ids) == 0 {
			return err
		}
		b, err := d.batch(ctx, ids)
		if err != nil {
			return err
		}
		why, err := d.generate(ctx, b, report)
		if err != nil {
			return err
		}
		return d.adopt(ctx, b, why)
	}
}

// generate asks the model for the texts that no person wrote, or says why it asks for none:
// what needs no text is repaired all the same.
func (d *draft) generate(ctx context.Context, b *regenerate.Batch, report data.Report) (why string, err error) {
	switch {
	case len(b.Pending()) == 0 && len(b.Texts) == 0:
		return "", nil
	case len(b.Pending()) == 0:
	case d.op.Making.Model == nil:
		return "a model has to regenerate it, and none may be asked", nil
	case summarize.CheckNamed(d.op.Making.Model) != nil:
		return "a model has to regenerate it, and none is named: choose a provider and a model, or the provider extractive, which is built in", nil
	case !d.op.Making.Ask:
		return "", d.estimate(ctx, b)
	}
	reading, reads, err := ops.Read(ctx, d.db, d.op.Conversation)
	if err != nil {
		return "", err
	}
	if err := b.Generate(reading, report); err != nil {
		var stopped *regenerate.StoppedError
		if ctx.Err() != nil || !errors.As(err, &stopped) {
			return "", err
		}
		giveUp(b, err)
	}
	d.plan.GuardSources(reads, reads.All())
	return "", nil
}

// giveUp says of every summary that has no text why there is none: no call can succeed.
func giveUp(b *regenerate.Batch, why error) {
	said := map[string]bool{}
	for _, f := range b.Failures {
		said[f.ID] = true
	}
	for _, n := range b.Pending() {
		if !said[n.ID] {
			b.Failures = append(b.Failures, regenerate.Failure{ID: n.ID, Err: why})
		}
	}
}

// swollen adds the summaries that turn out to be no smaller than their source (Q03)
// once their tokens are counted right.
func (d *draft) swollen(ctx context.Context, ids []string) ([]string, error) {
	if d.op.Faults != nil && !slices.Contains(d.op.Faults, integrity.SummaryLargerThanSource) {
		return ids, nil
	}
	known := setOf(ids)
	for _, id := range d.broken(integrity.SummaryTokensWrong) {
		n := d.nodes[id]
		if n.Kind != data.KindLeaf || n.SourceTokens == 0 || known[id] || d.op.Skip[id] {
			continue
		}
		s, err := d.db.Summary(ctx, id)
		if err != nil {
			return nil, err
		}
		if tokens := d.estimator().Count(s.Content); tokens >= n.SourceTokens {
			ids = append(ids, id)
			d.found[integrity.SummaryLargerThanSource] = append(d.found[integrity.SummaryLargerThanSource], d.finding(integrity.SummaryLargerThanSource, "summaries", id,
				fmt.Sprintf("%d tokens of a source of %d, once they are counted right", tokens, n.SourceTokens)))
		}
	}
	return ids, nil
}

func setOf(ids []string) map[string]bool {
	set := make(map[string]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}

// broken are the summaries that findings of these faults are about.
func (d *draft) broken(faults ...integrity.FaultID) (ids []string) {
	seen := map[string]bool{}
	for _, fault := range faults {
		for _, f := range d.take(fault) {
			if d.alive(f.Row) && !seen[f.Row] && d.remade[f.Row] == "" {
				ids = append(ids, f.Row)
			}
			seen[f.Row] = true
		}
	}
	return ids
}

// batch is a run over broken summaries and those below them that are broken too. The
// text of none of them comes before a model.
func (d *draft) batch(ctx context.Context, ids []string) (*regenerate.Batch, error) {
	g, err := lineage.Load(ctx, d.db, d.op.Conversation, 0)
	if err != nil {
		return nil, err
	}
	marked, err := summarize.FindMarkers(ctx, d.db, d.op.Conversation)
	if err != nil {
		return nil, err
	}
	broken := map[string]bool{}
	for _, id := range ids {
		broken[id] = true
	}
	for id := range marked {
		broken[id] = true
	}
	want := map[string]bool{}
	for _, n := range d.below(ids...) {
		if broken[n.ID] {
			want[n.ID] = true
		}
	}
	for _, n := range g.Nodes() { // What the draft says of links and kinds holds.
		if mine := d.nodes[n.ID]; mine != nil {
			n.Sources, n.Kind, n.Depth = mine.sources, mine.Kind, mine.Depth
		}
	}
	b := &regenerate.Batch{
		Options: d.op.Making, DB: d.db, Graph: g, Nodes: g.BottomUp(sortedKeys(want)...), Broken: broken, Texts: map[string]regenerate.Text{},
		Skip: d.op.Skip, Attempts: d.op.Attempts,
	}
	for _, n := range b.Nodes {
		if text, ok := d.op.Texts[n.ID]; ok {
			b.Texts[n.ID] = regenerate.Text{Text: text, Model: regenerate.ByHand}
		}
	}
	return b, nil
}

// estimate says what making the texts would take.
func (d *draft) estimate(ctx context.Context, b *regenerate.Batch) error {
	f, err := b.Estimate(ctx)
	if err != nil {
		return err
	}
	d.leaveSourceless(f.Sourceless)
	if f.Texts() == 0 {
		return nil
	}
	i := &d.plan.Impact
	i.ModelCalls, i.InputTokens, i.OutputTokens = f.Calls, f.InputTokens, f.OutputTokens
	d.plan.More, d.plan.Price, d.plan.Model = true, f.Price(), b.Model.Name()
	d.plan.Note(fmt.Sprintf("%s would be regenerated by %s; estimated cost: %s. No model was called yet",
		ops.Count(f.Texts(), "summary", "summaries"), b.Model.Name(), f.Price()))
	if saved := f.Saved(); saved != "" {
		d.plan.Note(saved)
	}
	return nil
}

func (d *draft) leaveSourceless(ids []string) {
	sourceless := setOf(ids)
	for _, fault := range needsText {
		for _, f := range d.take(fault) {
			if sourceless[f.Row] {
				d.leave(f, "it has no source text left; dissolve what was made of it, or leave it")
			}
		}
	}
}

// adopt takes the new texts over, and says why the others have none. A new text with the
// mark of a fallback is refused.
func (d *draft) adopt(ctx context.Context, b *regenerate.Batch, why string) error {
	if b.Cost.Calls > 0 {
		i := &d.plan.Impact
		i.ModelCalls, i.InputTokens, i.OutputTokens = b.Cost.Calls, b.Cost.InputTokens, b.Cost.OutputTokens
		d.plan.Note("cost: " + b.Cost.Price())
	}
	failed := map[string]string{}
	for _, f := range b.Failures {
		failed[f.ID] = f.Err.Error()
		d.failed = f.Err
	}
	for _, n := range b.Nodes {
		t, ok := b.Texts[n.ID]
		if !ok {
			continue
		}
		if mark := summarize.Detect(t.Text, t.Model); mark != summarize.None {
			failed[n.ID] = "the new text still carries a marker (" + string(mark) + ") and is refused"
			continue
		}
		if err := d.rewrite(ctx, n.ID, t.Text, t.Model); err != nil {
			return err
		}
	}
	for _, fault := range needsText {
		for _, f := range d.take(fault) {
			switch {
			case d.remade[f.Row] != "":
				d.done(f)
			case d.op.Making.Ask || why != "":
				d.leave(f, cmp.Or(failed[f.Row], why, "no new text was made"))
			}
		}
	}
	if len(d.remade) == 0 && b.Cost.Calls > 0 {
		d.tell(ops.Count(b.Cost.Calls, "call was", "calls were") + " made for nothing; cost: " + b.Cost.Price())
	}
	return nil
}

// rewrite gives a summary another text.
func (d *draft) rewrite(ctx context.Context, id, text, model string) error {
	n := d.nodes[id]
	rows, err := d.db.ImagesIn(ctx, "summaries", "summary_id", []any{id}, append(slices.Clone(light), "content")...)
	if err != nil || len(rows) != 1 {
		return err
	}
	old := word(rows[0]["content"])
	n.Tokens = d.estimator().Count(text)
	columns := data.Row{"content": text, "token_count": n.Tokens}
	if model != "" {
		columns["model"] = model
	}
	d.edits.set("summaries", rows[0], columns)
	d.plan.Texts = append(d.plan.Texts, ops.Text{ID: id, Before: old, After: text})
	d.remade[id] = text
	for i, it := range d.items {
		if it.Summary == id {
			d.items[i].Tokens, d.items[i].Preview = n.Tokens, data.Preview(text)
		}
	}
	return nil
}

// thinking takes what a model thought aloud out of the start of summaries. Where that
// has no end they are made anew.
func (d *draft) thinking(ctx context.Context) error {
	var rest []integrity.Finding
	for _, f := range d.take(integrity.SummaryHoldsThinking) {
		if d.nodes[f.Row] == nil {
			continue
		}
		s, err := d.db.Summary(ctx, f.Row)
		if err != nil {
			return err
		}
		text := strings.TrimSpace(thinking.TrimStored(s.Content))
		if text == "" || text == strings.TrimSpace(s.Content) || thinking.HasTag(text) {
			rest = append(rest, f)
			continue
		}
		if err := d.rewrite(ctx, f.Row, text, ""); err != nil {
			return err
		}
		d.done(f)
	}
	d.found[integrity.SummaryHoldsThinking] = rest
	return nil
}
