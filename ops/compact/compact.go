package compact

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/compact"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/ops"
)

// Op compacts the context of Conversation.
type Op struct {
	Conversation int64
	Request      compact.Request
	// Model makes the summaries. Without Generate it isn't called: the plan is an
	// estimate that changes nothing.
	Model    summarize.Model
	Generate bool
	// EachPass writes pass by pass instead of all at once: what is made is in the
	// file at once, and each pass can be undone by itself.
	EachPass bool
	// Caveat is a doubt about the settings in the request; it may be nil.
	Caveat error
}

var (
	_ ops.Op        = (*Op)(nil)
	_ ops.Estimator = (*Op)(nil)
	_ ops.Stepper   = (*Op)(nil)
)

// Name implements ops.Op.
func (*Op) Name() string { return "compact" }

// Generating implements ops.Generator.
func (o *Op) Generating() ops.Op {
	next := *o
	next.Generate = true
	return &next
}

// Estimating implements ops.Estimator.
func (o *Op) Estimating() ops.Op {
	next := *o
	next.Generate = false
	return &next
}

// Step implements ops.Stepper. What the first pass found due, the others go on with,
// whatever the threshold says by then.
func (o *Op) Step(n int) (ops.Op, bool) {
	limit := o.Request.Config.MaxSweepIterations
	if !o.EachPass || limit > 0 && n >= limit {
		return nil, false
	}
	next := *o
	next.Generate = true
	next.Request.Config.MaxSweepIterations = 1
	next.Request.Continues = n > 0
	next.Request.Force = o.Request.Force || n > 0
	return &next, true
}

// Plan implements ops.Op.
func (o *Op) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	if _, err := db.Conversation(ctx, o.Conversation); err != nil {
		return ops.Plan{}, err
	}
	o, host, err := o.beside(ctx, db)
	if err != nil {
		return ops.Plan{}, err
	}
	p, err := o.propose(ctx, db, report, host)
	if err == nil && o.Caveat != nil {
		p.Warn(o.Caveat.Error())
	}
	return p, err
}

