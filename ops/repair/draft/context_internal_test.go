package draft

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// place makes a context over a graph: "1 a -3:2" are message 1, summary a, and message 2 at
// the ordinal -3; else ordinals count from 0.
func place(g *Graph, items string) *Context {
	var out []lcm.ContextItem
	for i, field := range strings.Fields(items) {
		it := lcm.ContextItem{Ordinal: int64(i)}
		if at, ref, ok := strings.Cut(field, ":"); ok {
			it.Ordinal, _ = strconv.ParseInt(at, 10, 64)
			field = ref
		}
		if id, err := strconv.ParseInt(field, 10, 64); err == nil {
			it.Type, it.Message = "message", id
		} else {
			it.Type, it.Summary = "summary", field
		}
		out = append(out, it)
	}
	return newContext(nil, 1, out, g)
}

// item returns an item of a context, as place reads it.
func item(t *testing.T, g *Graph, field string) lcm.ContextItem {
	t.Helper()
	return place(g, field).Items()[0]
}

// refs returns the items of a context.
func refs(items []lcm.ContextItem) string {
	var out []string
	for _, it := range items {
		out = append(out, it.Ref())
	}
	return strings.Join(out, " ")
}

// kept reports that no item is kept.
func kept(lcm.ContextItem) bool { return false }

// TestWhatAContextReaches is what stands in it and what is below that, once.
func TestWhatAContextReaches(t *testing.T) {
	t.Parallel()
	g := build(t, 6, "a: 1 2", "b: a 3", "c: 5")
	c := place(g, "b 4 99")
	equal(t, "messages", sorted(c.ReachedMessages()), []int64{1, 2, 3, 4})
	equal(t, "messages that stand there", sorted(c.Messages()), []int64{4, 99})
	equal(t, "summaries", c.Summaries(), []string{"b"})
	reached := c.ReachedSummaries()
	if !reached["a"] || !reached["b"] || reached["c"] || c.HasSummary("a") || !c.HasSummary("b") {
		t.Errorf("%v", reached)
	}
}

