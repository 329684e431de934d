package compact

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/compact"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/plural"
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
	// EachPass writes each pass when it is made, instead of all at the end; each can be undone
	// by itself.
	EachPass bool
	// progress is how far the sweep came whose passes are the steps; they share it.
	progress *compact.Progress
	// Caveat is a warning about the settings in the request; it may be nil.
	Caveat error
	// Unattended says that nobody reads the warnings of the plan: an unfinished record in the conversation is an error then.
	Unattended bool
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

// Step implements ops.Stepper. The later passes go on where the one before stopped, as in one sweep,
// although the context may be below the threshold by then.
func (o *Op) Step(n int) (ops.Op, bool) {
	limit := o.Request.Config.MaxSweepIterations
	if !o.EachPass || limit > 0 && n >= limit {
		return nil, false
	}
	if n == 0 || o.progress == nil {
		o.progress = new(compact.Progress)
	}
	next := *o
	next.Generate = true
	next.Request.Choices = nil // They are about the whole run.
	next.Request.Config.MaxSweepIterations = 1
	next.Request.Progress = *o.progress
	next.Request.Force = o.Request.Force || n > 0
	return &next, true
}

// Plan implements ops.Op.
func (o *Op) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	conv, err := lcm.ReadConversation(ctx, db, o.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	if conv.OnlyPrompts() {
		return ops.Plan{}, fmt.Errorf("conversation %d has only the prompts of a session, which are never compacted: %w", conv.ID, ops.ErrNothing)
	}
	unfinished, err := change.UnfinishedIn(ctx, db, conv.ID)
	if err == nil && unfinished != nil && o.Unattended {
		err = unfinished
	}
	if err != nil {
		return ops.Plan{}, err
	}
	held := db.Holders(db.Path())
	p, err := o.besideOthers(held).planRun(ctx, db, report, held)
	if err == nil && o.Caveat != nil {
		p.Warn(o.Caveat.Error())
	}
	if err == nil && unfinished != nil {
		p.Warn(fmt.Sprintf("record %d is not finished, and what it wrote stays beside the new summaries until it is undone", unfinished.Record))
	}
	return p, err
}

