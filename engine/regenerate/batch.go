package regenerate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/parallel"
)

// Options says how summaries are regenerated.
type Options struct {
	// Model writes the new texts.
	Model summarize.Model
	// Ask allows calls of Model; without it the plan is an estimate.
	Ask bool
	// Jobs is how many calls may run at the same time; 0 is one.
	Jobs int
	// Form is how source texts are written. Job holds what all summaries have in
	// common; its source, previous text and depth are filled in for each.
	Form summarize.Form
	Job  summarize.Job
	// LeafTarget and CondensedTarget are the configured sizes, in tokens.
	LeafTarget, CondensedTarget int
	// Items records the state of each summary; it may be nil.
	Items *Progress
}

// Batch is one run over summaries of a conversation.
type Batch struct {
	Options
	DB    *data.DB
	Graph *lineage.Graph
	Nodes []*lineage.Node // Sources before the summaries made of them.
	// Skip are the ids of nodes that keep their text; Attempts is how often the user wanted
	// another text, by id.
	Skip     map[string]bool
	Attempts map[string]int
	// Broken are the ids of summaries whose stored text no model may see: neither as a
	// source, unless it has been regenerated, nor as previous context.
	Broken map[string]bool

	Texts    map[string]Text // New texts by id; the model isn't asked for those that exist.
	Failures []Failure
	Cost     summarize.Cost
	// estimating uses broken sources in the place of the new texts that they would get.
	estimating bool
	refused    map[string]bool // Summaries of which a source was forgotten.
	answers    int             // How many texts were made in this run.
	mu         sync.Mutex
}

// Text is a new text and the model that made it.
type Text struct {
	Text, Model string
	Level       summarize.Level
}

// ByHand is the Model of a text that a person wrote.
const ByHand = "lcm-tui/by-hand"

// Failure is a summary that keeps its old text, and why.
type Failure struct {
	ID  string
	Err error
}

// ErrNoSource says that a summary has no source text any more.
var ErrNoSource = errors.New("it has no source text left")

// Pending returns the summaries that have no new text yet and may get one.
func (b *Batch) Pending() (out []*lineage.Node) {
	for _, n := range b.Nodes {
		if _, ok := b.Texts[n.ID]; !ok && !b.Skip[n.ID] && !b.refused[n.ID] {
			out = append(out, n)
		}
	}
	return out
}

// RefuseForgotten makes failures of the pending summaries of which a source was forgotten: they
// keep their texts, and no model is asked for them. It is called before Estimate and Generate.
func (b *Batch) RefuseForgotten(ctx context.Context) error {
	var ids []string
	for _, n := range b.Pending() {
		if !n.Condensed() {
			ids = append(ids, n.ID)
		}
	}
	forgotten, err := lineage.ForgottenSources(ctx, b.DB, ids)
	if err != nil {
		return err
	}
	b.refused = map[string]bool{}
	for _, id := range ids {
		if why := forgotten[id]; why != nil {
			b.refused[id] = true
			b.fail(id, why)
		}
	}
	return nil
}

// Generate asks the model for the text of every pending summary. A summary waits for its
// sources, to be made of their new texts; the others are made at the same time. A summary
// that fails keeps its old text, and the run goes on: only a cancel, or a failure after
// which no call can succeed, ends it. The error is then a *StoppedError. report is called
// by one goroutine.
func (b *Batch) Generate(ctx context.Context, report data.Report) error {
	pending := b.Pending()
	for _, n := range b.Nodes {
		if !b.refused[n.ID] {
			b.Items.Set(Item{ID: n.ID, State: b.state(n.ID)})
		}
	}
	b.Items.begin()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	group, ctx := errgroup.WithContext(ctx)
	finished := make(chan struct{}, len(pending)) // No call waits for the report.
	b.start(ctx, end, group, pending, finished)
	var err error
	go func() {
		err = group.Wait()
		close(finished)
	}()
	n := 0
	for range finished {
		n++
		report(n, len(pending), "asking "+b.Model.Name())
	}
	if err == nil {
		return nil
	}
	b.Items.stop()
	return &StoppedError{Err: err, Cost: b.Cost, Answers: b.answers, Cached: summarize.HasCache(b.Model)}
}

// start starts a goroutine for each summary, which waits for its sources and for a slot. An
// error that ends the run is passed to end.
func (b *Batch) start(ctx context.Context, end func(error), group *errgroup.Group, pending []*lineage.Node, finished chan<- struct{}) {
	slots := make(chan struct{}, max(1, b.Jobs))
	done := map[string]chan struct{}{}
	for _, n := range pending {
		var sources []chan struct{}
		for _, source := range n.Sources {
			// A cycle has no first: what stands later in the order isn't waited for.
			if c := done[source]; c != nil {
				sources = append(sources, c)
			}
		}
		made := make(chan struct{})
		done[n.ID] = made
		group.Go(func() error {
			defer close(made)
			for _, c := range sources {
				if err := wait(ctx, c); err != nil {
					return err
				}
			}
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
			}
			if ctx.Err() != nil { // Both may be so, and then either is taken.
				return context.Cause(ctx)
			}
			defer func() { <-slots }()
			err := parallel.Call(func() error { return b.generate(ctx, n) })
			if err != nil {
				end(err) // Before the slot is free for the next call.
			}
			finished <- struct{}{}
			return err
		})
	}
}

