package draft

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data/lcm"
)

// build makes a graph of messages 1 to n, whose seqs are their ids, and of summaries that are
// described as "id: sources", a source being a message or another summary.
func build(t *testing.T, n int64, summaries ...string) *Graph {
	t.Helper()
	var headers []lcm.MessageHeader
	for id := int64(1); id <= n; id++ {
		headers = append(headers, lcm.MessageHeader{ID: id, Seq: id})
	}
	g := newGraph(NewMessages(headers...), nil)
	for _, s := range summaries {
		id, sources, _ := strings.Cut(s, ":")
		g.add(&Summary{Summary: lcm.Summary{ID: id, Kind: lcm.KindLeaf}})
		for source := range strings.FieldsSeq(sources) {
			var message int64
			if _, err := fmt.Sscan(source, &message); err == nil {
				g.LinkMessage(id, message)
			} else {
				g.Link(id, source)
			}
		}
	}
	return g
}

// names returns the ids of summaries.
func names(summaries []*Summary) (out []string) {
	for _, s := range summaries {
		out = append(out, s.ID)
	}
	return out
}

// none ignores no edge.
func none(*Edge) bool { return false }

func equal[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestTraversal goes down to sources, up to what is made of them, and once through each
// summary, however many ways lead to it.
func TestTraversal(t *testing.T) {
	t.Parallel()
	g := build(t, 6, "a: 1 2", "b: 3 4", "c: a b", "d: b", "e: c d")
	equal(t, "below e", slices.Sorted(slices.Values(names(g.Below("e")))), []string{"a", "b", "c", "d", "e"})
	equal(t, "derived of b", names(g.Derived("b")), []string{"c", "d"})
	equal(t, "covering 3", names(g.Covering(3)), []string{"b"})
	equal(t, "covering 5", names(g.Covering(5)), nil)
	equal(t, "messages below c", slices.Sorted(maps.Keys(g.MessagesBelow("c"))), []int64{1, 2, 3, 4})
	if lo, hi, ok := g.Span("d"); lo != 3 || hi != 4 || !ok {
		t.Errorf("d spans %d to %d, %v", lo, hi, ok)
	}
	if _, _, ok := g.Span("nowhere"); ok {
		t.Error("a summary that doesn't exist spans messages")
	}
}

// TestBottomUp: no summary stands before its sources, whatever the graph, and a cycle is cut.
func TestBottomUp(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8)) //nolint:gosec // The same every time.
	for range 50 {
		g := newGraph(NewMessages(), nil)
		n := 2 + r.IntN(12)
		for i := range n {
			g.add(&Summary{Summary: lcm.Summary{ID: fmt.Sprint(i)}})
		}
		for range n {
			a, b := r.IntN(n), r.IntN(n)
			if a != b {
				g.Link(fmt.Sprint(max(a, b)), fmt.Sprint(min(a, b)))
			}
		}
		seen := map[string]bool{}
		for _, s := range g.BottomUp() {
			for _, source := range s.Sources() {
				if !seen[source] {
					t.Fatalf("%s stands before its source %s", s.ID, source)
				}
			}
			seen[s.ID] = true
		}
		if len(seen) != n {
			t.Fatalf("%d of %d summaries", len(seen), n)
		}
	}
	g := build(t, 0, "a: b", "b: c", "c: a")
	if got := len(g.BottomUp()); got != 3 {
		t.Errorf("%d of a cycle of 3", got)
	}
}

// TestCycle finds every cycle and no other edges.
func TestCycle(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		graph []string
		want  []string // The summaries on the cycle.
	}{
		"none":                 {[]string{"a: 1", "b: a", "c: a b"}, nil},
		"its own source":       {[]string{"a: 1 a"}, []string{"a"}},
		"two":                  {[]string{"a: b", "b: a"}, []string{"a", "b"}},
		"below others":         {[]string{"top: a", "a: b", "b: c", "c: b"}, []string{"b", "c"}},
		"a source that's lost": {[]string{"a: gone", "b: a"}, nil},
	} {
		g := build(t, 1, c.graph...)
		var got []string
		for _, e := range g.Cycle(none) {
			got = append(got, e.Summary)
		}
		slices.Sort(got)
		equal(t, name, got, c.want)
	}
}

