package redact_test

import (
	"slices"
	"testing"

	"lcm-tui/engine/redact"
	"lcm-tui/internal/hint"
)

func TestRulesOfTheUser(t *testing.T) {
	t.Parallel()
	rules, allow, err := redact.ParseRules([]byte(`
[[rule]]
id = "staff-badge"
regex = 'BADGE-(\d{6})'
keywords = ["badge-"]
class = "sure"

[[rule]]
id = "gate-code"
regex = 'gate code (\d{4})'

[allow]
regexes = ['^999']
stop-words = ["1234"]
`))
	if err != nil {
		t.Fatal(err)
	}
	rules = append(rules, redact.ParsePatterns("# ours\n\nroom-[0-9]{4}\n")...)
	s, err := redact.NewScanner(rules, allow)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range s.Scan("BADGE-555555 BADGE-999111 gate code 4711 gate code 1234 room-0815") {
		got = append(got, f.Rule+" "+string(f.Class)+" "+f.Secret.Reveal())
	}
	if want := []string{"staff-badge sure 555555", "gate-code likely 4711", "pattern-3 sure room-0815"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	for _, bad := range []string{"[[rule]\n", "[[rule]]\nid = 7\n", "[allow]\nregexes = ['(']\n"} {
		if _, _, err := redact.ParseRules([]byte(bad)); hint.Of(err) == "" {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
