package compare_test

import (
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/compare"
)

// TestAlign: each word is a message; id:text has the id of its entry.
func TestAlign(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ stored, entries, want string }{
		"all":                     {"a b c", "1:a 2:b 3:c", "a b c"},
		"more entries":            {"a ok", "1:a 2:ok 3:a 4:ok", "a ok - -"},
		"ids first":               {"a b 2:b", "1:a 2:b", "a 2:b"},
		"doubled":                 {"a b 1:a 2:b c", "1:a 2:b 3:c", "1:a 2:b c"},
		"the middle is missing":   {"a c", "1:a 2:b 3:c", "a - c"},
		"the middle is too much":  {"a x b", "1:a 2:b", "a b"},
		"masked":                  {"a KEY=secret!", "1:a 2:KEY=***!", "a KEY=secret!"},
		"masked, of another text": {"a NAME=secret!", "1:a 2:KEY=***!", "a -"},
		"none":                    {"x y", "1:a", "-"},
		"ids out of order":        {"2:b 1:a c", "1:a 2:b 3:c", "1:a 2:b c"},
		"another entry's text":    {"a 2:b", "1:a 3:b", "a -"},
		"a part in a file":        {"a file_0123456789abcdef b", "1:a 2:" + strings.Repeat("long", 300) + " 3:b 4:c", "a file_0123456789abcdef b -"},
		"another place":           {"a result b 1:a 3:b", "1:a 2:result 3:b", "1:a result 3:b"},
		"a rewind":                {"1:a 2:b 3:c d", "1:a 4:d", "1:a d"},
	} {
		m := compare.NewMarker()
		split := func(s string) (out [][2]string) {
			for _, word := range strings.Fields(s) {
				id, text, ok := strings.Cut(word, ":")
				if !ok {
					id, text = "", word
				}
				out = append(out, [2]string{id, text})
			}
			return out
		}
		stored, words := split(c.stored), strings.Fields(c.stored)
		var marks, entries []compare.Mark
		for _, s := range stored {
			marks = append(marks, m.Stored(s[0], "user", s[1]))
		}
		for _, e := range split(c.entries) {
			entries = append(entries, m.Entry(e[0], "user", e[1]))
		}
		a := compare.Align(marks, entries, func(i int) (string, string) { return "user", stored[i][1] })
		var got []string
		for _, i := range a.Stored {
			if i == compare.Unaligned {
				got = append(got, "-")
			} else {
				got = append(got, words[i])
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, " "), c.want)
		}
	}
}

// TestForgottenTextsAreAligned: a stub without an entry id is the entry of its role whose text has
// the size that was forgotten, so that an import doesn't bring the text back.
func TestForgottenTextsAreAligned(t *testing.T) {
	t.Parallel()
	m := compare.NewMarker()
	stub := data.ForgottenText("user", 1, time.Time{}, 11, []string{"file_0011223344556677"})
	stored := []compare.Mark{m.Stored("", "user", stub), m.Stored("", "assistant", "hello")}
	for text, want := range map[string]int32{"hello there": 0, "hello you": compare.Unaligned} {
		entries := []compare.Mark{m.Entry("1", "user", text), m.Entry("2", "assistant", "hello")}
		a := compare.Align(stored, entries, func(int) (string, string) { return "", "" })
		if a.Stored[0] != want || a.Stored[1] != 1 {
			t.Errorf("%s: aligned with %v", text, a.Stored)
		}
	}
}
