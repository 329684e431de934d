package explore

import (
	"strconv"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
)

// How much of a structure is shown.
const (
	maxMembers     = 10
	maxSamples     = 3
	maxDepth       = 2
	maxSampleUnits = 180 // UTF-16 units of a table's first row.
	maxElements    = 30
	maxKeys        = 30
)

// describeStructure describes structured data by its extension and type.
func describeStructure(ext, mime, body string) string {
	switch {
	case ext == "json" || strings.HasPrefix(mime, "application/json"):
		return describeJSON(body)
	case ext == "csv" || strings.HasPrefix(mime, "text/csv"):
		return describeTable(",", body)
	case ext == "tsv" || strings.HasPrefix(mime, "text/tab-separated-values"):
		return describeTable("\t", body)
	case ext == "xml" || hasPrefix(mime, []string{"application/xml", "text/xml"}):
		return describeXML(body)
	case ext == "yaml" || ext == "yml" || hasPrefix(mime, []string{"application/yaml", "application/x-yaml"}):
		return describeYAML(body)
	}
	return "Structured summary:\nCharacters: " + Grouped(jstext.Length(body)) + ".\nLines: " + Grouped(Lines(body)) + "."
}

func describeJSON(body string) string {
	v := jstext.Parse(body)
	if !v.Defined() {
		return "Structured summary (JSON): failed to parse as valid JSON."
	}
	kind := typeOf(v)
	if v.IsArray() {
		kind = "array"
	}
	return "Structured summary (JSON):\nTop-level type: " + kind + ".\nShape: " + shape(v, 0) + "."
}

// typeOf returns what JavaScript's typeof says of a value.
func typeOf(v jstext.Value) string {
	switch {
	case v.IsObject(), v.IsArray(), v == jstext.Null:
		return "object"
	case v.IsString():
		return "string"
	case v.IsBool():
		return "boolean"
	}
	return "number"
}

// shape returns a value's type, with the names of an object's members and the shapes of an array's
// first elements.
func shape(v jstext.Value, depth int) string {
	var inner []string
	n := 0
	switch {
	case depth >= maxDepth:
		return "..."
	case v.IsObject():
		for name := range v.Fields() {
			if n++; n <= maxMembers {
				inner = append(inner, name)
			}
		}
		return "object(keys=" + strconv.Itoa(n) + after(": ", strings.Join(inner, ", ")) + ")"
	case v.IsArray():
		for e := range v.Elements() {
			if n++; n <= maxSamples {
				inner = append(inner, shape(e, depth+1))
			}
		}
		if n == 0 {
			return "array(len=0)"
		}
		return "array(len=" + strconv.Itoa(n) + ", sample=[" + strings.Join(inner, ", ") + "])"
	}
	return typeOf(v)
}

// after puts a text behind another, or is empty where there is none.
func after(first, text string) string {
	if text == "" {
		return ""
	}
	return first + text
}

// describeTable describes lines of columns. Quotes mean nothing, as the host reads them.
func describeTable(comma, body string) string {
	header, first, n := "", "(no data rows)", 0
	for line := range lines(body) {
		if line = jstext.Trim(line); line == "" {
			continue
		}
		switch n++; n {
		case 1:
			header = line
		case 2:
			first = fold(line, maxSampleUnits)
		}
	}
	if n == 0 {
		return "Structured summary (CSV): no rows found."
	}
	var columns []string
	for c := range strings.SplitSeq(header, comma) {
		if c = jstext.Trim(c); c != "" {
			columns = append(columns, c)
		}
	}
	return "Structured summary (CSV):\nRows: " + Grouped(n-1) + ".\n" +
		"Columns (" + strconv.Itoa(len(columns)) + "): " + joined(columns, ", ", "(none detected)") + ".\n" +
		"First row sample: " + first + "."
}

var (
	xmlName = lazyregexp.New(jstext.Pattern(`<([A-Za-z0-9_:-]+)(?:\s|>)`))
	yamlKey = lazyregexp.New(jstext.Pattern(`^([A-Za-z0-9_.-]+):\s*(?:#[^\n\r\x{2028}\x{2029}]*)?$`))
)

func describeXML(body string) string {
	root, children, n := "", []string(nil), 0
	for rest := body; n < maxElements; {
		m := xmlName.FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		name := rest[m[2]:m[3]]
		rest = rest[m[1]:]
		switch {
		case root == "":
			root = name
		case name != root:
			n++
			children = appendUnique(children, name)
		}
	}
	if root == "" {
		root = "unknown"
	}
	return "Structured summary (XML):\nRoot element: " + root + ".\nChild elements seen: " + joined(children, ", ", "(none detected)") + "."
}

func describeYAML(body string) string {
	var keys []string
	seen := map[string]bool{}
	for line := range lines(body) {
		if m := yamlKey.FindStringSubmatch(line); m != nil && !seen[m[1]] {
			seen[m[1]] = true
			keys = append(keys, m[1])
		}
	}
	return "Structured summary (YAML):\nTop-level keys (" + strconv.Itoa(len(keys)) + "): " + joined(keys[:min(len(keys), maxKeys)], ", ", "(none detected)") + "."
}
