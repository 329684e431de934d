package ui

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
)

func TestPagerClamps(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	p := NewPager(&s)
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	p.SetText(strings.TrimSpace(b.String()))
	p.View(20, 10)
	for range 500 {
		p.Update(Press("down"))
	}
	if p.Offset() != 90 || p.Percent() != 100 {
		t.Fatalf("offset %d, %d%%", p.Offset(), p.Percent())
	}
	p.Update(Press("up"))
	if p.Offset() != 89 {
		t.Error("overscroll was piled up")
	}
	p.SetText("short")
	if p.Offset() != 0 || p.Percent() != 100 {
		t.Errorf("offset %d in a short text", p.Offset())
	}
}

func TestPagerKeepsItsPlace(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	p := NewPager(&s)
	p.SetText(strings.Repeat(strings.Repeat("some words ", 20)+"\n", 50))
	p.View(40, 10)
	p.GoTo(20)
	p.View(40, 10)
	before := p.source[p.Offset()]
	p.View(90, 10)
	if after := p.source[p.Offset()]; after != before || before != 20 {
		t.Errorf("line %d was on top, now %d", before, after)
	}
}

func TestPagerWrapsAtWordsAndKeepsStyles(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	p := NewPager(&s)
	p.SetText(s.Bad.Render("alpha beta gamma") + " delta")
	lines := strings.Split(p.View(11, 3), "\n")
	var plain []string
	for _, l := range lines {
		plain = append(plain, strings.TrimSpace(ansi.Strip(l)))
	}
	if diff := cmp.Diff([]string{"alpha beta", "gamma delta", ""}, plain); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(lines[1], "\x1b[") {
		t.Errorf("the style is lost on the second line: %q", lines[1])
	}
}

func TestPagerSearches(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	p := NewPager(&s)
	text := make([]string, 60)
	text[20], text[40] = "a Needle", "needle again"
	p.SetText(strings.Join(text, "\n"))
	p.View(30, 5)
	press := func(names ...string) {
		for _, n := range names {
			p.Update(Press(n))
		}
	}
	press("/", "n", "e", "e", "d", "enter")
	for _, want := range []int{20, 40, 20} {
		if p.Offset() != want {
			t.Errorf("at %d, want %d", p.Offset(), want)
		}
		press("n")
	}
	press("N")
	if p.Offset() != 20 {
		t.Errorf("at %d after N", p.Offset())
	}
	press("/", "x", "x", "enter")
	if got := ansi.Strip(p.View(30, 5)); !strings.Contains(got, "nothing matches xx") {
		t.Errorf("%q", got)
	}
	if !p.Escape() || p.Escape() {
		t.Error("esc does not end the search once")
	}
}

// TestPagerCountsItsMatches: n and N say which match they are at, also where the last ones
// share the last screen.
func TestPagerCountsItsMatches(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	p := NewPager(&s)
	p.SetText(strings.Repeat("pear\nplum\nfig\n", 5))
	p.View(40, 6)
	p.Update(Press("/"))
	p.Update(tea.PasteMsg{Content: "pear"})
	p.Update(Press("enter"))
	for i, c := range []struct{ key, want string }{
		{"", "match 1 of 5"},
		{"n", "match 2 of 5"},
		{"n", "match 3 of 5"},
		{"n", "match 4 of 5"},
		{"n", "match 5 of 5"},
		{"n", "match 1 of 5"},
		{"N", "match 5 of 5"},
		{"N", "match 4 of 5"},
		{"g", "match 4 of 5"},
		{"n", "match 1 of 5"},
	} {
		if c.key != "" {
			p.Update(Press(c.key))
		}
		if got := ansi.Strip(p.View(40, 6)); !strings.Contains(got, c.want) {
			t.Errorf("step %d, %s: want %q in\n%s", i, c.key, c.want, got)
		}
	}
}

func TestPagerTurnsPages(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	p := NewPager(&s)
	p.SetText(strings.TrimSuffix(strings.Repeat("line\n", 100), "\n"))
	for _, c := range []struct {
		key      string
		offset   int
		position string
	}{
		{"space", 9, "line 19 of 100"},
		{"ctrl+f", 18, "line 28 of 100"},
		{"ctrl+b", 9, "line 19 of 100"},
		{"ctrl+d", 14, "line 24 of 100"},
		{"ctrl+u", 9, "line 19 of 100"},
		{"G", 90, "line 100 of 100"},
		{"g", 0, "line 10 of 100"},
	} {
		p.View(40, 10)
		if p.Update(Press(c.key)); p.Offset() != c.offset || p.Position() != c.position {
			t.Errorf("%s leads to line %d, %q; want %d, %q", c.key, p.Offset(), p.Position(), c.offset, c.position)
		}
	}
}

func TestDetailPagerLeavesTheListsKeys(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	p := NewPager(&s)
	p.Keys = DetailKeys()
	p.SetText(strings.Repeat("line\n", 50))
	p.View(20, 5)
	for _, k := range []string{"down", "j", "/", "n", "pgdown"} {
		p.Update(Press(k))
	}
	if p.Offset() != 0 || p.Typing() {
		t.Error("the detail pane took a key of the list")
	}
	p.Update(Press("J"))
	if p.Offset() != 1 {
		t.Error("J does not scroll the detail")
	}
}

