package remake

import (
	"context"
	"strings"

	"lcm-tui/engine/summarize"
)

// Foreseen is what the open summaries of a batch would take, as an estimate. Of its calls
// those that are Kept were answered before: they cost nothing again, and their tokens
// aren't counted.
type Foreseen struct {
	summarize.Cost
	Sourceless []string // Those that have no source text left.
}

// Foresee says what generating would take. It asks nobody.
func (b *Batch) Foresee(ctx context.Context) (f Foreseen, err error) {
	b.foreseeing = true
	defer func() { b.foreseeing = false }()
	for _, n := range b.Open() {
		job, err := b.JobOf(ctx, n)
		if err != nil {
			return f, err
		}
		if strings.TrimSpace(job.Source) == "" {
			f.Sourceless = append(f.Sourceless, n.ID)
			continue
		}
		r, err := job.Request(summarize.Normal)
		if err != nil {
			return f, err
		}
		f.Calls++
		if summarize.Kept(b.Model, r) {
			f.Kept++
			continue
		}
		f.InputTokens += job.Estimator.Count(r.System) + job.Estimator.Count(r.Prompt)
		f.OutputTokens += int64(r.Target)
	}
	if b.Model != nil {
		paid := f.Cost
		paid.Calls -= f.Kept
		paid = summarize.Foresee(b.Model, paid)
		f.Dollars, f.Unpriced = paid.Dollars, paid.Unpriced
	}
	return f, nil
}
