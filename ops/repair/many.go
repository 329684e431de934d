package repair

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/regenerate"
	"lcm-tui/ops"
)

// Many repairs the file and all its conversations as one plan: all of it is written,
// or nothing.
type Many struct {
	// Faults, Choices, FilesDir, Limits, Making and Force are as in Op.
	Faults   []integrity.FaultID
	Choices  map[string]string
	FilesDir string
	Limits   integrity.Limits
	Making   Making
	Force    bool
}

var _ ops.Estimator = (*Many)(nil)

// Name implements ops.Op.
func (*Many) Name() string { return verb }

// Generating implements ops.Generator.
func (m *Many) Generating() ops.Op {
	next := *m
	next.Making.Ask = true
	return &next
}

// Estimating implements ops.Estimator.
func (m *Many) Estimating() ops.Op {
	next := *m
	next.Making.Ask = false
	return &next
}

// Plan implements ops.Op.
func (m *Many) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	found, err := integrity.Check(ctx, db, integrity.Request{FilesDir: m.FilesDir, Limits: m.Limits}, report)
	if err != nil {
		return ops.Plan{}, err
	}
	if err := checkNames(m.Faults, m.Choices, found.Findings, "the file", "lcm-tui doctor lists what is found"); err != nil {
		return ops.Plan{}, err
	}
	all := ops.New(verb, "")
	var left []string
	var failed error
	n, mended := 0, map[integrity.FaultID]int{}
	convs := m.mergersFirst(conversations(found.Findings), found.Findings)
	for i, conv := range convs {
		report(i, len(convs), fmt.Sprintf("conversation %d", conv))
		p, did, err := m.one(ctx, db, conv, found.Findings, report)
		var nothing *NothingError
		switch {
		case errors.As(err, &nothing):
			left = append(left, nothing.Left...)
			if failed == nil {
				failed = nothing.Failed
			}
			continue
		case err != nil && (n == 0 || ctx.Err() != nil):
			var stopped *regenerate.StoppedError
			if errors.As(err, &stopped) { // What was made before it ended counts.
				stopped.Cost.Calls += all.Impact.ModelCalls
				stopped.Answers += len(all.Texts)
			}
			return ops.Plan{}, fmt.Errorf("conversation %d: %w", conv, err)
		case err != nil: // What was made before has been paid for.
			all.Warn(fmt.Sprintf("conversation %d: %v", conv, err))
			continue
		}
		if err := ops.Join(&all, p, conv); err != nil {
			all.Warn(fmt.Sprintf("conversation %d is not repaired: %v; plan its repair again when this is applied", conv, err))
			continue
		}
		n++
		for fault, count := range did {
			mended[fault] += count
		}
	}
	if n == 0 {
		return ops.Plan{}, &NothingError{Failed: failed, Where: "the file", Faults: m.Faults, Left: left}
	}
	for _, l := range left {
		all.Warn("not repaired: " + l)
	}
	for _, u := range unused(m.Choices, found.Findings) {
		all.Warn(u)
	}
	all.Title = "repair the file and its conversations: " + tally(mended)
	return all, nil
}

// conversations are those that findings are about, the file itself last: what belongs
// to none may be what a conversation's repair leaves.
func conversations(fs []integrity.Finding) (out []int64) {
	seen := map[int64]bool{}
	for _, f := range fs {
		if !seen[f.Conversation] {
			seen[f.Conversation] = true
			out = append(out, f.Conversation)
		}
	}
	slices.SortFunc(out, func(a, b int64) int {
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

// mergersFirst puts those first that the user wants merged into others: what else is wrong
// with these can wait.
func (m *Many) mergersFirst(convs []int64, fs []integrity.Finding) []int64 {
	o := &Op{Choices: m.Choices}
	merged := map[int64]int{}
	for _, f := range fs {
		if f.Fault == integrity.HistorySplit && o.chosen(f) == "merge" {
			merged[f.Conversation] = -1
		}
	}
	slices.SortStableFunc(convs, func(a, b int64) int { return merged[a] - merged[b] })
	return convs
}

func (m *Many) one(ctx context.Context, db *data.DB, conv int64, fs []integrity.Finding, report data.Report) (ops.Plan, map[integrity.FaultID]int, error) {
	o := &Op{Conversation: conv, Faults: m.Faults, Choices: m.Choices, FilesDir: m.FilesDir, Making: m.Making, Force: m.Force, known: true}
	for _, f := range fs {
		if f.Conversation == conv {
			o.found = append(o.found, f)
		}
	}
	return o.plan(ctx, db, report)
}
