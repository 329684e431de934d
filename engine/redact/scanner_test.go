package redact_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"lcm-tui/data/jstext"
	"lcm-tui/engine/redact"
)

// inContexts are the ways in which a text with a secret is stored.
var inContexts = map[string]func(text string) string{
	"alone":         func(s string) string { return s },
	"between lines": func(s string) string { return "yes\n" + s + "\nthat is it" },
	"in metadata": func(s string) string {
		return `{"rawType":"text","raw":` + string(jstext.Quote("first\n"+s+"\tlast")) + `}`
	},
	"in JSON in JSON": func(s string) string {
		return `{"arguments":` + string(jstext.Quote(`{"cmd":`+string(jstext.Quote("\n"+s))+`}`)) + `,"n":1}`
	},
	"in lines of JSON":    func(s string) string { return "{\"a\":true}\n{\"b\":[null," + string(jstext.Quote(s)) + "]}\n" },
	"in a quoted program": func(s string) string { return `print("\n` + strings.ReplaceAll(s, "\n", `\n`) + `\n")` },
}

func TestRulesOfTheProgramCompile(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range redact.BuiltIn() {
		if _, err := regexp.Compile(r.Pattern); err != nil || seen[r.ID] || r.About == "" {
			t.Errorf("%s: %v", r.ID, err)
		}
		seen[r.ID] = true
	}
}

// TestNamesOfMembersSayWhatTheirValuesAre: in JSON no operator stands between them.
func TestNamesOfMembersSayWhatTheirValuesAre(t *testing.T) {
	t.Parallel()
	for _, p := range corpus(13) {
		name := map[string]string{"datadog-key": "DD_API_KEY", "heroku-key": "heroku_api_key", "aws-secret-key": "SecretAccessKey"}[p.rule]
		if name == "" {
			continue
		}
		text, _ := json.Marshal(map[string]any{"env": map[string]string{name: p.value}})
		if found := redact.Scan(string(text)); !p.isFound(found) || found[0].Class != redact.Sure {
			t.Errorf("%s: found %v", p.rule, found)
		}
	}
}

func TestEveryKindIsFoundInEveryContext(t *testing.T) {
	t.Parallel()
	for _, p := range corpus(1) {
		for name, wrap := range inContexts {
			text, want := wrap(p.text), p
			if name == "in a quoted program" {
				want.value = strings.ReplaceAll(p.value, "\n", `\n`)
			}
			if found := redact.Scan(text); !want.isFound(found) {
				t.Errorf("%s %s: found %v", p.rule, name, found)
			}
		}
	}
}

func TestRedactLeavesNothingAndKeepsJSON(t *testing.T) {
	t.Parallel()
	r := redact.NewRedactor(redact.Maybe)
	for seed := range uint64(3) {
		for _, p := range corpus(seed + 2) {
			for name, wrap := range inContexts {
				text := wrap(p.text)
				redacted, _ := r.Redact(text)
				for _, left := range []string{p.value, strings.Trim(string(jstext.Quote(p.value)), `"`)} {
					if strings.Contains(redacted, left) {
						t.Errorf("%s %s: it is still in %q", p.rule, name, redacted)
					}
				}
				if json.Valid([]byte(text)) != json.Valid([]byte(redacted)) {
					t.Errorf("%s %s: %q is no JSON any more", p.rule, name, redacted)
				}
				if again, more := r.Redact(redacted); again != redacted {
					t.Errorf("%s %s: a placeholder is a secret: %v in %q", p.rule, name, more, redacted)
				}
			}
		}
	}
}

