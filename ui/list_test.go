package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
)

type thing struct {
	id   string
	name string
	size int
}

func things(n int) []thing {
	out := make([]thing, n)
	for i := range out {
		out[i] = thing{fmt.Sprint("t", i), fmt.Sprintf("thing %05d %s", i, []string{"Apple", "pear"}[i%2]), n - i}
	}
	return out
}

func thingList(n int) *List[thing] {
	s := NewStyles(true)
	l := NewList(&s,
		func(t thing) string { return t.id },
		func(t thing, w int, _ bool) string { return Pad(t.name, w) },
		func(t thing) string { return t.name })
	l.SetItems(things(n))
	return l
}

func (l *List[T]) press(names ...string) {
	for _, n := range names {
		l.Update(Press(n))
	}
}

func at(t *testing.T, l *List[thing], want string) {
	t.Helper()
	got, _ := l.Selected()
	if got.id != want {
		t.Errorf("the cursor is on %q, want %q", got.id, want)
	}
	if !strings.Contains(ansi.Strip(l.View(40, 10)), "▌"+got.name) {
		t.Errorf("the cursor is not on screen:\n%s", ansi.Strip(l.View(40, 10)))
	}
}

func TestListMoves(t *testing.T) {
	t.Parallel()
	l := thingList(100)
	l.View(40, 10)
	for _, c := range []struct{ keys, want string }{
		{"up", "t0"},
		{"down j j", "t3"},
		{"k", "t2"},
		{"pgdown", "t11"},
		{"end", "t99"},
		{"down", "t99"},
		{"pgup", "t90"},
		{"g", "t0"},
		{"G", "t99"},
		{"home", "t0"},
		{"space", "t9"},
		{"ctrl+f", "t18"},
		{"ctrl+b", "t9"},
		{"ctrl+d", "t14"},
		{"ctrl+u", "t9"},
		{"g", "t0"},
	} {
		l.press(strings.Fields(c.keys)...)
		at(t, l, c.want)
	}
}

// TestCursorStaysWhereNobodyMovedIt: what was read at first may come at the top, and a row that was seen stays under the cursor.
func TestCursorStaysWhereNobodyMovedIt(t *testing.T) {
	t.Parallel()
	l := thingList(3)
	above := func(id string) []thing { return append([]thing{{id: id, name: id}}, l.Items()...) }
	l.SetItems(above("more"))
	at(t, l, "more")
	l.Stay()
	l.SetItems(above("new"))
	at(t, l, "more")
	l.press("down")
	l.Stay()
	l.SetItems(above("newer"))
	at(t, l, "t0")
}

func TestCursorStaysOnItsRow(t *testing.T) {
	t.Parallel()
	l := thingList(100)
	if !l.Select("t41") {
		t.Fatal("there is no t41")
	}
	at(t, l, "t41")
	l.SetItems(append([]thing{{id: "new", name: "new"}}, things(200)...))
	at(t, l, "t41")
	l.SetFilter("PEAR")
	at(t, l, "t41")
	l.SetFilter("apple") // Hides t41.
	at(t, l, "t42")
	l.Escape()
	at(t, l, "t41")
	l.View(20, 3)
	at(t, l, "t41")
	l.SetSorts(Sort[thing]{Name: "given"}, Sort[thing]{"size", func(a, b thing) bool { return a.size < b.size }})
	l.press("o")
	if l.SortName() != "size" {
		t.Errorf("sorted by %s", l.SortName())
	}
	at(t, l, "t41")
	l.press("o")
	rest := things(200)
	l.SetItems(append(rest[:41:41], rest[42:]...))
	at(t, l, "t43") // Row 42 of those before, as "new" has gone too.
}

func TestListReversesItsOrder(t *testing.T) {
	t.Parallel()
	l := thingList(100)
	l.SetSorts(Sort[thing]{Name: "age"}, Sort[thing]{Name: "size", Less: func(a, b thing) bool { return a.size < b.size }})
	for _, c := range []struct{ keys, first, label string }{
		{"O", "t99", "age, reversed"},
		{"o", "t99", "size"},
		{"O", "t0", "size, reversed"},
		{"O", "t99", "size"},
	} {
		l.press(c.keys)
		if got := l.Rows()[0].id; got != c.first || l.SortLabel() != c.label {
			t.Errorf("%s puts %s first by %q, want %s by %q", c.keys, got, l.SortLabel(), c.first, c.label)
		}
	}
}

func TestListReturnsToItsPlace(t *testing.T) {
	t.Parallel()
	l := thingList(100)
	l.SetSorts(Sort[thing]{Name: "age"}, Sort[thing]{Name: "size", Less: func(a, b thing) bool { return a.size < b.size }})
	l.press("o", "O")
	l.SetFilter("pear")
	l.View(40, 10)
	l.press("pgdown", "down", "up")
	before, position := ansi.Strip(l.View(40, 10)), l.Position()
	restore := l.Place()
	l.press("o")
	l.SetFilter("")
	l.press("G")
	l.View(40, 10)
	restore()
	if diff := cmp.Diff(before, ansi.Strip(l.View(40, 10))); diff != "" || l.Position() != position || position != "9 of 50" {
		t.Errorf("position %q, then %q: %s", position, l.Position(), diff)
	}
}

func TestSelectBeforeTheItemsCome(t *testing.T) {
	t.Parallel()
	l := thingList(0)
	l.Select("t7")
	l.SetItems(things(10))
	at(t, l, "t7")
}

