package explore

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"lcm-tui/data/jstext"
)

// How much of a text a model sees to describe it, in UTF-16 units: all of it, or three parts.
const (
	sampleUnits = 4800
	partUnits   = 2400
)

// IsProse reports whether a payload is described by its words: it is neither structured data nor code nor an image, by its
// name, else by its media type. Only such a payload is shown to a model.
func IsProse(name, mime string) bool {
	mime = normalizeType(mime)
	ext := Extension(name, mime)
	return !isStructured(ext, mime) && !isCode(ext, mime) && !strings.HasPrefix(mime, "image/")
}

// Source returns what a model is shown to describe a payload: its name, type and size, its headings, and a sample.
func Source(name, mime, body string) string {
	or := func(s, none string) string {
		if s = fold(s, maxHeadingUnits); s == "" {
			return none
		}
		return s
	}
	return "Name: " + or(name, "unknown") + "\nType: " + or(mime, "unknown") +
		"\nCharacters: " + Grouped(jstext.Length(body)) + "\nLines: " + Grouped(Lines(body)) +
		"\nHeadings: " + joined(headings(body), " | ", "none") + "\n\n" + Sample(body)
}

// Sample returns a text of up to 4,800 UTF-16 units whole, and of a longer one its beginning, its middle and its end, of
// 2,400 each. A code point that would be cut in two is left out.
func Sample(body string) string {
	length := jstext.Length(body)
	if length <= sampleUnits {
		return body
	}
	middle := length/2 - partUnits/2
	return "[beginning, of " + strconv.Itoa(length) + " characters]\n" + unitsBetween(body, 0, partUnits) +
		"\n\n[middle]\n" + unitsBetween(body, middle, middle+partUnits) +
		"\n\n[end]\n" + unitsBetween(body, length-partUnits, length)
}

// unitsBetween returns the whole code points from one UTF-16 unit up to another.
func unitsBetween(s string, from, to int) string {
	start, end, n := -1, len(s), 0
	for i, r := range s {
		if start < 0 && n >= from {
			start = i
		}
		if n += utf16.RuneLen(r); n > to {
			end = i
			break
		}
	}
	if start < 0 || start > end {
		return ""
	}
	return s[start:end]
}

// IsDeterministic reports whether a description is one that no model made: of prose it begins with its title, and of
// nothing it is empty.
func IsDeterministic(description string) bool {
	description = strings.TrimSpace(description)
	return description == "" || description == "(no summary available)" || strings.HasPrefix(description, "Text exploration summary")
}
