package repair

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/regenerate"
	"lcm-tui/ops"
)

// filePlan joins the plans of all conversations.
type filePlan struct {
	ops.Plan
	op       *Op
	joined   int // How many plans it holds.
	repaired map[integrity.FaultID]int
	left     []string   // What stays in conversations of which nothing is repaired.
	items    []ops.Item // Their findings.
	failed   error      // Why a model failed in one of these; the first one's.
}

// planAll plans the repair of the file and of all its conversations.
func (o *Op) planAll(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	found, err := integrity.Check(ctx, db, integrity.Request{FilesDir: o.FilesDir, Limits: o.Limits}, report)
	if err != nil {
		return ops.Plan{}, err
	}
	if err := o.checkNames(found.Findings); err != nil {
		return ops.Plan{}, err
	}
	return o.planFile(ctx, db, found.Findings, report)
}

// planFile plans the repair of what was found in the file and in all its conversations.
func (o *Op) planFile(ctx context.Context, db *data.DB, found []integrity.Finding, report data.Report) (ops.Plan, error) {
	all := filePlan{Plan: ops.New(verb, ""), op: o, repaired: map[integrity.FaultID]int{}}
	conversations := o.mergedFirst(conversations(found), found)
	for i, conversation := range conversations {
		report(i, len(conversations), lcm.Label(ctx, db, conversation))
		if err := all.add(ctx, db, o.of(conversation, found), report); err != nil {
			return ops.Plan{}, err
		}
	}
	return all.finish(found)
}

// of returns the operation for one conversation of a file whose findings are known.
func (o *Op) of(conversation int64, found []integrity.Finding) *Op {
	one := *o
	one.All, one.Conversation, one.checked, one.found = false, conversation, true, nil
	for _, f := range found {
		if f.Conversation == conversation {
			one.found = append(one.found, f)
		}
	}
	return &one
}

// add plans the repair of one conversation and joins it. A conversation that can't be
// repaired becomes a warning once another one's plan is there, which a model may have been
// paid for.
func (p *filePlan) add(ctx context.Context, db *data.DB, o *Op, report data.Report) error {
	name := lcm.Label(ctx, db, o.Conversation)
	plan, repaired, err := o.plan(ctx, db, report)
	var nothing *NothingError
	switch {
	case errors.As(err, &nothing):
		p.left, p.items = append(p.left, nothing.Left...), append(p.items, nothing.Items...)
		if p.failed == nil {
			p.failed = nothing.Failed
		}
		return nil
	case err != nil && (p.joined == 0 || ctx.Err() != nil):
		var stopped *regenerate.StoppedError
		if errors.As(err, &stopped) { // What was made before it ended counts.
			stopped.Cost.Calls += p.Impact.ModelCalls
			stopped.Answers += len(p.Texts)
		}
		return fmt.Errorf("%s: %w", name, err)
	case err != nil:
		p.Warn(fmt.Sprintf("%s: %v", name, err))
		return nil
	}
	if err := ops.Join(&p.Plan, plan, o.Conversation, name); err != nil {
		p.Warn(fmt.Sprintf("%s is not repaired: %v; plan its repair again when this is applied", name, err))
		return nil
	}
	p.joined++
	for fault, n := range repaired {
		p.repaired[fault] += n
	}
	return nil
}

// settle counts findings as repaired of which nothing changed by themselves, where the plan changes their rows for other
// findings of the file.
func (p *filePlan) settle(found []integrity.Finding) {
	changed := map[[2]string]bool{} // By table and what a column holds.
	for _, c := range p.Changes {
		row := c.Before
		if row == nil {
			row = c.After
		}
		for _, v := range row {
			changed[[2]string{c.Table, keyName(v)}] = true
		}
	}
	for i := range p.items {
		item := &p.items[i]
		if item.Reason != elsewhere || !changed[[2]string{item.Table, item.Row}] {
			continue
		}
		for _, f := range found {
			if f.Conversation == item.Conversation && ID(f) == item.ID {
				item.State, item.Action, item.Reason = ops.Included, action(f, item.Choice), ""
			}
		}
	}
}

// finish gives the plan its title and says what stays.
func (p *filePlan) finish(found []integrity.Finding) (ops.Plan, error) {
	if p.joined == 0 {
		return ops.Plan{}, &NothingError{Failed: p.failed, Where: "the file", Faults: p.op.Faults, Left: p.left, Items: p.items}
	}
	p.settle(found)
	p.Items = append(p.Items, p.items...)
	for _, l := range p.left {
		p.Warn("not repaired: " + l)
	}
	for _, u := range p.op.unused(found) {
		p.Warn(u)
	}
	p.Title = "repair the file and its conversations: " + orEstimate(p.repaired)
	return p.Plan, nil
}

// conversations returns those that findings are about, the file itself last: what belongs
// to none may be what a conversation's repair leaves.
func conversations(found []integrity.Finding) (out []int64) {
	seen := map[int64]bool{}
	for _, f := range found {
		if !seen[f.Conversation] {
			seen[f.Conversation] = true
			out = append(out, f.Conversation)
		}
	}
	slices.SortStableFunc(out, func(a, b int64) int {
		switch {
		case a == b:
			return 0
		case a == 0 || b != 0 && a > b:
			return 1
		}
		return -1
	})
	return out
}

// mergedFirst puts those first that the user wants merged into others: what else is wrong
// with these can wait.
func (o *Op) mergedFirst(conversations []int64, found []integrity.Finding) []int64 {
	order := map[int64]int{}
	for _, f := range found {
		if f.Fault == integrity.HistorySplit && o.chosen(f) == "merge" {
			order[f.Conversation] = -1
		}
	}
	slices.SortStableFunc(conversations, func(a, b int64) int { return order[a] - order[b] })
	return conversations
}
