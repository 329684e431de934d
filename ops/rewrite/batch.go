package rewrite

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
	"lcm-tui/ops"
)

// batch is one run over the picked summaries.
type batch struct {
	op    *Op
	db    *data.DB
	graph *lineage.Graph
	nodes []*lineage.Node // Sources before what was made of them.

	mu     sync.Mutex
	made   map[string]made
	failed []failure
	cost   summarize.Cost
}

// made is a new text and what made it.
type made struct {
	text, model string
	level       summarize.Level
}

// failure is a summary that keeps its old text.
type failure struct {
	id  string
	err error
}

// open are the summaries that have no new text yet.
func (b *batch) open() (out []*lineage.Node) {
	for _, n := range b.nodes {
		if _, ok := b.made[n.ID]; !ok && !b.op.Skip[n.ID] {
			out = append(out, n)
		}
	}
	return out
}

// generate asks the model for every open summary. One waits for its sources, so
// that it is made of their new texts; otherwise they are made side by side. What
// fails keeps its old text, and the others are made all the same, since they cost
// money: only a refused key or a cancel ends the run.
func (b *batch) generate(ctx context.Context, report data.Report) error {
	open := b.open()
	for _, n := range b.nodes {
		b.op.Items.Set(ops.Item{ID: n.ID, State: b.state(n.ID)})
	}
	done := map[string]chan struct{}{}
	for _, n := range open {
		done[n.ID] = make(chan struct{})
	}
	group, ctx := errgroup.WithContext(ctx)
	slots := make(chan struct{}, max(1, b.op.Jobs))
	finished := 0
	order := map[string]int{}
	for i, n := range open {
		order[n.ID] = i
	}
	for i, n := range open {
		group.Go(func() error {
			defer close(done[n.ID])
			for _, source := range n.Sources {
				// A cycle has no first: what stands later in the order isn't waited for.
				if c := done[source]; c != nil && order[source] < i {
					if err := wait(ctx, c); err != nil {
						return err
					}
				}
			}
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return ctx.Err()
			}
			defer func() { <-slots }()
			err := b.make(ctx, n)
			b.mu.Lock()
			finished++
			n := finished
			b.mu.Unlock()
			report(n, len(open), "asking "+b.op.Model.Name())
			return err
		})
	}
	return group.Wait()
}

// state is where a summary stands before the run.
func (b *batch) state(id string) ops.State {
	if _, ok := b.made[id]; ok {
		return ops.Ready
	}
	if b.op.Skip[id] {
		return ops.Skipped
	}
	return ops.Waiting
}

func wait(ctx context.Context, c <-chan struct{}) error {
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// make asks for one summary.
func (b *batch) make(ctx context.Context, n *lineage.Node) error {
	job, err := b.job(ctx, n)
	if err != nil {
		return err
	}
	if strings.TrimSpace(job.Source) == "" {
		b.fail(n.ID, errors.New("it has no source text left"))
		return nil
	}
	b.op.Items.Set(ops.Item{ID: n.ID, State: ops.Asking})
	r, err := summarize.Summarize(ctx, b.op.Model, job)
	b.mu.Lock()
	b.cost = b.cost.Plus(r.Cost)
	b.mu.Unlock()
	switch {
	case errors.Is(err, summarize.ErrAuth), ctx.Err() != nil:
		return errors.Join(err, ctx.Err())
	case err != nil:
		b.fail(n.ID, err)
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.made[n.ID] = made{r.Text, r.Model, r.Level}
	b.op.Items.Set(ops.Item{ID: n.ID, State: ops.Ready})
	return nil
}

func (b *batch) fail(id string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failed = append(b.failed, failure{id, err})
	b.op.Items.Set(ops.Item{ID: id, State: ops.Failed, Why: err.Error()})
}

// job is what a summary is made of now.
func (b *batch) job(ctx context.Context, n *lineage.Node) (summarize.Job, error) {
	j := b.op.Job
	j.Depth, j.TargetTokens, j.Attempt = int(n.Depth), b.op.LeafTarget, b.op.Attempts[n.ID]
	var err error
	if n.Condensed() || len(n.Sources) > 0 {
		j.TargetTokens = b.op.CondensedTarget
		err = b.condensedSource(ctx, n, &j)
	} else {
		var messages []data.Source
		messages, err = b.db.LeafSources(ctx, n.ID)
		j.Source, j.Children = b.op.Form.Leaf(messages), len(messages)
	}
	if err != nil {
		return j, err
	}
	j.TimeRange = b.op.Form.Range(n.Summary)
	j.Previous, err = b.op.Form.Before(ctx, b.db, b.graph, n.ID)
	return j, err
}

// condensedSource takes the new texts of sources that have one.
func (b *batch) condensedSource(ctx context.Context, n *lineage.Node, j *summarize.Job) error {
	var sources []data.Summary
	for _, id := range n.Sources {
		s, err := b.db.Summary(ctx, id)
		if errors.Is(err, data.ErrNotFound) || id == n.ID {
			continue // The link leads nowhere; what is left is summarized.
		}
		if err != nil {
			return fmt.Errorf("read source of %s: %w", n.ID, err)
		}
		b.mu.Lock()
		if m, ok := b.made[id]; ok {
			s.Content = m.text
		}
		b.mu.Unlock()
		sources = append(sources, s)
	}
	j.Source, j.Children = b.op.Form.Condensed(sources), len(sources)
	return nil
}
