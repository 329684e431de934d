package lineage_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testlength"
)

// sampleCache is where the tests' databases come from.
var sampleCache samples.Cache

func load(t *testing.T, fault string) (*data.DB, *lineage.Graph) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Sample(path, fakehost.Head); err != nil {
		t.Fatal(err)
	}
	if fault != "" {
		if err := faults.Break(path, fault); err != nil {
			t.Fatal(err)
		}
	}
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	g, err := lineage.Load(t.Context(), db, 1, 80)
	if err != nil {
		t.Fatal(err)
	}
	return db, g
}

// reachable returns the nodes that a walk from the roots finds.
func reachable(g *lineage.Graph) map[string]bool {
	seen := map[string]bool{}
	var walk func(n *lineage.Node)
	walk = func(n *lineage.Node) {
		if seen[n.ID] {
			return
		}
		seen[n.ID] = true
		for _, id := range n.Sources {
			if s, ok := g.Node(id); ok {
				walk(s)
			}
		}
	}
	for _, n := range g.Roots() {
		walk(n)
	}
	return seen
}

// TestEveryNodeIsReachedFromARoot: also where a cycle has no beginning, so that no
// summary is invisible.
func TestEveryNodeIsReachedFromARoot(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, fault := range append([]string{""}, faults.Names()...) {
		if strings.Contains(fault, "file") || strings.Contains(fault, "sqlite") {
			continue
		}
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "lcm.db")
			if err := sampleCache.Sample(path, fakehost.Head); err != nil {
				t.Fatal(err)
			}
			if fault != "" && faults.Break(path, fault) != nil {
				return
			}
			db, err := data.Open(t.Context(), path)
			if err != nil {
				return
			}
			defer db.Close()
			g, err := lineage.Load(t.Context(), db, 1, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := len(reachable(g)), len(g.Nodes()); got != want {
				t.Errorf("%d nodes of %d can be reached", got, want)
			}
			if _, err := lineage.LoadCoverage(t.Context(), db, 1); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRootsStandInTheContextsOrder(t *testing.T) {
	t.Parallel()
	_, g := load(t, "")
	last := int64(-1)
	for _, n := range g.Roots() {
		if !n.InContext() {
			break
		}
		if n.Ordinal <= last {
			t.Errorf("%s at %d comes after %d", n.ID, n.Ordinal, last)
		}
		last = n.Ordinal
	}
	if last < 0 {
		t.Error("no root is in the context")
	}
}

func TestCoverage(t *testing.T) {
	t.Parallel()
	db, g := load(t, "")
	c, err := lineage.LoadCoverage(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	bands := c.Bands(40)
	if len(bands) < 3 || bands[len(bands)-1].Depth != lineage.RawBand {
		t.Fatalf("%d bands", len(bands))
	}
	raw := bands[len(bands)-1].Cells
	if raw[39] != lineage.Shown || raw[0] != lineage.Folded || slices.Contains(raw, lineage.Uncovered) {
		t.Errorf("messages: %v", raw)
	}
	for i := 1; i < len(bands); i++ {
		if bands[i].Depth >= bands[i-1].Depth {
			t.Errorf("band %d is deeper than the one above", i)
		}
	}
	for _, n := range g.Nodes() {
		whole, _ := c.Extent(n.ID)
		for _, id := range n.Sources {
			if part, _ := c.Extent(id); part.First < whole.First || part.Last > whole.Last {
				t.Errorf("%s reaches beyond %s, which was made of it", id, n.ID)
			}
		}
	}
	if c.Bands(0) != nil {
		t.Error("a picture of nothing")
	}
	for _, width := range []int{1, 7, 1000} {
		for _, b := range c.Bands(width) {
			if len(b.Cells) != width || !slices.ContainsFunc(b.Cells, func(c lineage.Cell) bool { return c != lineage.Empty }) {
				t.Errorf("at width %d depth %d has %v", width, b.Depth, b.Cells)
			}
		}
	}
}

func TestUncoveredMessagesAreSeen(t *testing.T) {
	t.Parallel()
	db, _ := load(t, "")
	h, err := fakehost.Open(db.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Exec("DELETE FROM context_items WHERE conversation_id = 1 AND ordinal = (SELECT max(ordinal) FROM context_items WHERE conversation_id = 1)"); err != nil {
		t.Fatal(err)
	}
	c, err := lineage.LoadCoverage(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	bands := c.Bands(40)
	if raw := bands[len(bands)-1].Cells; raw[39] != lineage.Uncovered {
		t.Errorf("messages: %v", raw)
	}
}

func TestAbove(t *testing.T) {
	t.Parallel()
	_, g := load(t, "")
	for _, n := range g.Nodes() {
		above, ok := g.ContextAncestor(n)
		if !ok || !above.InContext() {
			t.Errorf("nothing in the context stands for %s", n.ID)
		}
	}
}

// TestCountersAreThoseOfTheFile: recomputed over a healthy file, every counter
// comes out as it is stored.
func TestCountersAreThoseOfTheFile(t *testing.T) {
	t.Parallel()
	_, g := load(t, "")
	stored := func(n *lineage.Node) lineage.Counters {
		return lineage.Counters{Descendants: n.Descendants, DescendantTokens: n.DescendantTokens, SourceTokens: n.SourceTokens}
	}
	tokens := func(n *lineage.Node) int64 { return n.Tokens }
	condensed := 0
	for _, n := range g.Nodes() {
		if got := g.Counters(n, tokens, stored); got != stored(n) {
			t.Errorf("%s: %+v, stored %+v", n.ID, got, stored(n))
		}
		if n.Condensed() {
			condensed++
		}
	}
	if condensed == 0 {
		t.Error("nothing condensed to count")
	}
}

func TestBottomUp(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"", "cycle", "depth-mismatch", "diamond"} {
		_, g := load(t, fault)
		for _, root := range g.Roots() {
			at := map[string]int{}
			below := g.Below(root.ID)
			for i, n := range below {
				at[n.ID] = i
			}
			if fault == "" && below[len(below)-1].ID != root.ID {
				t.Errorf("%s is not the last of what is below it", root.ID)
			}
			for _, n := range below {
				for _, id := range n.Sources {
					if i, ok := at[id]; fault != "cycle" && ok && i > at[n.ID] {
						t.Errorf("%s stands before its source %s", n.ID, id)
					}
				}
			}
			for _, a := range g.Ancestors(below[0].ID) {
				if a.ID == below[0].ID && fault != "cycle" {
					t.Errorf("%s is its own ancestor", a.ID)
				}
			}
		}
	}
}
