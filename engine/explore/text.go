package explore

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"lcm-tui/data/jstext"
)

// How much of a text is shown; lengths are in UTF-16 units.
const (
	excerptUnits    = 500 // Of the beginning and of the end.
	maxHeadings     = 18
	maxHeadingUnits = 160
)

func describeText(name, body string) string {
	return title("Text", name) + "\n" +
		"Characters: " + Grouped(jstext.Length(body)) + ".\n" +
		"Words: " + Grouped(countWords(body)) + ".\n" +
		"Lines: " + Grouped(Lines(body)) + ".\n" +
		"Detected section headers: " + joined(headings(body), " | ", "none detected") + ".\n" +
		"Opening excerpt: " + excerpt(firstUnits(body, excerptUnits)) + ".\n" +
		"Closing excerpt: " + excerpt(lastUnits(body, excerptUnits)) + "."
}

// headings returns the different ones among the first lines that look like headings.
func headings(body string) []string {
	var found shownLines
	for line := range lines(body) {
		if line = jstext.Trim(line); isHeading(line) {
			if found.add(cut(line, maxHeadingUnits), maxHeadings); found.taken == maxHeadings {
				break
			}
		}
	}
	return found.unique
}

// isHeading reports whether a line is a heading of Markdown, or has nothing but at least seven
// capitals, digits, blanks and signs.
func isHeading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	if n := len(line) - len(rest); n > 0 {
		r, _ := utf8.DecodeRuneInString(rest)
		return n <= 6 && rest != "" && jstext.IsSpace(r)
	}
	n := 0
	for _, r := range line {
		capital := r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if sign := jstext.IsSpace(r) || strings.ContainsRune(":_-", r); !capital && (n == 0 || !sign) {
			return false
		}
		n++
	}
	return n >= 7
}

func excerpt(s string) string {
	if s = fold(s, excerptUnits); s == "" {
		return "(empty)"
	}
	return s
}

// lines returns the lines of a text, without their ends. An empty text has one.
func lines(body string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			line, rest, more := strings.Cut(body, "\n")
			if more {
				line = strings.TrimSuffix(line, "\r")
			}
			if !yield(line) || !more {
				return
			}
			body = rest
		}
	}
}

func countWords(s string) (n int) {
	inWord := false
	for _, r := range s {
		space := jstext.IsSpace(r)
		if !space && !inWord {
			n++
		}
		inWord = !space
	}
	return n
}

// fold returns a text with every stretch of white space as one space and none around it, cut after
// most UTF-16 units. It reads no more of the text than that takes.
func fold(s string, most int) string {
	var b strings.Builder
	units, space := 0, false
	for _, r := range s {
		if jstext.IsSpace(r) {
			space = true
			continue
		}
		if space && units > 0 {
			b.WriteByte(' ')
			units++
		}
		space = false
		b.WriteRune(r)
		if units += utf16.RuneLen(r); units > most {
			break
		}
	}
	return cut(b.String(), most)
}

// cut returns a text, or its first UTF-16 units with an ellipsis.
func cut(s string, most int) string {
	if start := firstUnits(s, most); start != s {
		return start + "..."
	}
	return s
}

// firstUnits returns the start of a text. A surrogate pair that is cut in two becomes U+FFFD.
func firstUnits(s string, most int) string {
	n := 0
	for i, r := range s {
		w := utf16.RuneLen(r)
		if n+w > most {
			if n < most {
				return s[:i] + "\ufffd"
			}
			return s[:i]
		}
		n += w
	}
	return s
}

// lastUnits returns the end of a text, cut as firstUnits does.
func lastUnits(s string, most int) string {
	n := 0
	for i := len(s); i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		w := utf16.RuneLen(r)
		if n+w > most {
			if n < most {
				return "\ufffd" + s[i:]
			}
			return s[i:]
		}
		n, i = n+w, i-size
	}
	return s
}

// joined joins texts, or says that there are none.
func joined(texts []string, by, none string) string {
	if len(texts) == 0 {
		return none
	}
	return strings.Join(texts, by)
}

func appendUnique(all []string, s string) []string {
	if slices.Contains(all, s) {
		return all
	}
	return append(all, s)
}
