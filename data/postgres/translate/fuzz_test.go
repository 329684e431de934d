package translate_test

import (
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lcm-tui/data/postgres/translate"
)

var (
	literal   = regexp.MustCompile(`'(?:[^']|'')*'`)
	parameter = regexp.MustCompile(`\?(\d*)`)
	quoted    = regexp.MustCompile("\"[^\"]*\"|`[^`]*`|\\[[^\\]]*\\]|--[^\n]*|/\\*")
)

// FuzzStatement translates any text: literals stay as they are, and the parameters are the same.
func FuzzStatement(f *testing.F) {
	for query := range meanings {
		f.Add(query)
	}
	f.Add("SELECT a FROM t WHERE b = 'x' AND c IN (?, ?) ORDER BY julianday(a)")
	f.Fuzz(func(t *testing.T, query string) {
		got, err := translate.Statement(query, arguments, false, tables)
		if err != nil || strings.Contains(strings.ToUpper(query), "GLOB") || strings.Contains(query, "pragma") {
			return
		}
		if quoted.MatchString(literal.ReplaceAllString(query, "''")) {
			return // Quotes and comments within each other are the tokens' own test.
		}
		for _, l := range literal.FindAllString(query, -1) {
			if !strings.Contains(got.Text, l) {
				t.Errorf("%q lost the literal %s: %s", query, l, got.Text)
			}
		}
		highest := 0
		missing := map[string]bool{}
		for _, m := range parameter.FindAllStringSubmatch(literal.ReplaceAllString(query, "''"), -1) {
			number := highest + 1
			if m[1] != "" {
				number, _ = strconv.Atoi(m[1]) // The translation took it.
			}
			highest = max(highest, number)
			missing[strconv.Itoa(number)] = true
		}
		known := maps.Clone(missing)
		for _, m := range regexp.MustCompile(`\$(\d+)`).FindAllStringSubmatch(literal.ReplaceAllString(got.Text, "''"), -1) {
			if !known[m[1]] {
				t.Errorf("%q has no parameter %s: %s", query, m[1], got.Text)
			}
			delete(missing, m[1])
		}
		if len(missing) > 0 {
			t.Errorf("%q lost the parameters %v: %s", query, missing, got.Text)
		}
	})
}
