package rewrite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/lazyregexp"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// plan turns the new texts into rows.
func (b *batch) plan(ctx context.Context) (ops.Plan, error) {
	changed, olds, err := b.changed(ctx)
	if err != nil {
		return ops.Plan{}, err
	}
	if len(changed) == 0 {
		return ops.Plan{}, b.nothing()
	}
	p := ops.New("rewrite", fmt.Sprintf("%s %s of %s", b.titleVerb(changed), plural.Count(len(changed), "summary", "summaries"), lcm.Label(ctx, b.DB, b.op.Conversation)))
	p.Impact.ModelCalls, p.Impact.InputTokens, p.Impact.OutputTokens = b.Cost.Calls, b.Cost.InputTokens, b.Cost.OutputTokens
	tokens := b.tokens(changed)
	if err := b.rows(ctx, &p, changed, tokens); err != nil {
		return ops.Plan{}, err
	}
	for _, n := range changed {
		t := ops.Text{ID: n.ID, Before: olds[n.ID], After: b.Texts[n.ID].Text}
		p.Texts = append(p.Texts, t)
		b.warnOfText(&p, t)
	}
	if err := summarize.CheckNamed(b.Model); err != nil && slices.ContainsFunc(changed, b.byModel) {
		p.Refuse(err)
	}
	if b.Cost.Calls > 0 {
		p.Note("cost: " + b.Cost.Price())
		if withheld := b.Cost.Withheld(); withheld != "" {
			p.Note(withheld)
		}
	}
	if saved := b.Cost.Saved(); saved != "" {
		p.Note(saved)
	}
	b.warnOfFailures(&p)
	b.noteAncestors(&p, changed)
	return p, b.context(ctx, &p, tokens)
}

// warnOfFailures says which summaries get no new text, and why.
func (b *batch) warnOfFailures(p *ops.Plan) {
	for _, f := range b.Failures {
		p.Warn(fmt.Sprintf("%s keeps its old text: %v", f.ID, f.Err))
	}
}

// titleVerb says what happens to the summaries: those that a person wrote, all of them, are
// edited.
func (b *batch) titleVerb(changed []*lineage.Node) string {
	if slices.ContainsFunc(changed, b.byModel) {
		return "rewrite"
	}
	return "edit"
}

// byModel reports whether a model made the new text of a summary.
func (b *batch) byModel(n *lineage.Node) bool { return b.Texts[n.ID].Model != regenerate.ByHand }

// nothing returns the error of a run without a new text.
func (b *batch) nothing() error {
	var err error
	switch failed := len(b.Failures); {
	case failed == 1:
		err = fmt.Errorf("rewrite %s: %w", b.Failures[0].ID, b.Failures[0].Err)
	case failed > 1:
		err = fmt.Errorf("rewrite: none of %d summaries has a new text: %s: %w", failed, b.Failures[0].ID, b.Failures[0].Err)
	}
	if err != nil {
		return &regenerate.StoppedError{Err: err, Cost: b.Cost, Cached: summarize.HasCache(b.Model)}
	}
	return fmt.Errorf("rewrite: every new text is the same as the old one: %w", ops.ErrNothing)
}

// changed returns the summaries whose text changes, and the old texts.
func (b *batch) changed(ctx context.Context) (changed []*lineage.Node, olds map[string]string, err error) {
	olds = map[string]string{}
	for _, n := range b.Nodes {
		m, ok := b.Texts[n.ID]
		if !ok {
			continue
		}
		s, err := lcm.ReadSummary(ctx, b.DB, n.ID)
		if err != nil {
			return nil, nil, err
		}
		if s.Content != m.Text {
			changed, olds[n.ID] = append(changed, n), s.Content
		}
	}
	return changed, olds, nil
}

// tokens gives the token count of a summary after the change.
func (b *batch) tokens(changed []*lineage.Node) func(*lineage.Node) int64 {
	changedTokens := map[string]int64{}
	for _, n := range changed {
		changedTokens[n.ID] = b.op.Job.Estimator.Count(b.Texts[n.ID].Text)
	}
	return func(n *lineage.Node) int64 {
		if t, ok := changedTokens[n.ID]; ok {
			return t
		}
		return n.Tokens
	}
}

