package ask

import (
	"context"
	"errors"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/retrieve"
)

// candidates returns the summaries from which an answer may start, in their order: those that the
// caller named, then those that a search finds. Words are those of the prompt where they found them.
func candidates(ctx context.Context, db *data.DB, p Params, scope retrieve.Scope) (found []candidate, words []promptWord, err error) {
	oneByOne := scope.All() || p.AllConversations
	if p.FromPrompt {
		found, words, err = promptCandidates(ctx, db, p.Prompt, scope)
		if err == nil && len(found) == 0 && !oneByOne {
			found, err = promptMessageCandidates(ctx, db, words, scope)
		}
		return found, words, err
	}
	found, err = namedCandidates(ctx, db, p, scope)
	if err != nil || p.Query == "" {
		return found, nil, err
	}
	matching, err := queryCandidates(ctx, db, p, scope)
	for _, c := range matching {
		if !slices.Contains(p.SummaryIDs, c.id) {
			found = append(found, c)
		}
	}
	return found, nil, err
}

// queryCandidates returns the summaries that the query finds, else leaves whose messages it finds.
func queryCandidates(ctx context.Context, db *data.DB, p Params, scope retrieve.Scope) ([]candidate, error) {
	found, err := matchingCandidates(ctx, db, p.Query, scope)
	if err != nil || len(found) > 0 || scope.All() || p.AllConversations {
		return found, err
	}
	return messageBackedCandidates(ctx, db, p.Query, scope)
}

// namedCandidates returns the summaries that the caller named. All of them must be there and in the scope.
func namedCandidates(ctx context.Context, db *data.DB, p Params, scope retrieve.Scope) (out []candidate, err error) {
	for _, id := range p.SummaryIDs {
		s, err := lcm.ReadSummary(ctx, db, id)
		switch {
		case errors.Is(err, data.ErrNotFound):
			return nil, unknownSummary(id)
		case err != nil:
			return nil, err
		case !scope.Contains(s.Conversation): // Outside of the scope it isn't told what there is.
			return nil, unknownSummary(id)
		}
		c := newCandidate(s)
		c.named = true
		out = append(out, c)
	}
	return out, nil
}

func newCandidate(s lcm.Summary) candidate {
	at := s.LatestAt
	if !at.Valid() {
		at = s.CreatedAt
	}
	return candidate{id: s.ID, conversation: s.Conversation, matched: at.Time, content: s.Content}
}

// readCandidates makes candidates of the ids of summaries. One that is gone since it was found is left out.
func readCandidates(ctx context.Context, db *data.DB, ids []string) (out []candidate, err error) {
	for _, id := range ids {
		s, err := lcm.ReadSummary(ctx, db, id)
		if errors.Is(err, data.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, newCandidate(s))
	}
	return out, nil
}

// isShallow reports whether every conversation of a scope has summaries of depth 1 at most, so
// that few of its messages stand in the text of a summary.
func isShallow(ctx context.Context, db *data.DB, scope retrieve.Scope) (bool, error) {
	for _, id := range scope.IDs() {
		stats, err := lcm.ReadStats(ctx, db, id)
		if err != nil || stats.MaxDepth() > 1 {
			return false, err
		}
	}
	return true, nil
}