// TestIgnoredEdgesAreNoCycle, and others are found behind them.
func TestIgnoredEdgesAreNoCycle(t *testing.T) {
	t.Parallel()
	g := build(t, 0, "a: a", "b: c", "c: b")
	cycle := g.Cycle(func(e *Edge) bool { return e.Summary == "a" })
	if len(cycle) != 2 {
		t.Fatalf("%d edges", len(cycle))
	}
	g.Unlink(cycle[0])
	if g.Cycle(func(e *Edge) bool { return e.Summary == "a" }) != nil {
		t.Error("the cycle is still there")
	}
	if g.Cycle(none) == nil {
		t.Error("the ignored cycle is gone")
	}
}

// TestUnlinkedSourcesAreForgotten at once, also by spans that were asked for before.
func TestUnlinkedSourcesAreForgotten(t *testing.T) {
	t.Parallel()
	g := build(t, 4, "a: 1 2", "b: 3 4", "c: a b")
	if lo, hi, _ := g.Span("c"); lo != 1 || hi != 4 {
		t.Fatalf("c spans %d to %d", lo, hi)
	}
	g.Unlink(g.Edges("c")[0])
	equal(t, "sources of c", g.Summary("c").Sources(), []string{"b"})
	if lo, hi, _ := g.Span("c"); lo != 3 || hi != 4 {
		t.Errorf("without a c spans %d to %d", lo, hi)
	}
	if !g.IsRenumbered("c") || g.IsRenumbered("never linked") {
		t.Error("the edges of c don't get new ordinals")
	}
	g.Link("c", "a")
	equal(t, "linked again", g.Summary("c").Sources(), []string{"a", "b"})
}

// TestWithoutIsNoChange: the graph is as before when the look is over.
func TestWithoutIsNoChange(t *testing.T) {
	t.Parallel()
	g := build(t, 2, "a: 1", "b: a 2")
	e := g.EdgesTo("a")[0]
	looked := false
	g.Without(e, func() {
		looked = true
		equal(t, "sources", g.Summary("b").Sources(), nil)
		equal(t, "messages", slices.Sorted(maps.Keys(g.MessagesBelow("b"))), []int64{2})
	})
	equal(t, "sources afterwards", g.Summary("b").Sources(), []string{"a"})
	if !looked || e.IsDeleted() {
		t.Errorf("looked %v, deleted %v", looked, e.IsDeleted())
	}
}

// TestADeletedSummary goes with its edges, and nothing is below it any more.
func TestADeletedSummary(t *testing.T) {
	t.Parallel()
	g := build(t, 2, "a: 1 2", "b: a")
	a := g.Summary("a")
	g.Delete(a)
	if g.Has("a") || g.Summary("a") != a || !a.IsDeleted() {
		t.Error("it stays")
	}
	equal(t, "those that stay", names(g.Summaries()), []string{"b"})
	equal(t, "those that go", names(g.Deleted()), []string{"a"})
	equal(t, "below b", names(g.Below("b")), []string{"b"})
	equal(t, "covering 1", names(g.Covering(1)), nil)
	if len(g.MessagesBelow("b")) != 0 {
		t.Error("messages are still below b")
	}
	for _, e := range g.Edges("a") {
		if !e.IsDeleted() {
			t.Errorf("the edge to message %d stays", e.Message)
		}
	}
}

// TestWhereEdgesLead: to rows of this conversation, of another one, or nowhere.
func TestWhereEdgesLead(t *testing.T) {
	t.Parallel()
	g := build(t, 2, "a: 1 7 8", "b: a elsewhere gone")
	g.elsewhere["elsewhere"], g.elsewhere[int64(7)] = true, true
	for _, e := range g.AllEdges() {
		lost := e.Source == "gone" || e.Message == 8
		other := e.Source == "elsewhere" || e.Message == 7
		if g.IsDangling(e) != lost || g.LeadsElsewhere(e) != other {
			t.Errorf("%s to %s%d: dangling %v, elsewhere %v", e.Summary, e.Source, e.Message, g.IsDangling(e), g.LeadsElsewhere(e))
		}
	}
	g.messages.Delete(1)
	if e := g.EdgesToMessage(1)[0]; !g.IsDangling(e) {
		t.Error("an edge to a deleted message leads somewhere")
	}
}
