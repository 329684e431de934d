package ui

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestSanitize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"plain text stays", "naïve 日本 é\nnext", "naïve 日本 é\nnext"},
		{"tab", "a\tb", "a    b"},
		{"emoji of ASCII", "1\ufe0f\u20e3 \ufe0f❤\ufe0f", "1\u20e3 ❤\ufe0f"},
		{"windows lines", "a\r\nb", "a\nb"},
		{"lone return", "a\rb", "a␍b"},
		{"escape", "\x1b[2Jgone", "␛[2Jgone"},
		{"hyperlink", "\x1b]8;;http://x\x07y", "␛]8;;http://x␇y"},
		{"one-byte CSI", "\u009b31m", "�31m"},
		{"delete", "a\x7f", "a␡"},
		{"bidi override", "user\u202egnp.exe", "user�gnp.exe"},
		{"isolate", "\u2066x\u2069", "�x�"},
		{"zero width", "pass\u200bword\ufeff", "pass�word�"},
		{"line separator", "a\u2028b", "a�b"},
		{"invalid", "a\xffb\xc3", "a�b�"},
		{"family stays", "👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"},
		{"joiner between letters", "a\u200db", "a�b"},
		{"joiner after a hidden sign", "\u202e\u200d", "��"},
		{"tag characters", "🏴\U000e0067", "🏴�"},
	} {
		if got := Sanitize(c.in); got != c.want {
			t.Errorf("%s: Sanitize(%q) is %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func FuzzSanitize(f *testing.F) {
	for _, s := range []string{"", "a\tb\r\n", "\x1b]52;c;aGk=\x07", "👨\u200d👩", "\xff\u202e\u200d", "\u0600\u200c", "\r\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Sanitize(s)
		if again := Sanitize(got); again != got {
			t.Fatalf("Sanitize(%q) is %q, and sanitized again %q", s, got, again)
		}
		if !utf8.ValidString(got) {
			t.Fatalf("%q is not valid", got)
		}
		for _, r := range got {
			if r != '\n' && unicode.IsControl(r) {
				t.Fatalf("Sanitize(%q) holds %U", s, r)
			}
		}
		for _, w := range []int{0, 1, 7, 40} {
			l := LineN(s, w)
			if ansi.StringWidth(l) > w || strings.ContainsRune(l, '\n') {
				t.Fatalf("LineN(%q, %d) is %q", s, w, l)
			}
			if w > 0 && len(s) < 64 && l != Cut(Line(s), w) {
				t.Fatalf("LineN(%q, %d) is %q, not %q", s, w, l, Cut(Line(s), w))
			}
		}
	})
}

func TestLine(t *testing.T) {
	t.Parallel()
	if got := Line("  a \n\t b\x1b  "); got != "a b␛" {
		t.Errorf("%q", got)
	}
	huge := strings.Repeat("word \n", 1<<20)
	if got := LineN(huge, 12); got != "word word w…" {
		t.Errorf("%q", got)
	}
	if got := LineN(strings.Repeat(" ", 10<<20)+"x", 5); !strings.HasSuffix(got, "…") {
		t.Errorf("a text that was not read to its end is %q", got)
	}
	if got := LineN(strings.Repeat("日", 100), 5); got != "日日…" {
		t.Errorf("%q", got)
	}
}

// Not parallel: it counts allocations.
func TestLineNReadsNoMoreThanItNeeds(t *testing.T) {
	huge := strings.Repeat("word \n", 1<<20)
	if n := testing.AllocsPerRun(5, func() { LineN(huge, 12) }); n > 100 {
		t.Errorf("a huge text costs %v allocations", n)
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"short", 5, "short"},
		{"longer", 5, "long…"},
		{"日本語", 6, "日本語"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日…"},
		{"x", 0, ""},
		{"👨\u200d👩\u200d👧ab", 3, "👨\u200d👩\u200d👧…"},
	} {
		if got := Cut(c.in, c.width); got != c.want {
			t.Errorf("Cut(%q, %d) is %q, want %q", c.in, c.width, got, c.want)
		}
	}
	if got := CutMiddle("sum_b4f8213d4eaad4ea", 13); got != "sum_b4f8…d4ea" {
		t.Errorf("%q", got)
	}
	for w := range 12 {
		if got := CutMiddle("日本語の長い文字列", w); ansi.StringWidth(got) > w {
			t.Errorf("CutMiddle to %d is %q", w, got)
		}
	}
}

func TestMark(t *testing.T) {
	t.Parallel()
	u := func(s string) string { return UnderlineOn + s + UnderlineOff }
	for _, c := range []struct{ in, needle, want string }{
		{"Deploy the deploy", "deploy", u("Deploy") + " the " + u("deploy")},
		{"nothing", "xyz", "nothing"},
		{"empty", "", "empty"},
		{"\x1b[31mde\x1b[mploy now", "DEPLOY", "\x1b[31m" + UnderlineOn + "de\x1b[m" + UnderlineOn + "ploy" + UnderlineOff + " now"},
		{"日本語", "本", "日" + u("本") + "語"},
		{"cafe\u0301!", "cafe", u("cafe\u0301") + "!"},
		{"31 x \x1b[31mred", "31", u("31") + " x \x1b[31mred"},
	} {
		if got := UnderlineMatches(c.in, c.needle); got != c.want {
			t.Errorf("Mark(%q, %q) is\n%q, want\n%q", c.in, c.needle, got, c.want)
		}
	}
}

// TestUnderlineFound underlines whole characters, and goes on where a style inside a place ends.
func TestUnderlineFound(t *testing.T) {
	t.Parallel()
	at := func(places ...[2]int) func(string) [][2]int { return func(string) [][2]int { return places } }
	u := func(s string) string { return UnderlineOn + s + UnderlineOff }
	for _, c := range []struct {
		text  string
		found func(string) [][2]int
		want  string
	}{
		{"deploy now", at(), "deploy now"},
		{"deploy now", at([2]int{0, 6}, [2]int{7, 10}), u("deploy") + " " + u("now")},
		{"\x1b[31mde\x1b[mploy", at([2]int{0, 6}), "\x1b[31m" + UnderlineOn + "de\x1b[m" + UnderlineOn + "ploy" + UnderlineOff},
		{"e\u0301a", at([2]int{0, 1}), u("e\u0301") + "a"},
	} {
		if got := UnderlineFound(c.text, c.found); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestSafeTextIsAsWideAsItIsCut: whatever characters a text is put together of, it is cut and wrapped
// to the width that it then has.
func TestSafeTextIsAsWideAsItIsCut(t *testing.T) {
	t.Parallel()
	atoms := []string{"1️⃣", "#", "a", " ", "日", "é", "👨‍👩‍👧", "🇩🇪", "\u200d", "\ufe0f", "\ufe0e", "❤️", "\x1b[31m", "-", "🏽", "\u0e33", "한", "\u1100", "\u0301", "\u20e3", "\n"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var text strings.Builder
		for range r.IntN(14) {
			text.WriteString(atoms[r.IntN(len(atoms))])
		}
		width := 3 + r.IntN(12)
		safe := Sanitize(text.String())
		wrapped := WrapLines(safe, width)
		if kept := strings.Join(strings.Fields(strings.Join(wrapped, "")), ""); kept != strings.Join(strings.Fields(safe), "") {
			t.Fatalf("%q becomes %q", safe, wrapped)
		}
		lines := append(wrapped, LineN(text.String(), width), "["+LineN(text.String(), width-2)+"]", Cut(Line(safe), width))
		for _, l := range lines {
			if got := ansi.StringWidth(l); got > width {
				t.Fatalf("%q in %d cells is %q, which has %d", text.String(), width, l, got)
			}
		}
	}
}
