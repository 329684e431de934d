package conversation

import (
	"slices"

	"lcm-tui/engine/lineage"
	"lcm-tui/views"
)

// tree is the summaries of a conversation as they are unfolded. A node that
// stands under two others has two places in it, so places are known by the way
// that leads to them, and stay known when the graph is loaded again.
type tree struct {
	graph *lineage.Graph
	roots []*lineage.Node
	steps []step // The last step to each place; place 0 is above the roots.
	known map[step]int
	open  map[int]bool

	damaged bool // Some source is missing, or a cycle is there.
}

// step leads from a place to one of the sources of its node.
type step struct {
	above int
	id    string
}

// branch is one row of the tree.
type branch struct {
	place int
	above int
	key   string
	id    string
	node  *lineage.Node // Nil where the row is missing.
	level int
	cycle bool // The node stands above itself; nothing is below it here.
	open  bool
	// outside says that the root above stands neither in the context nor below
	// anything.
	outside bool
}

func newTree() *tree {
	return &tree{steps: []step{{}}, known: map[step]int{}, open: map[int]bool{}}
}

// receive takes a graph that was loaded, and keeps what is unfolded.
func (t *tree) receive(g *lineage.Graph, roots []*lineage.Node) {
	t.graph, t.roots = g, roots
	t.damaged = slices.ContainsFunc(t.all(), func(b *branch) bool { return b.node == nil || b.cycle })
}

// place returns the number of the place to which a step leads.
func (t *tree) place(s step) int {
	p, ok := t.known[s]
	if !ok {
		p = len(t.steps)
		t.steps, t.known[s] = append(t.steps, s), p
	}
	return p
}

func placeKey(place int) string { return views.Itoa(int64(place)) }

func (t *tree) branch(above, level int, id string) *branch {
	p := t.place(step{above, id})
	b := &branch{place: p, above: above, key: placeKey(p), id: id, level: level}
	b.node, _ = t.graph.Node(id)
	return b
}

// hasSources reports whether there is something to unfold below b.
func (b *branch) hasSources() bool { return b.node != nil && !b.cycle && len(b.node.Sources) > 0 }

func (b *branch) isRoot() bool { return b.above == 0 }

// rows returns the rows of what is unfolded.
func (t *tree) rows() []*branch {
	return t.walk(func(b *branch) (bool, bool) { return true, t.open[b.place] })
}

// all returns a row for every node, and for every one that is missing, at its first
// place.
func (t *tree) all() []*branch {
	seen := map[string]bool{}
	return t.walk(func(b *branch) (bool, bool) {
		was := seen[b.id] && !b.cycle
		seen[b.id] = true
		return !was, !was
	})
}

// walk goes through the tree and asks pick what to list, and below what to look.
func (t *tree) walk(pick func(*branch) (list, open bool)) (out []*branch) {
	if t.graph == nil {
		return nil
	}
	on, listed, outside := map[string]bool{}, map[int]bool{}, false
	var add func(above, level int, ids []string)
	add = func(above, level int, ids []string) {
		for _, id := range ids {
			b := t.branch(above, level, id)
			if listed[b.place] { // A link that the file has twice.
				continue
			}
			listed[b.place], b.cycle = true, on[id]
			if above == 0 {
				outside = b.node != nil && !b.node.InContext()
			}
			b.outside = outside
			list, open := pick(b)
			if list {
				out = append(out, b)
			}
			if b.open = open && b.hasSources(); b.open {
				on[id] = true
				add(b.place, level+1, b.node.Sources)
				delete(on, id)
			}
		}
	}
	add(0, 0, t.rootIDs())
	return out
}

func (t *tree) rootIDs() []string {
	ids := make([]string, len(t.roots))
	for i, n := range t.roots {
		ids[i] = n.ID
	}
	return ids
}

// unfoldAll unfolds b and all below it, a node under two others only where it
// comes first: there may be more ways through a graph than one could ever list.
func (t *tree) unfoldAll(b *branch) {
	seen, on := map[string]bool{}, map[string]bool{}
	for p := b.above; p != 0; p = t.steps[p].above {
		on[t.steps[p].id] = true
	}
	var unfold func(place int, id string)
	unfold = func(place int, id string) {
		n, ok := t.graph.Node(id)
		if !ok || seen[id] || on[id] || len(n.Sources) == 0 {
			return
		}
		seen[id], on[id] = true, true
		t.open[place] = true
		for _, s := range n.Sources {
			unfold(t.place(step{place, s}), s)
		}
		delete(on, id)
	}
	unfold(b.place, b.id)
}

// foldAll folds b and all that was ever unfolded below it.
func (t *tree) foldAll(b *branch) {
	var fold func(place int, id string)
	fold = func(place int, id string) {
		delete(t.open, place)
		n, ok := t.graph.Node(id)
		if !ok {
			return
		}
		for _, s := range n.Sources {
			if p, ok := t.known[step{place, s}]; ok {
				fold(p, s)
			}
		}
	}
	fold(b.place, b.id)
}

// unfoldTo unfolds all that is above a place.
func (t *tree) unfoldTo(place int) {
	for p := t.steps[place].above; p != 0; p = t.steps[p].above {
		t.open[p] = true
	}
}

// find returns a place of a node, the nearest to a root; 0 if there is none.
func (t *tree) find(id string) int {
	if t.graph == nil {
		return 0
	}
	if _, ok := t.graph.Node(id); !ok {
		return t.findMissing(id)
	}
	root := map[string]bool{}
	for _, n := range t.roots {
		root[n.ID] = true
	}
	below := map[string]string{id: ""}
	for queue := []string{id}; len(queue) > 0; queue = queue[1:] {
		if root[queue[0]] {
			return t.placeOf(queue[0], below)
		}
		n, ok := t.graph.Node(queue[0])
		if !ok {
			continue
		}
		for _, up := range n.Derived {
			if _, ok := below[up]; !ok {
				below[up] = queue[0]
				queue = append(queue, up)
			}
		}
	}
	return 0
}

func (t *tree) placeOf(id string, below map[string]string) int {
	p := 0
	for ; id != ""; id = below[id] {
		p = t.place(step{p, id})
	}
	return p
}

// findMissing returns the place of a row that is gone, under one that names it.
func (t *tree) findMissing(id string) int {
	for _, n := range t.graph.Nodes() {
		if slices.Contains(n.Sources, id) {
			if p := t.find(n.ID); p != 0 {
				return t.place(step{p, id})
			}
		}
	}
	return 0
}