// state returns the state of a summary before the run.
func (b *Batch) state(id string) State {
	if _, ok := b.Texts[id]; ok {
		return StateReady
	}
	if b.Skip[id] {
		return StateSkipped
	}
	return StateWaiting
}

func wait(ctx context.Context, c <-chan struct{}) error {
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// generate asks for one summary.
func (b *Batch) generate(ctx context.Context, n *lineage.Node) error {
	job, err := b.JobFor(ctx, n)
	var broken *BrokenError
	var forgotten *lineage.ForgottenError
	if errors.As(err, &broken) || errors.As(err, &forgotten) {
		b.fail(n.ID, err)
		return nil
	}
	if err != nil {
		return err
	}
	if strings.TrimSpace(job.Source) == "" {
		b.fail(n.ID, ErrNoSource)
		return nil
	}
	b.Items.Set(Item{ID: n.ID, State: StateAsking})
	r, err := summarize.Summarize(ctx, b.Model, job)
	b.mu.Lock()
	b.Cost = b.Cost.Plus(r.Cost)
	b.Items.spend(r.Cost)
	b.mu.Unlock()
	switch {
	case err == nil: // However the run ends, it is there.
		b.mu.Lock()
		defer b.mu.Unlock()
		b.Texts[n.ID] = Text{r.Text, r.Model, r.Level}
		b.answers++
		b.Items.Set(Item{ID: n.ID, State: StateReady})
		return nil
	case ctx.Err() != nil:
		return errors.Join(err, context.Cause(ctx))
	case errors.Is(err, summarize.ErrAuth), errors.Is(err, summarize.ErrPermanent):
		b.Items.Set(Item{ID: n.ID, State: StateFailed, Why: err.Error()})
		return err
	}
	b.fail(n.ID, err)
	return nil
}

func (b *Batch) fail(id string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Failures = append(b.Failures, Failure{id, err})
	b.Items.Set(Item{ID: id, State: StateFailed, Why: err.Error()})
}

// BrokenError says that a summary can't be regenerated because a source is broken and has
// no new text.
type BrokenError struct{ Source string }

func (e *BrokenError) Error() string {
	return "its source " + e.Source + " is broken and was not regenerated"
}

// JobFor returns the job of a summary with its current sources.
func (b *Batch) JobFor(ctx context.Context, n *lineage.Node) (summarize.Job, error) {
	j := b.Job
	j.Depth, j.TargetTokens, j.Attempt = int(n.Depth), b.LeafTarget, b.Attempts[n.ID]
	var err error
	var messages []lcm.Message
	if !n.Condensed() {
		messages, err = lcm.LeafMessages(ctx, b.DB, n.ID)
		err = cmp.Or(err, lineage.CheckForgotten(messages))
	}
	switch {
	case err != nil:
	case n.Condensed() || len(messages) == 0 && len(n.Sources) > 0: // Without messages the kind is wrong.
		j.TargetTokens = b.CondensedTarget
		err = b.condensedSource(ctx, n, &j)
	default: // Of a leaf that a summary is linked to as well, the messages count.
		j.Source, j.Children = b.Form.Leaf(messages), len(messages)
	}
	if err != nil {
		return j, err
	}
	j.TimeRange = b.Form.Range(n.Summary)
	j.Previous, err = b.Form.PreviousOf(ctx, b.DB, b.Graph, n.ID, b.Broken)
	return j, err
}

// condensedSource sets the source of a job to the texts of other summaries: the new texts
// where there are some.
func (b *Batch) condensedSource(ctx context.Context, n *lineage.Node, j *summarize.Job) error {
	var sources []lcm.Summary
	for _, id := range n.Sources {
		s, err := lcm.ReadSummary(ctx, b.DB, id)
		if errors.Is(err, data.ErrNotFound) || id == n.ID {
			continue // The link is dangling; the other sources are summarized.
		}
		if err != nil {
			return fmt.Errorf("read source of %s: %w", n.ID, err)
		}
		b.mu.Lock()
		m, made := b.Texts[id]
		b.mu.Unlock()
		switch {
		case made:
			s.Content = m.Text
		case b.Broken[id] && !b.estimating:
			return &BrokenError{id}
		}
		sources = append(sources, s)
	}
	j.Source, j.Children = b.Form.Condensed(sources), len(sources)
	return nil
}
