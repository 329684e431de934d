package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // Zones have the same names where the system knows none.
)

// parse reads a value as it stands in a flag, a variable or the configuration. A
// value beside an error is what the host reads into it nevertheless.
func (r row) parse(v any) (any, error) {
	switch r.kind {
	case boolean:
		return parseBool(v)
	case text:
		if s, ok := v.(string); ok {
			return strings.TrimSpace(s), nil
		}
		return nil, fmt.Errorf("expected a text, not %s", quoteValue(v))
	case zone:
		return parseZone(v)
	case list:
		return parseList(v)
	case models:
		return parseModels(v)
	case rules:
		l, ok := v.([]any)
		if !ok {
			return nil, fmt.Errorf("expected a list, not %s", quoteValue(v))
		}
		if _, err := parseOverrides(l); err != nil {
			return nil, err
		}
		return l, nil
	}
	return r.number(v)
}

// number reads what JavaScript's Number would, within the bounds.
func (r row) number(v any) (any, error) {
	f, ok := v.(float64)
	if s, is := v.(string); is {
		parsed, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		f, ok = parsed, err == nil
	}
	whole := r.kind == integer
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) || whole && f != math.Trunc(f) || f < r.least || f > r.most {
		return nil, fmt.Errorf("expected %s, not %s", r.bounds(), quoteValue(v))
	}
	if whole {
		return int64(f), nil
	}
	return f, nil
}

// bounds says what is expected.
func (r row) bounds() string {
	what := "a number"
	if r.kind == integer {
		what = "a whole number"
	}
	if r.most < unlimited {
		return fmt.Sprintf("%s from %g to %g", what, r.least, r.most)
	}
	return fmt.Sprintf("%s from %g", what, r.least)
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
		return false, fmt.Errorf("expected true or false, not %s", quoteValue(v))
	}
	return nil, fmt.Errorf("expected true or false, not %s", quoteValue(v))
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
				return nil, fmt.Errorf("expected a list of texts, not %s in it", quoteValue(e))
			}
			out = append(out, s)
		}
		return out, nil
	}
	return nil, fmt.Errorf("expected a list of texts, not %s", quoteValue(v))
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
				return nil, fmt.Errorf("expected models as provider/model, not %s", quoteValue(e))
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
		return nil, fmt.Errorf("expected a time zone such as Europe/Berlin, not %s", quoteValue(v))
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
