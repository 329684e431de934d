package searchwords

import (
	"cmp"
	"slices"
	"strings"
)

const (
	// newPhrase and samePhrase are what a phrase adds to the score of a snippet, the first time and each time after that.
	newPhrase, samePhrase = 1000, 1
	// startOfText and startOfSentence are what a snippet gains that begins there.
	startOfText, startOfSentence = 120, 100
)

// Snippet returns at most size words of a text, chosen among those around each phrase as SQLite's function snippet
// chooses them, with "..." where the text is cut.
func (t *Text) Snippet(phrases [][]string, size int) string {
	s := snippet{text: t, size: size}
	for i, p := range phrases {
		for _, at := range t.Find(p) {
			s.found = append(s.found, instance{phrase: i, at: at, words: len(p)})
		}
	}
	slices.SortStableFunc(s.found, func(a, b instance) int { return cmp.Compare(a.at, b.at) })
	return s.cut(s.bestStart())
}

// instance is a place where a phrase stands.
type instance struct{ phrase, at, words int }

// snippet is a snippet that is being chosen.
type snippet struct {
	text  *Text
	size  int
	found []instance // In the order of their places.
}

// bestStart returns the word with which the best snippet begins: one with the phrase in its middle, or with the
// sentence in which the phrase stands.
func (s *snippet) bestStart() (start int) {
	var sentences []int
	if s.text.Len() > s.size {
		sentences = s.text.sentences()
	}
	best := 0
	for _, f := range s.found {
		score, middle := s.score(f.at)
		if score > best {
			best, start = score, middle
		}
		if sentences == nil { // The snippet is the whole text.
			continue
		}
		i, _ := slices.BinarySearch(sentences, f.at+1)
		begin := sentences[max(i-1, 0)]
		if begin >= f.at {
			continue
		}
		score, _ = s.score(begin)
		if begin == 0 {
			score += startOfText
		} else {
			score += startOfSentence
		}
		if score > best {
			best, start = score, begin
		}
	}
	return start
}

// score returns what the phrases from a word on are worth, and with which word a snippet would begin that has them in its
// middle.
func (s *snippet) score(from int) (score, start int) {
	seen := map[int]bool{}
	first, last := -1, 0
	i, _ := slices.BinarySearchFunc(s.found, from, func(f instance, from int) int { return cmp.Compare(f.at, from) })
	for _, f := range s.found[i:] {
		if f.at >= from+s.size {
			break
		}
		if seen[f.phrase] {
			score += samePhrase
		} else {
			score += newPhrase
		}
		seen[f.phrase] = true
		if first < 0 {
			first = f.at
		}
		last = f.at + f.words
	}
	start = first - (s.size-(last-first))/2
	return score, max(min(start, s.text.Len()-s.size), 0)
}

// cut returns the snippet that begins with a word.
func (s *snippet) cut(start int) string {
	words, text := s.text.words, s.text.text
	from, to, before, after := 0, len(text), "", ""
	if start > 0 {
		from, before = words[start].from, "..."
	}
	if end := start + s.size - 1; end < len(words)-1 {
		to, after = words[end].to, "..."
	}
	return before + text[from:to] + after
}

// sentences returns with which words sentences begin: the first, and those behind a full stop or a colon and white space.
func (t *Text) sentences() []int {
	starts := []int{0}
	for i, w := range t.words {
		before := strings.TrimRight(t.text[:w.from], " \t\n\r")
		if i > 0 && len(before) < w.from && (strings.HasSuffix(before, ".") || strings.HasSuffix(before, ":")) {
			starts = append(starts, i)
		}
	}
	return starts
}
