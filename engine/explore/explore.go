package explore

import (
	"path/filepath"
	"strconv"
	"strings"
)

// Describe describes a text payload: structured data by its shape, code by its imports and
// definitions, other text by its size, headings, beginning and end.
func Describe(name, mime, body string) string {
	ext := strings.ToLower(filepath.Ext(name))
	about := ""
	switch {
	case ext == ".json" || mime == "application/json":
		about = describeJSON(body)
	case ext == ".csv" || mime == "text/csv":
		about = describeTable("CSV", ",", body)
	case ext == ".tsv" || mime == "text/tab-separated-values":
		about = describeTable("TSV", "\t", body)
	case ext == ".yaml" || ext == ".yml" || strings.HasSuffix(mime, "/yaml") || strings.HasSuffix(mime, "x-yaml"):
		about = describeYAML(body)
	case ext == ".xml" || strings.HasSuffix(mime, "/xml"):
		about = describeXML(body)
	case code[ext]:
		about = describeCode(name, body)
	}
	if about == "" {
		about = describeText(name, body)
	}
	return about
}

// Image describes an image by its name, type and size in bytes.
func Image(name, mime string, size int) string {
	kind := strings.ToUpper(strings.TrimPrefix(mime, "image/"))
	return "Image file (" + kind + ", " + Grouped(size) + " bytes) — " + name
}

// Lines is how many lines a payload has.
func Lines(body string) int { return strings.Count(body, "\n") + 1 }

// Grouped is a number with commas between its thousands.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
