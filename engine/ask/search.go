package ask

import (
	"context"
	"errors"
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

// matchingSummaries are the ids of summaries that hold all words of a query, newest first. Where
// the search table can't answer, because the file has none, it is broken, or the words are not
// split by blanks, all summaries of the scope are read.
func matchingSummaries(ctx context.Context, db *data.DB, query string, scope retrieve.Scope, limit int) ([]string, error) {
	expression := expressionOf(query)
	if expression == "" {
		return nil, nil
	}
	found, err := []search.SummaryTime(nil), errNoIndex
	if db.Schema().Searchable(data.SummaryIndex) && !strings.ContainsFunc(query, isUnsplit) {
		found, err = search.MatchingSummaries(ctx, db, data.SummaryIndex, expression, inScope(scope))
	}
	if err != nil && ctx.Err() == nil {
		found, err = scannedSummaries(ctx, db, query, scope)
	}
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

var errNoIndex = errors.New("there is no search table")

// isUnsplit reports whether a letter belongs to a script without blanks between words.
func isUnsplit(r rune) bool {
	return r >= 0x2e80 && r <= 0x9fff || r >= 0xf900 && r <= 0xfaff || r >= 0xac00 && r <= 0xd7af
}

// scannedSummaries are the summaries whose text contains every term of a query, whatever the case.
func scannedSummaries(ctx context.Context, db *data.DB, query string, scope retrieve.Scope) (out []search.SummaryTime, err error) {
	terms := termsOf(strings.ToLower(query))
	all, err := search.AllSummaries(ctx, db, inScope(scope))
	if err != nil {
		return nil, err
	}
	const atOnce = 200
	for chunk := range slices.Chunk(all, atOnce) {
		ids := make([]string, len(chunk))
		for i, s := range chunk {
			ids[i] = s.ID
		}
		texts, err := db.SummariesByID(ctx, ids, data.WholeText)
		if err != nil {
			return nil, err
		}
		for _, s := range chunk {
			if containsAll(strings.ToLower(texts[s.ID].Content), terms) {
				out = append(out, s)
			}
		}
	}
	return out, nil
}

func containsAll(text string, terms []string) bool {
	return !slices.ContainsFunc(terms, func(t string) bool { return !strings.Contains(text, t) })
}

// inScope is the condition that a row lies in the scope.
func inScope(scope retrieve.Scope) []search.Condition {
	if scope.All() {
		return nil
	}
	return []search.Condition{{Conversations: scope.IDs()}}
}

// termsOf are the phrases in quotes and the words of a query.
func termsOf(query string) (out []string) {
	for i, part := range strings.Split(query, `"`) {
		words := []string{part}
		if i%2 == 0 {
			words = strings.Fields(part)
		}
		for _, w := range words {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
	}
	return out
}

// expressionOf has every term of a query, as an expression of the search tables.
func expressionOf(query string) string {
	var groups [][]search.IndexTerm
	for _, t := range termsOf(query) {
		groups = append(groups, []search.IndexTerm{{Text: t}})
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

// matchingMessages are messages that hold all words of a query, newest first. Where the search table
// can't answer, the newest messages are read until limit of them match.
func matchingMessages(ctx context.Context, db *data.DB, query string, scope retrieve.Scope, limit int) ([]search.MessageTime, error) {
	expression := expressionOf(query)
	r, ok, err := search.MessageRange(ctx, db, scope.IDs())
	if err != nil || !ok || expression == "" {
		return nil, err
	}
	found, err := []search.MessageTime(nil), errNoIndex
	if db.Schema().Searchable(data.MessageIndex) && !strings.ContainsFunc(query, isUnsplit) {
		found, err = indexedMessages(ctx, db, expression, r, scope)
	}
	if err != nil && ctx.Err() == nil {
		found, err = scannedMessages(ctx, db, query, r, scope, limit)
	}
	sorting.Stable(found, func(a, b *search.MessageTime) int { return b.At.Compare(a.At.Time) })
	return found[:min(limit, len(found))], err
}

// maxIndexed is how many of the newest matches are looked at: between the messages of a scope lie
// those of other conversations.
const maxIndexed = 10_000

func indexedMessages(ctx context.Context, db *data.DB, expression string, r search.IDRange, scope retrieve.Scope) ([]search.MessageTime, error) {
	ids, err := search.MatchingMessages(ctx, db, expression, r, false, maxIndexed)
	if err != nil {
		return nil, err
	}
	return search.MessageTimes(ctx, db, ids, inScope(scope))
}

func scannedMessages(ctx context.Context, db *data.DB, query string, r search.IDRange, scope retrieve.Scope, limit int) (out []search.MessageTime, err error) {
	terms := termsOf(strings.ToLower(query))
	err = search.ScanMessages(ctx, db, r, false, inScope(scope), nil, func(m search.MessageRow) error {
		if containsAll(strings.ToLower(m.Text), terms) {
			out = append(out, search.MessageTime{ID: m.ID, At: m.At})
		}
		if len(out) >= limit {
			return data.ErrEndRows
		}
		return nil
	})
	return out, err
}
