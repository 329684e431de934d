package ask

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/search"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/sorting"
)

// maxMatches is how many matches a search gives.
const maxMatches = 50

// matchingCandidates are the summaries of a scope that a full-text search finds, newest first.
func matchingCandidates(ctx context.Context, db *data.DB, query string, scope retrieve.Scope) ([]candidate, error) {
	ids, err := matchingSummaries(ctx, db, query, scope, maxMatches)
	if err != nil {
		return nil, err
	}
	return readCandidates(ctx, db, ids)
}

// matchingSummaries are the ids of summaries that hold all words of a query, newest first.
func matchingSummaries(ctx context.Context, db *data.DB, query string, scope retrieve.Scope, limit int) ([]string, error) {
	expression := expressionOf(query)
	if expression == "" || !db.Schema().Searchable(data.SummaryIndex) {
		return nil, nil
	}
	found, err := search.MatchingSummaries(ctx, db, data.SummaryIndex, expression, inScope(scope))
	if err != nil {
		return nil, err
	}
	sorting.Stable(found, func(a, b *search.SummaryTime) int { return b.At.Compare(a.At.Time) })
	var ids []string
	for _, s := range found[:min(limit, len(found))] {
		ids = append(ids, s.ID)
	}
	return ids, nil
}

// inScope is the condition that a row lies in the scope.
func inScope(scope retrieve.Scope) []search.Condition {
	if scope.All() {
		return nil
	}
	return []search.Condition{{Conversations: scope.IDs()}}
}

// expressionOf has every phrase and word of a query as one term.
func expressionOf(query string) string {
	var groups [][]search.IndexTerm
	for i, part := range strings.Split(query, `"`) {
		words := []string{part}
		if i%2 == 0 {
			words = strings.Fields(part)
		}
		for _, w := range words {
			if strings.TrimSpace(w) != "" {
				groups = append(groups, []search.IndexTerm{{Text: w}})
			}
		}
	}
	return search.IndexExpression(groups, nil)
}

// messageBackedCandidates are the leaves that hold messages which a search finds, where no
// conversation of the scope has summaries of summaries: there much is in no summary's text.
func messageBackedCandidates(ctx context.Context, db *data.DB, query string, scope retrieve.Scope) (out []candidate, err error) {
	if shallow, err := isShallow(ctx, db, scope); err != nil || !shallow {
		return nil, err
	}
	found, err := matchingMessages(ctx, db, query, scope, maxMatches)
	if err != nil {
		return nil, err
	}
	for _, m := range found {
		links, err := db.LeafLinks(ctx, m.ID)
		if err != nil {
			return nil, err
		}
		for _, l := range links {
			if slices.ContainsFunc(out, func(c candidate) bool { return c.id == l.Summary }) {
				continue
			}
			read, err := readCandidates(ctx, db, []string{l.Summary})
			if err != nil {
				return nil, err
			}
			for _, c := range read {
				if scope.Contains(c.conversation) {
					c.messageBacked, c.matched = true, m.At.Time
					out = append(out, c)
				}
			}
		}
	}
	return out, nil
}

// matchingMessages are messages that hold all words of a query, newest first.
func matchingMessages(ctx context.Context, db *data.DB, query string, scope retrieve.Scope, limit int) ([]search.MessageTime, error) {
	expression := expressionOf(query)
	r, ok, err := search.MessageRange(ctx, db, scope.IDs())
	if err != nil || !ok || expression == "" || !db.Schema().Searchable(data.MessageIndex) {
		return nil, err
	}
	ids, err := search.MatchingMessages(ctx, db, expression, r, false, limit)
	if err != nil {
		return nil, err
	}
	found, err := search.MessageTimes(ctx, db, ids, inScope(scope))
	sorting.Stable(found, func(a, b *search.MessageTime) int { return b.At.Compare(a.At.Time) })
	return found, err
}

type grepArguments struct {
	Pattern string  `json:"pattern"`
	Limit   float64 `json:"limit"`
}

// grep searches the summaries of the grant.
func (t *Tools) grep(ctx context.Context, a grepArguments) (string, error) {
	ids, err := t.matching(ctx, a.Pattern)
	if err != nil {
		return "", err
	}
	if len(ids) == 0 {
		return "No matches found.", nil
	}
	return "Summaries that match: " + strings.Join(ids, ", "), nil
}

// matching are the summaries of the grant that a full-text search finds.
func (t *Tools) matching(ctx context.Context, query string) ([]string, error) {
	return matchingSummaries(ctx, t.DB, query, t.scope(), maxMatches)
}
