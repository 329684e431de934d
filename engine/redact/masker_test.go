package redact_test

import (
	"strings"
	"testing"

	"lcm-tui/engine/redact"
)

// TestMasker: every secret is replaced, one value by one placeholder, which isn't one that the text has already; all
// else stays.
func TestMasker(t *testing.T) {
	t.Parallel()
	one, two := "ghp_"+"x8Kq2mVt5Rw9Yb3Nc7Lp4Hs6Dg1Jf0Za8Ue2", "AKIA"+"Q3ZX7KPLM2NV4RTY"
	text := "[REDACTED:github-token#4] first " + one + ", again " + one + " and " + two + "\n"
	masked, n := redact.Masker{}.Mask(text)
	if n != 2 || strings.Contains(masked, one) || strings.Contains(masked, two) || strings.Count(masked, "#5]") != 2 || strings.Count(masked, "#4]") != 1 || !strings.HasSuffix(masked, "\n") {
		t.Errorf("%d: %q", n, masked)
	}
	if masked, n := (redact.Masker{}).Mask("nothing secret here"); n != 0 || masked != "nothing secret here" {
		t.Errorf("%d: %q", n, masked)
	}
	guess := "the password is hunter2secret"
	if _, n := (redact.Masker{}).Mask(guess); n != 0 {
		t.Errorf("a guess is masked")
	}
	if masked, n := (redact.Masker{Least: redact.Maybe}).Mask(guess); n != 1 || strings.Contains(masked, "hunter2secret") {
		t.Errorf("%d: %q", n, masked)
	}
}

// TestShapes: what lossless-claude masks is masked, however little random it is.
func TestShapes(t *testing.T) {
	t.Parallel()
	scanner, err := redact.NewScanner(redact.Shapes(), redact.Allow{})
	if err != nil {
		t.Fatal(err)
	}
	m := redact.Masker{Scanner: scanner}
	for text, secret := range map[string]string{
		"use sk-" + strings.Repeat("ab12", 5) + " here":      "sk-abab",
		"sk-ant-" + strings.Repeat("ab1_", 10):               "sk-ant-ab",
		"token ghp_" + strings.Repeat("ab12", 9):             "ghp_ab",
		"id AKIA" + strings.Repeat("AB12", 4) + ".":          "AKIAAB",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIE":              "BEGIN RSA",
		"Authorization: Bearer " + strings.Repeat("ab12", 4): "ab12",
		"password: hunter2":                                  "hunter2",
		`sent {"password": "hunter2", "user": "bob"}`:        "hunter2",
		"PASSWORD=abc123 make":                               "abc123",
		"die Passwörter, 密码 password := \"geheim\" und mehr": "geheim",
	} {
		masked, n := m.Mask(text)
		if n != 1 || strings.Contains(masked, secret) || !strings.Contains(masked, "[REDACTED:") {
			t.Errorf("%q: %d, %q", text, n, masked)
		}
	}
	for _, text := range []string{"ask-" + "me", "the bearer of news", "password", "a password is needed", "skip-to-content"} {
		if masked, n := m.Mask(text); n != 0 {
			t.Errorf("%q: %q", text, masked)
		}
	}
}
