package lcm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
)

// ContextItem is one place of a conversation's context: a row of context_items
// and what the message or summary that it names has.
type ContextItem struct {
	Conversation int64  `json:"-"`
	Ordinal      int64  `json:"ordinal"`
	Type         string `json:"item_type"` // "message" or "summary".
	Summary      string `json:"summary_id,omitempty"`
	Message      int64  `json:"message_id,omitempty"`
	Kind         string `json:"kind,omitempty"`    // Of the summary.
	Depth        int64  `json:"depth"`             // Of the summary; 0 for a message.
	Role         string `json:"role,omitempty"`    // Of the message.
	Seq          int64  `json:"seq,omitempty"`     // Of the message.
	Tokens       int64  `json:"token_count"`       // Stored; 0 where the row is missing.
	Preview      string `json:"preview"`           // The start of the text, or of a tool's input.
	Missing      bool   `json:"missing,omitempty"` // The row named doesn't exist.
	// Unreadable says that damage to the file hides the row named.
	Unreadable bool      `json:"unreadable,omitempty"`
	At         data.Time `json:"-"` // Of the message, or the latest time of the summary.

	fromFile bool  // It was read from the file.
	source   Place // Where it stands there.

	// The row of context_items: a map for each would take much more memory.
	columns []string
	cells   []any
}

// ItemOfRow returns a row of context_items as an item, without what its message or summary has. stored
// says that the row is in the file.
func ItemOfRow(r data.Row, stored bool) ContextItem {
	columns := r.Columns()
	cells := make([]any, len(columns))
	for i, name := range columns {
		cells[i] = r[name]
	}
	return ItemOfCells(columns, cells, stored)
}

// ItemOfCells works as ItemOfRow for the cells of these columns, which the item keeps.
func ItemOfCells(columns []string, cells []any, stored bool) ContextItem {
	c := ContextItem{columns: columns, cells: cells, fromFile: stored}
	for i, name := range columns {
		switch name {
		case "conversation_id":
			c.Conversation = data.CellInteger(cells[i])
		case "ordinal":
			c.Ordinal, c.source = data.CellInteger(cells[i]), PlaceOf(cells[i])
		case "message_id":
			c.Message = data.CellInteger(cells[i])
		case "summary_id":
			c.Summary = data.CellText(cells[i])
		}
	}
	return c
}

// Stored returns the place that the item has in the file; ok is false for a new one.
func (c ContextItem) Stored() (at Place, ok bool) { return c.source, c.fromFile }

// StoredAt returns the item as one that has this place in the file.
func (c ContextItem) StoredAt(at Place) ContextItem {
	c.fromFile, c.source = true, at
	return c
}

// Place returns the place of the item.
func (c ContextItem) Place() Place {
	if i := slices.Index(c.columns, "ordinal"); i >= 0 {
		return PlaceOf(c.cells[i])
	}
	return Place{Ordinal: c.Ordinal}
}

// Row returns the item as a row of context_items.
func (c ContextItem) Row() data.Row {
	r := make(data.Row, len(c.columns))
	for i, name := range c.columns {
		r[name] = c.cells[i]
	}
	return r
}

// IsSummary reports whether the item is a summary.
func (c ContextItem) IsSummary() bool { return c.Summary != "" }

func (c *ContextItem) fill(columns []string, vals []any) {
	c.columns, c.cells, c.fromFile = columns, slices.Clone(vals[:len(columns)]), true
	for i, name := range columns {
		switch v := vals[i]; name {
		case "conversation_id":
			c.Conversation = data.CellInteger(v)
		case "ordinal":
			c.Ordinal, c.source = data.CellInteger(v), PlaceOf(v)
		case "item_type":
			_ = (*data.Word)(&c.Type).Scan(v)
		case "summary_id":
			c.Summary = data.CellText(v)
		case "message_id":
			c.Message = data.CellInteger(v)
		}
	}
	sum, msg := vals[len(columns):len(columns)+6], vals[len(columns)+6:]
	at := msg[5]
	if c.IsSummary() {
		c.Missing = sum[0] == nil
		_ = (*data.Word)(&c.Kind).Scan(sum[1])
		c.Depth, c.Tokens, c.Preview = data.CellInteger(sum[2]), data.CellInteger(sum[3]), data.CellText(sum[4])
		at = sum[5]
	} else {
		c.Missing = msg[0] == nil
		_ = (*data.Word)(&c.Role).Scan(msg[1])
		c.Seq, c.Tokens, c.Preview = data.CellInteger(msg[2]), data.CellInteger(msg[3]), data.CellText(msg[4])
		if c.Preview == "" || strings.HasPrefix(c.Preview, "[") && strings.HasSuffix(c.Preview, "] ") { // The name of the tool at most.
			c.Preview += data.Preview((&Part{NoText: true, Metadata: data.CellText(msg[6])}).RawAnswer())
		}
	}
	c.Preview = data.WholeRunes(c.Preview)
	_ = c.At.Scan(at)
}

