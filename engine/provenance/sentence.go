package provenance

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"lcm-tui/engine/summarize"
)

// Sentence is one statement of a text: a sentence, an item of a list, or a field between bars.
type Sentence struct {
	Text       string
	Start, End int // Bytes of the text that it was split from.
}

// Sentences splits the text of a summary. It leaves out what states nothing: headings, the line
// that says what a summary can be expanded for, the list of files if it is empty, and the marks
// of summaries that no model made.
func Sentences(text string) []Sentence {
	var out []Sentence
	for start := 0; start < len(text); {
		end := start + strings.IndexByte(text[start:]+"\n", '\n')
		if !isFurniture(strings.TrimSpace(text[start:end])) {
			out = splitLine(out, text, start, end)
		}
		start = end + 1
	}
	return out
}

// isFurniture reports whether a line belongs to the form of summaries instead of to what they state.
func isFurniture(line string) bool {
	bare := strings.Trim(line, "*_ ")
	switch {
	case strings.HasPrefix(line, "#"), strings.HasPrefix(line, "```"), strings.HasSuffix(bare, ":") && len(strings.Fields(bare)) <= 4:
		return true
	case strings.HasPrefix(line, "**") && strings.HasSuffix(line, "**") && strings.Count(line, "**") == 2:
		return true
	}
	return isFormula(bare)
}

// isFormula reports whether a fragment is one that every summary may hold.
func isFormula(s string) bool {
	lower := strings.ToLower(strings.TrimRight(s, ". "))
	if strings.HasPrefix(lower, "expand for details about") || lower == "files: none" || lower == "none" {
		return true
	}
	for _, mark := range summarize.Substrings() {
		if strings.HasPrefix(s, mark) {
			return true
		}
	}
	return strings.HasPrefix(s, "[Capped from ")
}

// splitLine adds the sentences of the line text[start:end].
func splitLine(out []Sentence, text string, start, end int) []Sentence {
	begin := start + len(text[start:end]) - len(withoutBullet(text[start:end]))
	for i := begin; i < end; {
		next := sentenceEnd(text[:end], begin, i)
		if next == 0 {
			_, n := utf8.DecodeRuneInString(text[i:])
			i += n
			continue
		}
		out = appendSentence(out, text, begin, i+next)
		begin = i + next
		i = begin
	}
	return appendSentence(out, text, begin, end)
}

// withoutBullet returns a line without the sign or the number of a list's item.
func withoutBullet(line string) string {
	rest := withoutTime(strings.TrimLeft(line, " \t>"))
	for _, sign := range []string{"- [ ] ", "- [x] ", "- ", "* ", "+ ", "• ", "– ", "— "} {
		if after, ok := strings.CutPrefix(rest, sign); ok {
			return withoutTime(after)
		}
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if after := rest[digits:]; digits > 0 && digits < 4 && (strings.HasPrefix(after, ". ") || strings.HasPrefix(after, ") ")) {
		return after[2:]
	}
	return rest
}

// withoutTime returns a line without the time and role of a message in brackets before it.
func withoutTime(line string) string {
	end := strings.IndexByte(line, ']')
	if end < len("[2026-01-05") || end > 64 || line[0] != '[' || !isDigit(line[1]) || line[5] != '-' || line[8] != '-' {
		return line
	}
	return strings.TrimLeft(line[end+1:], " ")
}

// sentenceEnd returns how many bytes at i end the sentence that began at begin, or 0.
func sentenceEnd(text string, begin, i int) int {
	if strings.HasPrefix(text[i:], " | ") {
		return len(" | ")
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	switch r {
	case '。', '！', '？', '．':
		return n + closers(text[i+n:])
	case '.', '!', '?', '…':
	default:
		return 0
	}
	n += closers(text[i+n:])
	if i+n < len(text) && text[i+n] != ' ' && text[i+n] != '\t' {
		return 0
	}
	if r == '.' && (isAbbreviation(text[begin:i]) || followsLower(text[i+n:])) {
		return 0
	}
	return n
}

// closers returns how many bytes of marks that close a quotation or an emphasis begin a text.
func closers(text string) int {
	return len(text) - len(strings.TrimLeft(text, ".!?…\"'`”’)]*_」』）】"))
}

// followsLower reports whether a word in lower case follows, which no new sentence begins with.
func followsLower(rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \t"))
	return unicode.IsLower(r)
}

var abbreviations = setOf("e.g i.e etc vs cf approx no dr mr mrs ms st incl excl max min fig al ca resp p.m a.m ver sec")

// isAbbreviation reports whether the point after a text ends an abbreviation or an initial.
func isAbbreviation(text string) bool {
	word := text[strings.LastIndexAny(text, " \t(\"'[")+1:]
	return abbreviations[strings.ToLower(word)] || len(word) == 1 && isLetter(word[0])
}

func appendSentence(out []Sentence, text string, start, end int) []Sentence {
	const blank = " \t\r|"
	part := text[start:end]
	start += len(part) - len(strings.TrimLeft(part, blank))
	part = strings.Trim(part, blank)
	if part == "" || isFormula(part) || len(tokenize(part)) == 0 {
		return out
	}
	return append(out, Sentence{part, start, start + len(part)})
}
