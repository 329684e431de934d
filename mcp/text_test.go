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

func TestControlCharactersAreRemoved(t *testing.T) {
	t.Parallel()
	if got, want := mcp.CutText("a\x00b\x1b[31mc\r\n\td\x7fe\u009bf\xffg 台🙂", "", "", 0), "ab[31mc\n\tdef\uFFFDg 台🙂"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
