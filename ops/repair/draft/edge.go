package draft

import (
	"slices"

	"lcm-tui/data"
)

// Edge is a link of a summary to one of its sources: a summary or a message. Either end may
// not exist.
type Edge struct {
	Summary string
	Source  string // The id of the source summary; empty where the source is a message.
	Message int64  // The id of the source message.

	table          string
	row            data.Row
	deleted, added bool
}

// The tables of links.
const (
	SourceTable  = "summary_parents"  // To summaries.
	MessageTable = "summary_messages" // To messages.
)

// IsDeleted reports whether the edge goes.
func (e *Edge) IsDeleted() bool { return e.deleted }

// IsAdded reports whether the edge is new.
func (e *Edge) IsAdded() bool { return e.added }

// Edges returns the edges of a summary to its sources, also of a summary that doesn't exist, in
// the order of their ordinals and with those that are deleted.
func (g *Graph) Edges(summary string) []*Edge { return g.edges[summary] }

// AllEdges returns the edges of all summaries, by the ids of these.
func (g *Graph) AllEdges() (out []*Edge) {
	for _, id := range sortedKeys(g.edges) {
		out = append(out, g.edges[id]...)
	}
	return out
}

// EdgesTo returns the edges that lead to a summary, with those that are deleted.
func (g *Graph) EdgesTo(source string) []*Edge { return g.bySource[source] }

// EdgesToMessage returns the edges that lead to a message, with those that are deleted.
func (g *Graph) EdgesToMessage(message int64) []*Edge { return g.byMessage[message] }

// StoredEdgesTo returns how many edges lead to a summary in the file.
func (g *Graph) StoredEdgesTo(source string) (n int) {
	for _, e := range g.bySource[source] {
		if !e.added {
			n++
		}
	}
	return n
}

// IsDangling reports whether the source of an edge doesn't exist.
func (g *Graph) IsDangling(e *Edge) bool { return !g.isOwn(e) && !g.elsewhere[e.source()] }

// LeadsElsewhere reports whether the source of an edge is another conversation's.
func (g *Graph) LeadsElsewhere(e *Edge) bool { return g.elsewhere[e.source()] }

// source returns the key of an edge's source.
func (e *Edge) source() any {
	if e.Source != "" {
		return e.Source
	}
	return e.Message
}

// isOwn reports whether the source of an edge is a row of this conversation.
func (g *Graph) isOwn(e *Edge) bool {
	if e.Source != "" {
		return g.summaries[e.Source] != nil
	}
	return g.messages.Has(e.Message)
}

// Link adds a source to a summary, behind its other sources. A deleted edge between the two
// comes back where it was.
func (g *Graph) Link(summary, source string) {
	g.link(summary, g.bySource[source], SourceTable, data.Row{"summary_id": summary, "parent_summary_id": source})
}

// LinkMessage adds a message to a summary, behind its other messages. A deleted edge between
// the two comes back where it was.
func (g *Graph) LinkMessage(summary string, message int64) {
	g.link(summary, g.byMessage[message], MessageTable, data.Row{"summary_id": summary, "message_id": message})
}

func (g *Graph) link(summary string, same []*Edge, table string, row data.Row) {
	for _, e := range same {
		if e.Summary == summary {
			e.deleted = false
			g.touch(summary)
			return
		}
	}
	g.Add(table, row)
}

// Add adds an edge by its row, whatever edges there are.
func (g *Graph) Add(table string, row data.Row) {
	row["ordinal"] = int64(0)
	e := g.read(table, row)
	e.added = true
	g.Renumber(e.Summary)
}

// Unlink deletes edges.
func (g *Graph) Unlink(edges ...*Edge) {
	for _, e := range edges {
		e.deleted = true
		g.Renumber(e.Summary)
	}
}

// Renumber gives the edges of a summary ordinals from 0 without gaps.
func (g *Graph) Renumber(summary string) {
	g.renumbered[summary] = true
	g.touch(summary)
}

// IsRenumbered reports whether edges of a summary came, went, or get other ordinals.
func (g *Graph) IsRenumbered(summary string) bool { return g.renumbered[summary] }

// HasNewEdges reports whether edges came.
func (g *Graph) HasNewEdges() bool {
	for _, edges := range g.edges {
		if slices.ContainsFunc(edges, func(e *Edge) bool { return e.added && !e.deleted }) {
			return true
		}
	}
	return false
}

// read adds an edge as it stands in a table.
func (g *Graph) read(table string, row data.Row) *Edge {
	e := &Edge{table: table, row: row, Summary: Text(row["summary_id"])}
	g.edges[e.Summary] = append(g.edges[e.Summary], e)
	if table == SourceTable {
		e.Source = Text(row["parent_summary_id"])
		g.bySource[e.Source] = append(g.bySource[e.Source], e)
	} else {
		e.Message = Number(row["message_id"])
		g.byMessage[e.Message] = append(g.byMessage[e.Message], e)
	}
	g.touch(e.Summary)
	return e
}

// touch has a summary read its sources from its edges again, and spans be computed again.
func (g *Graph) touch(summary string) {
	clear(g.spans)
	if s := g.summaries[summary]; s != nil {
		s.stale = true
	}
}

// WriteEdges turns the edges into changes of rows, with ordinals from 0 where edges came or
// went.
func (g *Graph) WriteEdges() {
	for _, id := range sortedKeys(g.edges) {
		next := map[string]int64{}
		for _, e := range g.edges[id] {
			if e.deleted {
				if !e.added {
					g.rows.Delete(e.table, e.row)
				}
				continue
			}
			ordinal := next[e.table]
			next[e.table]++
			switch {
			case e.added:
				e.row["ordinal"] = ordinal
				g.rows.Insert(e.table, e.row)
			case g.renumbered[id]:
				g.rows.Set(e.table, e.row, data.Row{"ordinal": ordinal})
			}
		}
	}
}

// Without calls look while an edge is away.
func (g *Graph) Without(e *Edge, look func()) {
	was := e.deleted
	e.deleted = true
	g.touch(e.Summary)
	look()
	e.deleted = was
	g.touch(e.Summary)
}
