package settings

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // Zones have the same names where the system knows none.
)

// parse reads a value as it stands in a flag, a variable or the configuration. A
// value beside an error is what the host reads into it nevertheless.
func (r *row) parse(v any) (any, error) {
	switch r.kind {
	case boolean, unlessFalse:
		return parseBool(v)
	case word:
		return r.parseWord(v)
	case text:
		if s, ok := v.(string); ok {
			return strings.TrimSpace(s), nil
		}
		return nil, wrongType("expected a text, not %s", quoteValue(v))
	case zone:
		return parseZone(v)
	case list:
		return parseList(v)
	case models:
		return parseModels(v)
	case rules:
		l, ok := v.([]any)
		if !ok {
			return nil, wrongType("expected a list, not %s", quoteValue(v))
		}
		if _, err := parseOverrides(l); err != nil {
			return nil, err
		}
		return l, nil
	}
	return r.number(v)
}

// read parses the value of a source. Beside an error, a value is what the host takes it for.
func (r *row) read(g candidate) (any, error) {
	given, isText := g.value.(string)
	switch {
	case g.isVariable && given == "" && r.takesEmpty():
		return r.readEmpty()
	case g.isVariable && (r.kind == boolean || r.kind == unlessFalse):
		on := given == "true"
		if r.kind == unlessFalse {
			on = given != "false"
		}
		if given != "true" && given != "false" {
			return on, wrongType("expected true or false, not %s", quoteValue(given))
		}
		return on, nil
	}
	v, err := r.parse(g.value)
	switch {
	case err != nil || g.source == FromFlag:
		return v, err
	case isLess(v, r.minimum()):
		if !g.isVariable {
			v = nil
		}
		return v, &valueError{Range, fmt.Sprintf("expected %s, not %s", r.bounds(r.minimum()), quoteValue(g.value))}
	case !g.isVariable && isText && !r.isText():
		return v, wrongType("expected %s, not the text %s", r.typeName(), quoteValue(g.value))
	}
	return v, nil
}

// readEmpty reads a variable that is set to the empty text, which the host doesn't take for one that isn't set.
func (r *row) readEmpty() (v any, err error) {
	v = ""
	if r.kind == boolean || r.kind == unlessFalse {
		v = r.kind == unlessFalse
	}
	return v, &valueError{Empty, "it is set to nothing, which isn't the same as not set"}
}

func isLess(v any, least float64) bool {
	switch v := v.(type) {
	case int64:
		return float64(v) < least
	case float64:
		return v < least
	}
	return false
}

// isText reports whether the configuration has a text for the setting.
func (r *row) isText() bool { return r.kind == text || r.kind == zone || r.kind == word }

// typeName says what the configuration has for the setting.
func (r *row) typeName() string {
	switch r.kind {
	case boolean, unlessFalse:
		return "true or false"
	case list, models, rules:
		return "a list"
	}
	return "a number"
}

// parseWord reads one of the row's words.
func (r *row) parseWord(v any) (any, error) {
	s, ok := v.(string)
	if !ok {
		return nil, wrongType("expected a text, not %s", quoteValue(v))
	}
	if s = strings.TrimSpace(s); !slices.Contains(r.words, s) {
		return nil, &valueError{Range, fmt.Sprintf("expected %s, not %s", strings.Join(r.words, " or "), quoteValue(v))}
	}
	return s, nil
}

// number reads what JavaScript's Number would, within the bounds.
func (r *row) number(v any) (any, error) {
	f, ok := v.(float64)
	if s, is := v.(string); is {
		parsed, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		f, ok = parsed, err == nil
	}
	whole := r.kind == integer
	why := fmt.Sprintf("expected %s, not %s", r.bounds(r.least), quoteValue(v))
	switch {
	case !ok || math.IsNaN(f) || math.IsInf(f, 0) || whole && f != math.Trunc(f):
		return nil, &valueError{WrongType, why}
	case f < r.least || f > r.most:
		return nil, &valueError{Range, why}
	case whole:
		return int64(f), nil
	}
	return f, nil
}

// bounds says what is expected, from a least value on.
func (r *row) bounds(least float64) string {
	what := "a number"
	if r.kind == integer {
		what = "a whole number"
	}
	if r.most < unlimited {
		return fmt.Sprintf("%s from %g to %g", what, least, r.most)
	}
	return fmt.Sprintf("%s from %g", what, least)
}

// parseBool returns true for the word "true" only: the host takes every other for false, be
// it "1" or "yes".
func parseBool(v any) (any, error) {
	s, word := v.(string)
	s = strings.TrimSpace(s)
	b, ok := v.(bool)
	switch {
	case ok:
		return b, nil
	case word && (s == "true" || s == "false"):
		return s == "true", nil
	case word:
		return false, wrongType("expected true or false, not %s", quoteValue(v))
	}
	return nil, wrongType("expected true or false, not %s", quoteValue(v))
}

// parseList returns a list, or in a variable a text with commas.
func parseList(v any) (any, error) {
	out := []string{}
	switch v := v.(type) {
	case string:
		for s := range strings.SplitSeq(v, ",") {
			if s = strings.TrimSpace(s); s != "" {
				out = append(out, s)
			}
		}
		return out, nil
	case []any:
		for _, e := range v {
			s, ok := e.(string)
			if !ok {
				return nil, wrongType("expected a list of texts, not %s in it", quoteValue(e))
			}
			out = append(out, s)
		}
		return out, nil
	}
	return nil, wrongType("expected a list of texts, not %s", quoteValue(v))
}

// parseModels returns a list of models as provider/model. The configuration may have each
// as an object of both.
func parseModels(v any) (any, error) {
	all, ok := v.([]any)
	if !ok {
		return parseList(v)
	}
	names := make([]any, len(all))
	for i, e := range all {
		names[i] = e
		if o, ok := e.(map[string]any); ok {
			provider, _ := o["provider"].(string)
			model, _ := o["model"].(string)
			if provider == "" && model == "" {
				return nil, wrongType("expected models as provider/model, not %s", quoteValue(e))
			}
			names[i] = strings.Trim(provider+"/"+model, "/")
		}
	}
	return parseList(names)
}

// parseZone returns the name of a time zone. TZ may hold it with a colon before it, or as
// the path of its file.
func parseZone(v any) (any, error) {
	s, _ := v.(string)
	name := strings.TrimPrefix(strings.TrimSpace(s), ":")
	if _, after, ok := strings.Cut(name, "/zoneinfo/"); ok {
		name = after
	}
	if _, err := time.LoadLocation(name); err != nil || name == "" || name == "Local" {
		return nil, wrongType("expected a time zone such as Europe/Berlin, not %s", quoteValue(v))
	}
	return name, nil
}

// quoteValue returns a value as an error names it.
func quoteValue(v any) string {
	const most = 60
	s := fmt.Sprintf("%v", v)
	if t, ok := v.(string); ok {
		s = strconv.Quote(t)
	}
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
