package explore

import (
	"regexp"
	"strconv"
	"strings"

	"lcm-tui/data/jstext"
)

// How much of a structure is named.
const (
	maxKeys        = 12
	maxSamples     = 3
	maxDepth       = 4
	maxSampleBytes = 200 // Bytes of a table's first row.
)

func describeJSON(body string) string {
	v := jstext.Parse(strings.TrimPrefix(body, "\ufeff"))
	if !v.Defined() {
		return ""
	}
	return "Structured summary (JSON):\nTop-level type: " + typeOf(v) + ".\nShape: " + shape(v, 0) + "."
}

func typeOf(v jstext.Value) string {
	switch {
	case v.IsObject():
		return "object"
	case v.IsArray():
		return "array"
	case v.IsString():
		return "string"
	case v.IsBool():
		return "boolean"
	case v == jstext.Null:
		return "null"
	}
	return "number"
}

// shape is a value's type, with the names of an object's members and the shapes of
// an array's first elements.
func shape(v jstext.Value, depth int) string {
	var inner []string
	n := 0
	switch {
	case v.IsObject():
		for name := range v.Fields() {
			if n++; n <= maxKeys {
				inner = append(inner, oneLine(name))
			}
		}
		return "object(keys=" + strconv.Itoa(n) + ": " + joinNames(inner, n) + ")"
	case v.IsArray():
		for e := range v.Elements() {
			if n++; n <= maxSamples && depth < maxDepth {
				inner = append(inner, shape(e, depth+1))
			}
		}
		return "array(len=" + strconv.Itoa(n) + ", sample=[" + strings.Join(inner, ", ") + "])"
	}
	return typeOf(v)
}

// joinNames joins names with commas, and adds … where there are n and more than these.
func joinNames(names []string, n int) string {
	if n > len(names) {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

func describeTable(kind, comma, body string) string {
	header, first, rows := "", "", 0
	for line := range strings.Lines(strings.TrimPrefix(body, "\ufeff")) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case jstext.Trim(line) == "":
		case header == "":
			header = line
		default:
			if rows++; rows == 1 {
				first = line
			}
		}
	}
	columns := strings.Split(header, comma)
	for i, c := range columns {
		columns[i] = strings.Trim(jstext.Trim(c), `"`)
	}
	out := "Structured summary (" + kind + "):\nRows: " + Grouped(rows) + ".\n" +
		"Columns (" + strconv.Itoa(len(columns)) + "): " + joinNames(columns[:min(len(columns), 4*maxKeys)], len(columns)) + "."
	if rows > 0 {
		out += "\nFirst row sample: " + clip(first, maxSampleBytes) + "."
	}
	return out
}

// clip is the start of a text, in whole characters.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

var (
	yamlKey = regexp.MustCompile(`(?m)^([A-Za-z0-9_.\-"']+)\s*:(?:\s|$)`)
	xmlRoot = regexp.MustCompile(`<([A-Za-z_][\w.\-:]*)[\s/>]`)
)

func describeYAML(body string) string {
	return matchedNames("YAML", "Top-level keys", yamlKey.FindAllStringSubmatch(body, -1))
}

func describeXML(body string) string {
	all := xmlRoot.FindAllStringSubmatch(body, -1)
	if len(all) == 0 {
		return ""
	}
	return "Structured summary (XML):\nRoot element: " + all[0][1] + ".\nElements: " + Grouped(len(all)) + "."
}

// matchedNames lists the different names that a pattern found.
func matchedNames(kind, what string, all [][]string) string {
	var names []string
	seen := map[string]bool{}
	for _, m := range all {
		if !seen[m[1]] {
			seen[m[1]] = true
			names = append(names, m[1])
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "Structured summary (" + kind + "):\n" + what + " (" + strconv.Itoa(len(names)) + "): " + joinNames(names[:min(len(names), maxKeys)], len(names)) + "."
}
