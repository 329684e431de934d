package explore_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"lcm-tui/data/jstext"
	"lcm-tui/engine/explore"
)

// TestSample: a text of 4,800 UTF-16 units is shown whole, a longer one by its beginning, middle and end; no code point is cut.
func TestSample(t *testing.T) {
	t.Parallel()
	for name, unit := range map[string]string{"ASCII": "abcdefgh", "CJK": "日本語の文章。", "emoji": "😀", "emoji at odd places": "x😀"} {
		size := jstext.Length(unit)
		whole := strings.Repeat(unit, 4800/size)
		if got := explore.Sample(whole); got != whole {
			t.Errorf("%s: %d units of %d are shown", name, jstext.Length(got), jstext.Length(whole))
		}
		long := "BEGINNING" + strings.Repeat(unit, 20_000/size) + "MIDDLE" + strings.Repeat(unit, 20_000/size) + "END"
		got := explore.Sample(long)
		if !utf8.ValidString(got) || strings.ContainsRune(got, utf8.RuneError) {
			t.Errorf("%s: a code point is cut", name)
		}
		for _, part := range []string{"BEGINNING", "MIDDLE", "END"} {
			if !strings.Contains(got, part) {
				t.Errorf("%s: no %s", name, part)
			}
		}
		parts := strings.Split(got, "\n\n")
		if len(parts) != 3 {
			t.Fatalf("%s: %d parts", name, len(parts))
		}
		for _, part := range parts {
			_, text, _ := strings.Cut(part, "\n")
			if n := jstext.Length(text); n > 2400 || n < 2398 || !strings.Contains(long, text) {
				t.Errorf("%s: a part of %d units", name, n)
			}
		}
	}
	if got := explore.Sample(strings.Repeat("a", 4801)); !strings.HasPrefix(got, "[beginning, of 4801 characters]\n") {
		t.Errorf("one unit more: %.60q", got)
	}
}

// TestIsProse: by the name, else by the type, else it is text.
func TestIsProse(t *testing.T) {
	t.Parallel()
	for file, want := range map[[2]string]bool{
		{"notes.md", ""}: true, {"a.log", "text/plain"}: true, {"", ""}: true, {"", "text/markdown"}: true, {"README", "text/plain"}: true,
		{"a.json", ""}: false, {"a.YML", ""}: false, {"", "application/json"}: false, {"", "text/csv; charset=utf-8"}: false, {"x.go", "text/plain"}: false, {"", "text/x-python"}: false,
		{"a.png", "image/png"}: false, {"", "image/jpeg"}: false,
	} {
		if got := explore.IsProse(file[0], file[1]); got != want {
			t.Errorf("%q of type %q: %v", file[0], file[1], got)
		}
	}
}