// Ref returns the id of what the item names: a summary's, or a message's number.
func (c ContextItem) Ref() string {
	if c.IsSummary() {
		return c.Summary
	}
	return data.CellText(c.Message)
}

// MovedTo returns the item with another ordinal.
func (c ContextItem) MovedTo(ordinal int64) ContextItem {
	c.Ordinal, c.cells = ordinal, slices.Clone(c.cells)
	if i := slices.Index(c.columns, "ordinal"); i >= 0 { // The file may lack it.
		c.cells[i] = ordinal
	}
	return c
}

// InConversation returns the item as an item of another conversation's context.
func (c ContextItem) InConversation(conv int64) ContextItem {
	c.fromFile = c.fromFile && c.Conversation == conv
	c.Conversation, c.cells = conv, slices.Clone(c.cells)
	c.cells[slices.Index(c.columns, "conversation_id")] = conv
	return c
}

// settleTime is how long after a host chose what to compact it may still write: longer
// than it waits for a summary.
const settleTime = 10 * time.Minute

// IsSettled reports whether an item has been in its place for so long that a host which chose
// what to compact before that has finished by now. A replacement of an item that isn't settled
// may be deleted by the host, which deletes by ordinal.
func (c ContextItem) IsSettled(now time.Time) bool {
	i := slices.Index(c.columns, "created_at")
	if !c.fromFile || i < 0 {
		return false
	}
	at, ok := data.ParseTime(data.CellText(c.cells[i]))
	return !ok || now.Sub(at) >= settleTime
}

// NewSummaryItem returns a new place in a context for a summary, made now.
func NewSummaryItem(db *data.DB, s Summary, conv, ordinal int64) ContextItem {
	return ContextItem{
		Conversation: conv, Ordinal: ordinal, Type: "summary", Summary: s.ID, Kind: s.Kind, Depth: s.Depth,
		Tokens: s.Tokens, Preview: data.Preview(s.Content), At: s.LatestAt,
		columns: itemColumns, cells: []any{conv, ordinal, "summary", nil, s.ID, db.FormatNow()},
	}
}

// NewMessageItem returns a new place in a context for a message, made now.
func NewMessageItem(db *data.DB, m Message, conv, ordinal int64) ContextItem {
	return ContextItem{
		Conversation: conv, Ordinal: ordinal, Type: "message", Message: m.ID, Role: m.Role, Seq: m.Seq,
		Tokens: m.Tokens, Preview: data.Preview(m.Content), At: m.CreatedAt,
		columns: itemColumns, cells: []any{conv, ordinal, "message", m.ID, nil, db.FormatNow()},
	}
}

// itemColumns are the columns of context_items that every file has.
var itemColumns = []string{"conversation_id", "ordinal", "item_type", "message_id", "summary_id", "created_at"}

// Place is what a row of context_items has as its ordinal. Damaged files have other values there than
// whole numbers, and no two places of them may be taken for one.
type Place struct {
	Ordinal int64
	// Odd is empty for a whole number, and else its kind and value.
	Odd string
}

// PlaceOf returns the place of a cell.
func PlaceOf(ordinal any) Place {
	switch v := ordinal.(type) {
	case int64:
		return Place{Ordinal: v}
	case float64:
		bits := math.Float64bits(v)
		if bits ^= 1 << 63; v < 0 { // So that the digits are in the order of the numbers.
			bits = ^math.Float64bits(v)
		}
		return Place{data.CellInteger(math.Floor(v)), fmt.Sprintf("r%016x", bits)}
	case []byte:
		return Place{Odd: "x" + string(v)}
	case nil:
		return Place{Odd: "n"}
	}
	return Place{Odd: "t" + data.CellText(ordinal)}
}

// Compare compares two places as SQLite sorts them: numbers, then texts, then other bytes.
func (p Place) Compare(o Place) int {
	return cmp.Or(cmp.Compare(p.class(), o.class()), cmp.Compare(p.Ordinal, o.Ordinal), cmp.Compare(p.Odd, o.Odd))
}

func (p Place) class() int {
	switch {
	case p.Odd == "", p.Odd[0] == 'r':
		return 1
	case p.Odd[0] == 'n':
		return 0
	case p.Odd[0] == 't':
		return 2
	}
	return 3
}