// rows adds the changed summaries, and the counters of the summaries above them.
func (b *batch) rows(ctx context.Context, p *ops.Plan, changed []*lineage.Node, tokens func(*lineage.Node) int64) error {
	columns := map[string]data.Row{}
	ids := make([]string, 0, len(changed))
	for _, n := range changed {
		ids = append(ids, n.ID)
		columns[n.ID] = data.Row{"content": b.Texts[n.ID].Text, "token_count": tokens(n), "model": b.Texts[n.ID].Model}
	}
	counters := map[string]lineage.Counters{}
	of := func(n *lineage.Node) lineage.Counters {
		if c, ok := counters[n.ID]; ok {
			return c
		}
		return lineage.Counters{Descendants: n.Descendants, DescendantTokens: n.DescendantTokens, SourceTokens: n.SourceTokens}
	}
	above := b.Graph.Ancestors(ids...)
	for _, a := range above {
		counters[a.ID] = b.Graph.Counters(a, tokens, of)
		if columns[a.ID] == nil {
			columns[a.ID] = data.Row{}
			ids = append(ids, a.ID)
		}
		columns[a.ID]["descendant_token_count"] = counters[a.ID].DescendantTokens
	}
	for _, id := range ids {
		// A host that condenses one of them meanwhile counts its old tokens.
		links, err := data.Images(ctx, b.DB, "summary_parents", data.Row{"parent_summary_id": id})
		if err != nil {
			return err
		}
		if b.DB.Schema().Has("summary_parents") {
			p.Guard("summary_parents", data.Row{"parent_summary_id": id}, len(links))
		}
		images, err := data.Images(ctx, b.DB, "summaries", data.Row{"summary_id": id})
		if err != nil {
			return err
		}
		for _, r := range images {
			if c := change.Update(b.DB, "summaries", r, columns[id]); !c.After.Equal(c.Before) {
				p.Changes = append(p.Changes, c)
			}
		}
	}
	return nil
}

// context adds how the size of the context changes.
func (b *batch) context(ctx context.Context, p *ops.Plan, tokens func(*lineage.Node) int64) error {
	before, err := lcm.Context(ctx, b.DB, b.op.Conversation)
	if err != nil {
		return err
	}
	after := slices.Clone(before)
	for i, it := range after {
		n, ok := b.Graph.Node(it.Summary)
		if !ok {
			continue
		}
		after[i].Tokens = tokens(n)
		if m, ok := b.Texts[it.Summary]; ok {
			after[i].Preview = data.Preview(m.Text)
		}
	}
	p.Contexts = []ops.ContextChange{{Conversation: b.op.Conversation, Before: before, After: after}}
	p.Impact.ItemsBefore, p.Impact.ItemsAfter = len(before), len(after)
	p.Impact.TokensBefore, p.Impact.TokensAfter = lcm.SumTokens(before), lcm.SumTokens(after)
	return nil
}

// filePath and clock match references, which readers need most and models lose first.
var (
	filePath = lazyregexp.New(`[\w~.-]*/[\w./-]*\w\.\w{1,6}\b`)
	clock    = lazyregexp.New(`\b\d{4}-\d\d-\d\d\b|\b\d\d?:\d\d\b`)
)

// warnOfText warns of what the user should look at in a new text.
func (b *batch) warnOfText(p *ops.Plan, t ops.Text) {
	m := b.Texts[t.ID]
	if gone := missingMatches(filePath, t.Before, t.After); len(gone) > 0 {
		p.Warn(fmt.Sprintf("%s no longer names %s", t.ID, strings.Join(gone, ", ")))
	}
	if gone := missingMatches(clock, t.Before, t.After); len(gone) > 2 {
		p.Warn(fmt.Sprintf("%s no longer names %d times, such as %s", t.ID, len(gone), gone[0]))
	}
	if mark := summarize.Detect(t.After, m.Model); mark != summarize.None {
		p.Warn(t.ID + " has the marker of a fallback, which no model made (" + string(mark) + ")")
	}
	if m.Level == summarize.LevelCapped {
		p.Warn(t.ID + " was too long and is cut off")
	}
	if n, ok := b.Graph.Node(t.ID); ok && n.SourceTokens > 0 && b.op.Job.Estimator.Count(t.After) >= n.SourceTokens {
		p.Warn(t.ID + " is longer than the messages below it")
	}
}

// missingMatches returns the matches in before that after doesn't have, once each.
func missingMatches(pattern *lazyregexp.Regexp, before, after string) (out []string) {
	for _, s := range pattern.FindAllString(before, -1) {
		if !strings.Contains(after, s) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// batch is one run over the picked summaries.
type batch struct {
	*regenerate.Batch
	op *Op
}
