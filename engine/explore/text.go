package explore

import (
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"lcm-tui/data/jstext"
)

// excerptUnits is how much of the beginning and of the end is shown, in UTF-16 units.
const excerptUnits = 500

// maxHeadings is how many headings are named.
const maxHeadings = 12

var heading = regexp.MustCompile(`(?m)^#{1,6}[ \t]+\S.*$`)

func describeText(name, body string) string {
	headings := "none detected"
	if all := heading.FindAllString(body, maxHeadings); len(all) > 0 {
		for i := range all {
			all[i] = jstext.Trim(all[i])
		}
		headings = strings.Join(all, " | ")
	}
	return "Text exploration summary (" + name + "):\n" +
		"Characters: " + Grouped(utf16Length(body)) + ".\n" +
		"Words: " + Grouped(len(strings.FieldsFunc(body, jstext.IsSpace))) + ".\n" +
		"Lines: " + Grouped(Lines(body)) + ".\n" +
		"Detected section headers: " + headings + ".\n" +
		"Opening excerpt: " + oneLine(openingExcerpt(body)) + ".\n" +
		"Closing excerpt: " + oneLine(closingExcerpt(body)) + "."
}

// oneLine is a text with every stretch of white space as one space.
func oneLine(s string) string { return strings.Join(strings.FieldsFunc(s, jstext.IsSpace), " ") }

// utf16Length is the length of a text as JavaScript counts it.
func utf16Length(s string) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// openingExcerpt is the start of a text. A surrogate pair that is cut in two becomes U+FFFD.
func openingExcerpt(s string) string {
	n := 0
	for i, r := range s {
		w := utf16.RuneLen(r)
		if n+w > excerptUnits {
			if n < excerptUnits {
				return s[:i] + "\ufffd"
			}
			return s[:i]
		}
		n += w
	}
	return s
}

// closingExcerpt is the end of a text, cut as opening does.
func closingExcerpt(s string) string {
	n := 0
	for i := len(s); i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		w := utf16.RuneLen(r)
		if n+w > excerptUnits {
			if n < excerptUnits {
				return "\ufffd" + s[i:]
			}
			return s[i:]
		}
		n, i = n+w, i-size
	}
	return s
}
