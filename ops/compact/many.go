package compact

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/ops"
)

// Many compacts several conversations. As one plan all of it is written, or nothing; in
// batches, the conversations that have so many rows to change together. Those with
// nothing to compact are passed over.
type Many struct {
	Ops []*Op
	// Rows is how many rows a batch changes at least, if there are so many; 0 is a
	// number with which hosts hardly notice the write.
	Rows int

	ends []int // Of each batch, the operation behind it.
}

// mostRows take a tenth of a second to write, or a few on a slow machine.
const mostRows = 5000

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

// batch is one part of many.
type batch struct {
	*Many
	n int
}

// Plan implements ops.Op. What is planned again begins where it began before.
func (b *batch) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	from := 0
	if b.n > 0 {
		from = b.ends[b.n-1]
	}
	all := b.Generating().(*Many)
	p, end, err := all.plan(ctx, db, report, from, cmp.Or(b.Rows, mostRows))
	b.ends = append(b.ends[:b.n], end)
	return p, err
}

// Plan implements ops.Op.
func (m *Many) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	p, _, err := m.plan(ctx, db, report, 0, 0)
	return p, err
}

// plan is that of the operations from one on, until so many rows change, and the next
// operation. 0 is any number of rows.
func (m *Many) plan(ctx context.Context, db *data.DB, report data.Report, from, rows int) (all ops.Plan, end int, err error) {
	all = ops.New(m.Name(), "")
	n, estimate := 0, false
	var failed, passed error
	for end = from; end < len(m.Ops) && (rows == 0 || len(all.Changes) < rows); end++ {
		o := m.Ops[end]
		p, err := o.Plan(ctx, db, m.reporting(report, end))
		if err != nil && !errors.Is(err, ops.ErrNothing) {
			err = fmt.Errorf("conversation %d: %w", o.Conversation, err)
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
		if err := ops.Join(&all, p, o.Conversation); err != nil {
			return ops.Plan{}, end, err
		}
	}
	switch {
	case n == 0 && failed != nil:
		return ops.Plan{}, end, failed
	case n == 0:
		return ops.Plan{}, end, m.nothing(passed)
	}
	all.Partial = cmp.Or(all.Partial, failed)
	all.Title = "compact " + ops.Count(n, "conversation", "conversations")
	if estimate {
		all.Title += ": an estimate"
	}
	return all, end, nil
}

// nothing is the error of a plan in which no conversation is compacted; why is that of the
// first one.
func (m *Many) nothing(why error) error {
	if len(m.Ops) == 0 || why == nil {
		return fmt.Errorf("compact: no active conversation is over its threshold: %w", ops.ErrNothing)
	}
	return fmt.Errorf("compact: %s asked for, and none compacted: conversation %d: %w",
		ops.Count(len(m.Ops), "conversation", "conversations"), m.Ops[0].Conversation, why)
}

// reporting tells of one of the conversations.
func (m *Many) reporting(report data.Report, i int) data.Report {
	name := fmt.Sprintf("conversation %d", m.Ops[i].Conversation)
	report(i, len(m.Ops), name)
	return func(_, _ int, note string) { report(i, len(m.Ops), name+": "+note) }
}
