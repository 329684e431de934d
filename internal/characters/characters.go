// Package characters splits texts as terminals show them: grapheme clusters with their cells, and control sequences. It must
// not know of styles or screens.
//
// The library's functions are generic: the compiler makes them again in each package that calls them. Here they are made once,
// so that they can be left out of what the race detector watches.
package characters

import "github.com/charmbracelet/x/ansi"

// First returns the first grapheme cluster of a text and how many cells it takes. It is empty for an empty text.
func First(text string) (cluster string, cells int) {
	return ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
}

// Piece is a grapheme cluster or a whole control sequence.
type Piece struct {
	Text  string
	Cells int  // 0 for a control sequence.
	State byte // Where the next call of Next begins.
}

// Next returns the first piece of a text. The state is 0 at the beginning of the text, later that of the piece before.
func Next(text string, state byte) Piece {
	sequence, cells, size, next := ansi.DecodeSequence(text, state, nil)
	if sequence == "" {
		sequence = text[:size]
	}
	return Piece{Text: sequence, Cells: cells, State: next}
}
