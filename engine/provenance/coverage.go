package provenance

import "math"

// Coverages returns how much of a sentence each of some texts covers, from 0 to 1: the share of
// its words, numbers, paths and ids that the text holds, where rare ones count more. Unlike a
// rank it is comparable between sentences.
func Coverages(sentence string, texts []string) []float64 {
	x := newIndex()
	for _, t := range texts {
		x.add(t)
	}
	return x.coverages(x.query(sentence))
}

// query is a sentence as the index understands it.
type query struct {
	tokens []token
	ids    []int32 // The term of each token, or -1 where no text holds it.
	terms  []queryTerm
	total  float64 // The sum of the terms' values.
}

// queryTerm is a term of a sentence, which stands there at least once.
type queryTerm struct {
	id    int32 // -1 where no text holds it.
	value float64
}

func (x *index) query(sentence string) *query {
	q := &query{tokens: tokenize(sentence)}
	seen := map[string]bool{}
	for i := range q.tokens {
		k := &q.tokens[i]
		q.ids = append(q.ids, x.addTerm(q, seen, k.key, k.weight))
		for _, p := range k.pieces {
			x.addTerm(q, seen, p, wordWeight)
		}
	}
	return q
}

func (x *index) addTerm(q *query, seen map[string]bool, key string, weight float64) int32 {
	id, ok := x.terms[key]
	texts := 0
	if ok {
		texts = len(x.postings[id])
	} else {
		id = -1
	}
	if !seen[key] {
		seen[key] = true
		t := queryTerm{id, weight * x.idf(texts)}
		q.terms = append(q.terms, t)
		q.total += t.value
	}
	return id
}

// coverages returns the coverages of a query by all texts.
func (x *index) coverages(q *query) []float64 {
	out := make([]float64, len(x.texts))
	if q.total == 0 {
		return out
	}
	for _, t := range q.terms {
		if t.id < 0 {
			continue
		}
		share := t.value / q.total
		for _, text := range x.postings[t.id] {
			out[text] += share
		}
	}
	return out
}

// lengthPenalty returns what a text loses for its length: a long one holds many words by chance.
func (x *index) lengthPenalty(text int) float64 {
	mean := float64(x.tokens) / float64(len(x.texts))
	if mean == 0 {
		return 0
	}
	return 0.02 * math.Log(1+float64(len(x.texts[text].places))/mean)
}
