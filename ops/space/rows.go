package space

import (
	"context"

	"lcm-tui/data"
)

// Groups are the amounts of each table for each value of something: a month, a kind of row. The
// rows of a search table stand under its own name.
type Groups[K comparable] map[K]map[string]Amount

// add adds a row of a table.
func (g Groups[K]) add(key K, table string, bytes int64) {
	tables := g[key]
	if tables == nil {
		tables = map[string]Amount{}
		g[key] = tables
	}
	a := tables[table]
	a.Add(Amount{1, bytes})
	tables[table] = a
}

// Copies are the bytes of the up to four copies that a text of a message has.
type Copies struct {
	// Messages is messages.content, Parts message_parts.text_content, Raw what stands under
	// "raw" in message_parts.metadata, and Search the content of messages_fts.
	Messages, Parts, Raw, Search int64
}

// Total returns all of them.
func (c Copies) Total() int64 { return c.Messages + c.Parts + c.Raw + c.Search }

// readTable reads all rows of a table that is kept for owner. Every so many rows it calls each.
func (m *Measurement) readTable(ctx context.Context, db *data.DB, table string, each func(rows int64)) error {
	s := db.Schema()
	owner, src := m.ownerOf(table), newSource(s, table)
	if m.IsServer {
		src.raw = "0" // A server has no operator that tells how a JSON is written inside another one.
	}
	pack := newPacking(m.PageSize-m.Reserved, int64(len(s.Columns(table))))
	var all Amount
	var content, raw int64
	err := db.EachRow(ctx, "measure the rows of "+table+" of", src.query(s), nil, func(scan data.RowScanner) error {
		var r row
		if err := scan(&r.conversation, &r.month, &r.kind, &r.bytes, &r.content, &r.raw); err != nil {
			return err
		}
		bytes := int64(r.bytes)
		all.Add(Amount{1, bytes})
		content, raw = content+int64(r.content), raw+int64(r.raw)
		pack.add(bytes)
		m.group(owner, &r)
		if all.Rows%rowsPerReport == 0 {
			each(all.Rows)
		}
		return nil
	})
	if err != nil {
		return err
	}
	m.Rows[owner] = all
	m.addCopies(table, content, raw)
	m.setPacked(table, all, pack)
	return nil
}

// rowsPerReport is after how many rows the progress is reported.
const rowsPerReport = 20_000

// row is what is read of a row.
type row struct {
	conversation, bytes, content, raw data.Integer
	month, kind                       data.Text
}

// group adds a row to the groups it belongs to.
func (m *Measurement) group(owner string, r *row) {
	bytes := int64(r.bytes)
	m.Conversations.add(int64(r.conversation), owner, bytes)
	m.Months.add(string(r.month), owner, bytes)
	m.Kinds.add(Kind{owner, string(r.kind)}, owner, bytes)
}

// addCopies notes the copies of texts that a table has.
func (m *Measurement) addCopies(table string, content, raw int64) {
	switch table {
	case "messages":
		m.Copies.Messages = content
	case "message_parts":
		m.Copies.Parts, m.Copies.Raw = content, raw
	case data.MessageIndex + contentSuffix:
		m.Copies.Search = content
	}
}

// setPacked notes how many leaves the rows of a table fill when they are rewritten. Where rows
// were written between the two readings, that isn't known.
func (m *Measurement) setPacked(table string, all Amount, pack *packing) {
	for i := range m.Objects {
		o := &m.Objects[i]
		if o.Name == table && all.Rows > 0 && o.Leaf.Cells == all.Rows && o.Internal.Payload == 0 {
			leaves := pack.leaves(float64(o.Payload()-all.Bytes) / float64(all.Rows))
			// As many as the rows have now are always enough: their order stays.
			o.PackedLeaves, o.PackedOverflow = min(leaves, o.Leaf.Count), o.Overflow.Count
		}
	}
}
