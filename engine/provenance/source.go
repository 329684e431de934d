package provenance

import (
	"cmp"
	"slices"
)

// Span is a stretch of a text in bytes.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// match is what the index knows of a sentence.
type match struct {
	sources     []textMatch // The best first, at most maxSources; none where nothing is found.
	best        float64     // The score of the best text, found or not.
	coverage    float64     // The share of the sentence that the sources cover together.
	run         int         // The longest run of tokens that a source repeats.
	tokens      int
	unsupported []string // Numbers, paths and ids of the sentence that no text holds.
}

// textMatch is what one text has of a sentence.
type textMatch struct {
	text     int
	score    float64
	coverage float64
	run      int
	spans    []Span // What the text has in common with the sentence.
}

const (
	maxSources = 3
	// contenders is how many of the best texts are compared token by token.
	contenders = 24
	// runBonus is what a text gains for a run of at least bonusRun tokens of the sentence.
	runBonus = 0.1
	bonusRun = 4
	// minGain is the least share of a sentence that a further source must add.
	minGain = 0.08
)

// match finds the sources of a sentence.
func (x *index) match(sentence string) match {
	q := x.query(sentence)
	m := match{tokens: len(q.tokens), unsupported: x.unsupported(sentence, q)}
	ranked := x.rank(q)
	if len(ranked) == 0 {
		return m
	}
	m.best = ranked[0].score
	m.sources = x.cover(q, ranked)
	for i := range m.sources {
		m.run = max(m.run, m.sources[i].run)
	}
	m.coverage = x.joint(q, m.sources)
	if m.confidence() == None {
		m.sources = nil
	}
	for i := range m.sources {
		m.sources[i].spans = x.spans(q, m.sources[i].text)
	}
	return m
}

// rank orders the texts by how much of the sentence they cover, best first: the contenders only.
func (x *index) rank(q *query) []textMatch {
	out := x.rankAll(q)
	out = out[:min(len(out), contenders)]
	positions := q.positions()
	for i := range out {
		out[i].run = x.longestRun(q, positions, out[i].text)
		if out[i].run >= bonusRun {
			out[i].score += runBonus
		}
	}
	slices.SortFunc(out, byScore)
	return out
}

// rankAll orders all texts that hold a word of the sentence, best first. Runs count nothing.
func (x *index) rankAll(q *query) []textMatch {
	var out []textMatch
	for text, c := range x.coverages(q) {
		if c > 0 {
			out = append(out, textMatch{text: text, coverage: c, score: c - x.lengthPenalty(text)})
		}
	}
	slices.SortFunc(out, byScore)
	return out
}

func byScore(a, b textMatch) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.text, b.text))
}

// positions returns the places of each term in the sentence.
func (q *query) positions() map[int32][]int {
	out := make(map[int32][]int, len(q.ids))
	for i, id := range q.ids {
		if id >= 0 {
			out[id] = append(out[id], i)
		}
	}
	return out
}

// longestRun returns the length of the longest run of tokens that the sentence and a text share.
func (x *index) longestRun(q *query, positions map[int32][]int, text int) (longest int) {
	lengths := make([]int, len(q.ids)+1) // Of the run that ends before a token, at the place before.
	var set []int
	for _, p := range x.texts[text].places {
		at := positions[p.term]
		next := make([]int, 0, len(at))
		for _, i := range slices.Backward(at) { // Later tokens first, since each reads the one before it.
			lengths[i+1] = lengths[i] + 1
			longest = max(longest, lengths[i+1])
			next = append(next, i+1)
		}
		for _, i := range set {
			if !slices.Contains(next, i) {
				lengths[i] = 0
			}
		}
		set = next
	}
	return longest
}

// cover chooses the best text and, where that leaves much open, those that add most to it.
func (x *index) cover(q *query, ranked []textMatch) []textMatch {
	chosen := []textMatch{ranked[0]}
	if ranked[0].coverage >= strongCoverage {
		return chosen
	}
	covered := x.joint(q, chosen)
	for len(chosen) < maxSources {
		best, gain := -1, minGain
		for i := range ranked {
			if slices.ContainsFunc(chosen, func(c textMatch) bool { return c.text == ranked[i].text }) {
				continue
			}
			if g := x.joint(q, append(slices.Clip(chosen), ranked[i])) - covered; g > gain {
				best, gain = i, g
			}
		}
		if best < 0 {
			break
		}
		chosen = append(chosen, ranked[best])
		covered += gain
	}
	return chosen
}

// joint returns the share of a sentence that some texts cover together.
func (x *index) joint(q *query, of []textMatch) (share float64) {
	if q.total == 0 {
		return 0
	}
	for _, t := range q.terms {
		if t.id >= 0 && slices.ContainsFunc(of, func(m textMatch) bool { return x.has(t.id, m.text) }) {
			share += t.value / q.total
		}
	}
	return share
}

// has reports whether a text holds a term.
func (x *index) has(id int32, text int) bool {
	_, ok := slices.BinarySearch(x.postings[id], int32(text))
	return ok
}

// unsupported returns the exact tokens of a sentence that no text holds.
func (x *index) unsupported(sentence string, q *query) []string {
	var out []string
	for i := range q.tokens {
		k := &q.tokens[i]
		if !k.exact || x.holds(k) || k.end == len(sentence) && x.holdsLonger(k.key) {
			continue
		}
		if word := sentence[k.start:k.end]; !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}
