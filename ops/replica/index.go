package replica

import (
	"cmp"
	"context"
	"database/sql/driver"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/internal/sorting"
)

// rowIndex is an index that hosts keep of messages or parts. SQLite answers from it alone, without the rows, which
// are most of the file.
type rowIndex struct {
	columns  []string // The last one may be NULL where the index is optional.
	optional bool     // It has only rows in which its last column isn't NULL.
	places   []int    // Of the columns in a row.
}

// messageIndexes and partIndexes are what is compared of messages and parts where nothing else is expected to change.
var (
	messageIndexes = []rowIndex{
		{columns: []string{messageID, convID, "seq"}},
		{columns: []string{messageID, convID, "identity_hash"}},
		{columns: []string{messageID, convID, "transcript_entry_id"}, optional: true},
		{columns: []string{messageID, convID, "stable_event_key"}, optional: true},
	}
	partIndexes = []rowIndex{{columns: []string{messageID, "ordinal"}}}
)

// indexes returns the indexes of a table whose columns the file has.
func (t *tableShape) indexes() []rowIndex {
	if t.compared != nil {
		return t.compared
	}
	all := messageIndexes
	if t.name == partTable {
		all = partIndexes
	}
	t.compared = []rowIndex{}
	for _, i := range slices.DeleteFunc(slices.Clone(all), func(i rowIndex) bool { return slices.ContainsFunc(i.columns, func(c string) bool { return !t.has(c) }) }) {
		for _, c := range i.columns {
			i.places = append(i.places, t.indexOf(c))
		}
		t.compared = append(t.compared, i)
	}
	return t.compared
}

// hasIndexes reports whether the file has the columns by which messages and parts are known and belong to conversations.
func (s *shape) hasIndexes() bool {
	for _, t := range s.tables {
		if t.isMessage() && (len(t.indexes()) == 0 || t.name == messageTable && t.indexes()[0].columns[2] != "seq" || t.name == partTable && t.group.table == "") {
			return false
		}
	}
	return true
}

// readIndexes reads of messages and parts what indexes have.
func readIndexes(ctx context.Context, r *rowReader, s *shape, known, out *fileState) error {
	var messages messageGroups
	for _, t := range s.tables {
		if !t.isMessage() {
			continue
		}
		for i, index := range t.indexes() {
			err := r.eachIndexed(ctx, t, index, func(cells []any, d digest) error {
				message, group := messages.ofEntry(t, cells, i == 0)
				if !r.chosen.has(t.name, group) {
					return nil
				}
				g := out.group(group)
				g.index = g.index.add(d)
				if k := known.groups[group]; k != nil && message <= k.lastMessage {
					g.knownIndex = g.knownIndex.add(d)
				}
				if i == 0 { // It has every row.
					g.countEntry(t, message)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// messageGroups are the conversations of messages, as runs of messages of one: a map of all takes several times the memory.
type messageGroups struct {
	runs     []messageRun
	isSorted bool // By message.
	at       int  // Where the last one was found.
}

// messageRun is messages of one conversation with ids that follow each other.
type messageRun struct{ first, last, group int64 }

// ofEntry returns the message of an entry of an index, and the conversation that it belongs to. Where isNew is set, it notes that of
// messages, by which it finds that of parts.
func (m *messageGroups) ofEntry(t *tableShape, cells []any, isNew bool) (message, group int64) {
	message, _ = cells[0].(int64)
	if t.name == partTable {
		return message, m.find(message)
	}
	group, ok := cells[1].(int64)
	if !ok {
		return message, noGroup
	}
	if isNew {
		m.add(message, group)
	}
	return message, group
}

// add notes the conversation of a message.
func (m *messageGroups) add(message, group int64) {
	if n := len(m.runs); n > 0 && m.runs[n-1].group == group && m.runs[n-1].last+1 == message {
		m.runs[n-1].last = message
		return
	}
	m.runs = append(m.runs, messageRun{message, message, group})
}

// find returns the conversation of a message, or noGroup. It is called when all are noted. Parts come in the order of their messages, so
// that most are found without a search.
func (m *messageGroups) find(message int64) (group int64) {
	if !m.isSorted {
		sorting.Stable(m.runs, func(a, b *messageRun) int { return cmp.Compare(a.first, b.first) })
		m.isSorted = true
	}
	for range 2 {
		if m.at < len(m.runs) && m.runs[m.at].first <= message && message <= m.runs[m.at].last {
			return m.runs[m.at].group
		}
		m.at++
	}
	var found bool
	if m.at, found = slices.BinarySearchFunc(m.runs, message, messageRun.compare); !found {
		return noGroup
	}
	return m.runs[m.at].group
}

// compare says whether a run ends before a message, has it, or begins after it.
func (r messageRun) compare(message int64) int {
	switch {
	case r.last < message:
		return -1
	case r.first > message:
		return 1
	}
	return 0
}

// countEntry counts a row that an index has.
func (g *groupState) countEntry(t *tableShape, message int64) {
	g.rows++
	if t.name == partTable {
		g.parts++
		return
	}
	g.messages++
	g.lastMessage = max(g.lastMessage, message)
}

// eachIndexed calls fn with what an index has of each row of a table.
func (r *rowReader) eachIndexed(ctx context.Context, t *tableShape, index rowIndex, fn func(cells []any, d digest) error) error {
	columns := make([]string, 0, len(index.columns))
	for _, c := range index.columns {
		columns = append(columns, "+"+data.QuoteName(c))
	}
	query := "SELECT " + strings.Join(columns, ", ") + " FROM " + data.QuoteName(t.name)
	if index.optional {
		query += " WHERE " + data.QuoteName(index.columns[len(index.columns)-1]) + " IS NOT NULL"
	}
	cells := make([]any, len(columns))
	return r.conn.EachCells(ctx, query, nil, func(read []driver.Value) error {
		for i, cell := range read {
			cells[i] = cell
		}
		d, _ := r.oneIndexDigest(t, &index, cells)
		return fn(cells, d)
	})
}
