package extractive

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// term is a word of a sentence and its weight there. The terms of a sentence are
// in the order of their numbers, so that sums come out the same everywhere.
type term struct {
	id     int
	weight float64
}

// document is a source that was read.
type document struct {
	sentences []*sentence
	heads     []string
	mentions  []*mention
	named     map[string]*mention
	words     []string // By number, as they first stood in the text.
	ids       map[string]int
	spread    []int // In how many sentences a word stands.
}

func read(text string) *document {
	d := &document{ids: map[string]int{}, named: map[string]*mention{}}
	d.split(text)
	for _, s := range d.sentences {
		d.count(s)
	}
	d.weigh()
	return d
}

// count numbers the words of a sentence and counts them.
func (d *document) count(s *sentence) {
	counts := map[int]int{}
	eachWord(s.text, func(key, shown string) {
		id, ok := d.ids[key]
		if !ok {
			id = len(d.words)
			d.ids[key] = id
			d.words, d.spread = append(d.words, shown), append(d.spread, 0)
		}
		counts[id]++
	})
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		d.spread[id]++
		s.terms = append(s.terms, term{id, float64(counts[id])})
	}
}

// weigh makes counts into weights: a word counts the more the rarer it is.
func (d *document) weigh() {
	for _, s := range d.sentences {
		sum := 0.0
		for i, t := range s.terms {
			w := t.weight * d.rarity(t.id)
			s.terms[i].weight = w
			sum += w * w
		}
		s.norm = math.Sqrt(sum)
	}
}

func (d *document) rarity(id int) float64 {
	return math.Log(1 + float64(len(d.sentences))/float64(d.spread[id]))
}

// likeness returns the cosine of two sentences.
func likeness(a, b *sentence) float64 {
	if a.norm == 0 || b.norm == 0 {
		return 0
	}
	sum := 0.0
	for i, j := 0, 0; i < len(a.terms) && j < len(b.terms); {
		switch x, y := a.terms[i], b.terms[j]; {
		case x.id < y.id:
			i++
		case x.id > y.id:
			j++
		default:
			sum += x.weight * y.weight
			i, j = i+1, j+1
		}
	}
	return sum / (a.norm * b.norm)
}

// eachWord gives the words of a text: how they are compared and how they are
// shown. Text without spaces between words is taken by pairs of characters.
func eachWord(text string, give func(key, shown string)) {
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return !isWord(r) }) {
		for run != "" {
			var part string
			wide := isWithoutSpaces(first(run))
			end := strings.IndexFunc(run, func(r rune) bool { return isWithoutSpaces(r) != wide })
			if end < 0 {
				end = len(run)
			}
			part, run = run[:end], run[end:]
			if wide {
				eachPair(part, give)
			} else if key := strings.ToLower(part); utf8.RuneCountInString(part) > 1 && !common[key] {
				give(key, part)
			}
		}
	}
}

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func isWithoutSpaces(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// eachPair gives each two neighbours, shown with a little of what is around.
func eachPair(s string, give func(key, shown string)) {
	const shown = 6
	runes := []rune(s)
	if len(runes) == 1 {
		give(s, s)
	}
	for i := 0; i+1 < len(runes); i++ {
		begin := max(0, min(i, len(runes)-shown))
		give(string(runes[i:i+2]), string(runes[begin:min(begin+shown, len(runes))]))
	}
}

// common are words that say nothing about what a sentence is about.
var common = wordSet(`a about after all also am an and any are as at be been but by can could did do does for from get got had has
have he her him his how i if in into is it its just let like me more my no not now of on one only or our out she so some than that
the their them then there these they this to up us was we were what when where which while who why will with would you your`)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
