package searchwords

import "slices"

// Text is a text with its words, as the search tables of words know them.
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
