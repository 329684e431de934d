package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/textsearch"
	"lcm-tui/engine/summarize"
)

// firstSummaries is how many summaries are read at first: they are long.
const firstSummaries = 10

// summaries searches the texts of summaries.
func (r *run) summaries(ctx context.Context) error {
	found, err := r.candidateSummaries(ctx)
	if err != nil {
		return err
	}
	slices.SortFunc(found, func(a, b textsearch.SummaryTime) int {
		if a.At.Valid() != b.At.Valid() {
			return boolOrder(!a.At.Valid(), !b.At.Valid())
		}
		c := cmp.Or(b.At.Compare(a.At.Time), strings.Compare(a.ID, b.ID))
		if r.oldest() {
			return -c
		}
		return c
	})
	for page := firstSummaries; len(found) > 0; page = min(page*2, lastPage) {
		n := min(page, len(found))
		r.out.next(SummaryKind, found[0].At)
		if goOn, err := r.showSummaries(ctx, found[:n]); err != nil || !goOn {
			return err
		}
		found = found[n:]
	}
	return nil
}

// candidateSummaries returns the summaries that a search table finds, of words or of trigrams, or
// all of them where none can help.
func (r *run) candidateSummaries(ctx context.Context) ([]textsearch.SummaryTime, error) {
	conditions := r.conditions.of(SummaryKind)
	if r.replica != nil {
		return r.replicaSummaries(ctx, conditions)
	}
	table, expression := summaryIndex, r.expression
	if expression == "" {
		table, expression = data.SummaryTrigrams, r.query.trigrams()
	}
	if expression == "" || r.Whole {
		return textsearch.AllSummaries(ctx, r.db, conditions)
	}
	problem := indexProblem(r.db, table)
	if problem == "" {
		found, err := textsearch.MatchingSummaries(ctx, r.db, table, expression, conditions)
		if err == nil || ctx.Err() != nil {
			return found, err
		}
		problem = "the search index of summaries can't be read"
	}
	r.scannedSummaries = true
	if table == summaryIndex { // Without trigrams a search differs in its speed only.
		r.note("%s: the texts of summaries are read one by one", problem)
	}
	return textsearch.AllSummaries(ctx, r.db, conditions)
}

// trigrams returns an expression for the search table of trigrams, which finds any text of three
// characters and more. It is empty if that can't help.
func (q Query) trigrams() string {
	var groups [][]textsearch.IndexTerm
	for _, g := range q.Groups {
		var terms []textsearch.IndexTerm
		for _, t := range g {
			if t.Kind != Regexp && !isIndexable(t.Text) && len([]rune(t.Text)) >= 3 && !strings.Contains(t.Text, `"`) {
				terms = append(terms, textsearch.IndexTerm{Text: t.Text})
			}
		}
		if len(terms) == len(g) {
			groups = append(groups, terms)
		}
	}
	return textsearch.IndexExpression(groups, nil)
}

// showSummaries reads summaries and reports those that the query finds, in their order.
func (r *run) showSummaries(ctx context.Context, page []textsearch.SummaryTime) (goOn bool, err error) {
	place := map[string]int{}
	var ids []string
	for i, s := range page {
		place[s.ID] = i
		ids = append(ids, s.ID)
	}
	rows, err := textsearch.Summaries(ctx, r.db, ids, data.WholeText)
	if err != nil {
		return false, err
	}
	slices.SortFunc(rows, func(a, b textsearch.SummaryRow) int { return place[a.ID] - place[b.ID] })
	hits := make([]Hit, 0, len(rows))
	for i := range rows {
		if h, ok := r.summaryHit(&rows[i]); ok {
			hits = append(hits, h)
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
	}
	return r.out.found(SummaryKind, hits), nil
}

func (r *run) summaryHit(s *textsearch.SummaryRow) (h Hit, ok bool) {
	if r.conditions.markers && summarize.Detect(s.Text, s.Model) == summarize.None {
		return h, false
	}
	if (r.recheck || r.expression == "" || r.scannedSummaries) && !r.query.Matches(s.Text) {
		return h, false
	}
	h = Hit{Kind: SummaryKind, Conversation: s.Conversation, Summary: s.ID, Depth: s.Depth, At: s.At, InContext: s.InContext}
	if !r.conditions.allows(&h) {
		return h, false
	}
	r.query.describe(&h, s.Text, s.Bytes)
	return h, true
}
