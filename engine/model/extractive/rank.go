package extractive

import (
	"cmp"
	"math"
	"slices"
)

// candidates is how many sentences are compared with each other: their number
// counts squared.
const candidates = 400

// rank gives every sentence its worth: what recommends it and what it signals,
// and a little less the longer it is. Where there are too many, those that signal
// nothing and are far from the middle of the text have none.
func (d *document) rank() {
	among := d.candidates()
	central := centrality(among)
	for i, s := range among {
		s.worth = (central[i] + s.signal) / math.Pow(float64(size(s.text)), 0.25)
	}
}

// candidates returns the sentences worth comparing, in their order.
func (d *document) candidates() []*sentence {
	if len(d.sentences) <= candidates {
		return d.sentences
	}
	middle := d.wholeText()
	near := map[*sentence]float64{}
	for _, s := range d.sentences {
		near[s] = likeness(s, middle) * (1 + s.signal)
	}
	best := slices.Clone(d.sentences)
	slices.SortStableFunc(best, func(a, b *sentence) int { return cmp.Compare(near[b], near[a]) })
	keep := map[*sentence]bool{}
	for _, s := range best[:candidates] {
		keep[s] = true
	}
	return slices.DeleteFunc(slices.Clone(d.sentences), func(s *sentence) bool { return !keep[s] })
}

// wholeText returns the whole text as one sentence.
func (d *document) wholeText() *sentence {
	sums := make([]float64, len(d.words))
	for _, s := range d.sentences {
		for _, t := range s.terms {
			sums[t.id] += t.weight
		}
	}
	m := &sentence{terms: make([]term, len(sums))}
	total := 0.0
	for id, w := range sums {
		m.terms[id] = term{id, w}
		total += w * w
	}
	m.norm = math.Sqrt(total)
	return m
}

// centrality returns the share of recommendations that each sentence gets, from 0 to
// 1 for the most central: the stationary distribution of a walk that goes from a
// sentence to one that resembles it, and now and then anywhere.
func centrality(of []*sentence) []float64 {
	const (
		damping = 0.85
		least   = 0.1 // Less likeness than that is chance.
		rounds  = 40
	)
	n := len(of)
	links := make([][]float64, n)
	for i := range links {
		links[i] = make([]float64, n)
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if l := likeness(of[i], of[j]); l >= least {
				links[i][j], links[j][i] = l, l
			}
		}
	}
	for _, row := range links {
		normalize(row)
	}
	p := make([]float64, n)
	for i := range p {
		p[i] = 1 / float64(n)
	}
	for range rounds {
		p = nextScores(p, links, damping)
	}
	return divideByGreatest(p)
}

// normalize makes a row sum to 1, if anything is in it.
func normalize(row []float64) {
	sum := 0.0
	for _, v := range row {
		sum += v
	}
	if sum == 0 {
		return
	}
	for i := range row {
		row[i] /= sum
	}
}

func nextScores(p []float64, links [][]float64, damping float64) []float64 {
	next := make([]float64, len(p))
	for i := range next {
		next[i] = (1 - damping) / float64(len(p))
	}
	for i, row := range links {
		for j, l := range row {
			if l != 0 {
				next[j] += damping * l * p[i]
			}
		}
	}
	return next
}

// divideByGreatest divides by the greatest.
func divideByGreatest(p []float64) []float64 {
	if len(p) == 0 {
		return p
	}
	top := slices.Max(p)
	for i := range p {
		p[i] /= top
	}
	return p
}
