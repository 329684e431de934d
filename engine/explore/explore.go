package explore

import (
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data/jstext"
)

// Describe describes a text payload: structured data by its shape, code by its imports and
// definitions, other text by its size, headings, beginning and end.
func Describe(name, mime, body string) string {
	mime = normalizeType(mime)
	ext := nameExtension(name)
	if ext == "" {
		ext = typeExtensions[mime]
	}
	switch {
	case isStructured(ext, mime):
		return describeStructure(ext, mime, body)
	case isCode(ext, mime):
		return describeCode(name, body)
	}
	return describeText(name, body)
}

// isStructured and isCode decide by an extension and a media type.
func isStructured(ext, mime string) bool {
	return hasPrefix(mime, structuredTypes) || slices.Contains(structuredExtensions, ext)
}

func isCode(ext, mime string) bool {
	return hasPrefix(mime, codeTypes) || slices.Contains(codeExtensions, ext)
}

// Image describes an image by its name, type and size in bytes.
func Image(name, mime string, size int) string {
	kind := strings.ToUpper(strings.TrimPrefix(mime, "image/"))
	return "Image file (" + kind + ", " + Grouped(size) + " bytes) — " + name
}

// Lines returns how many lines a payload has.
func Lines(body string) int { return strings.Count(body, "\n") + 1 }

// Grouped returns a number with commas between its thousands.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// title returns the first line of a description.
func title(kind, name string) string {
	if name != "" {
		name = " (" + name + ")"
	}
	return kind + " exploration summary" + name + ":"
}

// normalizeType returns a media type as types are compared.
func normalizeType(mime string) string { return strings.ToLower(jstext.Trim(mime)) }

func hasPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
