package draft

import (
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Graph is the summaries of a conversation and their edges, as they will be.
type Graph struct {
	messages  *Messages
	rows      *Rows
	summaries map[string]*Summary
	order     []*Summary         // By depth, then age.
	edges     map[string][]*Edge // By the summary that they belong to, also one that doesn't exist.
	bySource  map[string][]*Edge
	byMessage map[int64][]*Edge
	elsewhere map[any]bool // Ids of summaries and messages of other conversations to which edges lead.

	renumbered map[string]bool // Summaries whose edges get new ordinals.
	spans      map[string]span // Of summaries, as far as they were asked for.
}

// Summary is a summary as it will be, without its text.
type Summary struct {
	lcm.Summary
	// Row is the stored row, without its text.
	Row data.Row
	// WasInContext says that the stored context holds it, and HadDerived that a summary of this
	// conversation was made of it.
	WasInContext, HadDerived bool

	graph    *Graph
	position int // In the order of the graph.
	deleted  bool
	stale    bool // Its edges changed since sources and messages were read from them.
	sources  []string
	messages []int64
}

// span is the lowest and the highest seq of some messages; not ok for none.
type span struct {
	lo, hi int64
	ok     bool
}

func newGraph(m *Messages, rows *Rows) *Graph {
	return &Graph{
		messages: m, rows: rows, summaries: map[string]*Summary{}, edges: map[string][]*Edge{}, bySource: map[string][]*Edge{},
		byMessage: map[int64][]*Edge{}, elsewhere: map[any]bool{}, renumbered: map[string]bool{}, spans: map[string]span{},
	}
}

// Sources returns the ids of the summaries that the summary is made of, in the order of their
// ordinals. Some may not exist.
func (s *Summary) Sources() []string {
	s.refresh()
	return s.sources
}

// Messages returns the ids of the messages that the summary is made of, in the order of their
// ordinals. Some may not exist.
func (s *Summary) Messages() []int64 {
	s.refresh()
	return s.messages
}

// CountsSources works as lcm.CountsSources, with the links that the repair leaves.
func (s *Summary) CountsSources() bool {
	return lcm.CountsSources(s.Kind, len(s.Sources()), len(s.Messages()))
}

// IsDeleted reports whether the summary goes.
func (s *Summary) IsDeleted() bool { return s.deleted }

// refresh reads sources and messages from the edges.
func (s *Summary) refresh() {
	if !s.stale {
		return
	}
	s.stale, s.sources, s.messages = false, nil, nil
	for _, e := range s.graph.edges[s.ID] {
		switch {
		case e.deleted:
		case e.table == SourceTable:
			s.sources = append(s.sources, e.Source)
		default:
			s.messages = append(s.messages, e.Message)
		}
	}
}

// Summary returns the summary of an id, also one that goes; nil where there is none.
func (g *Graph) Summary(id string) *Summary { return g.summaries[id] }

// Has reports whether there is a summary, and stays.
func (g *Graph) Has(id string) bool {
	s := g.summaries[id]
	return s != nil && !s.deleted
}

// Summaries returns the summaries that stay, by depth, then age.
func (g *Graph) Summaries() []*Summary {
	return slices.DeleteFunc(slices.Clone(g.order), (*Summary).IsDeleted)
}

// Deleted returns the summaries that go.
func (g *Graph) Deleted() []*Summary {
	return slices.DeleteFunc(slices.Clone(g.order), func(s *Summary) bool { return !s.deleted })
}

// Set changes columns of a summary's row.
func (g *Graph) Set(s *Summary, columns data.Row) { g.rows.Set("summaries", s.Row, columns) }

// Delete removes a summary with its edges to its sources. Edges that lead to it stay.
func (g *Graph) Delete(s *Summary) {
	s.deleted = true
	g.Unlink(g.edges[s.ID]...)
	clear(g.spans)
}

// Below returns some summaries and all that they are made of, as far as it exists, once each.
func (g *Graph) Below(ids ...string) (out []*Summary) {
	seen := map[string]bool{}
	for stack := slices.Clone(ids); len(stack) > 0; {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !g.Has(id) || seen[id] {
			continue
		}
		seen[id] = true
		s := g.summaries[id]
		out = append(out, s)
		stack = append(stack, s.Sources()...)
	}
	return out
}

// Derived returns the summaries that are made of a summary, in the order of the graph.
func (g *Graph) Derived(source string) []*Summary { return g.owners(g.bySource[source]) }

// Covering returns the summaries that are made of a message, in the order of the graph.
func (g *Graph) Covering(message int64) []*Summary { return g.owners(g.byMessage[message]) }

// owners returns the summaries of edges, as far as both stay.
func (g *Graph) owners(edges []*Edge) (out []*Summary) {
	for _, e := range edges {
		if !e.deleted && g.Has(e.Summary) {
			out = append(out, g.summaries[e.Summary])
		}
	}
	slices.SortStableFunc(out, func(a, b *Summary) int { return a.position - b.position })
	return slices.Compact(out)
}

// Compare orders summaries as the graph does.
func (s *Summary) Compare(o *Summary) int { return s.position - o.position }

// MessagesBelow returns the messages of the conversation below some summaries.
func (g *Graph) MessagesBelow(ids ...string) map[int64]bool {
	out := map[int64]bool{}
	for _, s := range g.Below(ids...) {
		for _, m := range s.Messages() {
			if g.messages.Has(m) {
				out[m] = true
			}
		}
	}
	return out
}

// Span returns the lowest and the highest seq below a summary; ok is false where there is no
// message below it.
func (g *Graph) Span(id string) (lo, hi int64, ok bool) {
	s, known := g.spans[id]
	if !known {
		for m := range g.MessagesBelow(id) {
			seq := g.messages.Seq(m)
			if !s.ok {
				s = span{seq, seq, true}
			}
			s.lo, s.hi = min(s.lo, seq), max(s.hi, seq)
		}
		g.spans[id] = s
	}
	return s.lo, s.hi, s.ok
}

// BottomUp returns the summaries that stay, none before its sources. A cycle is cut where it is
// met.
func (g *Graph) BottomUp() (out []*Summary) {
	done := map[string]bool{}
	type frame struct {
		s    *Summary
		next int
	}
	for _, root := range g.order {
		for stack := []frame{{s: root}}; len(stack) > 0; {
			f := &stack[len(stack)-1]
			if f.next == 0 {
				if done[f.s.ID] {
					stack = stack[:len(stack)-1]
					continue
				}
				done[f.s.ID] = true
			}
			if sources := f.s.Sources(); f.next < len(sources) {
				source := g.summaries[sources[f.next]]
				f.next++
				if source != nil && !done[source.ID] {
					stack = append(stack, frame{s: source})
				}
				continue
			}
			if !f.s.deleted {
				out = append(out, f.s)
			}
			stack = stack[:len(stack)-1]
		}
	}
	return out
}

// Cycle returns a cycle as its edges, or nil where there is none. Edges for which ignored holds
// are no part of one.
func (g *Graph) Cycle(ignored func(*Edge) bool) []*Edge {
	const onPath, done = 1, 2
	state := map[string]int{}
	var path []*Edge
	var walk func(id string) []*Edge
	walk = func(id string) []*Edge {
		state[id] = onPath
		for _, e := range g.edges[id] {
			if e.deleted || e.Source == "" || g.summaries[e.Source] == nil || ignored(e) {
				continue
			}
			switch state[e.Source] {
			case 0:
				path = append(path, e)
				if cycle := walk(e.Source); cycle != nil {
					return cycle
				}
				path = path[:len(path)-1]
			case onPath:
				from := slices.IndexFunc(path, func(p *Edge) bool { return p.Summary == e.Source })
				if from < 0 {
					from = len(path) // The summary is its own source.
				}
				return append(slices.Clone(path[from:]), e)
			}
		}
		state[id] = done
		return nil
	}
	for _, s := range g.order {
		if state[s.ID] == 0 {
			if cycle := walk(s.ID); cycle != nil {
				return cycle
			}
		}
	}
	return nil
}
