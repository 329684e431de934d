package compact

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/summarize"
)

// draft is a summary that is to be made of a stretch of the context.
type draft struct {
	itemRange
	NewSummary
	source, previous string
}

// leafPass makes a leaf of a chunk of messages. It makes none, and no call, where
// none of them says anything.
func (e *engine) leafPass(ctx context.Context, chunk itemRange, previous string) (n NewSummary, made bool, err error) {
	sources, err := e.messages(ctx, chunk.first, chunk.end)
	if err != nil {
		return n, false, err
	}
	if err := lineage.CheckForgotten(sources); err != nil {
		return n, false, err
	}
	d := draft{itemRange: chunk, source: e.form.Leaf(sources), previous: previous}
	if d.source == "" {
		return n, false, nil
	}
	d.Kind = lcm.KindLeaf
	d.SourceTokens = weight(e.items[chunk.first:chunk.end])
	texts := make([]string, 0, len(sources))
	for _, m := range sources {
		d.Messages = append(d.Messages, m.ID)
		d.extendTimeRange(m.CreatedAt.Time, m.CreatedAt.Time)
		texts = append(texts, e.form.Body(m))
	}
	return e.pass(ctx, d, lcm.MentionedFiles(texts...), len(sources))
}

// condensedPass makes one summary of a run of them.
func (e *engine) condensedPass(ctx context.Context, c candidate) (made bool, err error) {
	sources, err := e.sourcesOf(ctx, c.itemRange)
	if err != nil {
		return false, err
	}
	d := draft{itemRange: c.itemRange, source: e.form.Condensed(sources)}
	if c.depth < summarize.MaxPreviousDepth {
		if d.previous, err = e.previous(ctx, c.first, c.depth); err != nil {
			return false, err
		}
	}
	d.Kind, d.Depth = lcm.KindCondensed, c.depth+1
	var texts []string
	var count lineage.Counters
	for _, s := range sources {
		d.Sources = append(d.Sources, s.ID)
		d.extendTimeRange(orCreated(s.EarliestAt, s), orCreated(s.LatestAt, s))
		count = count.With(lineage.Counters{Descendants: s.Descendants, DescendantTokens: s.DescendantTokens, SourceTokens: s.SourceTokens}, s.Tokens)
		texts = append(texts, s.FileIDs, s.Content)
	}
	d.Descendants, d.DescendantTokens, d.SourceTokens = count.Descendants, count.DescendantTokens, count.SourceTokens
	_, made, err = e.pass(ctx, d, lcm.MentionedFiles(texts...), len(sources))
	return made, err
}

// sourcesOf returns the summaries of an item range, once each.
func (e *engine) sourcesOf(ctx context.Context, c itemRange) (out []lcm.Summary, err error) {
	for _, it := range e.items[c.first:c.end] {
		if slices.ContainsFunc(out, func(s lcm.Summary) bool { return s.ID == it.Summary }) {
			continue
		}
		s, err := e.summary(ctx, it.Summary)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func orCreated(t data.Time, s lcm.Summary) time.Time {
	if t.Valid() {
		return t.Time
	}
	return s.CreatedAt.Time
}

// extendTimeRange extends the time range by another; invalid times are ignored.
func (d *draft) extendTimeRange(earliest, latest time.Time) {
	if !earliest.IsZero() && (!d.EarliestAt.Valid() || earliest.Before(d.EarliestAt.Time)) {
		d.EarliestAt = iso(earliest)
	}
	if latest.After(d.LatestAt.Time) {
		d.LatestAt = iso(latest)
	}
}

// iso returns a time as hosts write the range of a summary.
func iso(t time.Time) data.Time {
	return data.Time{Time: t, Raw: data.FormatTimeMillis(t)}
}

// pass makes the text, and replaces the sources by the summary.
func (e *engine) pass(ctx context.Context, d draft, files []string, sources int) (NewSummary, bool, error) {
	e.report(len(e.out.Passes), e.minPasses(), e.progressNote(d))
	if !d.EarliestAt.Valid() { // Its own time is used.
		d.EarliestAt, d.LatestAt = iso(e.db.Now()), iso(e.db.Now())
	}
	made, err := e.summarize(ctx, &d, sources)
	if err != nil {
		return NewSummary{}, false, err
	}
	if err := e.complete(&d, made, files); err != nil {
		return NewSummary{}, false, err
	}
	p := Pass{
		Kind: d.Kind, Depth: d.Depth, Round: e.round, Summary: d.ID, First: d.first, Count: d.end - d.first,
		Source: d.source, Previous: d.previous, Level: made.Level, Fallback: made.Fallback, Usage: made.Cost, TokensBefore: e.stored(),
	}
	e.counted = max(0, e.counted-weight(e.items[d.first:d.end])+d.Tokens)
	e.replace(d.first, d.end, d.Summary)
	p.TokensAfter = e.stored()
	e.out.Passes, e.out.New = append(e.out.Passes, p), append(e.out.New, d.NewSummary)
	e.out.Level = made.Level
	e.out.Condensed = e.out.Condensed || d.Condensed()
	return d.NewSummary, true, nil
}

// complete fills in the columns that depend on the text.
func (e *engine) complete(d *draft, made summarize.Result, files []string) error {
	now := e.db.Now().UTC()
	if d.ID == "" {
		d.ID = idPrefix + e.db.NewID()
	}
	d.Conversation = e.conv
	d.Content, d.Bytes, d.Tokens = made.Text, int64(len(made.Text)), made.Tokens
	d.CreatedAt = data.Time{Time: now.Truncate(time.Second), Raw: e.db.FormatNow()}
	d.Model = cmp.Or(made.Model, unknownModel)
	ids, err := json.Marshal(files)
	d.FileIDs = string(ids)
	return err
}

const (
	idPrefix     = "sum_"
	unknownModel = "unknown" // What the reference engine writes where it knows none.
)

// summarize makes the text that was chosen, or else calls the model; without one it uses the fallback.
func (e *engine) summarize(ctx context.Context, d *draft, sources int) (summarize.Result, error) {
	job := e.Job
	job.Depth, job.Source, job.Previous, job.Children = int(d.Depth), d.source, d.previous, sources
	job.TimeRange = e.form.Range(d.Summary)
	job.TargetTokens, job.Overage = int(e.Config.LeafTargetTokens), e.Config.SummaryMaxOverageFactor
	if d.Depth > 0 {
		job.TargetTokens = int(e.Config.CondensedTargetTokens)
	}
	job.Fallback, job.FallbackTokens = e.Fallback, e.Config.FallbackMaxTokens
	job.Instructions = strings.TrimSpace(e.Config.CustomInstructions)
	made, err := e.Choices.make(d, job, func(job summarize.Job) (summarize.Result, error) { return summarize.Summarize(ctx, e.model, job) })
	if _, nobody := e.model.(emptyModel); nobody {
		made.Cost = summarize.Cost{}
	}
	e.out.Usage = e.out.Usage.Plus(made.Cost)
	return made, err
}

// ErrNoModel says that a run has neither a model nor the permission for fallbacks.
var ErrNoModel = errors.New("there is no model to summarize with")

// emptyModel is a model with empty answers, so that the fallback is used.
type emptyModel struct{}

// Name implements summarize.Model.
func (emptyModel) Name() string { return unknownModel }

// Summarize implements summarize.Model.
func (emptyModel) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	return summarize.Reply{}, nil
}
