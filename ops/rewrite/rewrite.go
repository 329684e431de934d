package rewrite

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/ops"
)

// Op rewrites the picked summaries of Conversation.
type Op struct {
	Conversation int64
	Pick         Pick
	// Texts are decided already, by id: written by hand, or accepted before. No model
	// is asked for them.
	Texts map[string]string
	// Making is how the others are made. Without Ask the plan is an estimate that
	// changes nothing.
	regenerate.Options
	// Skip are the ids of those among the picked that keep their text; Attempts is how
	// often another text was wanted, by id.
	Skip     map[string]bool
	Attempts map[string]int
}

var (
	_ ops.Op        = (*Op)(nil)
	_ ops.Estimator = (*Op)(nil)
	_ ops.Chooser   = (*Op)(nil)
)

// Name implements ops.Op.
func (*Op) Name() string { return "rewrite" }

// Generating implements ops.Generator.
func (o *Op) Generating() ops.Op {
	next := *o
	next.Ask = true
	return &next
}

// Estimating implements ops.Estimator.
func (o *Op) Estimating() ops.Op {
	next := *o
	next.Ask = false
	return &next
}

// Telling is the operation that takes down in items how far each summary is.
func (o *Op) WithProgress(items *regenerate.Progress) ops.Op {
	next := *o
	next.Items = items
	return &next
}

// Without implements ops.Chooser.
func (o *Op) Without(id string) ops.Op {
	next := *o
	next.Skip = with(o.Skip, id, true)
	return &next
}

// Back implements ops.Chooser.
func (o *Op) Back(id string) ops.Op {
	next := *o
	next.Skip = maps.Clone(o.Skip)
	delete(next.Skip, id)
	return &next
}

// With implements ops.Chooser.
func (o *Op) With(id, text string) ops.Op {
	next := *o
	next.Texts = with(o.Texts, id, text)
	return &next
}

// Again implements ops.Chooser.
func (o *Op) Again(id string) ops.Op {
	next := *o
	next.Texts = maps.Clone(o.Texts) // One that was written by hand makes way.
	delete(next.Texts, id)
	next.Attempts = with(o.Attempts, id, o.Attempts[id]+1)
	return &next
}

// with is a copy of m with another value.
func with[V any](m map[string]V, id string, v V) map[string]V {
	next := map[string]V{id: v}
	for k, old := range m {
		if k != id {
			next[k] = old
		}
	}
	return next
}

// Plan implements ops.Op.
func (o *Op) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	if _, err := db.Conversation(ctx, o.Conversation); err != nil {
		return ops.Plan{}, err
	}
	g, err := lineage.Load(ctx, db, o.Conversation, 0)
	if err != nil {
		return ops.Plan{}, err
	}
	nodes, err := o.Pick.nodes(ctx, db, g)
	if err != nil {
		return ops.Plan{}, err
	}
	b := o.batch(db, g, nodes)
	for id, text := range o.Texts {
		b.Texts[id] = regenerate.Text{Text: text, Model: regenerate.ByHand}
	}
	switch open := len(b.Pending()); {
	case open > 0 && !o.Ask:
		return b.estimate(ctx)
	case open > 0 && o.Model == nil:
		return ops.Plan{}, fmt.Errorf("rewrite: %w", summarize.CheckNamed(nil))
	}
	reading, reads, err := ops.Read(ctx, db, o.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	if err := b.Generate(reading, report); err != nil {
		return ops.Plan{}, err
	}
	p, err := b.plan(ctx)
	if err != nil {
		return p, err
	}
	p.GuardSources(reads, reads.All())
	return p, nil
}

// batch is a run over summaries of a conversation.
func (o *Op) batch(db *data.DB, g *lineage.Graph, nodes []*lineage.Node) *batch {
	return &batch{&regenerate.Batch{
		Options: o.Options,
		DB:      db, Graph: g, Nodes: nodes, Skip: o.Skip, Attempts: o.Attempts, Texts: map[string]regenerate.Text{},
	}, o}
}

// estimate is a plan that tells what the calls would take, and changes nothing.
func (b *batch) estimate(ctx context.Context) (ops.Plan, error) {
	open := b.Pending()
	p := ops.New("rewrite", fmt.Sprintf("rewrite %s: an estimate", ops.Count(len(open), "summary", "summaries")))
	f, err := b.Estimate(ctx)
	if err != nil {
		return ops.Plan{}, err
	}
	for _, id := range f.Sourceless {
		p.Warn(id + " has no source text left and stays as it is")
	}
	if f.Texts() == 0 {
		return ops.Plan{}, fmt.Errorf("rewrite: none of the summaries has a source text left: %w", ops.ErrNothing)
	}
	// What is in the context stays there; what its texts come to, only the model knows.
	context, err := b.DB.Context(ctx, b.op.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	p.Impact = ops.Impact{
		ItemsBefore: len(context), ItemsAfter: len(context), Unknown: true,
		ModelCalls: f.Calls, InputTokens: f.InputTokens, OutputTokens: f.OutputTokens,
	}
	for _, it := range context {
		p.Impact.TokensBefore += it.Tokens
	}
	p.More, p.Price = true, f.Price()
	if b.Model != nil {
		p.Model = b.Model.Name()
		p.Note("they would be made by " + b.Model.Name() + "; estimated cost: " + p.Price)
	}
	if err := summarize.CheckNamed(b.Model); err != nil {
		p.Warn(err.Error())
	}
	if saved := f.Saved(); saved != "" {
		p.Note(saved)
	}
	p.Note("no model was called and nothing can be written yet: run it with --generate, or x on the screen")
	b.tellAncestors(&p, open)
	return p, nil
}

// tellAncestors lists what was made of the text that changes.
func (b *batch) tellAncestors(p *ops.Plan, changed []*lineage.Node) {
	in := map[string]bool{}
	ids := make([]string, 0, len(changed))
	for _, n := range changed {
		in[n.ID] = true
		ids = append(ids, n.ID)
	}
	var left []string
	for _, a := range b.Graph.Ancestors(ids...) {
		if !in[a.ID] {
			left = append(left, a.ID)
		}
	}
	if len(left) > 0 {
		p.Note(fmt.Sprintf("%s made of the old text keep theirs; --ancestors rewrites them too: %s",
			ops.Count(len(left), "summary", "summaries"), strings.Join(left, ", ")))
	}
}

// Request is what the model would be asked for the first of the picked summaries.
func (o *Op) Request(ctx context.Context, db *data.DB) (summarize.Request, error) {
	g, err := lineage.Load(ctx, db, o.Conversation, 0)
	if err != nil {
		return summarize.Request{}, err
	}
	nodes, err := o.Pick.nodes(ctx, db, g)
	if err != nil {
		return summarize.Request{}, err
	}
	job, err := o.batch(db, g, nodes).JobFor(ctx, nodes[0])
	if err != nil {
		return summarize.Request{}, err
	}
	return job.Request(summarize.Normal)
}