func sorted(set map[int64]bool) (out []int64) {
	for id := range set {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// TestDuplicatesLeaveTheFirst, but for those that are kept.
func TestDuplicatesLeaveTheFirst(t *testing.T) {
	t.Parallel()
	g := build(t, 3, "a: 1")
	c := place(g, "a 2 a 3 2")
	c.RemoveDuplicates(kept)
	if got := refs(c.Items()); got != "a 2 3" {
		t.Error(got)
	}
	c = place(g, "a 2 a 2")
	c.RemoveDuplicates(func(it lcm.ContextItem) bool { return it.IsSummary() })
	if got := refs(c.Items()); got != "a 2 a" {
		t.Error(got)
	}
	if got := refs(c.Stored()); got != "a 2 a 2" {
		t.Errorf("the stored context changed: %s", got)
	}
}

// TestCoveredItemsGo: messages and summaries below a summary of the context, and what is kept
// stays.
func TestCoveredItemsGo(t *testing.T) {
	t.Parallel()
	g := build(t, 5, "a: 1 2", "b: a 3", "c: c")
	for _, want := range []struct {
		messages, summaries bool
		items               string
	}{
		{true, true, "b 4 c"}, {true, false, "b a 4 c"}, {false, true, "b 1 3 4 c"}, {false, false, "b 1 a 3 4 c"},
	} {
		c := place(g, "b 1 a 3 4 c")
		c.RemoveCovered(want.messages, want.summaries, kept)
		if got := refs(c.Items()); got != want.items {
			t.Errorf("messages %v, summaries %v: %s, want %s", want.messages, want.summaries, got, want.items)
		}
	}
	c := place(g, "b 1 a 3 4")
	c.RemoveCovered(true, true, func(it lcm.ContextItem) bool { return it.Message == 3 })
	if got := refs(c.Items()); got != "b 3 4" {
		t.Error(got)
	}
}

// TestNegativeOrdinalsComeBack where a renumbering that stopped half-way took the items from.
func TestNegativeOrdinalsComeBack(t *testing.T) {
	t.Parallel()
	g := build(t, 4)
	c := place(g, "-4:4 -2:2 0:1 2:3")
	c.RestoreNegative()
	if got := refs(c.Items()); got != "1 2 3 4" {
		t.Error(got)
	}
}

// TestOrder: messages between two summaries are put in order first; where that isn't enough,
// all items, unless one of them stands for nothing.
func TestOrder(t *testing.T) {
	t.Parallel()
	g := build(t, 9, "a: 1 2", "b: 5 6", "bare:")
	for _, c := range []struct {
		items, want string
		ok          bool
	}{
		{"a 3 4", "a 3 4", true},
		{"a 4 3 b 8 7", "a 3 4 b 7 8", true},
		{"b 7 a 3", "a 3 b 7", true},
		{"bare 4 3", "bare 3 4", true},
		{"8 bare 3", "8 bare 3", false},
		{"4 99 3", "3 4 99", true}, // Another conversation's stays behind the message before it.
		{"", "", true},
	} {
		x := place(g, c.items)
		if ok := x.Sort(); ok != c.ok || refs(x.Items()) != c.want {
			t.Errorf("%s: %s, %v; want %s, %v", c.items, refs(x.Items()), ok, c.want, c.ok)
		}
		if c.ok && !x.IsSorted() {
			t.Errorf("%s: not sorted after all", c.items)
		}
	}
}

// TestNewItemsComeBeforeLaterMessages, and behind items that stand for nothing.
func TestNewItemsComeBeforeLaterMessages(t *testing.T) {
	t.Parallel()
	g := build(t, 9, "a: 1 2", "b: 6 7", "bare:")
	for _, c := range []struct{ items, added, want string }{
		{"a 4 8", "3 b", "a 3 4 b 8"},
		{"a bare 4", "3", "a bare 3 4"},
		{"", "3 5", "3 5"},
		{"4", "9", "4 9"},
		{"4 8", "", "4 8"},
	} {
		x := place(g, c.items)
		x.Insert(place(g, c.added).Items()...)
		if got := refs(x.Items()); got != c.want {
			t.Errorf("%s among %s: %s, want %s", c.added, c.items, got, c.want)
		}
	}
}

// TestWhatChanges in a context is another item, or another order.
func TestWhatChanges(t *testing.T) {
	t.Parallel()
	g := build(t, 4, "a: 1 2")
	c := place(g, "1 2 3")
	if c.IsChanged() || c.HasNew() {
		t.Error("a context is changed before anything is done")
	}
	c.Replace(0, 2, item(t, g, "a"))
	if got := refs(c.Items()); got != "a 3" || !c.IsChanged() || !c.HasNew() {
		t.Errorf("%s, changed %v, new %v", got, c.IsChanged(), c.HasNew())
	}
	c.SetItems(c.Stored())
	c.Remove(func(it lcm.ContextItem) bool { return it.Message == 3 })
	if !c.IsChanged() || c.HasNew() {
		t.Errorf("one removed: changed %v, new %v", c.IsChanged(), c.HasNew())
	}
}

// TestItemsAreCountedAsTheirRowsWillBe.
func TestItemsAreCountedAsTheirRowsWillBe(t *testing.T) {
	t.Parallel()
	g := build(t, 2, "a: 1")
	g.Summary("a").Tokens = 40
	h := g.messages.Header(2)
	h.Tokens = data.Number{Value: 7, Valid: true}
	g.messages.Update(h)
	c := place(g, "a 2 99")
	c.CountTokens()
	var got []int64
	for _, it := range c.Items() {
		got = append(got, it.Tokens)
	}
	equal(t, "tokens", got, []int64{40, 7, 0})
	c.SetText("a", "what a says now", 3)
	if it := c.Items()[0]; it.Tokens != 3 || it.Preview != "what a says now" {
		t.Errorf("%+v", it)
	}
}
