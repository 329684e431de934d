package transcript

import (
	"context"
	"fmt"
	"hash/maphash"
	"strings"

	"lcm-tui/data/jstext"
)

// path is the set of lines that lead to the last entry of a session file. Nil has all lines.
type path struct {
	on     []uint64 // A bit for each line.
	all    bool     // It has all lines, since no way could be found among them.
	before string   // The id of an entry that the first one names as its parent, and that isn't there.
	// runs are the pieces of a way that goes back in the file, where ids repeat; nil of one that
	// doesn't.
	runs []*path
}

func (p *path) has(line int64) bool {
	return p == nil || p.all || line/64 < int64(len(p.on)) && p.on[line/64]&(1<<(line%64)) != 0
}

// inRuns returns the paths that have the lines in the order of the way, one after the other.
func (p *path) inRuns() []*path {
	if p == nil || p.runs == nil {
		return []*path{p}
	}
	return p.runs
}

func (p *path) add(line int64) {
	for int64(len(p.on)) <= line/64 {
		p.on = append(p.on, 0)
	}
	p.on[line/64] |= 1 << (line % 64)
}

// node is where an entry stands in the tree that entries make.
type node struct {
	id, parent string
	root       bool // It has no parent.
	result     bool // A tool's result, whose parent may be its call, beside the path.
	// answer is the id of the model's answer that the entry is a block of, or empty. Of calls side by side
	// only those lead to the last entry that were called before the one whose result came last.
	answer string
}

// tree is a transcript's entries, of each the least that tells the way.
type tree struct {
	seed          maphash.Seed
	lines         []uint32
	ids           []uint64
	parent        []int32 // The index of the parent, or -1.
	result        []bool
	answers       []uint64         // 0 of an entry that is no block of an answer.
	index         map[uint64]int32 // Made when the first entry doesn't follow the one before.
	branch        bool
	unparsedLines []int64 // Lines that hold no entry as far as can be seen; whoever reads them says why.
}

// add puts an entry behind the others.
func (t *tree) add(line int64, n node) {
	at := int32(len(t.ids))
	up := at - 1
	if n.root {
		up = -1
		t.branch = t.branch || at > 0
	} else {
		up = t.find(n.parent, up)
	}
	id, answer := t.hash(n.id), t.hash(n.answer)
	t.branch = t.branch || up != at-1
	t.lines, t.ids, t.parent, t.result = append(t.lines, uint32(line)), append(t.ids, id), append(t.parent, up), append(t.result, n.result)
	t.answers = append(t.answers, answer)
	if t.index != nil && id != 0 {
		t.index[id] = at
	}
}

// hash returns the hash of an id; 0 of none.
func (t *tree) hash(id string) uint64 {
	if id == "" {
		return 0
	}
	return maphash.String(t.seed, id)
}

// find returns the entry with an id: mostly the one before. An entry whose parent isn't
// there, since its line can't be read, follows the one before it.
func (t *tree) find(id string, before int32) int32 {
	h := maphash.String(t.seed, id)
	if before >= 0 && t.ids[before] == h {
		return before
	}
	if t.index == nil {
		t.index = make(map[uint64]int32, len(t.ids))
		for i, id := range t.ids {
			if id != 0 {
				t.index[id] = int32(i)
			}
		}
	}
	if i, ok := t.index[h]; ok {
		return i
	}
	return before
}

// path returns the way to the last entry, with all blocks of the answers on it, and the results of their calls.
func (t *tree) path() *path {
	if !t.branch {
		return nil
	}
	on, answers := make([]bool, len(t.ids)), map[uint64]bool{}
	for i := int32(len(t.ids)) - 1; i >= 0 && !on[i]; i = t.parent[i] {
		on[i] = true
		answers[t.answers[i]] = true
	}
	for i, answer := range t.answers {
		on[i] = on[i] || answer != 0 && answers[answer]
	}
	p := &path{}
	for i := range on {
		if on[i] || t.result[i] && t.parent[i] >= 0 && on[t.parent[i]] {
			p.add(int64(t.lines[i]))
		}
	}
	for _, line := range t.unparsedLines {
		p.add(line)
	}
	return p
}

// nodeReader says where in the tree the entry of a line is, if it is in it.
type nodeReader func(line string) (n node, ok bool, err error)