func TestRestOfTheTextStays(t *testing.T) {
	t.Parallel()
	key := corpus(9)[2].value
	r := redact.NewRedactor(redact.Sure)
	for text, want := range map[string]string{
		`{"z":1.0, "a":"\/ \u00e9\ud83d ` + key + ` \ud83d\ude00 ` + key + `"}`: `{"z":1.0, "a":"\/ \u00e9\ud83d [REDACTED:github-token#1] \ud83d\ude00 [REDACTED:github-token#1]"}`,
		"\xff\x00" + key + "\xfe":                      "\xff\x00[REDACTED:github-token#1]\xfe",
		`{"broken": "` + key:                           `{"broken": "[REDACTED:github-token#1]`,
		`{"` + key + `": {"x": [` + `"` + key + `"]}}`: `{"[REDACTED:github-token#1]": {"x": ["[REDACTED:github-token#1]"]}}`,
	} {
		if got, _ := r.Redact(text); got != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
}

// TestNoSecrets has texts that look like secrets and are none.
func TestNoSecrets(t *testing.T) {
	t.Parallel()
	kinds := corpus(4)
	masked := kinds[2].value[:6] + "…" + kinds[2].value[30:]
	for _, text := range []string{
		"", "token", "api_key=", "the password is required", "password: string", "My password was correct.", masked,
		"AK" + "IAIOSFODNN7EXAMPLE", "API_KEY=${SECRET_FROM_VAULT}", "Authorization: Bearer $TOKEN", "postgres://user:password@localhost/x", "https://example.com:8080/a@b",
		"[REDACTED:github-token#3]", "api_key=[REDACTED:assigned-secret#12]", "[LCM Forgotten: user message 12, 2026-01-01, 200 bytes]",
		"secret=file_0a1b2c3d4e5f6a7b", "sum_b4f8213d4eaa430f", "identity_hash: 5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9",
		"token: agent:main:telegram:direct:42", "max_tokens: 1234567890", "tokenCount=123456789012", "passwordHash := sha256.Sum256(value)", "sk-abc…wxyz", "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		`{"token_count": 12345678901, "session_id": "0b6c6f2e-6a3c-4f0e-9d8a-1c2d3e4f5a6b"}`, "secret_key_base", "gh" + "p_short", "mailto:a@b.c", "ssh://git@github.com:22/x",
		"datadog_trace_id: 5feceb66ffc86f38d952786c6d696c79", "heroku app 0b6c6f2e-6a3c-4f0e-9d8a-1c2d3e4f5a6b", "login nobody\n  password nothing", "curl -u user:password https://x",
		"curl -u \"$USER:$PASS\" https://x", "Server=db;Password={password};", "var x = s.ReadUint16LengthPrefixed(a)",
	} {
		if found := redact.Scan(text); len(found) > 0 {
			t.Errorf("%q: %s %v", text, found[0].Rule, found[0].Secret)
		}
	}
}

// TestManyStrings: the time grows with the length of a JSON text, however many strings it has.
func TestManyStrings(t *testing.T) {
	t.Parallel()
	key := corpus(5)[2].value
	text := "[" + strings.Repeat(`"a string of some length",`, 300_000) + `"` + key + `"]`
	if found := redact.Scan(text); len(found) != 1 || found[0].Secret.Reveal() != key {
		t.Errorf("%d finds", len(found))
	}
}

func TestLongestOfTwoIsKept(t *testing.T) {
	t.Parallel()
	key := corpus(5)[2].value
	found := redact.Scan("API_TOKEN=" + key + "\n")
	if len(found) != 1 || found[0].Rule != "github-token" || found[0].Class != redact.Sure {
		t.Errorf("found %+v", found)
	}
	long := key + "-tail1"
	if found = redact.Scan("API_TOKEN=" + long); len(found) != 1 || found[0].Secret.Reveal() != long || found[0].Class != redact.Sure {
		t.Errorf("found %+v", found)
	}
}

func TestValueOfANamedMember(t *testing.T) {
	t.Parallel()
	value := "q7" + corpus(6)[2].value[4:30]
	for text, want := range map[string]int{
		`{"clientSecret":"` + value + `"}`:              1,
		`{"env":{"DB_PASSWORD":"` + value + `"}}`:       1,
		`{"summary":"` + value + `"}`:                   0,
		`{"api_key_description_of_it":"one two three"}`: 0,
	} {
		if found := redact.Scan(text); len(found) != want {
			t.Errorf("%d finds of %d", len(found), want)
		}
	}
}

func TestSecretIsNeverPrinted(t *testing.T) {
	t.Parallel()
	for _, p := range corpus(7) {
		found := redact.Scan(p.text)
		encoded, err := json.Marshal(map[string]any{"found": found, "secret": redact.NewSecret(p.value)})
		if err != nil {
			t.Fatal(err)
		}
		s := redact.NewSecret(p.value)
		for _, printed := range []string{string(encoded), fmt.Sprint(found), fmt.Sprintf("%v %+v %#v %s %q %x %d", s, s, s, s, s, s, s), fmt.Sprintf("%#v %+v", found, found), fmt.Sprintf("%v", &s)} {
			if strings.Contains(printed, p.value[len(p.value)/4:]) || strings.Contains(printed, fmt.Sprintf("%x", p.value)) {
				t.Errorf("%s is printed in full by %.80q", p.rule, printed)
			}
		}
		if n := len([]rune(s.Masked())) - 1; n > 4 || n*5 > s.Len() {
			t.Errorf("%d of %d characters are shown", n, s.Len())
		}
	}
}

func TestOwnRules(t *testing.T) {
	t.Parallel()
	staff := redact.Rule{ID: "staff-badge", Class: redact.Sure, Keywords: []string{"BADGE-"}, Pattern: `BADGE-(\d{6})`}
	s, err := redact.NewScanner([]redact.Rule{staff, {ID: "room", Class: redact.Maybe, Pattern: `room-[0-9]{4}`}}, redact.Allow{StopWords: []string{"room-0000"}, Patterns: []*regexp.Regexp{regexp.MustCompile(`^00`)}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range s.Scan("badge-111111 BADGE-123456 BADGE-001234 room-0000 room-1234") {
		got = append(got, f.Rule+" "+f.Secret.Reveal())
	}
	if want := "staff-badge 123456, room room-1234"; strings.Join(got, ", ") != want {
		t.Errorf("found %s, want %s", got, want)
	}
	for _, bad := range []redact.Rule{
		{ID: "all", Class: redact.Sure, Pattern: `.*`},
		{ID: "words", Class: redact.Sure, Pattern: `\w+`},
		{ID: "Bad Id", Class: redact.Sure, Pattern: `secret-\d+`},
		{ID: "open", Class: redact.Sure, Pattern: `(`},
		{ID: "none", Class: "certain", Pattern: `x-\d{9}`},
		{ID: "empty", Class: redact.Sure},
	} {
		if _, err := redact.NewScanner([]redact.Rule{bad}, redact.Allow{}); err == nil {
			t.Errorf("the rule %q was taken", bad.ID)
		}
	}
}

func TestNumbersOfPlaceholders(t *testing.T) {
	t.Parallel()
	p := redact.NewPlaceholders(redact.LastNumber("a [REDACTED:github-token#7] and [REDACTED:jwt#3] b"))
	one, two := redact.NewSecret("first-value"), redact.NewSecret("second-value")
	if a, b, again := p.Number(one), p.Number(two), p.Number(one); a != 8 || b != 9 || again != 8 {
		t.Errorf("the numbers are %d, %d and %d", a, b, again)
	}
}

func FuzzRedact(f *testing.F) {
	for _, p := range corpus(8) {
		f.Add(p.text)
		f.Add(inContexts["in JSON in JSON"](p.text))
	}
	f.Add(`{"a":"\ud83d\`)
	f.Fuzz(func(t *testing.T, text string) {
		redacted, found := redact.NewRedactor(redact.Maybe).Redact(text)
		end := 0
		for _, one := range found {
			if one.Start < end || one.End <= one.Start || one.End > len(text) {
				t.Fatalf("the find lies from %d to %d of %d", one.Start, one.End, len(text))
			}
			end = one.End
		}
		if json.Valid([]byte(text)) && !json.Valid([]byte(redacted)) {
			t.Fatalf("%q is no JSON", redacted)
		}
	})
}