func TestInputEdits(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	for _, c := range []struct{ keys, want string }{
		{"a b c", "abc"},
		{"a b left c", "acb"},
		{"a b home delete", "b"},
		{"a space b ctrl+w", "a "},
		{"a b left ctrl+k", "a"},
		{"a b ctrl+u c", "c"},
		{"a b left left left backspace end c", "abc"},
		{"f1 up A ?", "A?"},
	} {
		in := NewInput(&s, ":")
		in.Open("")
		for _, k := range strings.Fields(c.keys) {
			in.Update(Press(k))
		}
		if in.Value() != c.want {
			t.Errorf("%s: %q, want %q", c.keys, in.Value(), c.want)
		}
	}
}

func TestInputPastesOneLineAndFits(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	in := NewInput(&s, "seq")
	in.Update(tea.PasteMsg{Content: "closed"})
	in.Open("")
	in.Update(tea.PasteMsg{Content: "two\nlines\x1b[2J " + strings.Repeat("日本", 20)})
	if !strings.HasPrefix(in.Value(), "two lines␛[2J 日本") {
		t.Errorf("%q", in.Value())
	}
	for pasted, want := range map[string]string{"40\r": "40", "a\rb\r\n\r\n c": "a b c", "/tmp/two  spaces.db\r\n": "/tmp/two  spaces.db", "\ta\tb ": "a b"} {
		one := NewInput(&s, "")
		one.Open("")
		if one.Update(tea.PasteMsg{Content: pasted}); one.Value() != want {
			t.Errorf("%q is pasted as %q", pasted, one.Value())
		}
	}
	for range 30 {
		for w := 6; w < 40; w++ {
			if got := ansi.StringWidth(in.View(w)); got != w {
				t.Fatalf("%d cells in %d", got, w)
			}
		}
		in.Update(Press("left"))
	}
	if in.Update(Press("enter")) != Accepted || in.Typing() {
		t.Error("enter does not accept")
	}
	in.Open("x")
	if in.Update(Press("esc")) != Dropped || in.Value() != "" {
		t.Error("esc does not drop")
	}
}

// TestInputTakesAMegabyte: of a paste without end it keeps the beginning, and every key after
// that is as quick as before.
func TestInputTakesAMegabyte(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	i := NewInput(&s, "/")
	i.Open("é")
	i.Update(tea.PasteMsg{Content: strings.Repeat("päste \n", 1<<17)})
	i.Update(Press("x"))
	if got := i.Value(); len(clusters(got)) != maxInput || !strings.HasPrefix(got, "épäste päste") {
		t.Errorf("%d characters are kept: %.20s", len(clusters(got)), got)
	}
	i.Update(Press("home"))
	i.Update(Press("x"))
	if got := i.Value(); len(clusters(got)) != maxInput || !strings.HasPrefix(got, "xé") {
		t.Errorf("%d characters are kept: %.20s", len(clusters(got)), got)
	}
}

func TestBars(t *testing.T) {
	t.Parallel()
	var out []string
	for _, share := range []float64{0, 0.001, 0.17, 0.5, 0.77, 1, 1.5, math.NaN(), -1} {
		bar := Bar(14, share)
		if ansi.StringWidth(bar) != 14 {
			t.Errorf("%q is not 14 cells", bar)
		}
		out = append(out, bar+Percent(share))
	}
	parts := []Part{{Label: "d2", Share: 0.02}, {Label: "d1", Share: 0.15}, {Label: "d0", Share: 0.2, Fill: '▓'}, {Label: "fresh tail", Share: 0.4}}
	for _, w := range []int{100, 60, 30, 6} {
		bar := ansi.Strip(Stack(w, parts))
		if ansi.StringWidth(bar) != w {
			t.Errorf("%q is not %d cells", bar, w)
		}
		out = append(out, bar)
	}
	out = append(out, ansi.Strip(Stack(40, []Part{{Label: "a", Share: 1.2}, {Label: "b", Share: 0.8}, {Label: "c", Share: 0.001}})))
	golden.RequireEqual(t, strings.Join(out, "\n"))
}

func TestSplit(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	l, r, rows := Panes(100, 6, 0.4)
	if l != 38 || r != 60 || rows != 5 {
		t.Errorf("%d, %d, %d", l, r, rows)
	}
	got := ansi.Strip(Split(&s, strings.Repeat("left ", 20), "right\n\n\n\n\nbelow", 100, 6, 0.4, true))
	golden.RequireEqual(t, got)
	if Wide(99) || !Wide(100) {
		t.Error("wide begins elsewhere than at 100")
	}
}

func TestTabs(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	tabs := Tabs{Names: []string{"Messages 3,000", "Summaries 91", "Context 98,210t", "Files 3", "Health ! 3"}, Active: 1}
	var out []string
	for _, w := range []int{100, 60, 40, 10} {
		out = append(out, ansi.Strip(tabs.View(&s, w)))
	}
	golden.RequireEqual(t, strings.Join(out, "\n"))
	if i, ok := tabs.Hit(24, 100); !ok || i != 1 {
		t.Errorf("column 24 is tab %d, %v", i, ok)
	}
}

