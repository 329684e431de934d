package searchwords

import (
	"slices"
	"strings"
)

// Text is a text with its words, as the search tables of words know them, or with its trigrams.
type Text struct {
	text  string
	words []place
	stems []string
}

// place is where a word begins and ends, in bytes.
type place struct{ from, to int }

// NewText reads the words of a text.
func NewText(text string) *Text {
	t := &Text{text: text}
	for from, to, ok := Next(text, 0); ok; from, to, ok = Next(text, to) {
		t.words = append(t.words, place{from, to})
		t.stems = append(t.stems, Stem(Fold(text[from:to])))
	}
	return t
}

// NewTrigrams reads a text of which every three characters in a row are a word, as the search tables of trigrams know it. Letters keep
// their case.
func NewTrigrams(text string) *Text {
	t := &Text{text: text, stems: Trigrams(text)}
	var starts []int
	for at, r := range text {
		if r != 0 {
			starts = append(starts, at)
		}
	}
	starts = append(starts, len(text))
	for i := range t.stems {
		t.words = append(t.words, place{starts[i], starts[i+3]})
	}
	return t
}

// Trigrams returns every three characters in a row of a text, without its NUL characters.
func Trigrams(text string) (out []string) {
	text = strings.ReplaceAll(text, "\x00", "")
	var starts []int
	for at := range text {
		starts = append(starts, at)
	}
	starts = append(starts, len(text))
	for i := 0; i+3 < len(starts); i++ {
		out = append(out, text[starts[i]:starts[i+3]])
	}
	return out
}

// Len returns how many words the text has.
func (t *Text) Len() int { return len(t.words) }

// Find returns at which words of the text a phrase begins, whose words are reduced to their stems.
func (t *Text) Find(phrase []string) (at []int) {
	for i := range len(t.stems) - len(phrase) + 1 {
		if t.stems[i] == phrase[0] && slices.Equal(t.stems[i:i+len(phrase)], phrase) {
			at = append(at, i)
		}
	}
	return at
}
