package ui

import (
	"strings"

	"lcm-tui/internal/characters"
)

// span is a piece of text in one style; a newline in it ends the line.
type span struct {
	text  string
	style spanStyle
}

// part is the part of a span between two of its bytes.
type part struct{ span, from, to int }

// wrapper breaks spans into lines of at most width cells: at blanks, beside characters of
// two cells, and within words that are longer than a line.
type wrapper struct {
	palette *markdownPalette
	spans   []span
	width   int
	emit    func(line string, cells int)

	line  strings.Builder
	cells int       // Of line.
	style spanStyle // In which line ends.

	blanks     []part // Between line and word; a line that breaks there loses them.
	blankCells int
	word       []part // What must not be torn apart.
	wordCells  int
	wide       bool // The word ends in a character of two cells.
	begun      bool // The line begins after a break within a paragraph.
}

// wrap calls emit for each line of the spans; no spans are one empty line.
func (w *wrapper) wrap(spans []span) {
	w.spans = spans
	for i, s := range spans {
		for at := 0; at < len(s.text); {
			at += w.cluster(part{i, at, at})
		}
	}
	w.flushWord()
	w.endLine()
}

// cluster takes the grapheme cluster at p and returns its bytes.
func (w *wrapper) cluster(p part) int {
	text := w.spans[p.span].text[p.from:]
	size, cells := clusterSize(text)
	p.to += size
	switch {
	case text[0] == '\n':
		w.flushWord()
		w.endLine()
		w.begun = false
	case text[0] == ' ' && size == 1:
		w.flushWord()
		w.blanks, w.blankCells = appendPart(w.blanks, p), w.blankCells+1
	default:
		w.addCharacter(p, text[:size], cells)
	}
	return size
}

func (w *wrapper) addCharacter(p part, character string, cells int) {
	wide := cells > 1
	if (wide || w.wide) && !strings.Contains(closingSigns, character) {
		w.flushWord()
	}
	if w.wordCells+cells > w.width && w.wordCells > 0 {
		w.breakWord()
	}
	w.word, w.wordCells, w.wide = appendPart(w.word, p), w.wordCells+cells, wide
}

// closingSigns are characters that begin no line.
const closingSigns = "、。，．：；！？）」』】》〉”’,.;:!?)"

// breakWord gives the word, which fills a line, a line of its own.
func (w *wrapper) breakWord() {
	w.flushWord()
	w.endLine()
	w.begun = true
}

// flushWord writes the blanks and the word, in the next line if they don't fit.
func (w *wrapper) flushWord() {
	if len(w.word) == 0 {
		return
	}
	if w.cells+w.blankCells+w.wordCells > w.width {
		if w.cells > 0 {
			w.endLine()
		}
		w.begun = true
	}
	if w.cells > 0 || !w.begun {
		w.write(w.blanks)
		w.cells += w.blankCells
	}
	w.write(w.word)
	w.cells += w.wordCells
	w.blanks, w.blankCells, w.word, w.wordCells, w.wide = w.blanks[:0], 0, w.word[:0], 0, false
}

func (w *wrapper) write(parts []part) {
	for _, p := range parts {
		s := w.spans[p.span]
		if s.style != w.style {
			_, end := w.palette.sequences(w.style)
			begin, _ := w.palette.sequences(s.style)
			w.line.WriteString(end + begin)
			w.style = s.style
		}
		w.line.WriteString(s.text[p.from:p.to])
	}
}

// endLine emits the line; blanks at its end are dropped.
func (w *wrapper) endLine() {
	_, end := w.palette.sequences(w.style)
	w.line.WriteString(end)
	w.emit(w.line.String(), w.cells)
	w.line.Reset()
	w.cells, w.style = 0, spanStyle{}
	w.blanks, w.blankCells = w.blanks[:0], 0
}

// appendPart adds p to parts, and to the last of them where p goes on.
func appendPart(parts []part, p part) []part {
	if n := len(parts) - 1; n >= 0 && parts[n].span == p.span && parts[n].to == p.from {
		parts[n].to = p.to
		return parts
	}
	return append(parts, p)
}

// clusterSize returns the bytes and the cells of the first grapheme cluster of text.
func clusterSize(text string) (size, cells int) {
	if text[0] < 0x80 && (len(text) == 1 || text[1] < 0x80) {
		return 1, 1
	}
	c, cells := characters.First(text)
	return len(c), cells
}

// cutCells breaks text, which has no newline, into pieces of at most width cells; blanks stay.
func cutCells(text string, width int, emit func(piece string)) {
	from, used := 0, 0
	for at := 0; at < len(text); {
		size, cells := clusterSize(text[at:])
		if used+cells > width && used > 0 {
			emit(text[from:at])
			from, used = at, 0
		}
		at, used = at+size, used+cells
	}
	emit(text[from:])
}
