package replica

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
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
	conversations := map[int64]int64{} // By message.
	for _, t := range s.tables {
		if !t.isMessage() {
			continue
		}
		for i, index := range t.indexes() {
			err := r.eachIndexed(ctx, t, index, func(cells []any, d digest) error {
				message, group := groupOfEntry(t, cells, conversations)
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

// groupOfEntry returns the message of an entry of an index, and the conversation that it belongs to. It notes that of
// messages, by which it finds that of parts.
func groupOfEntry(t *tableShape, cells []any, conversations map[int64]int64) (message, group int64) {
	message, _ = cells[0].(int64)
	group, ok := conversations[message]
	if t.name == messageTable {
		if group, ok = cells[1].(int64); ok {
			conversations[message] = group
		}
	}
	if !ok {
		group = noGroup
	}
	return message, group
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
	places := data.Pointers(cells)
	return data.EachRow(ctx, r.conn, query, nil, func(scan data.RowScanner) error {
		if err := scan(places...); err != nil {
			return err
		}
		d, _ := r.oneIndexDigest(t, &index, cells)
		return fn(cells, d)
	})
}
