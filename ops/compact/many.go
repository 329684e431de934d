package compact

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Many compacts several conversations: in one plan, all of which is written or nothing, or
// in batches of conversations that change a number of rows together. Conversations with
// nothing to compact are skipped.
type Many struct {
	Ops []*Op
	// Rows is how many rows a batch changes at least, if there are so many; 0 is
	// defaultRows.
	Rows int

	ends []int // For each batch, the index of the operation after it.
}

// defaultRows is how many rows take about a tenth of a second to write.
const defaultRows = 5000

var (
	_ ops.Generator = (*Many)(nil)
	_ ops.Batcher   = (*Many)(nil)
)

// Name implements ops.Op.
func (*Many) Name() string { return "compact" }

// Generating implements ops.Generator.
func (m *Many) Generating() ops.Op {
	next := &Many{Rows: m.Rows}
	for _, o := range m.Ops {
		next.Ops = append(next.Ops, o.Generating().(*Op))
	}
	return next
}

// Batch implements ops.Batcher.
func (m *Many) Batch(n int) ops.Op { return &batch{m, n} }

// batch is one part of the operations.
type batch struct {
	*Many
	n int
}

// Plan implements ops.Op. A batch that is planned again begins where it began before.
func (b *batch) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	from := 0
	if b.n > 0 {
		from = b.ends[b.n-1]
	}
	all := b.Generating().(*Many)
	p, end, err := all.plan(ctx, db, report, from, cmp.Or(b.Rows, defaultRows))
	b.ends = append(b.ends[:b.n], end)
	return p, err
}

// Plan implements ops.Op.
func (m *Many) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	p, _, err := m.plan(ctx, db, report, 0, 0)
	return p, err
}

// plan plans the operations from an index on until the plan changes a number of rows, and
// gives the index after the last. 0 rows is no limit.
func (m *Many) plan(ctx context.Context, db *data.DB, report data.Report, from, rows int) (all ops.Plan, end int, err error) {
	all = ops.New(m.Name(), "")
	n, estimate := 0, false
	var failed, passed error
	for end = from; end < len(m.Ops) && (rows == 0 || len(all.Changes) < rows); end++ {
		o := m.Ops[end]
		name := lcm.Label(ctx, db, o.Conversation)
		p, err := o.Plan(ctx, db, m.reportFor(report, end, name))
		if err != nil && !errors.Is(err, ops.ErrNothing) {
			err = fmt.Errorf("%s: %w", name, err)
		}
		switch {
		case errors.Is(err, ops.ErrNothing):
			passed = cmp.Or(passed, err)
			continue
		case err != nil && (n == 0 && from == 0 || ctx.Err() != nil):
			return ops.Plan{}, end, err
		case err != nil: // What was made before has been paid for.
			all.Warn(err.Error())
			failed = cmp.Or(failed, err)
			continue
		}
		n++
		estimate = estimate || p.Estimate()
		if err := ops.Join(&all, p, o.Conversation, name); err != nil {
			return ops.Plan{}, end, err
		}
	}
	switch {
	case n == 0 && failed != nil:
		return ops.Plan{}, end, failed
	case n == 0:
		return ops.Plan{}, end, m.nothing(ctx, db, passed)
	}
	all.Partial = cmp.Or(all.Partial, failed)
	all.Title = "compact " + plural.Count(n, "conversation", "conversations")
	if estimate {
		all.Title += ": an estimate"
	}
	return all, end, nil
}

// nothing returns the error of a plan in which no conversation is compacted; why is the error of
// the first conversation.
func (m *Many) nothing(ctx context.Context, db *data.DB, why error) error {
	if len(m.Ops) == 0 || why == nil {
		return fmt.Errorf("compact: no active conversation is over its threshold: %w", ops.ErrNothing)
	}
	return fmt.Errorf("compact: none of %s can be compacted: %s: %w",
		plural.Count(len(m.Ops), "conversation", "conversations"), lcm.Label(ctx, db, m.Ops[0].Conversation), why)
}

// reportFor reports about one of the conversations.
func (m *Many) reportFor(report data.Report, i int, name string) data.Report {
	report(i, len(m.Ops), name)
	return func(_, _ int, note string) { report(i, len(m.Ops), name+": "+note) }
}
