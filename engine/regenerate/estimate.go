package regenerate

import (
	"context"
	"maps"
	"slices"
	"strings"

	"lcm-tui/engine/summarize"
)

// Estimate is what the open summaries of a batch would take, as an estimate. Those that
// are Kept were answered before: no call is made for them.
type Estimate struct {
	summarize.Cost
	Sourceless []string // Those that have no source text left.
}

// Texts is how many summaries would have a new text.
func (f Estimate) Texts() int { return f.Calls + f.Kept }

// Foresee says what generating would take. It asks nobody: of answers that are kept it
// makes the texts that generating would make of them, so that what is above them is
// known to be kept as well.
func (b *Batch) Estimate(ctx context.Context) (f Estimate, err error) {
	trial := &Batch{
		Options: b.Options, DB: b.DB, Graph: b.Graph, Nodes: b.Nodes, Skip: b.Skip, Attempts: b.Attempts, Broken: b.Broken,
		Texts: maps.Clone(b.Texts), estimating: true,
	}
	kept := summarize.OnlyKept(b.Model)
	open := map[string]bool{} // Whose new texts nobody knows.
	for _, n := range b.Pending() {
		job, err := trial.JobFor(ctx, n)
		if err != nil {
			return f, err
		}
		if strings.TrimSpace(job.Source) == "" {
			f.Sourceless = append(f.Sourceless, n.ID)
			continue
		}
		unknown := slices.ContainsFunc(n.Sources, func(id string) bool { return open[id] })
		if kept != nil && !unknown {
			if r, err := summarize.Summarize(ctx, kept, job); err == nil {
				f.Kept++
				trial.Texts[n.ID] = Text{r.Text, r.Model, r.Level}
				continue
			}
		}
		f.Calls++
		open[n.ID] = true
		r, err := job.Request(summarize.Normal)
		if err != nil {
			return f, err
		}
		f.InputTokens += job.Estimator.Count(r.System) + job.Estimator.Count(r.Prompt)
		f.OutputTokens += int64(r.Target)
	}
	if b.Model != nil {
		f.Cost = summarize.Foresee(b.Model, f.Cost)
	}
	return f, nil
}
