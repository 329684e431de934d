package space

import (
	"cmp"
	"strconv"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/sorting"
)

// By is what the bytes of a file are grouped by.
type By string

// What a report groups by.
const (
	ByTable        By = "table"
	ByConversation By = "conversation"
	ByLane         By = "lane"
	ByAgent        By = "agent"
	ByMonth        By = "month"
	ByKind         By = "kind"
)

// AllBy are all ways to group, in the order in which they are offered.
var AllBy = []By{ByTable, ByConversation, ByAgent, ByLane, ByMonth, ByKind}

// Group is a part of a file: its rows, and the bytes of its pages with their share of indexes
// and search tables.
type Group struct {
	// Name is empty where rows belong to nothing of the kind: to no conversation, to a session
	// key without an agent, to no month.
	Name string
	// Conversation is the id of a conversation, else 0. Agent and Lane are those of its session
	// key, and Archived says what it is.
	Conversation int64
	Agent, Lane  string
	Archived     bool
	Rows, Bytes  int64
	// After is the bytes that a table takes once its free space is given back.
	After int64
	// Tables are the bytes of the group by table.
	Tables []TableBytes
}

// In returns the group's share of a table: zero where it has none.
func (g *Group) In(table string) TableBytes {
	for _, t := range g.Tables {
		if t.Table == table {
			return t
		}
	}
	return TableBytes{Table: table}
}

// TableBytes is a table's share of a group.
type TableBytes struct {
	Table       string
	Rows, Bytes int64
}

// grouping turns rows and bytes of texts into bytes of pages.
type grouping struct {
	m *Measurement
	// texts are the bytes of the pages that grow with the texts of a table, and indexes those
	// that grow with its rows.
	texts, indexes map[string]int64
}

func newGrouping(m *Measurement) *grouping {
	g := &grouping{m, map[string]int64{}, map[string]int64{}}
	for i := range m.Objects {
		o := &m.Objects[i]
		if o.Kind == Index {
			g.indexes[o.Table] += o.Pages() * m.PageSize
		} else {
			g.texts[o.Table] += o.Pages() * m.PageSize
		}
	}
	return g
}

// bytes returns the share of a table that so many rows and bytes of texts have.
func (g *grouping) bytes(table string, a Amount) int64 {
	all := g.m.Rows[table]
	texts := share(a.Bytes, all.Bytes)
	if all.Bytes == 0 {
		texts = share(a.Rows, all.Rows)
	}
	return int64(texts*float64(g.texts[table])) + int64(share(a.Rows, all.Rows)*float64(g.indexes[table]))
}

// group makes a group of what tables have of it.
func (g *grouping) group(name string, tables map[string]Amount) Group {
	group := Group{Name: name}
	for table, a := range tables {
		group.add(TableBytes{table, a.Rows, g.bytes(table, a)})
	}
	return group
}

// add adds a table's share. The rows of a search table are copies of others.
func (g *Group) add(t TableBytes) {
	g.Bytes += t.Bytes
	if !isSearch(t.Table) {
		g.Rows += t.Rows
	}
	for i := range g.Tables {
		if g.Tables[i].Table == t.Table {
			g.Tables[i].Bytes, g.Tables[i].Rows = g.Tables[i].Bytes+t.Bytes, g.Tables[i].Rows+t.Rows
			return
		}
	}
	g.Tables = append(g.Tables, t)
}

// all makes the groups of every kind.
func (g *grouping) all(conversations []lcm.Conversation, f *Forecast) map[By][]Group {
	out := map[By][]Group{ByTable: tables(g.m, f)}
	known := map[int64]lcm.Conversation{}
	for _, c := range conversations {
		known[c.ID] = c
	}
	agents, lanes := map[string]*Group{}, map[string]*Group{}
	for id, amounts := range g.m.Conversations {
		if id == 0 {
			continue // Rows of the whole file.
		}
		c, ok := known[id]
		group := g.group(c.Name(), amounts)
		group.Conversation, group.Archived, group.Agent, group.Lane = id, ok && !c.Active, c.Agent(), c.Lane()
		if group.Name == "" {
			group.Name = strconv.FormatInt(id, 10)
		}
		out[ByConversation] = append(out[ByConversation], group)
		addTo(agents, c.Agent(), &group)
		addTo(lanes, c.Lane(), &group)
	}
	out[ByAgent], out[ByLane] = values(agents), values(lanes)
	for month, amounts := range g.m.Months {
		out[ByMonth] = append(out[ByMonth], g.group(month, amounts))
	}
	for kind, amounts := range g.m.Kinds {
		out[ByKind] = append(out[ByKind], g.group(kindName(kind), amounts))
	}
	for by := range out {
		order(out[by])
	}
	return out
}

// addTo adds a conversation to the group with a name.
func addTo(groups map[string]*Group, name string, c *Group) {
	g := groups[name]
	if g == nil {
		g = &Group{Name: name}
		groups[name] = g
	}
	for _, t := range c.Tables {
		g.add(t)
	}
}

func values(groups map[string]*Group) (out []Group) {
	for _, g := range groups {
		out = append(out, *g)
	}
	return out
}

// order puts the largest groups first.
func order(groups []Group) {
	sorting.Stable(groups, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Conversation, b.Conversation))
	})
	for i := range groups {
		sorting.Stable(groups[i].Tables, func(a, b *TableBytes) int {
			return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Table, b.Table))
		})
	}
}

// tables returns the tables of a file with their indexes; search tables with all that they keep.
func tables(m *Measurement, f *Forecast) []Group {
	var out []Group
	place := map[string]int{}
	for i := range f.Objects {
		o := &f.Objects[i]
		at, ok := place[o.Table]
		if !ok {
			at = len(out)
			place[o.Table] = at
			out = append(out, Group{Name: o.Table, Rows: m.Rows[o.Table].Rows})
		}
		g := &out[at]
		g.Bytes, g.After = g.Bytes+o.Before, g.After+o.After
		g.Tables = append(g.Tables, TableBytes{o.Name, o.Rows(), o.Before})
	}
	return out
}

// kindName returns a kind of rows with the table it is in.
func kindName(k Kind) string {
	if k.Name == "" {
		return k.Table
	}
	return k.Table + ": " + k.Name
}

// isSearch reports whether a table is a search table.
func isSearch(table string) bool {
	for _, t := range data.SearchTables() {
		if t == table {
			return true
		}
	}
	return false
}

// NameOfNone returns what the group of rows is called that belong to nothing of the kind.
func NameOfNone(by By) string {
	switch by {
	case ByAgent:
		return "no agent"
	case ByLane:
		return "no lane"
	case ByMonth:
		return "no date"
	}
	return "no name"
}
