package provenance

import "slices"

// Gaps in a span, in tokens and bytes: what is at most so far apart is one span.
const (
	spanGapTokens = 3
	spanGapBytes  = 48
)

// spans returns the stretches of a text that hold tokens of a sentence, the one that says most
// first. Common words far from the rest are left out.
func (x *index) spans(q *query, text int) []Span {
	values := map[int32]float64{}
	for i, id := range q.ids {
		if id >= 0 {
			values[id] = q.tokens[i].weight * x.idf(len(x.postings[id]))
		}
	}
	pieces := map[int32]bool{}
	for _, t := range q.terms {
		if t.id >= 0 && values[t.id] == 0 {
			pieces[t.id] = true
			values[t.id] = t.value
		}
	}
	type valued struct {
		Span
		value float64
	}
	var all []valued
	last := -1 - spanGapTokens
	for i, p := range x.texts[text].places {
		v, ok := values[p.term]
		if !ok {
			continue
		}
		if n := len(all); n > 0 && i-last <= spanGapTokens && int(p.start)-all[n-1].End <= spanGapBytes {
			all[n-1].End = max(all[n-1].End, int(p.end))
			all[n-1].value += v
		} else {
			all = append(all, valued{Span{int(p.start), int(p.end)}, v})
		}
		last = i
	}
	slices.SortStableFunc(all, func(a, b valued) int {
		switch {
		case a.value > b.value:
			return -1
		case a.value < b.value:
			return 1
		}
		return 0
	})
	var out []Span
	for _, s := range all {
		if s.value >= all[0].value/4 && len(out) < 8 {
			out = append(out, s.Span)
		}
	}
	return out
}