// TestWhatWasCutIsCutAgain without a second sign beside the first.
func TestWhatWasCutIsCutAgain(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	for _, c := range []struct{ got, want string }{
		{Cut("compact Decision… #1", 18), "compact Decision…"},
		{ansi.Strip(Cut(s.Bad.Render("compact Decision… #1"), 18)), "compact Decision…"},
		{CutMiddle("Think about… it silently, 0002", 18), "Think about… 0002"},
		{Cut("等等……", 20), "等等……"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestTabsKeepTheirNamesWithNarrowerGaps: a digit alone says nothing.
func TestTabsKeepTheirNamesWithNarrowerGaps(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	tabs := Tabs{Names: []string{"Tables", "Conversations", "Agents", "Lanes", "Months", "Kinds", "Cleaning"}}
	if got, want := ansi.Strip(tabs.View(&s, 80)), " 1 Tables  2 Conversations  3 Agents  4 Lanes  5 Months  6 Kinds  7 Cleaning"; got != want {
		t.Errorf("at 80 columns: %q", got)
	}
	if i, ok := tabs.Hit(28, 80); !ok || i != 2 {
		t.Errorf("column 28 is tab %d, %v", i, ok)
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	hostile := "# Title\n\nSome **bold** text with [a link](http://example.com) and \x1b]8;;http://evil\x07this\x1b]8;;\x07.\n\n" +
		"```go\nfunc main() {}\x1b[2J\n```\n\n![image](http://x/y.png)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
	for _, dark := range []bool{true, false} {
		got := Markdown(hostile, 60, dark)
		for _, bad := range []string{"\x1b]", "\x1b[2J", "\x07"} {
			if strings.Contains(got, bad) {
				t.Errorf("%q is in %q", bad, got)
			}
		}
		if lipgloss.Width(got) > 60 {
			t.Errorf("%d cells in 60", lipgloss.Width(got))
		}
		if dark {
			golden.RequireEqual(t, ansi.Strip(got))
		}
	}
	if long := Markdown(strings.Repeat("word ", maxMarkdownBytes), 60, true); !strings.HasPrefix(long, "word word") {
		t.Error("a long text is not shown plain")
	}
}

// TestMarkdownShowsTags: what looks like HTML is part of the text, inline, as a block and in
// code.
func TestMarkdownShowsTags(t *testing.T) {
	t.Parallel()
	text := "We move <state> out of \uE000 it.\n\n<details>\nwhy\n</details>\n\n    a < b && <T>\n\nand `Vec<u8>`."
	got := ansi.Strip(Markdown(text, 60, true))
	for _, want := range []string{"We move <state> out of \uE000 it.", "<details>", "why", "</details>", "a < b && <T>", "Vec<u8>"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}

func TestNumbersAndTimes(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 18, 12, 0, 0, 0, time.UTC)
	for got, want := range map[string]string{
		Num(4147): "4,147", Tokens(1234): "1,234t", Size(1_800_000_000): "1.8 GB",
		Ago(now.Add(-3*time.Hour), now): "3h ago", Ago(now.Add(-2*time.Minute), now): "2m ago",
		Ago(now.Add(-6*7*day), now): "6w ago", Ago(now.Add(-800*day), now): "2y ago",
		Ago(now.Add(time.Minute), now): "now", Ago(time.Time{}, now): "–",
		Duration(8 * time.Millisecond): "8 ms", Duration(1200 * time.Millisecond): "1.2 s", Duration(185 * time.Second): "3m5s",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestDepthsHaveColours(t *testing.T) {
	t.Parallel()
	s := NewStyles(false)
	for n, want := range []lipgloss.Style{s.D0, s.D1, s.D2, s.D3, s.D3} {
		if s.Depth(n).Render("x") != want.Render("x") {
			t.Errorf("depth %d looks wrong", n)
		}
	}
}

func BenchmarkPagerOpens1MB(b *testing.B) {
	s := NewStyles(true)
	text := strings.Repeat(strings.Repeat("some words and more ", 40)+"\n", 1300)
	for b.Loop() {
		p := NewPager(&s)
		p.SetText(text)
		p.View(80, 40)
	}
}

func TestPressSpellsItsName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"d", "D", "?", ":", "+", "1", "enter", "esc", "space", "tab", "shift+tab", "ctrl+p",
		"ctrl+c", "alt+pgdown", "pgup", "home", "f1", "ctrl++", "é", "Ж", "[",
	} {
		if got := Press(name).String(); got != name {
			t.Errorf("Press(%q) is %q", name, got)
		}
	}
}

// TestPercent: a share that is many times the whole is read as that.
func TestPercent(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64]string{0: "0%", -1: "0%", 0.774: "77%", 0.995: "100%", 1.5: "150%", 9.99: "999%", 10.08: "10×", 1e9: "999×", math.NaN(): "0%"} {
		if got := Percent(share); got != want {
			t.Errorf("%v is %s, wanted %s", share, got, want)
		}
	}
}
