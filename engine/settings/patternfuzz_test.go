package settings_test

import (
	"strings"
	"testing"

	"lcm-tui/engine/settings"
)

// matchPlainly matches a pattern of sessions as it is described, rune by rune: ** stands for anything on one line, * for
// anything but a colon, and every other rune for itself. known has the answers for the rests of both.
func matchPlainly(pattern, text []rune, known map[[2]int]bool) bool {
	at := [2]int{len(pattern), len(text)}
	if answer, is := known[at]; is {
		return answer
	}
	answer := false
	switch {
	case len(pattern) == 0:
		answer = len(text) == 0
	case pattern[0] != '*':
		answer = len(text) > 0 && text[0] == pattern[0] && matchPlainly(pattern[1:], text[1:], known)
	default:
		stars, ends := 1, ":"
		if len(pattern) > 1 && pattern[1] == '*' {
			stars, ends = 2, "\n\r\u2028\u2029"
		}
		answer = matchPlainly(pattern[stars:], text, known) ||
			len(text) > 0 && !strings.ContainsRune(ends, text[0]) && matchPlainly(pattern, text[1:], known)
	}
	known[at] = answer
	return answer
}

// FuzzSessionPatterns: whatever stands in a pattern and in a key, the filter leaves a session out where the plain matcher
// does, and never panics.
func FuzzSessionPatterns(f *testing.F) {
	for _, s := range [][2]string{
		{"agent:main:main", "agent:main:main"},
		{"agent:*:main", "agent:a:b:main"},
		{"agent:**", "agent:a:b"},
		{"agent:*:*:*:subagent:*", "agent:p:claude-code:s:subagent:h"},
		{"***", "a:b"},
		{"a*b**c", "a-b:x:c"},
		{"[a-z]+(x|y)?.$^", "[a-z]+(x|y)?.$^"},
		{"**", "a\nb"},
		{"\x00", "agent:main:main"},
		{"a\x01c", "abc"},
		{"\xff*", "\xff\xfe"},
		{"*\u2028**", "a\u2028b"},
		{"ä*ö", "äüö"},
		{" agent:* ", "agent:x"},
		{"AGENT:*", "agent:x"},
		{"*", ""},
		{"\\*", "\\x"},
		{"\ufffd", "\xff"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, pattern, key string) {
		if len(pattern)*len(key) > 10_000 {
			return // The plain matcher would take long.
		}
		var filter settings.SessionFilter
		filter.Ignore("the setting", pattern)
		trimmed, name := strings.TrimSpace(pattern), strings.TrimSpace(key)
		want := trimmed != "" && name != "" && matchPlainly([]rune(trimmed), []rune(name), map[[2]int]bool{})
		if got := filter.Why(key, "") != ""; got != want {
			t.Errorf("%q leaves %q out: %t, want %t", pattern, key, got, want)
		}
		if byID := filter.Why("", key) != ""; byID != want {
			t.Errorf("%q leaves the id %q out: %t, want %t", pattern, key, byID, want)
		}
	})
}
