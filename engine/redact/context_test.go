package redact_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data/jstext"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/testlength"
)

// aroundValues are what terminals and programs put around a value, by what it is called. %s is the value.
var aroundValues = map[string]string{
	"colour":                 "\x1b[32m%s\x1b[0m",
	"256 colours":            "\x1b[38;5;214m%s\x1b[m",
	"8-bit colour":           "\u009b32m%s\u009b0m",
	"reset by tput":          "\x1b(B\x1b[m%s\x1b(B\x1b[m",
	"link":                   "\x1b]8;;https://example.net\x1b\\%s\x1b]8;;\x1b\\",
	"link ended by a bell":   "\x1b]8;;https://example.net\a%s\x1b]8;;\a",
	"colour spelled in JSON": `\u001b[32m%s\u001b[0m`,
	"colour spelled twice":   `\\u001b[32m%s\\u001b[0m`,
	"colour in a program":    `\x1b[32m%s\x1b[0m`,
	"colour in a shell":      `\033[1;32m%s\033[0m`,
	"colour in echo":         `\e[32m%s\e[0m`,
	"colour in cat -v":       `^[[32m%s^[[0m`,
	"link spelled in JSON":   `\u001b]8;;https://example.net\u001b\\%s\u001b]8;;\u001b\\`,
}

// aroundTokens are what stands around a token that has a form of its own.
var aroundTokens = map[string]string{
	"grep":                   "x:\x1b[m\x1b[K\x1b[01;31m\x1b[K%s\x1b[m\x1b[K",
	"colour behind a word":   "error\x1b[32m%s\x1b[0m)",
	"colour without escape":  "[32m%s[0m",
	"title":                  "\x1b]0;%s\a$ ",
	"in the link's address":  "\x1b]8;;%s\x1b\\here\x1b]8;;\x1b\\",
	"quotation mark of JSON": `\u0022%s\u0022`,
	"bold":                   "**%s**",
	"underscore":             "_%s",
	"italics":                "_%s_",
	"name":                   "NAME_%s",
	"small name":             "my_api_%s",
	"escape of a URL":        "https%3A%2F%2F%s%20x",
}

// inside are the ways in which a text with a value is stored.
var inside = map[string]func(string) string{
	"alone":     func(s string) string { return s },
	"in a part": func(s string) string { return `{"type":"text","text":` + string(jstext.Quote(s)) + `}` },
	"in JSON in JSON": func(s string) string {
		return `{"arguments":` + string(jstext.Quote(`{"cmd":`+string(jstext.Quote(s))+`}`)) + `}`
	},
	"by Go": func(s string) string { b, _ := json.Marshal([]string{s}); return string(b) },
}

// TestEveryKindIsFoundInEverySurrounding: each kind of the corpus and of the patterns, in colours, links,
// names and JSON, is found and leaves nothing when it is replaced; colours stay. Each kind meets each surrounding
// and is stored in each way, and so is each surrounding; which of the ways a kind and a surrounding have together
// changes from run to run.
func TestEveryKindIsFoundInEverySurrounding(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const seed = 21
	kinds := append(corpus(seed), generated(seed+1)...)
	if len(kinds) < 190 {
		t.Errorf("there are %d kinds only, with seed %d", len(kinds), seed)
	}
	missed, places := map[string]int{}, slices.Sorted(maps.Keys(inside))
	turn := rand.IntN(len(places)) //nolint:gosec // No secret depends on it.
	t.Log("turn", turn)
	for i, p := range kinds {
		surroundings := map[string]string{}
		for name, around := range aroundValues {
			surroundings[name] = strings.ReplaceAll(p.text, p.value, strings.ReplaceAll(around, "%s", p.value))
		}
		for name, around := range aroundTokens {
			if strings.HasPrefix(p.text, "please use ") {
				surroundings[name] = strings.ReplaceAll(p.text, p.value, strings.ReplaceAll(around, "%s", p.value))
			}
		}
		for j, name := range slices.Sorted(maps.Keys(surroundings)) {
			place := places[(turn+i+j)%len(places)]
			text := inside[place](surroundings[name])
			if why := faultOf(p, text, !strings.Contains(name, "italics") && !strings.Contains(name, "URL")); why != "" {
				missed[p.rule+" "+name]++
				if missed[p.rule+" "+name] == 1 {
					t.Errorf("%s: %s, %s: %s: %q", p.rule, name, place, why, text)
				}
			}
		}
	}
}

// faultOf says what is wrong with the finds in a text, and with what replaces them.
func faultOf(p planted, text string, exact bool) string {
	found := redact.Scan(text)
	if exact && !p.hasValue(found) {
		return fmt.Sprintf("found %v", found)
	}
	r := redact.NewRedactor(redact.Maybe)
	redacted, _ := r.Redact(text)
	if strings.Contains(redacted, p.value) || strings.Contains(redacted, p.value[len(p.value)/2:]) && len(p.value) > 20 {
		return "it stays in " + redacted
	}
	for _, colour := range []string{"\x1b[32m", "\x1b[0m", "\x1b]8;;https://example.net", `\u001b[32m`, `\\u001b[0m`} {
		if strings.Count(redacted, colour) != strings.Count(text, colour) {
			return "a sequence is lost in " + redacted
		}
	}
	if json.Valid([]byte(text)) && !json.Valid([]byte(redacted)) {
		return "no JSON any more: " + redacted
	}
	known := redact.NewKnown(found)
	if replaced := redact.Replace(text, known.Find(text), func(redact.Finding) string { return "#" }); strings.Contains(replaced, p.value) {
		return "a known one stays in " + replaced
	}
	return ""
}

// hasValue reports whether a find has the whole value, by whichever rule.
func (p planted) hasValue(found []redact.Finding) bool {
	for _, f := range found {
		if f.Secret.Reveal() == p.value {
			return true
		}
	}
	return false
}