// isLinear reports whether every entry follows the one before it, as in most transcripts,
// of which nothing has to be held then.
func (f *File) isLinear(ctx context.Context, look nodeReader) (ok bool, err error) {
	ok = true
	last, some := "", false
	if f.from != nil {
		last, some = f.from.Node, f.from.Node != ""
	}
	err = f.eachLine(ctx, func(_ place, line string) (bool, error) {
		n, in, err := look(line)
		if err != nil || !in {
			return true, nil // Whoever reads the line says why.
		}
		ok = !some || !n.root && n.parent == last
		last, some = n.id, true
		return ok, nil
	}, nil)
	return ok, err
}

// nodeReader returns how the file's kind tells the place of an entry, or nil where entries just
// follow each other.
func (f *File) nodeReader() nodeReader {
	switch f.Kind {
	case OpenClaw:
		return openClawNode
	case ClaudeCode:
		return func(line string) (node, bool, error) { return claudeNode(line, f.Session.Aside) }
	}
	return nil
}

// Rewound returns the ids of the entries that the user went back before: they lie on a
// branch that doesn't lead to the last entry.
func (f *File) Rewound(ctx context.Context) (map[string]bool, error) {
	o, err := f.findOrder(ctx)
	if err != nil {
		return nil, err
	}
	if o.path == nil || o.path.all {
		return o.rewound, nil
	}
	p := o.path
	look, on, beside := f.nodeReader(), map[string]bool{}, map[string]bool{}
	err = f.eachLine(ctx, func(at place, line string) (bool, error) {
		if n, ok, err := look(line); ok && err == nil && n.id != "" {
			if p.has(at.line) {
				on[n.id] = true
			} else {
				beside[n.id] = true
			}
		}
		return true, nil
	}, nil)
	for id := range on { // A compaction copies entries that stay, with their ids.
		delete(beside, id)
	}
	return beside, err
}

// OnWay returns the ids of the entries that lead to the last one, without summaries that the session's host made of
// them. It is for files of Claude Code and Gemini CLI.
func (f *File) OnWay(ctx context.Context) (map[string]bool, error) {
	o, err := f.findOrder(ctx)
	if err != nil {
		return nil, err
	}
	look, on := f.nodeReader(), map[string]bool{}
	err = f.eachLine(ctx, func(at place, line string) (bool, error) {
		if f.Kind == Gemini {
			addGeminiWay(line, o.rewound, on)
		} else if n, ok, err := look(line); ok && err == nil && o.path.has(at.line) && jstext.Parse(line).Field("isCompactSummary") != jstext.True {
			on[strings.Clone(n.id)] = true // A part of a line holds the whole in memory.
		}
		return true, nil
	}, nil)
	return on, err
}

// order is what a first reading finds out about a transcript as a whole.
type order struct {
	path   *path    // The lines that lead to the last entry.
	resets []*Reset // All, also those beside the path; their numbers aren't counted.
	// rewound are the ids of the entries, of Codex and Gemini CLI, that the user went back before.
	rewound map[string]bool
}

// findOrder reads the order of a transcript the first time that it is asked for. It stays,
// since reading a long transcript takes as long as parsing it.
func (f *File) findOrder(ctx context.Context) (*order, error) {
	if f.order != nil {
		return f.order, nil
	}
	o := &order{}
	var err error
	switch f.Kind {
	case OpenClaw:
		o, err = f.findVisible(ctx)
	case Gemini:
		o.rewound, err = f.findRewound(ctx)
	case Codex:
		o.rewound, err = f.findRolledBack(ctx)
	default:
		o.path, err = f.findPath(ctx)
	}
	if err != nil {
		return nil, err
	}
	f.order = o
	return o, nil
}

// findPath finds which lines lead to the last entry, in transcripts of other hosts than
// OpenClaw. What isn't in the tree at all is on it, and is passed over by whoever reads the
// line.
func (f *File) findPath(ctx context.Context) (*path, error) {
	look := f.nodeReader()
	if look == nil {
		return nil, nil
	}
	straight, err := f.isLinear(ctx, look)
	if err != nil || straight {
		return nil, err
	}
	if f.from != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, ErrMoved)
	}
	t := &tree{seed: maphash.MakeSeed()}
	err = f.eachLine(ctx, func(at place, line string) (bool, error) {
		switch n, ok, err := look(line); {
		case err != nil:
			t.unparsedLines = append(t.unparsedLines, at.line)
		case ok:
			t.add(at.line, n)
		}
		return true, nil
	}, nil)
	return t.path(), err
}
