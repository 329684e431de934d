package postgres

import (
	"strconv"
	"strings"
	"unicode"
)

// The sizes of pieces in characters. A tsvector holds at most 1 MB of words, which no piece of this size has.
const (
	maxPiece     = 100_200
	pieceOverlap = 200
)

// Piece is a part of a text that is searched.
type Piece struct {
	Start int // Where it begins in the text, in characters.
	Text  string
}

// Pieces cuts a text into pieces. Each begins with the last characters of the one before, so that words and phrases
// at a cut are found.
func Pieces(text string) (out []Piece) {
	const step = maxPiece - pieceOverlap
	if len(text) <= maxPiece {
		return []Piece{{0, text}}
	}
	var starts []int // In bytes, of each step.
	n := 0
	for at := range text {
		if n%step == 0 {
			starts = append(starts, at)
		}
		n++
	}
	for i, start := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1]
			for range pieceOverlap { // A step and the overlap are a piece.
				end += runeLength(text[end:])
			}
		}
		if i > 0 && n-i*step <= pieceOverlap {
			break // All of it is in the piece before.
		}
		out = append(out, Piece{i * step, text[start:end]})
	}
	return out
}

// runeLength returns the size in bytes of the first character, or 0.
func runeLength(text string) int {
	for i := range text {
		if i > 0 {
			return i
		}
	}
	return len(text)
}

// maxPosition is the highest place of a word that a tsvector can hold.
const maxPosition = 16_383

// Bigrams returns the pairs of characters in texts of Chinese, Japanese and Korean as the text of a tsvector: these
// have no blanks between words, and the server would take a run of them for one word. It is empty for other texts.
func Bigrams(text string) string {
	if !hasRun(text) {
		return ""
	}
	places := map[string][]int{}
	var order []string
	var before rune
	at, length := 0, 0 // Of the run.
	note := func(word string) {
		if len(places[word]) == 0 {
			order = append(order, word)
		}
		if at++; at <= maxPosition && len(places[word]) < maxPlaces {
			places[word] = append(places[word], at)
		} else if len(places[word]) == 0 {
			places[word] = append(places[word], maxPosition)
		}
	}
	end := func() {
		if length == 1 {
			note(string(before))
		}
		length = 0
		at++ // Two runs are no phrase.
	}
	for _, r := range text {
		if !isRun(r) {
			if length > 0 {
				end()
			}
			continue
		}
		if length > 0 {
			note(string(before) + string(r))
		}
		before, length = r, length+1
	}
	if length > 0 {
		end()
	}
	return lexemes(order, places)
}

// maxPlaces is how many places of a word a tsvector can hold.
const maxPlaces = 255

// lexemes returns the text of a tsvector.
func lexemes(order []string, places map[string][]int) string {
	var b strings.Builder
	for _, word := range order {
		b.WriteString("'" + word + "':")
		for i, at := range places[word] {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Itoa(at))
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// hasRun reports whether a text has a character of a writing without blanks.
func hasRun(text string) bool { return strings.IndexFunc(text, isRun) >= 0 }

// isRun reports whether a character is of a writing without blanks.
func isRun(r rune) bool {
	return r >= 0x1100 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul))
}
