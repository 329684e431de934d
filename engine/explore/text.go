package explore

import (
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"lcm-tui/data/jstext"
)

// excerpt is how much of the beginning and of the end is shown, in UTF-16 units.
const excerpt = 500

// mostHeadings is how many headings are named.
const mostHeadings = 12

var heading = regexp.MustCompile(`(?m)^#{1,6}[ \t]+\S.*$`)

func describeText(name, body string) string {
	headings := "none detected"
	if all := heading.FindAllString(body, mostHeadings); len(all) > 0 {
		for i := range all {
			all[i] = jstext.Trim(all[i])
		}
		headings = strings.Join(all, " | ")
	}
	return "Text exploration summary (" + name + "):\n" +
		"Characters: " + Grouped(units(body)) + ".\n" +
		"Words: " + Grouped(len(strings.FieldsFunc(body, jstext.IsSpace))) + ".\n" +
		"Lines: " + Grouped(Lines(body)) + ".\n" +
		"Detected section headers: " + headings + ".\n" +
		"Opening excerpt: " + oneLine(opening(body)) + ".\n" +
		"Closing excerpt: " + oneLine(closing(body)) + "."
}

// oneLine is a text with every stretch of white space as one space.
func oneLine(s string) string { return strings.Join(strings.FieldsFunc(s, jstext.IsSpace), " ") }

// units is the length of a text as JavaScript counts it.
func units(s string) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// opening is the start of a text. Half a character that is cut in two can't be
// held, and is replaced.
func opening(s string) string {
	n := 0
	for i, r := range s {
		w := utf16.RuneLen(r)
		if n+w > excerpt {
			if n < excerpt {
				return s[:i] + "\ufffd"
			}
			return s[:i]
		}
		n += w
	}
	return s
}

// closing is the end of a text, cut as opening does.
func closing(s string) string {
	n := 0
	for i := len(s); i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		w := utf16.RuneLen(r)
		if n+w > excerpt {
			if n < excerpt {
				return "\ufffd" + s[i:]
			}
			return s[i:]
		}
		n, i = n+w, i-size
	}
	return s
}
