package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// snippetRunes is the length of a snippet, and snippetLead how much of it stands before the
	// first match.
	snippetRunes = 200
	snippetLead  = 32
	snippetBytes = 1 << 10 // What is read of a text of which only the start is shown.
	ellipsis     = "…"
)

// Snippet returns a line of a text around the first of some spans, with these spans as they are in
// the line. White space and control characters become single blanks.
func Snippet(text string, spans []Span) (line string, marked []Span) {
	from := 0
	if len(spans) > 0 {
		from = snippetStart(text, spans[0].From)
	}
	var b strings.Builder
	if from > 0 {
		b.WriteString(ellipsis)
	}
	blank, n, i := true, 0, from
	open := -1 // Where the span that is being written begins in the line.
	for i < len(text) && n < snippetRunes {
		for len(spans) > 0 && spans[0].To <= i {
			if open >= 0 {
				marked = append(marked, Span{open, b.Len()})
			}
			open, spans = -1, spans[1:]
		}
		if open < 0 && len(spans) > 0 && spans[0].From <= i {
			open = b.Len()
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			r = ' '
		}
		if r == ' ' && blank {
			continue
		}
		blank = r == ' '
		b.WriteRune(r)
		n++
	}
	if open >= 0 {
		marked = append(marked, Span{open, b.Len()})
	}
	line = b.String()
	if strings.TrimSpace(text[i:]) != "" {
		return line + ellipsis, marked
	}
	return line, marked
}

// snippetStart returns the place a little before a match where a snippet begins, at a word if one
// begins there.
func snippetStart(text string, match int) int {
	at := match
	for range snippetLead {
		_, n := utf8.DecodeLastRuneInString(text[:at])
		if n == 0 {
			return 0
		}
		at -= n
	}
	if blank := strings.IndexFunc(text[at:match], unicode.IsSpace); blank >= 0 && blank < snippetLead/2 {
		return at + blank + 1
	}
	return at
}
