package compact

import (
	"context"
	"maps"
	"slices"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/summarize"
)

// itemRange is a range of places in the working context; end is excluded.
type itemRange struct{ first, end int }

func (s itemRange) empty() bool { return s.first == s.end }

// leafChunk returns the oldest run of messages from a place on and outside the fresh
// tail, up to so many tokens: at least one message, however large.
func (s *state) leafChunk(from int, limit int64) itemRange {
	end := s.boundary()
	first := from
	for first < end && s.items[first].IsSummary() {
		first++
	}
	first = min(first, end)
	next, sum := first, int64(0)
	for next < end && !s.items[next].IsSummary() {
		w := s.items[next].weight
		if next > first && (sum >= limit || lcm.AddTokens(sum, w) > limit) {
			break
		}
		sum = lcm.AddTokens(sum, w)
		next++
	}
	return itemRange{first, next}
}

// candidate is a run of summaries of one depth that could be condensed.
type candidate struct {
	itemRange
	depth  int64 // Of the sources.
	count  int   // Of those that aren't blank.
	tokens int64
}

// nextCandidate returns the candidate of the lowest depth that is eligible. Of each depth
// only the oldest run is tried, so one that isn't eligible blocks those behind it,
// as in the reference engine. The depth of its sources is below a limit, of which
// a negative one is none.
func (s *state) nextCandidate(ctx context.Context, c Config, hard bool, limit int) (candidate, bool, error) {
	depths := map[int64]bool{}
	for _, it := range s.items[:s.boundary()] {
		if it.IsSummary() && !it.Missing && isBelow(it.Depth, limit) {
			depths[it.Depth] = true
		}
	}
	for _, depth := range slices.Sorted(maps.Keys(depths)) {
		found, ok, err := s.eligible(ctx, c, depth, hard)
		if ok || err != nil {
			return found, ok, err
		}
	}
	return candidate{}, false, nil
}

// eligible returns the oldest run of a depth, if there is enough in it.
func (s *state) eligible(ctx context.Context, c Config, depth int64, hard bool) (candidate, bool, error) {
	found, err := s.oldestRun(ctx, depth, c.LeafChunkTokens)
	return found, err == nil && found.count >= c.fanout(depth, hard) && found.tokens >= c.condensedMinInput(), err
}

// oldestRun returns the oldest run of summaries of a depth outside the fresh tail, up to
// so many tokens. Blank ones at its start are skipped; further on they go along
// without being counted.
func (s *state) oldestRun(ctx context.Context, depth, limit int64) (candidate, error) {
	c := candidate{depth: depth}
	for i, it := range s.items[:s.boundary()] {
		if !it.IsSummary() || it.Missing || it.Depth != depth || s.isUnsettled(it) {
			if c.count > 0 {
				break
			}
			continue
		}
		text, err := s.text(ctx, it.Summary)
		switch {
		case err != nil:
			return c, err
		case text == "" && c.count == 0:
			continue
		case text != "" && c.count > 0 && (c.tokens >= limit || lcm.AddTokens(c.tokens, it.weight) > limit):
			return c, nil
		case c.count == 0:
			c.first = i
		}
		if text != "" {
			c.count, c.tokens = c.count+1, lcm.AddTokens(c.tokens, it.weight)
		}
		c.end = i + 1
	}
	return c, nil
}

// isUnsettled reports whether a summary is to be left alone since it was placed just now.
func (s *state) isUnsettled(it item) bool {
	if !s.settled || it.ContextItem.IsSettled(s.db.Now()) {
		return false
	}
	s.skippedUnsettled = true
	return true
}

// text returns a summary's text as a model may see it; blank ones give an empty one.
func (s *state) text(ctx context.Context, id string) (string, error) {
	if text, ok := s.texts[id]; ok {
		return text, nil
	}
	sum, err := s.summary(ctx, id)
	if err == nil {
		s.texts[id] = s.form.Summary(sum.Content)
	}
	return s.texts[id], err
}

// The summaries before a chunk that its model is shown.
const (
	anyDepth    = -1
	maxPrevious = 2
)

// previous returns the text of the last summaries before a place, of one depth or any.
func (e *engine) previous(ctx context.Context, before int, depth int64) (string, error) {
	var texts []string
	for _, it := range slices.Backward(e.items[:before]) {
		if len(texts) == maxPrevious {
			break
		}
		if !it.IsSummary() || it.Missing || depth != anyDepth && it.Depth != depth {
			continue
		}
		text, err := e.text(ctx, it.Summary)
		if err != nil {
			return "", err
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	slices.Reverse(texts)
	return summarize.Previous(texts...), nil
}
