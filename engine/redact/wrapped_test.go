package redact_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"lcm-tui/engine/redact"
)

// TestTokensDividedBetweenLinesAreFound: as a terminal wraps them, with and without blanks before the rest, and where a
// known value is divided elsewhere.
func TestTokensDividedBetweenLinesAreFound(t *testing.T) {
	t.Parallel()
	token := corpus(31)[2].value
	for name, divided := range map[string]string{
		"in two":             token[:20] + "\n" + token[20:],
		"in two, indented":   token[:13] + "\r\n    " + token[13:],
		"in three":           token[:12] + "\n" + token[12:24] + "\n" + token[24:],
		"in two and colours": "\x1b[32m" + token[:20] + "\x1b[0m\n\x1b[32m" + token[20:] + "\x1b[0m",
	} {
		text := "the token is " + divided + " and nothing else"
		found := redact.Scan(text)
		if len(found) != 1 || found[0].Secret.Reveal() != token {
			t.Errorf("%s: found %v", name, found)
		}
		redacted, _ := redact.NewRedactor(redact.Sure).Redact(text)
		if strings.Contains(redacted, token[24:]) || strings.Contains(redacted, token[:12]) || !strings.HasSuffix(redacted, "nothing else") {
			t.Errorf("%s: %q", name, redacted)
		}
		known := redact.NewKnown([]redact.Finding{{Rule: "github-token", Class: redact.Sure, Secret: redact.NewSecret(token)}})
		if len(known.Find(text)) != 1 || len(redact.NewRemains([]redact.Secret{redact.NewSecret(token)}).In(text)) != 1 {
			t.Errorf("%s: the known value isn't found", name)
		}
	}
}

// TestLinesThatFollowAPrefixAreNoToken: words and names after the end of a line.
func TestLinesThatFollowAPrefixAreNoToken(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"tokens begin with ghp_\nabcdefghijklmnopqrstuvwxyz0123456789abcd", "use sk-ant-api\nthe-next-line-has-many-words-with-dashes",
		"glpat-something\n  another_identifier_of_20", "npm_config_registry\nhttps://registry.example.net/with/a/path/of/36",
		"hf_transfer_enabled\nMAX_LENGTH_OF_THE_QUEUE_IS_NOT_SET_YET_1",
	} {
		if found := redact.Scan(text); len(found) > 0 {
			t.Errorf("%q: %s %q", text, found[0].Rule, found[0].Secret.Reveal())
		}
	}
}

// TestKnownValuesInOtherEncodings: base64 of a longer text, and the escaped form of a URL.
func TestKnownValuesInOtherEncodings(t *testing.T) {
	t.Parallel()
	value := "p/w+" + corpus(32)[2].value[4:24] + "="
	known := redact.NewKnown([]redact.Finding{{Rule: "url-password", Class: redact.Sure, Secret: redact.NewSecret(value)}})
	for _, text := range []string{
		"x " + base64.StdEncoding.EncodeToString([]byte(value)), "x " + base64.StdEncoding.EncodeToString([]byte("deploy:"+value)), "x " + base64.StdEncoding.EncodeToString([]byte("ab:"+value+"\n")), "y=" + strings.NewReplacer("/", "%2F", "+", "%2B", "=", "%3D").Replace(value) + "&z=1",
	} {
		if len(known.Find(text)) != 1 {
			t.Errorf("it isn't found in %q", text)
		}
	}
	escaped := strings.NewReplacer("/", "%2F", "+", "%2B", "=", "%3D").Replace(value)
	if known = redact.NewKnown([]redact.Finding{{Secret: redact.NewSecret(escaped)}}); len(known.Find("PGPASS "+value)) != 1 {
		t.Error("the plain form isn't found")
	}
}

// TestCookiesOfAHeader: each one that names a session, also as a member of JSON.
func TestCookiesOfAHeader(t *testing.T) {
	t.Parallel()
	one, two := "a1"+corpus(33)[2].value[4:34], "b2"+corpus(34)[2].value[4:34]
	for _, text := range []string{
		"Cookie: theme=dark; sid=" + one + "; lang=en; auth_token=" + two,
		`{"headers":{"cookie":"theme=dark; sid=` + one + `; auth_token=` + two + `"}}`,
		"curl -b 'sid=" + one + "; auth_token=" + two + "' https://x",
		`curl -b "sid=` + one + "; auth_token=" + two + `" https://x`,
	} {
		if found := redact.Scan(text); len(found) != 2 || found[0].Secret.Reveal() != one || found[1].Secret.Reveal() != two {
			t.Errorf("%q: found %v", text, found)
		}
	}
	for _, text := range []string{"cookie: theme=dark; consent=" + one, "sid=" + one, "Set-Cookie: sid=deleted; path=/"} {
		if found := redact.Scan(text); len(found) != 0 {
			t.Errorf("%q: found %v", text, found)
		}
	}
}
