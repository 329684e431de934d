package transcript

import (
	"context"
	"hash/maphash"
	"slices"
	"strings"

	"lcm-tui/data/jstext"
)

// link is what an entry of OpenClaw says about its place in the tree of entries.
type link struct {
	typ, id string
	// parent, target and appendParent are ids, empty for null; whether the member is there
	// and is an id or null say the flags.
	parent, target, appendParent             string
	hasParent, hasTarget, hasAppend          bool
	badParent, badTarget, badAppend, badMode bool
	side                                     bool // It is appended beside the active branch.
}

// isCanonical reports whether the entry is a part of the conversation, of those that the host
// itself writes.
func (n *link) isCanonical() bool {
	switch n.typ {
	case "message", "thinking_level_change", "model_change", "compaction", "reset", "branch_summary", "custom", "custom_message", "label", "session_info":
		return true
	}
	return false
}

// appendModeKey is in the few lines that have an append mode. Where it is not, few members matter.
const appendModeKey = `"appendMode"`

// readLink reads the link of a line. It looks at the first members only where no other
// can matter.
func readLink(line string) (n link, err error) {
	short := !strings.Contains(line, appendModeKey)
	hasType, hasID := false, false
	err = eachField(line, func(key, value string) bool {
		switch key {
		case "type":
			n.typ, hasType = text(value), true
		case "id":
			n.id, hasID = nonBlank(text(value)), true
		case "parentId":
			n.hasParent = true
			n.parent, n.badParent = reference(value)
		case "targetId":
			n.hasTarget = true
			n.target, n.badTarget = reference(value)
		case "appendParentId":
			n.hasAppend = true
			n.appendParent, n.badAppend = reference(value)
		case "appendMode":
			n.side = text(value) == "side"
			n.badMode = !n.side
		}
		return !(short && hasType && hasID && n.hasParent && n.typ != "leaf")
	})
	return n, err
}

// reference returns the id that a value names, empty for null; not good where it is neither.
func reference(value string) (id string, bad bool) {
	if value == "null" {
		return "", false
	}
	id = nonBlank(text(value))
	return id, id == ""
}

func nonBlank(s string) string {
	if jstext.Trim(s) == "" {
		return ""
	}
	return s
}

// entryNode is an entry in the tree.
type entryNode struct {
	id, parent uint64 // Hashes of ids; 0 is none.
	line       uint32
	segment    int32 // The number of the reset that it comes from, 0 without one.
	control    bool  // It only says which entry is the leaf.
}

// visibleTree finds the way to the last entry as OpenClaw does: an entry follows its
// parent, without one the leaf before it. A parent that isn't there, or lies before the
// last reset, gives way to the leaf. Entries of the type leaf move the leaf; entries that are
// appended on the side don't become it.
type visibleTree struct {
	seed          maphash.Seed
	nodes         []entryNode
	byID          map[uint64]int32 // The last node with the id.
	invalid       map[uint64]bool  // Controls that name entries which aren't there.
	leaf          uint64
	appendParent  uint64
	resets        int32
	controlled    bool // A control moved the leaf.
	loose         bool // There are lines that have no place in the tree.
	unparsedLines []int64
	missing       map[uint64]string // Ids of parents that weren't there.
}

func newVisibleTree() *visibleTree {
	return &visibleTree{seed: maphash.MakeSeed(), byID: map[uint64]int32{}, invalid: map[uint64]bool{}, missing: map[uint64]string{}}
}

func (t *visibleTree) hash(id string) uint64 {
	if id == "" {
		return 0
	}
	return maphash.String(t.seed, id) | 1
}

// add puts the entry of a line behind the others, if it is one.
func (t *visibleTree) add(line int64, n *link) {
	if n.typ == "session" || n.id == "" || n.badParent || !n.hasParent && !n.isCanonical() {
		t.loose = t.loose || n.typ != "session"
		return
	}
	t.noteMissing(n.parent)
	if n.typ == "leaf" {
		t.addControl(line, n)
		return
	}
	e := entryNode{id: t.hash(n.id), parent: t.hash(n.parent), line: uint32(line)}
	if !n.hasParent {
		e.parent = t.leaf
	}
	if n.isCanonical() {
		e.parent = t.skipControls(t.repairParent(e.parent, n))
	}
	if n.typ == "reset" {
		t.resets++
		e.segment = t.resets
	}
	t.insert(e, t.followsReset(e.parent))
	t.appendParent = e.id
	if n.isCanonical() && !n.side {
		t.leaf = e.id
	}
}

// noteMissing remembers the id of a parent that isn't there: the way may begin behind it.
func (t *visibleTree) noteMissing(id string) {
	const longest = 256
	if _, there := t.byID[t.hash(id)]; !there && id != "" && len(id) <= longest {
		t.missing[t.hash(id)] = strings.Clone(id)
	}
}

