package ui

import (
	"strings"
	"testing"
	"unicode"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// TestMarkdownBlocks shows each kind of block and inline, in a width in which all of it wraps.
func TestMarkdownBlocks(t *testing.T) {
	t.Parallel()
	golden.RequireEqual(t, ansi.Strip(Markdown(markdownSample, 44, true)))
}

const markdownSample = `# A title

Text with *emphasis*, **strong**, ~~struck~~ and ` + "`code spans`" + `
over two lines, a hard break\
and an escaped \*star\* &amp; entity &#27;[2J.

## Lists

9. nine, which is long enough to go on in the next line
10. ten
    - a bullet
      1. deep
- [x] done, and described in more words than fit
- [ ] open

Setext
------

> A quote that is long enough to need two lines
>
> - with a list
>
> > and a quote

` + "```go title=\"x\"\n\nfunc main() { fmt.Println(\"a line of code that is cut\") }\n  indented\n```" + `

    indented  code

***

| Name | Count | What it says |
|:-----|------:|:------------:|
| first | 1 | short |
| second | 22 | a cell that has to be wrapped to fit |
| third | 3 | with ` + "`a\\|b`" + ` | surplus |

[text](http://example.com/a_b "a title"), <http://example.com>, http://example.com/_x_,
[http://same.com](http://same.com) and ![picture](p.png), [ref][id].

[id]: http://example.com/ref

<details>
  <b>html</b>
</details>

日本語の
文章は空白なしで折り返す。これは長い行です、はい。 👩‍👩‍👧 family
`

// TestMarkdownTablesWithoutRoom: a table whose columns would be too narrow becomes lists of names and cells.
func TestMarkdownTablesWithoutRoom(t *testing.T) {
	t.Parallel()
	text := "| Project | Repository | Branch | Author |\n|---|---|---|---|\n| lcm | origin/lcm | main | Ann |\n| tui | | next | Bob |"
	want := "Project: lcm\nRepository:\norigin/lcm\nBranch: main\nAuthor: Ann\n\nProject: tui\nBranch: next\nAuthor: Bob"
	if got := ansi.Strip(Markdown(text, 15, true)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestMarkdownLimits: what would take too long to parse, or would become far larger than it is, is shown as
// it is written.
func TestMarkdownLimits(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"quotes":              strings.Repeat(">", 10_000) + " end",
		"lists":               strings.Repeat("- ", 10_000) + "end",
		"brackets":            strings.Repeat("[a](", 10_000) + " end",
		"emphasis":            strings.Repeat("*a_ ", 10_000) + " end",
		"heading":             "# " + strings.Repeat("[a](", 10_000) + " end",
		"short rows":          strings.Repeat("|a", 1000) + "\n" + strings.Repeat("|-", 1000) + "\n" + strings.Repeat("|\n", 1000) + "| end",
		"long names of lists": strings.Repeat(strings.Repeat("n", 500)+"|", 20) + "\n" + strings.Repeat("-|", 20) + "\n" + strings.Repeat("a|\n", 1000) + "end|",
	} {
		got := ansi.Strip(Markdown(text, 60, true))
		if !strings.Contains(got, "end") {
			t.Errorf("%s: the end is lost", name)
		}
		if len(got) > 8*len(text) {
			t.Errorf("%s: %d bytes of %d", name, len(got), len(text))
		}
	}
}

// FuzzMarkdown holds that whatever the text is, no line is too wide, nothing steers the terminal but colours, and no
// letter or digit of the text is lost; outside of tables they come in the order of the text.
func FuzzMarkdown(f *testing.F) {
	f.Add(markdownSample, 44)
	f.Add(markdownSample, 7)
	f.Add("&#27;[2J &#x9b; &Tab; \x1b]8;;x\x07", 20)
	f.Add("a|b\n-|-\n1|2|3|4\n[a](<b c> 'd')", 12)
	f.Add("1. a\n\n   b\n> - c\nd\n***\n\n- \n- e", 10)
	f.Add("~~a **b _c_** d~~ `` e ` f `` <g h=\"i\">\n<!-- j\n\nk -->", 3)
	f.Add("```e", 30)
	f.Add("first|second\n-|-\na", 3)
	f.Add("- [x] a\n- [ ]\n+ b\n```c d\ne", 30)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 2 + (width&0x7fffffff)%120
		text = text[:min(len(text), 4<<10)]
		got := Markdown(text, width, true)
		if cells := lipgloss.Width(got); cells > width {
			t.Errorf("%d cells in %d: %q", cells, width, got)
		}
		for _, p := range splitPieces(got) {
			if p.code && p.text != "\n" && !(strings.HasPrefix(p.text, "\x1b[") && strings.HasSuffix(p.text, "m")) {
				t.Errorf("%q is in %q", p.text, got)
			}
		}
		checkNothingLost(t, text, ansi.Strip(got))
	})
}

// checkNothingLost looks for the letters of text in got. Digits are left out, as a list has numbers of its own, and so are texts
// with entities or with links, whose address is left out where it is their text. A table may change the order.
func checkNothingLost(t *testing.T, text, got string) {
	t.Helper()
	if strings.Contains(text, "&") || strings.Contains(text, "](") {
		return
	}
	inOrder := !strings.Contains(text, "|")
	count := map[rune]int{}
	for _, r := range got {
		count[r]++
	}
	rest := []rune(got)
	for _, r := range Sanitize(text) {
		if !unicode.IsLetter(r) || r == 'x' || r == 'X' { // An x can be the mark of a task.
			continue
		}
		if count[r]--; count[r] < 0 {
			t.Fatalf("%q of %q is lost in %q", r, text, got)
		}
		if !inOrder {
			continue
		}
		at := strings.IndexRune(string(rest), r)
		if at < 0 {
			t.Fatalf("%q of %q is not in its place in %q", r, text, got)
		}
		rest = rest[len([]rune(string(rest)[:at]))+1:]
	}
}

func BenchmarkMarkdown(b *testing.B) {
	text := strings.Repeat(markdownSample+"\n", maxMarkdownBytes/(len(markdownSample)+1))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Markdown(text, 118, true)
	}
}
