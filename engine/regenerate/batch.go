package regenerate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/parallel"
)

// Options is how summaries are made.
type Options struct {
	// Model makes them.
	Model summarize.Model
	// Ask allows that it's called; without, the plan is an estimate.
	Ask bool
	// Jobs is how many calls may run at once; 0 is one.
	Jobs int
	// Form is how source texts are written. Job holds what all summaries have in
	// common; its source, previous text and depth are filled in for each.
	Form summarize.Form
	Job  summarize.Job
	// LeafTarget and CondensedTarget are the configured sizes, in tokens.
	LeafTarget, CondensedTarget int
	// Items takes down how far each summary is; it may be nil.
	Items *Progress
}

// Batch is one run over summaries of a conversation.
type Batch struct {
	Options
	DB    *data.DB
	Graph *lineage.Graph
	Nodes []*lineage.Node // Sources before what was made of them.
	// Skip are the ids of those that keep their text; Attempts is how often another text
	// was wanted, by id.
	Skip     map[string]bool
	Attempts map[string]int
	// Broken are the ids of summaries whose stored text no model may see: neither as a
	// source, unless it has been made anew, nor as what came before.
	Broken map[string]bool

	Texts    map[string]Text // New texts by id; those that are there aren't asked for.
	Failures []Failure
	Cost     summarize.Cost
	// estimating lets broken sources stand for the new texts that they would get.
	estimating bool
	answers    int // Texts that were made in this run.
	mu         sync.Mutex
}

// Text is a new text and what made it.
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

// ErrNoSource says that nothing is left of what a summary was made of.
var ErrNoSource = errors.New("it has no source text left")

// Open are the summaries that have no new text yet.
func (b *Batch) Pending() (out []*lineage.Node) {
	for _, n := range b.Nodes {
		if _, ok := b.Texts[n.ID]; !ok && !b.Skip[n.ID] {
			out = append(out, n)
		}
	}
	return out
}

// Generate asks the model for every open summary. One waits for its sources, so
// that it is made of their new texts; otherwise they are made side by side. What
// fails keeps its old text, and the others are made all the same, since they cost
// money: only a cancel, or a failure after which no call can succeed, ends the run.
// Its error is then a *StoppedError. report is called by one goroutine.
func (b *Batch) Generate(ctx context.Context, report data.Report) error {
	open := b.Pending()
	for _, n := range b.Nodes {
		b.Items.Set(Item{ID: n.ID, State: b.state(n.ID)})
	}
	b.Items.begin()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	group, ctx := errgroup.WithContext(ctx)
	finished := make(chan struct{}, len(open)) // No call waits for who looks on.
	b.start(ctx, end, group, open, finished)
	var err error
	go func() {
		err = group.Wait()
		close(finished)
	}()
	n := 0
	for range finished {
		n++
		report(n, len(open), "asking "+b.Model.Name())
	}
	if err == nil {
		return nil
	}
	b.Items.stop()
	return &StoppedError{Err: err, Cost: b.Cost, Answers: b.answers, Kept: summarize.Keeps(b.Model)}
}

// start starts a goroutine for each summary, which waits for its sources and for its
// turn. What ends the run is told to end.
func (b *Batch) start(ctx context.Context, end func(error), group *errgroup.Group, open []*lineage.Node, finished chan<- struct{}) {
	slots := make(chan struct{}, max(1, b.Jobs))
	done := map[string]chan struct{}{}
	for _, n := range open {
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

// state is where a summary stands before the run.
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

// make asks for one summary.
func (b *Batch) generate(ctx context.Context, n *lineage.Node) error {
	job, err := b.JobFor(ctx, n)
	var broken *BrokenError
	if errors.As(err, &broken) {
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

// BrokenError says that a summary can't be made because a source is broken itself and
// has no new text.
type BrokenError struct{ Source string }

func (e *BrokenError) Error() string {
	return "its source " + e.Source + " is broken and was not made anew"
}

// JobFor is what a summary is made of now.
func (b *Batch) JobFor(ctx context.Context, n *lineage.Node) (summarize.Job, error) {
	j := b.Job
	j.Depth, j.TargetTokens, j.Attempt = int(n.Depth), b.LeafTarget, b.Attempts[n.ID]
	var err error
	if n.Condensed() || len(n.Sources) > 0 {
		j.TargetTokens = b.CondensedTarget
		err = b.condensedSource(ctx, n, &j)
	} else {
		var messages []data.Message
		messages, err = b.DB.LeafMessages(ctx, n.ID)
		j.Source, j.Children = b.Form.Leaf(messages), len(messages)
	}
	if err != nil {
		return j, err
	}
	j.TimeRange = b.Form.Range(n.Summary)
	j.Previous, err = b.Form.Before(ctx, b.DB, b.Graph, n.ID, b.Broken)
	return j, err
}

// condensedSource takes the new texts of sources that have one.
func (b *Batch) condensedSource(ctx context.Context, n *lineage.Node, j *summarize.Job) error {
	var sources []data.Summary
	for _, id := range n.Sources {
		s, err := b.DB.Summary(ctx, id)
		if errors.Is(err, data.ErrNotFound) || id == n.ID {
			continue // The link leads nowhere; what is left is summarized.
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
