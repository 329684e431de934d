package ask

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/retrieve"
)

// maxMatches is how many matches a search gives, maxCountedMatches how many are counted.
const (
	maxMatches        = 50
	maxCountedMatches = 200
)

// matchingCandidates returns the summaries of a scope that a full-text search finds, newest first.
func matchingCandidates(ctx context.Context, db *data.DB, query string, scope retrieve.Scope) ([]candidate, error) {
	ids, err := matchingSummaries(ctx, db, query, scope, maxMatches)
	if err != nil {
		return nil, err
	}
	return readCandidates(ctx, db, ids)
}

// matchingSummaries returns the ids of summaries that hold all words of a query, newest first.
func matchingSummaries(ctx context.Context, db *data.DB, query string, scope retrieve.Scope, limit int64) ([]string, error) {
	found, err := retrieve.GrepRequest{Pattern: query, Literal: true, Mode: retrieve.FullText, In: retrieve.InSummaries, Limit: limit}.Run(ctx, db, scope)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(found.Summaries))
	for i, s := range found.Summaries {
		ids[i] = s.ID
	}
	return ids, nil
}

// messageBackedCandidates returns the leaves that hold messages which a search finds, where no
// conversation of the scope has summaries of summaries: there much is in no summary's text.
func messageBackedCandidates(ctx context.Context, db *data.DB, query string, scope retrieve.Scope) (out []candidate, err error) {
	if shallow, err := isShallow(ctx, db, scope); err != nil || !shallow {
		return nil, err
	}
	found, err := retrieve.GrepRequest{Pattern: query, Literal: true, Mode: retrieve.FullText, In: retrieve.InMessages, Limit: maxMatches}.Run(ctx, db, scope)
	if err != nil {
		return nil, err
	}
	for _, m := range found.Messages {
		links, err := lcm.LeafLinks(ctx, db, m.ID)
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
					c.messageBacked, c.matched = true, data.Time(m.CreatedAt).Time
					out = append(out, c)
				}
			}
		}
	}
	return out, nil
}

// grepArguments are those of lcm_grep for a navigator, which has no files folder.
type grepArguments struct {
	Pattern string   `json:"pattern"`
	Mode    string   `json:"mode"`
	Scope   string   `json:"scope"`
	Limit   *float64 `json:"limit"`
	Sort    string   `json:"sort"`
	Since   string   `json:"since"`
	Before  string   `json:"before"`
}

// grep searches the messages and summaries of the grant. What it shows of a summary is a part of
// its text, so that it can be cited.
func (t *Tools) grep(ctx context.Context, a grepArguments) (string, error) {
	r := retrieve.GrepRequest{
		Pattern: a.Pattern, Mode: retrieve.GrepMode(a.Mode), In: retrieve.GrepIn(a.Scope), Sort: retrieve.GrepSort(a.Sort), Since: a.Since, Before: a.Before,
	}
	if n := wholeNumber(a.Limit); n != nil {
		r.Limit = max(1, *n)
	}
	for _, word := range []struct {
		name, value string
		known       []string
	}{
		{"mode", a.Mode, []string{"", "regex", "full_text"}},
		{"scope", a.Scope, []string{"", "messages", "summaries", "both"}},
		{"sort", a.Sort, []string{"", "recency", "relevance", "hybrid"}},
	} {
		if !slices.Contains(word.known, word.value) {
			return "", &InputError{"there is no " + word.name + " " + foldSpace(word.value, 80), "give " + strings.Join(word.known[1:], ", ")}
		}
	}
	found, err := r.Run(ctx, t.DB, t.scope())
	if err != nil {
		return "", err
	}
	for _, s := range found.Summaries {
		t.Usage.addSeen(s.ID)
	}
	return found.Text(), nil
}