func TestListFiltersAsYouType(t *testing.T) {
	t.Parallel()
	l := thingList(4147)
	l.press("/", "0", "0", "1", "2")
	l.Update(tea.PasteMsg{Content: "0 app"})
	if !l.Typing() || l.Count() != "1 of 4,147" {
		t.Errorf("typing %v, count %q", l.Typing(), l.Count())
	}
	at(t, l, "t120")
	if !strings.Contains(l.View(40, 10), UnderlineOn) {
		t.Error("the match is not underlined")
	}
	l.press("enter")
	if l.Typing() || l.Filter() != "00120 app" {
		t.Errorf("enter does not keep the filter %q", l.Filter())
	}
	if !l.Escape() || l.Escape() || l.Len() != 4147 {
		t.Error("esc does not clear the filter once")
	}
	l.press("/", "z", "esc")
	if l.Typing() || l.Filter() != "" {
		t.Error("esc while typing does not clear the filter")
	}
	l.SetFilter("zebra")
	if !strings.Contains(ansi.Strip(l.View(60, 5)), "nothing matches zebra") {
		t.Error("a list without a match does not say so")
	}
}

// TestFilterMatchesWhatIsSeen: an id that no row shows is found by its beginning, and only by
// what looks like an id.
func TestFilterMatchesWhatIsSeen(t *testing.T) {
	t.Parallel()
	l := thingList(100)
	l.HiddenID = func(t thing) string { return fmt.Sprintf("8F14E45F-%04d-face", t.size) }
	for needle, want := range map[string]int{"face": 0, "8f14e": 0, "8f14e4": 100, "8f14e45f-0007": 1, "pear": 50, "14e45f": 0} {
		if l.SetFilter(needle); l.Len() != want {
			t.Errorf("%q finds %d rows, want %d", needle, l.Len(), want)
		}
	}
}

func TestDividersTakeLinesButNoRows(t *testing.T) {
	t.Parallel()
	l := thingList(30)
	l.Head = "name"
	l.Divider = func(_, next thing) string {
		if next.size%3 == 0 {
			return "── every third ──"
		}
		return ""
	}
	for i := range 30 {
		at(t, l, fmt.Sprint("t", i))
		if got := strings.Count(l.View(40, 10), "\n") + 1; got != 10 {
			t.Fatalf("%d lines", got)
		}
		l.press("down")
	}
	golden.RequireEqual(t, ansi.Strip(l.View(40, 10)))
	for i := 29; i >= 0; i-- {
		at(t, l, fmt.Sprint("t", i))
		l.press("up")
	}
}

func TestClickSelectsThenOpens(t *testing.T) {
	t.Parallel()
	l := thingList(30)
	l.Head = "name"
	l.View(40, 10)
	click := tea.MouseClickMsg{X: 2, Y: 4, Button: tea.MouseLeft}
	if cmd := l.Update(click); cmd != nil {
		t.Error("the first click opens")
	}
	at(t, l, "t3")
	if diff := cmp.Diff(tea.Msg(OpenMsg{"t3"}), l.Update(click)()); diff != "" {
		t.Error(diff)
	}
	l.Update(tea.MouseClickMsg{X: 2, Y: 0, Button: tea.MouseLeft})
	l.Update(tea.MouseClickMsg{X: 2, Y: 99, Button: tea.MouseLeft})
	at(t, l, "t3")
}

func TestWheelTakesTheCursorAlong(t *testing.T) {
	t.Parallel()
	l := thingList(100)
	l.View(40, 10)
	for range 3 {
		l.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	}
	at(t, l, "t9")
	for range 99 {
		l.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	}
	at(t, l, "t90")
	for range 99 {
		l.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	}
	at(t, l, "t9")
}

func TestListDrawsOnlyWhatIsOnScreen(t *testing.T) {
	t.Parallel()
	s, drawn := NewStyles(true), 0
	l := NewList(&s, func(t thing) string { return t.id },
		func(t thing, _ int, _ bool) string { drawn++; return t.name }, nil)
	l.SetItems(things(10_000))
	l.press("G")
	l.View(80, 20)
	if drawn != 20 || len(l.Visible()) != 20 {
		t.Errorf("%d rows drawn, %d visible", drawn, len(l.Visible()))
	}
}

func TestCursorCoversTheRow(t *testing.T) {
	t.Parallel()
	s := NewStyles(true)
	l := NewList(&s, func(t thing) string { return t.id },
		func(thing, int, bool) string { return s.Good.Render("a") + " " + s.Bad.Render("b") + " c" }, nil)
	l.SetItems(things(2))
	first := strings.SplitN(l.View(12, 2), "\n", 2)[0]
	open, _, _ := strings.Cut(s.Cursor.Render("x"), "x")
	for _, reset := range []string{"\x1b[m ", "\x1b[m c"} {
		if strings.Contains(first, reset) {
			t.Errorf("the background ends within the row: %q", first)
		}
	}
	if !strings.HasPrefix(first, open) || ansi.StringWidth(first) != 12 {
		t.Errorf("the row is %q", first)
	}
}

func TestEmptyListSaysWhatToDo(t *testing.T) {
	t.Parallel()
	l := thingList(0)
	l.Empty = "no summaries yet: C compacts this conversation"
	if got := ansi.Strip(l.View(30, 3)); !strings.Contains(got, "no summaries yet") {
		t.Errorf("%q", got)
	}
	l.press("down", "G", "pgup", "up")
	l.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	l.Update(tea.MouseClickMsg{Button: tea.MouseLeft})
	for _, a := range l.Actions() {
		if a.Group == "Move" && a.Key.Enabled() {
			t.Errorf("%s works on an empty list", a.Key.Help().Desc)
		}
	}
}

func BenchmarkListView(b *testing.B) {
	l := thingList(10_000)
	for b.Loop() {
		l.press("down")
		l.View(120, 40)
	}
}