// repairParent returns the parent of an entry, or the leaf in its place: nothing but side
// entries follows what lies before the last reset, what isn't there, or a side entry.
func (t *visibleTree) repairParent(parent uint64, n *link) uint64 {
	if n.side {
		return parent
	}
	_, there := t.byID[parent]
	switch {
	case t.resets > 0 && !t.followsReset(parent),
		n.hasParent && parent != 0 && !there && t.leaf != 0,
		n.hasParent && parent == t.appendParent && t.leaf != t.appendParent:
		return t.leaf
	}
	return parent
}

// followsReset reports whether an entry is the last reset or comes from it.
func (t *visibleTree) followsReset(id uint64) bool {
	i, ok := t.byID[id]
	return ok && id != 0 && t.nodes[i].segment == t.resets
}

// skipControls returns the entry that an id means: that of a control is the entry it moved
// the leaf to.
func (t *visibleTree) skipControls(id uint64) uint64 {
	// The parent of a control is no control itself, unless their ids are the same.
	if i, ok := t.byID[id]; ok && id != 0 && t.nodes[i].control {
		return t.nodes[i].parent
	}
	return id
}

// insert adds a node, of the segment of the last reset if its parent is.
func (t *visibleTree) insert(e entryNode, parentFollows bool) {
	if t.resets > 0 && (parentFollows || t.followsReset(e.id)) {
		e.segment = t.resets
	}
	t.byID[e.id] = int32(len(t.nodes))
	t.nodes = append(t.nodes, e)
}

// addControl moves the leaf. A control that names entries which aren't there moves
// nothing, and one that would go back before the last reset keeps the leaf.
func (t *visibleTree) addControl(line int64, n *link) {
	if !n.hasParent || !n.hasTarget || n.badTarget || n.badAppend || n.badMode {
		t.loose = true
		return
	}
	target, appendTo := t.hash(n.target), t.hash(n.appendParent)
	if !n.hasAppend {
		appendTo = target
	}
	if t.resets > 0 && t.leaf != 0 && !t.followsReset(target) {
		target, appendTo = t.leaf, t.leaf
	}
	e := entryNode{id: t.hash(n.id), line: uint32(line), control: true}
	if !t.isKnown(target) || !t.isKnown(appendTo) {
		t.invalid[e.id] = true
		e.parent = t.skipControls(t.hash(n.parent))
		t.insert(e, false)
		return
	}
	if e.parent = target; target != e.id {
		e.parent = t.skipControls(target)
	}
	t.insert(e, t.followsReset(target))
	t.leaf, t.appendParent, t.controlled = target, appendTo, true
}

// isKnown reports whether a control may name an entry.
func (t *visibleTree) isKnown(id uint64) bool {
	if id == 0 {
		return true
	}
	_, there := t.byID[id]
	return there && !t.invalid[id]
}

// path returns the way to the leaf; nil where it has all entries, each after the one before.
func (t *visibleTree) path() *path {
	way := t.way()
	if len(way) == 0 && !t.controlled {
		return &path{all: true}
	}
	p := &path{}
	if len(way) > 0 {
		p.before = t.missing[t.nodes[way[0]].parent]
	}
	p.addWay(t, way)
	for _, line := range t.unparsedLines {
		p.add(line)
		if len(p.runs) > 0 {
			p.runs[0].add(line)
		}
	}
	if len(way) == len(t.nodes) && !t.loose && p.before == "" && p.runs == nil {
		return nil
	}
	return p
}

// addWay adds the lines of a way, and its runs where it goes back in the file. A way of too
// many runs, which no host writes, is read in the order of the file.
func (p *path) addWay(t *visibleTree, way []int32) {
	const mostRuns = 32
	var runs []*path
	last := int32(-1)
	for _, i := range way {
		line := int64(t.nodes[i].line)
		p.add(line)
		if i < last || last < 0 {
			runs = append(runs, &path{})
		}
		if last = i; len(runs) <= mostRuns {
			runs[len(runs)-1].add(line)
		}
	}
	if len(runs) > 1 && len(runs) <= mostRuns {
		p.runs = runs
	}
}

// way returns the nodes from the leaf to the root, first to last; none where they go round in a
// circle.
func (t *visibleTree) way() (way []int32) {
	seen := make([]uint64, len(t.nodes)/64+1)
	for id := t.leaf; id != 0; {
		i, ok := t.byID[id]
		if !ok {
			break
		}
		if seen[i/64]&(1<<(i%64)) != 0 {
			return nil
		}
		seen[i/64] |= 1 << (i % 64)
		if !t.nodes[i].control {
			way = append(way, i)
		}
		id = t.nodes[i].parent
	}
	slices.Reverse(way)
	return way
}

// findVisible finds which lines of an OpenClaw transcript lead to its leaf.
func (f *File) findVisible(ctx context.Context) (*order, error) {
	t, o := newVisibleTree(), &order{}
	err := f.eachLine(ctx, func(at place, line string) (bool, error) {
		n, err := readLink(line)
		if err != nil || n.typ == "reset" {
			if r := readReset(line, at.line); r != nil {
				o.resets = append(o.resets, r)
			}
		}
		if err != nil {
			t.unparsedLines = append(t.unparsedLines, at.line)
			return true, nil
		}
		t.add(at.line, &n)
		return true, nil
	}, nil)
	o.path = t.path()
	return o, err
}
