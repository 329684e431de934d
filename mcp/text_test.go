package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"lcm-tui/mcp"
)

// rows returns a text with a header and rows of two lines.
func rows(n int, text string) string {
	out := "## Header\n\n"
	for i := range n {
		out += fmt.Sprintf("- [%d] %s\n  second line\n", i, text)
	}
	return out
}

func TestLimitsOfClients(t *testing.T) {
	t.Parallel()
	for client, most := range map[string]int{"claude-code": 40_000, "codex-mcp-client": 10_000, "gemini-cli-mcp-client": 20_000, "": 10_000} {
		text := mcp.CutText(rows(3000, "word"), "- [", client, 0)
		if n := len(text); n > most || n < most-200 {
			t.Errorf("%q gets %d characters, want just below %d", client, n, most)
		}
		if whole := rows(100, "word"); mcp.CutText(whole, "- [", client, 0) != whole {
			t.Errorf("%q: a short text was changed", client)
		}
	}
	if n := len(mcp.CutText(rows(3000, "word"), "- [", "claude-code", 1500)); n > 1500 {
		t.Errorf("--max-chars: %d characters", n)
	}
	if n := len(mcp.CutText(rows(3000, "台帳"), "- [", "codex-mcp-client", 0)); n > 10_000 {
		t.Errorf("%d bytes, and Codex counts bytes", n)
	}
}

func TestCutEndsBehindARow(t *testing.T) {
	t.Parallel()
	text := mcp.CutText(rows(100, "word"), "- [", "", 1000)
	lines := strings.Split(text, "\n")
	last := lines[len(lines)-1]
	if lines[len(lines)-2] != "  second line" {
		t.Errorf("the last row isn't whole: %q", lines[len(lines)-2])
	}
	shown := strings.Count(text, "- [")
	if want := fmt.Sprintf("*(truncated: %d more rows are left out; ask for less)*", 100-shown); last != want {
		t.Errorf("it ends with %q, want %q", last, want)
	}
}

func TestCutWithinARow(t *testing.T) {
	t.Parallel()
	text := mcp.CutText("## Header\n\n- [0] "+strings.Repeat("🙂", 5000)+"\n- [1] two\n", "- [", "", 1000)
	if n := len(utf16.Encode([]rune(text))); n > 1000 || n < 900 || !utf8.ValidString(text) {
		t.Errorf("%d characters, valid %v", n, utf8.ValidString(text))
	}
	if !strings.HasPrefix(text, "## Header\n") || !strings.HasSuffix(text, "*(truncated: 1 more row is left out; ask for less)*") {
		t.Errorf("%s", text)
	}
	if text := mcp.CutText(strings.Repeat("x", 5000), "- [", "", 1000); !strings.HasSuffix(text, "the rest of the last row is left out; ask for less)*") {
		t.Errorf("%s", text)
	}
}

// TestCutWithinALongRow: a row that no answer could hold is shown as far as it goes, also behind others.
func TestCutWithinALongRow(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 1000)
	for name, c := range map[string]struct{ text, row, want string }{
		"after short rows": {"- [0] one\n- [1] " + long + "\n- [2] two\n- [3] three\n", "- [", "word word\n*(truncated: 2 more rows are left out; ask for less)*"},
		"the last one":     {"- [0] one\n- [1] " + long + "\n", "- [", "word word\n*(truncated: the rest of the last row is left out; ask for less)*"},
		"a line":           {"{\n  \"answer\": \"" + long + "\",\n  \"truncated\": false\n}", "", "word word\n*(truncated: 2 more rows are left out; ask for less)*"},
		"ids":              {"Children: " + strings.Repeat("sum_0123456789abcdef, ", 100), "- [", "sum_0123456789abcdef,\n*(truncated: the rest of the last row is left out; ask for less)*"},
	} {
		for most := 970; most <= 1000; most++ {
			text := mcp.CutText(c.text, c.row, "", most)
			if n := len(text); n > most || n < most-50 || !strings.HasSuffix(text, c.want) {
				t.Errorf("%s: %d of %d characters: …%s", name, n, most, text[max(0, n-120):])
			}
		}
	}
}

// TestCutOfATinyLimit: what is left out is said even where nothing else fits.
func TestCutOfATinyLimit(t *testing.T) {
	t.Parallel()
	for most := 1; most < 100; most++ {
		text := mcp.CutText(rows(100, "word"), "", "", most)
		if !strings.HasSuffix(text, "more rows are left out; ask for less)*") || most < 50 && !strings.Contains(text, "truncated: 201 more") {
			t.Errorf("%d characters: %s", most, text)
		}
	}
}

func TestControlCharactersAreRemoved(t *testing.T) {
	t.Parallel()
	if got, want := mcp.CutText("a\x00b\x1b[31mc\r\n\td\x7fe\u009bf\xffg 台🙂", "", "", 0), "ab[31mc\n\tdef\uFFFDg 台🙂"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
