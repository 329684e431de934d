package rewrite

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Op rewrites the picked summaries of Conversation.
type Op struct {
	Conversation int64
	Pick         Pick
	// Texts are the texts that are decided, by id: written by hand, or accepted before. No
	// model is called for them.
	Texts map[string]string
	// Models are the models that made texts of Texts; one without was written by hand.
	Models map[string]string
	// Options says how the others are regenerated. Without Ask the plan is an estimate that
	// changes nothing.
	regenerate.Options
	// Skip are the ids of picked summaries that keep their text; Attempts is how often the
	// user wanted another text, by id.
	Skip     map[string]bool
	Attempts map[string]int
}

var (
	_ ops.Op        = (*Op)(nil)
	_ ops.Estimator = (*Op)(nil)
	_ ops.Skipper   = (*Op)(nil)
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

// WithProgress returns the operation that records the state of each summary in progress.
func (o *Op) WithProgress(progress *regenerate.Progress) ops.Op {
	next := *o
	next.Items = progress
	return &next
}

// Without implements ops.Skipper.
func (o *Op) Without(id string) ops.Op {
	next := *o
	next.Skip = with(o.Skip, id, true)
	return &next
}

// Back implements ops.Skipper.
func (o *Op) Back(id string) ops.Op {
	next := *o
	next.Skip = maps.Clone(o.Skip)
	delete(next.Skip, id)
	return &next
}

// With implements ops.Chooser.
func (o *Op) With(id, text, model string) ops.Op {
	next := *o
	next.Texts, next.Models = with(o.Texts, id, text), with(o.Models, id, model)
	return &next
}

// Attempt implements ops.Chooser.
func (o *Op) Attempt(id string, n int) ops.Op {
	next := *o
	next.Texts = maps.Clone(o.Texts)
	delete(next.Texts, id)
	next.Attempts = with(o.Attempts, id, n)
	return &next
}

// Chosen implements ops.Chooser.
func (o *Op) Chosen(id string) (attempt int, given bool) {
	_, given = o.Texts[id]
	return o.Attempts[id], given
}

// with returns a copy of m with another value.
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
	if _, err := lcm.ReadConversation(ctx, db, o.Conversation); err != nil {
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
		b.Texts[id] = regenerate.Text{Text: text, Model: cmp.Or(o.Models[id], regenerate.ByHand)}
	}
	if err := b.RefuseForgotten(ctx); err != nil {
		return ops.Plan{}, err
	}
	switch pending := len(b.Pending()); {
	case pending > 0 && !o.Ask:
		return b.estimate(ctx)
	case pending > 0 && o.Model == nil:
		return ops.Plan{}, fmt.Errorf("rewrite: %w", summarize.CheckNamed(nil))
	}
	reading, reads, done, err := ops.Read(ctx, db, o.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	defer done()
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

// batch returns one run over nodes.
func (o *Op) batch(db *data.DB, g *lineage.Graph, nodes []*lineage.Node) *batch {
	return &batch{&regenerate.Batch{
		Options: o.Options,
		DB:      db, Graph: g, Nodes: nodes, Skip: o.Skip, Attempts: o.Attempts, Texts: map[string]regenerate.Text{},
	}, o}
}

// estimate returns a plan that says what the calls would cost, and changes nothing.
func (b *batch) estimate(ctx context.Context) (ops.Plan, error) {
	pending := b.Pending()
	p := ops.New("rewrite", fmt.Sprintf("rewrite %s: an estimate", plural.Count(len(pending), "summary", "summaries")))
	f, err := b.Estimate(ctx)
	if err != nil {
		return ops.Plan{}, err
	}
	for _, id := range f.Sourceless {
		p.Warn(id + " has no source text any more and keeps its text")
	}
	b.warnOfFailures(&p)
	if f.Texts() == 0 {
		return ops.Plan{}, fmt.Errorf("rewrite: none of the summaries has a source text: %w", ops.ErrNothing)
	}
	// The context keeps its items; their new sizes are unknown before the model answers.
	context, err := lcm.Context(ctx, b.DB, b.op.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	p.Impact = ops.Impact{
		ItemsBefore: len(context), ItemsAfter: len(context), Unknown: true,
		ModelCalls: f.Calls, InputTokens: f.InputTokens, OutputTokens: f.OutputTokens,
	}
	p.Impact.TokensBefore = lcm.SumTokens(context)
	p.More, p.Price = true, f.Price()
	if b.Model != nil {
		p.Model = b.Model.Name()
		p.Note("they would be regenerated by " + b.Model.Name() + "; estimated cost: " + p.Price)
	}
	if err := summarize.CheckNamed(b.Model); err != nil {
		p.Warn(err.Error())
	}
	if saved := f.Saved(); saved != "" {
		p.Note(saved)
	}
	p.NoteFlag("no model was called and nothing can be written yet: --generate asks it", "nothing can be written yet: ctrl+x asks the model")
	b.noteAncestors(&p, pending)
	return p, nil
}

// noteAncestors lists the summaries that were made of the texts that change.
func (b *batch) noteAncestors(p *ops.Plan, changed []*lineage.Node) {
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
		count, ids := plural.Count(len(left), "summary", "summaries"), strings.Join(left, ", ")
		p.NoteFlag(fmt.Sprintf("%s made of the old text keep their texts; --ancestors rewrites them too: %s", count, ids),
			fmt.Sprintf("%s made of the old text keep their texts; rewrite them after this: %s", count, ids))
	}
}

// Request returns the model's request for the first of the picked summaries.
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