// planRun plans an estimate or, with Generate, a run.
func (o *Op) planRun(ctx context.Context, db *data.DB, report data.Report, held filesystem.Holders) (ops.Plan, error) {
	if !o.Generate {
		return o.estimate(ctx, db)
	}
	ctx, reads, done, err := ops.Read(ctx, db, o.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	defer done()
	out, err := compact.Run(ctx, db, o.Conversation, o.Request, o.Model, report)
	var partial *compact.PartialError
	if err != nil && !errors.As(err, &partial) {
		return ops.Plan{}, err
	}
	if !out.Acted() {
		return ops.Plan{}, o.nothing(out, err)
	}
	if o.progress != nil {
		*o.progress = out.Progress
	}
	p := o.plan(ctx, db, out)
	var messages []int64
	var summaries []string
	for _, n := range out.New {
		messages, summaries = append(messages, n.Messages...), append(summaries, n.Sources...)
	}
	p.GuardSources(reads, reads.Of(messages, summaries))
	noteUnsettled(&p, out, held)
	if err != nil {
		p.Warn(fmt.Sprintf("the run stopped early; the plan has what was made until then: %v", partial.Err))
		p.Partial = err
	}
	return p, o.warn(ctx, db, &p, out)
}

// nothing returns the error of a run without a summary, with its cost.
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

// ScreenHint says what decides it.
func (e *NothingError) ScreenHint() string {
	switch e.Why {
	case compact.BelowThreshold:
		return "the context is below the threshold, which is a share of the budget"
	case compact.Nothing:
		return "the rest is in the fresh tail, or fewer items than the fanout; the settings show both"
	}
	return ""
}

// Hint says which settings decide it.
func (e *NothingError) Hint() string {
	switch e.Why {
	case compact.BelowThreshold:
		return "--force compacts below the threshold too; the threshold is a share of the budget, which --budget sets"
	case compact.Nothing:
		return "the rest is in the fresh tail, or fewer items than the fanout; lcm-tui config shows both settings"
	}
	return "--until N compacts until the context has at most N tokens"
}

// estimate returns a plan that says what a run would cost, and changes nothing.
func (o *Op) estimate(ctx context.Context, db *data.DB) (ops.Plan, error) {
	out, err := compact.Estimate(ctx, db, o.Conversation, o.Request)
	if err != nil {
		return ops.Plan{}, err
	}
	if len(out.Passes) == 0 {
		return ops.Plan{}, o.nothing(out, nil)
	}
	p := ops.New(o.Name(), fmt.Sprintf("compact %s: an estimate", lcm.Label(ctx, db, o.Conversation)))
	p.Impact = impact(out)
	p.Impact.ItemsBefore, p.Impact.ItemsAfter = len(out.Before), len(out.Context)
	p.Contexts = []ops.ContextChange{{Conversation: o.Conversation, Before: out.Before, After: estimatedContext(out)}}
	if err := summarize.CheckNamed(o.Model); err != nil {
		p.Warn(err.Error())
	}
	p.Note(fmt.Sprintf("about %s would be made, in %s of %s", countKinds(out), plural.Count(p.Impact.ModelCalls, "call", "calls"), o.modelName()))
	p.More, p.Price, p.Model = true, summarize.EstimateCost(o.Model, out.Usage).Price(), o.modelName()
	p.Note("estimated cost: " + p.Price)
	p.Note("new summaries are counted with their target sizes; real ones may be smaller, and so the number of passes may differ")
	p.NoteFlag("no model was called and nothing can be written yet: --generate asks it", "nothing can be written yet: ctrl+x asks the model")
	return p, nil
}

// modelName returns the name of the model, or words for none.
func (o *Op) modelName() string {
	if o.Model == nil {
		return "no model"
	}
	return o.Model.Name()
}

// estimatedContext returns the context after an estimate, without the made-up texts of its
// summaries.
func estimatedContext(out compact.Outcome) []lcm.ContextItem {
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

// countKinds says how many leaves and condensed summaries were made.
func countKinds(out compact.Outcome) string {
	var leaves, condensed int
	for _, p := range out.Passes {
		if p.Kind == lcm.KindLeaf {
			leaves++
		} else {
			condensed++
		}
	}
	return plural.Count(leaves, "leaf", "leaves") + " and " + plural.Count(condensed, "condensed summary", "condensed summaries")
}

// impact returns what a run cost and how it changes the context's size.
func impact(out compact.Outcome) ops.Impact {
	return ops.Impact{
		TokensBefore: out.TokensBefore, TokensAfter: out.TokensAfter,
		ModelCalls: out.Usage.Calls, InputTokens: out.Usage.InputTokens, OutputTokens: out.Usage.OutputTokens,
	}
}

// plan turns what a run made into rows.
func (o *Op) plan(ctx context.Context, db *data.DB, out compact.Outcome) ops.Plan {
	p := ops.New(o.Name(), fmt.Sprintf("compact %s: %s", lcm.Label(ctx, db, o.Conversation), countKinds(out)))
	p.ChangeContext(db, o.Conversation, out.Before, out.Context)
	spent := impact(out)
	p.Impact.ModelCalls, p.Impact.InputTokens, p.Impact.OutputTokens = spent.ModelCalls, spent.InputTokens, spent.OutputTokens
	for _, n := range out.New {
		p.Changes = append(p.Changes, change.Insert(db, "summaries", lcm.SummaryRow(db, n.Summary)))
		for i, id := range n.Messages {
			p.Changes = append(p.Changes, change.Insert(db, "summary_messages", data.Row{"summary_id": n.ID, "message_id": id, "ordinal": int64(i)}))
		}
		for i, id := range n.Sources {
			p.Changes = append(p.Changes, change.Insert(db, "summary_parents", data.Row{"summary_id": n.ID, "parent_summary_id": id, "ordinal": int64(i)}))
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
	if withheld := out.Usage.Withheld(); withheld != "" {
		p.Note(withheld)
	}
	if saved := out.Usage.Saved(); saved != "" {
		p.Note(saved)
	}
	return p
}

// warn adds what the user should look at before the plan is written.
func (o *Op) warn(ctx context.Context, db *data.DB, p *ops.Plan, out compact.Outcome) error {
	for _, pass := range out.Passes {
		switch {
		case pass.Fallback:
			p.Warn(pass.Summary + " is a fallback: the start of its source instead of a summary")
		case pass.Level == summarize.LevelCapped:
			p.Warn(pass.Summary + " was too long and is cut off")
		}
	}
	m, err := lcm.ReadMaintenance(ctx, db, o.Conversation)
	if m.Running {
		p.Warn("the host says that it is compacting this conversation now; its summary and this one may both get into the context, and nothing is lost")
	}
	return err
}
