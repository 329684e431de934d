package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// kind is the JSON type of a parameter.
type kind string

const (
	isText    kind = "string"
	isNumber  kind = "number"
	isBoolean kind = "boolean"
	isTexts   kind = "array" // Of strings.
)

// parameter is one argument that a tool takes.
type parameter struct {
	name     string
	kind     kind
	about    string
	words    []string // The only values, if any.
	least    int      // Of a number, where most isn't 0.
	most     int
	required bool
}

// schema returns the JSON schema of parameters. It is written out here because types that are inferred
// from structs allow null, which some clients refuse.
func schema(parameters []parameter) json.RawMessage {
	quoted := func(v any) string {
		text, _ := json.Marshal(v) // A string or a list of them.
		return string(text)
	}
	fields, required := []string{}, []string{}
	for _, p := range parameters {
		field := `"type":` + quoted(p.kind) + `,"description":` + quoted(p.about)
		if p.kind == isTexts {
			field += `,"items":{"type":"string"}`
		}
		if len(p.words) > 0 {
			field += `,"enum":` + quoted(p.words)
		}
		if p.most != 0 {
			field += `,"minimum":` + strconv.Itoa(p.least) + `,"maximum":` + strconv.Itoa(p.most)
		}
		fields = append(fields, quoted(p.name)+":{"+field+"}")
		if p.required {
			required = append(required, p.name)
		}
	}
	out := `{"type":"object","properties":{` + strings.Join(fields, ",") + `}`
	if len(required) > 0 {
		out += `,"required":` + quoted(required)
	}
	return json.RawMessage(out + `,"additionalProperties":false}`)
}

// arguments are the values of a call by name. One that wasn't given, or is null, is absent.
type arguments map[string]any

// argumentError says which argument of a call is wrong, and why.
type argumentError struct{ text string }

func (e *argumentError) Error() string { return e.text }

// parseArguments holds the arguments of a call against the parameters of its tool.
func parseArguments(tool string, parameters []parameter, raw json.RawMessage) (arguments, error) {
	given := map[string]json.RawMessage{}
	if len(raw) > 0 && string(raw) != "null" {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, &argumentError{"the arguments are not a JSON object"}
		}
	}
	out := arguments{}
	for _, p := range parameters {
		text, ok := given[p.name]
		delete(given, p.name)
		if !ok || string(text) == "null" {
			if p.required {
				return nil, &argumentError{fmt.Sprintf("%s needs %q", tool, p.name)}
			}
			continue
		}
		v, err := p.parse(text)
		if err != nil {
			return nil, err
		}
		out[p.name] = v
	}
	if len(given) > 0 {
		return nil, unknownArgument(tool, slices.Min(slices.Collect(maps.Keys(given))), parameters)
	}
	return out, nil
}

func unknownArgument(tool, name string, parameters []parameter) error {
	names := []string{}
	for _, p := range parameters {
		names = append(names, p.name)
	}
	takes := "no arguments"
	if len(names) > 0 {
		takes = strings.Join(names, ", ")
	}
	return &argumentError{fmt.Sprintf("unknown argument %q: %s takes %s", clipped(name), tool, takes)}
}

// What an argument may hold: the longest text, in bytes, and the most texts of a list.
const (
	mostText  = 64 << 10
	mostTexts = 1000
)

// parse reads the value of a parameter. A number beyond its range is moved to the nearest end.
func (p parameter) parse(text json.RawMessage) (any, error) {
	var err error
	var v any
	switch p.kind {
	case isNumber:
		var n float64
		err = json.Unmarshal(text, &n)
		if p.most != 0 {
			n = min(max(n, float64(p.least)), float64(p.most))
		}
		v = n
	case isBoolean:
		var b bool
		err = json.Unmarshal(text, &b)
		v = b
	case isTexts:
		var list []string
		err = json.Unmarshal(text, &list)
		if err == nil && (len(list) > mostTexts || slices.ContainsFunc(list, func(s string) bool { return len(s) > mostText })) {
			return nil, &argumentError{fmt.Sprintf("%s: a list has at most %d texts of %d KB", p.name, mostTexts, mostText>>10)}
		}
		v = list
	default:
		var s string
		err = json.Unmarshal(text, &s)
		if len(s) > mostText {
			return nil, &argumentError{fmt.Sprintf("%s: it is longer than %d KB", p.name, mostText>>10)}
		}
		if err == nil && len(p.words) > 0 && !slices.Contains(p.words, s) {
			return nil, &argumentError{fmt.Sprintf("%s: expected %s, not %q", p.name, strings.Join(p.words, " or "), clipped(s))}
		}
		v = s
	}
	if err != nil {
		expected := map[kind]string{isText: "a string", isNumber: "a number", isBoolean: "true or false", isTexts: "a list of strings"}
		return nil, &argumentError{fmt.Sprintf("%s: expected %s, not %s", p.name, expected[p.kind], clipped(string(text)))}
	}
	return v, nil
}

// clipped returns the beginning of a wrong value, for an error.
func clipped(text string) string {
	const most = 60
	if head := (limit{most: most}).head(text, most); head != text {
		return head + "…"
	}
	return text
}

func (a arguments) text(name string) string {
	s, _ := a[name].(string)
	return s
}

func (a arguments) texts(name string) []string {
	list, _ := a[name].([]string)
	return list
}

func (a arguments) yes(name string) bool {
	b, _ := a[name].(bool)
	return b
}

// number returns a number that was given, cut off behind the point, or the preset.
func (a arguments) number(name string, preset int64) int64 {
	n, ok := a[name].(float64)
	switch {
	case !ok:
		return preset
	case n >= 1<<53:
		return 1 << 53
	case n <= -1<<53:
		return -1 << 53
	}
	return int64(n)
}

// optional returns a number that was given, or nil.
func (a arguments) optional(name string) *int64 {
	if !a.has(name) {
		return nil
	}
	return new(a.number(name, 0))
}

func (a arguments) has(name string) bool {
	_, ok := a[name]
	return ok
}
