package compact

import (
	"context"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/ops"
)

// Many compacts several conversations as one plan: all of it is written, or
// nothing. Those with nothing to compact are passed over.
type Many struct {
	Ops []*Op
}

var _ ops.Generator = (*Many)(nil)

// Name implements ops.Op.
func (*Many) Name() string { return "compact" }

// Generating implements ops.Generator.
func (m *Many) Generating() ops.Op {
	next := &Many{}
	for _, o := range m.Ops {
		next.Ops = append(next.Ops, o.Generating().(*Op))
	}
	return next
}

// Plan implements ops.Op.
func (m *Many) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	all := ops.New(m.Name(), "")
	n, estimate := 0, false
	for i, o := range m.Ops {
		report(i, len(m.Ops), fmt.Sprintf("conversation %d", o.Conversation))
		p, err := o.Plan(ctx, db, func(_, _ int, note string) {
			report(i, len(m.Ops), fmt.Sprintf("conversation %d: %s", o.Conversation, note))
		})
		switch {
		case errors.Is(err, ops.ErrNothing):
			continue
		case err != nil && (n == 0 || ctx.Err() != nil):
			return ops.Plan{}, fmt.Errorf("conversation %d: %w", o.Conversation, err)
		case err != nil: // What was made before has been paid for.
			all.Warn(fmt.Sprintf("conversation %d: %v", o.Conversation, err))
			continue
		}
		n++
		estimate = estimate || p.Estimate()
		if err := ops.Join(&all, p, o.Conversation); err != nil {
			return ops.Plan{}, err
		}
	}
	if n == 0 {
		return ops.Plan{}, fmt.Errorf("compact: none of %d conversations is over its threshold: %w", len(m.Ops), ops.ErrNothing)
	}
	all.Title = fmt.Sprintf("compact %d conversations", n)
	if estimate {
		all.Title += ": an estimate"
	}
	return all, nil
}