func (o *Op) propose(ctx context.Context, db *data.DB, report data.Report, host data.Presence) (ops.Plan, error) {
	if !o.Generate {
		return o.estimate(ctx, db)
	}
	ctx, reads, err := ops.Read(ctx, db, o.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	out, err := compact.Run(ctx, db, o.Conversation, o.Request, o.Model, report)
	var partial *compact.PartialError
	if err != nil && !errors.As(err, &partial) {
		return ops.Plan{}, err
	}
	if !out.Acted() {
		return ops.Plan{}, o.nothing(out, err)
	}
	p, also := o.plan(ctx, db, out)
	if also != nil {
		return ops.Plan{}, also
	}
	var messages []int64
	var summaries []string
	for _, n := range out.New {
		messages, summaries = append(messages, n.Messages...), append(summaries, n.Sources...)
	}
	p.GuardSources(reads, reads.Of(messages, summaries))
	o.wait(&p, out, host, db.Now())
	if err != nil {
		p.Warn(fmt.Sprintf("the run stopped early, and this is what was made until then: %v", partial.Err))
		p.Partial = err
	}
	return p, o.warn(ctx, db, &p, out)
}

// nothing says why there is nothing to compact, and what was asked for it.
func (o *Op) nothing(out compact.Outcome, err error) error {
	switch {
	case err != nil && out.Usage.Calls > 0:
		return &regenerate.StoppedError{Err: err, Cost: out.Usage, Cached: summarize.HasCache(o.Model)}
	case err != nil:
		return err
	}
	return &NothingError{out.Stopped}
}

// NothingError says why a conversation isn't compacted.
type NothingError struct{ Why compact.Reason }

func (e *NothingError) Error() string { return string(e.Why) }

// Unwrap makes it ops.ErrNothing.
func (e *NothingError) Unwrap() error { return ops.ErrNothing }

// Hint says what decides it.
func (e *NothingError) Hint() string {
	switch e.Why {
	case compact.BelowThreshold:
		return "--force compacts below the threshold too; --budget sets what the threshold is a share of"
	case compact.Nothing:
		return "what is left stands in the fresh tail or is below the fanout; lcm-tui config shows both"
	}
	return "--until N compacts until the context is no larger than N tokens"
}

// estimate is a plan that tells what a run would take, and changes nothing.
func (o *Op) estimate(ctx context.Context, db *data.DB) (ops.Plan, error) {
	out, err := compact.Estimate(ctx, db, o.Conversation, o.Request)
	if err != nil {
		return ops.Plan{}, err
	}
	if len(out.Passes) == 0 {
		return ops.Plan{}, o.nothing(out, nil)
	}
	p := ops.New(o.Name(), fmt.Sprintf("compact conversation %d: an estimate", o.Conversation))
	p.Impact = impact(out)
	p.Impact.ItemsBefore, p.Impact.ItemsAfter = len(out.Before), len(out.Context)
	p.Contexts = []ops.ContextChange{{Conversation: o.Conversation, Before: out.Before, After: unwritten(out)}}
	if err := summarize.CheckNamed(o.Model); err != nil {
		p.Warn(err.Error())
	}
	p.Note(fmt.Sprintf("about %s would be made, in %s of %s", kinds(out), ops.Count(p.Impact.ModelCalls, "call", "calls"), o.modelName()))
	p.More, p.Price, p.Model = true, summarize.EstimateCost(o.Model, out.Usage).Price(), o.modelName()
	p.Note("estimated cost: " + p.Price)
	p.Note("sizes of summaries that don't exist yet are their targets; a real one may be smaller, and the number of passes another")
	p.Note("no model was called and nothing can be written yet: run it with --generate, or x on the screen")
	return p, nil
}

func (o *Op) modelName() string {
	if o.Model == nil {
		return "no model"
	}
	return o.Model.Name()
}

// unwritten is the context that an estimate leads to. The texts that stand in for
// summaries there say nothing.
func unwritten(out compact.Outcome) []data.ContextItem {
	made := map[string]bool{}
	for _, n := range out.New {
		made[n.ID] = true
	}
	items := slices.Clone(out.Context)
	for i := range items {
		if made[items[i].Summary] {
			items[i].Preview = "not written yet"
		}
	}
	return items
}

// kinds says how many summaries of which kind were made.
func kinds(out compact.Outcome) string {
	var leaves, condensed int
	for _, p := range out.Passes {
		if p.Kind == data.KindLeaf {
			leaves++
		} else {
			condensed++
		}
	}
	return ops.Count(leaves, "leaf", "leaves") + " and " + ops.Count(condensed, "condensed summary", "condensed summaries")
}

func impact(out compact.Outcome) ops.Impact {
	return ops.Impact{
		TokensBefore: out.TokensBefore, TokensAfter: out.TokensAfter,
		ModelCalls: out.Usage.Calls, InputTokens: out.Usage.InputTokens, OutputTokens: out.Usage.OutputTokens,
	}
}

// plan turns what a run made into rows.
func (o *Op) plan(ctx context.Context, db *data.DB, out compact.Outcome) (ops.Plan, error) {
	p := ops.New(o.Name(), fmt.Sprintf("compact conversation %d: %s", o.Conversation, kinds(out)))
	if err := p.ChangeContext(ctx, db, o.Conversation, out.Before, out.Context); err != nil {
		return p, err
	}
	spent := impact(out)
	p.Impact.ModelCalls, p.Impact.InputTokens, p.Impact.OutputTokens = spent.ModelCalls, spent.InputTokens, spent.OutputTokens
	for _, n := range out.New {
		p.Changes = append(p.Changes, db.Insert("summaries", db.SummaryRow(n.Summary)))
		for i, id := range n.Messages {
			p.Changes = append(p.Changes, db.Insert("summary_messages", data.Row{"summary_id": n.ID, "message_id": id, "ordinal": int64(i)}))
		}
		for i, id := range n.Sources {
			p.Changes = append(p.Changes, db.Insert("summary_parents", data.Row{"summary_id": n.ID, "parent_summary_id": id, "ordinal": int64(i)}))
		}
	}
	texts := map[string]string{}
	for _, n := range out.New {
		texts[n.ID] = n.Content
	}
	for _, pass := range out.Passes {
		p.Texts = append(p.Texts, ops.Text{ID: pass.Summary, Before: pass.Source, After: texts[pass.Summary], Made: true})
	}
	if err := summarize.CheckNamed(o.Model); err != nil {
		p.Refuse(err)
	}
	p.Note("stopped because: " + string(out.Stopped))
	p.Note("cost: " + out.Usage.Price())
	if saved := out.Usage.Saved(); saved != "" {
		p.Note(saved)
	}
	return p, nil
}

// warn says what is to be looked at before it's written.
func (o *Op) warn(ctx context.Context, db *data.DB, p *ops.Plan, out compact.Outcome) error {
	for _, pass := range out.Passes {
		switch pass.Level {
		case summarize.LevelFallback:
			p.Warn(pass.Summary + " is the deterministic fallback: its source cut off, which is what operators come to repair")
		case summarize.LevelCapped:
			p.Warn(pass.Summary + " was too long and is cut off")
		}
	}
	m, err := db.Maintenance(ctx, o.Conversation)
	if m.Running {
		p.Warn("the host notes that it is compacting this conversation now; if it is, both summaries may stand in the context, and nothing is lost")
	}
	return err
}
