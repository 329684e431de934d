package assemble

import (
	"cmp"
	"slices"
	"unicode"

	"lcm-tui/internal/sorting"
)

// relevance scores texts by how often the words of a prompt stand in them.
type relevance struct{ words []string }

// newRelevance takes the words of a prompt, each once.
func newRelevance(prompt string) relevance {
	var r relevance
	eachWord(prompt, func(w []byte) {
		if !slices.Contains(r.words, string(w)) {
			r.words = append(r.words, string(w))
		}
	})
	return r
}

// score is, over the prompt's words, the sum of their shares of the text's words.
func (r relevance) score(text string) (sum float64) {
	times := make(map[string]int, len(r.words))
	for _, w := range r.words {
		times[w] = 0
	}
	total := 0
	eachWord(text, func(w []byte) {
		total++
		if n, ok := times[string(w)]; ok {
			times[string(w)] = n + 1
		}
	})
	for _, w := range r.words {
		if n := times[w]; n > 0 {
			sum += float64(n) / float64(total)
		}
	}
	return sum
}

// eachWord gives the runs of two or more ASCII letters and digits in the lower-case
// text. The bytes are only good until the next word.
func eachWord(text string, fn func(word []byte)) {
	var word []byte
	end := func() {
		if len(word) > 1 {
			fn(word)
		}
		word = word[:0]
	}
	for _, r := range text {
		switch low := unicode.ToLower(r); {
		case r == 'İ': // In JavaScript an i and a combining dot.
			word = append(word, 'i')
			end()
		case low >= 'a' && low <= 'z' || low >= '0' && low <= '9':
			word = append(word, byte(low))
		default:
			end()
		}
	}
	end()
}

// byScore returns the indexes of what isn't kept, the highest scores first and of equal
// ones the newest.
func byScore(kept []bool, score func(i int) float64) []int {
	type scored struct {
		i     int
		score float64
	}
	var all []scored
	for i, k := range kept {
		if !k {
			all = append(all, scored{i, score(i)})
		}
	}
	sorting.Stable(all, func(a, b *scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.i, a.i))
	})
	out := make([]int, len(all))
	for i, s := range all {
		out[i] = s.i
	}
	return out
}
