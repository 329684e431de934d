package regenerate

import (
	"context"
	"maps"
	"slices"
	"strings"

	"lcm-tui/engine/summarize"
)

// Estimate is what the pending summaries of a batch would cost. Those that are Cached need no
// call.
type Estimate struct {
	summarize.Cost
	Sourceless []string // Ids of those that have no source text any more.
}

// Texts returns how many summaries would have a new text.
func (f Estimate) Texts() int { return f.Calls + f.Cached }

// Estimate says what Generate would cost, without a call. Cached answers become new texts in
// a trial, so that the requests of the summaries above them are found in the cache too.
func (b *Batch) Estimate(ctx context.Context) (f Estimate, err error) {
	trial := &Batch{
		Options: b.Options, DB: b.DB, Graph: b.Graph, Nodes: b.Nodes, Skip: b.Skip, Attempts: b.Attempts, Broken: b.Broken,
		Texts: maps.Clone(b.Texts), estimating: true, refused: b.refused,
	}
	cached := summarize.CachedOnly(b.Model)
	unknown := map[string]bool{} // Summaries whose new texts aren't known.
	for _, n := range b.Pending() {
		job, err := trial.JobFor(ctx, n)
		if err != nil {
			return f, err
		}
		if strings.TrimSpace(job.Source) == "" {
			f.Sourceless = append(f.Sourceless, n.ID)
			continue
		}
		dependent := slices.ContainsFunc(n.Sources, func(id string) bool { return unknown[id] })
		if cached != nil && !dependent {
			if r, err := summarize.Summarize(ctx, cached, job); err == nil {
				f.Cached++
				trial.Texts[n.ID] = Text{r.Text, r.Model, r.Level}
				continue
			}
		}
		f.Calls++
		unknown[n.ID] = true
		r, err := job.Request(summarize.Normal)
		if err != nil {
			return f, err
		}
		f.InputTokens += job.Estimator.Count(r.System) + job.Estimator.Count(r.Prompt)
		f.OutputTokens += int64(r.Target)
	}
	if b.Model != nil {
		f.Cost = summarize.EstimateCost(b.Model, f.Cost)
	}
	return f, nil
}
