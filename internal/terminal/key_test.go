package terminal_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/internal/terminal"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script string
		want   []string
	}{
		{"", nil},
		{"  s  ", []string{"s"}},
		{"down enter", []string{"\x1b[B", "\r"}},
		{"down*2 ? G", []string{"\x1b[B", "\x1b[B", "?", "G"}},
		{"* é", []string{"*", "é"}},
		{`/ "ab c" enter`, []string{"/", "a", "b", " ", "c", "\r"}},
		{`"say \"x\""`, []string{"s", "a", "y", " ", `"`, "x", `"`}},
		{"ctrl+p ctrl+c alt+b alt+up", []string{"\x10", "\x03", "\x1bb", "\x1b\x1b[A"}},
		{"shift+tab space esc", []string{"\x1b[Z", " ", "\x1b"}},
	} {
		got, err := terminal.Keys(c.script)
		if err != nil {
			t.Errorf("%q: %v", c.script, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.script, d)
		}
	}
}

func TestKeysRefused(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"dwon":          `no key is called "dwon"`,
		"down*x":        `"x" is not a number of times`,
		"down*0":        `"0" is not a number of times`,
		`/ "never ends`: "text without an end",
		"ctrl+1":        `no key is called "ctrl+1"`,
		"alt+nothing":   `no key is called "nothing"`,
	} {
		if _, err := terminal.Keys(script); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", script, err, want)
		}
	}
}
