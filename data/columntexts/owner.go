package columntexts

import (
	"context"
	"errors"

	"lcm-tui/data"
)

// Place says to whom a row belongs.
type Place struct {
	Conversation int64  // 0 for a row that belongs to none.
	Message      int64  // The message that it belongs to, or 0.
	Summary      string // The summary that it belongs to, or empty.
	Seq          int64
	At           data.Time
}

// Locate finds the conversation of a cell's row, and the message or the summary that it belongs to.
func Locate(ctx context.Context, db *data.DB, c Cell) (p Place, err error) {
	query := c.Table.placeSQL(db.Schema())
	if query == "" {
		return p, nil
	}
	err = db.EachRow(ctx, "read "+c.Table.Name, query, c.Key, func(scan data.RowScanner) error {
		if err := scan((*data.Integer)(&p.Conversation), (*data.Integer)(&p.Message), (*data.Text)(&p.Summary), (*data.Integer)(&p.Seq), &p.At); err != nil {
			return err
		}
		return data.ErrEndRows
	})
	if errors.Is(err, data.ErrEndRows) {
		err = nil
	}
	return p, err
}

// placeSQL selects the conversation, the message, the summary, the number of the message and the time of the row with a key;
// empty for tables whose rows belong to no conversation.
func (t *Table) placeSQL(s *data.Schema) string {
	time := "NULL"
	for _, column := range []string{"created_at", "applied_at"} {
		if t.Has(column) {
			time = "+t." + column
			break
		}
	}
	ofMessage := "SELECT m.conversation_id, m.message_id, '', m.seq, +m.created_at FROM " + quote(t.Name) + " t JOIN messages m ON m.message_id = "
	var query string
	switch {
	case t.Search == data.MessageIndex && s.Has("messages", "message_id", "seq"):
		query = ofMessage + "t.id"
	case t.Search != "" && t.Has("c0") && s.Has("summaries", "summary_id"):
		query = "SELECT s.conversation_id, 0, s.summary_id, 0, +s.created_at FROM " + quote(t.Name) + " t JOIN summaries s ON s.summary_id = t.c0"
	case t.Name == "messages":
		query = "SELECT t.conversation_id, t.message_id, '', t.seq, +t.created_at FROM messages t"
	case t.Name == "summaries":
		query = "SELECT t.conversation_id, 0, t.summary_id, 0, " + time + " FROM summaries t"
	case t.Has("conversation_id"):
		query = "SELECT t.conversation_id, 0, '', 0, " + time + " FROM " + quote(t.Name) + " t"
	case t.Has("message_id") && s.Has("messages", "message_id", "seq", "created_at"):
		query = ofMessage + "t.message_id"
	case t.Has("summary_id") && s.Has("summaries", "summary_id"):
		query = "SELECT s.conversation_id, 0, s.summary_id, 0, +s.created_at FROM " + quote(t.Name) + " t JOIN summaries s ON s.summary_id = t.summary_id"
	case t.Has("batch_id") && s.Has(data.PendingBatchTable, "batch_id", "conversation_id"):
		query = "SELECT b.conversation_id, 0, '', 0, " + time + " FROM " + quote(t.Name) + " t JOIN " + data.PendingBatchTable + " b ON b.batch_id = t.batch_id"
	case time != "NULL":
		query = "SELECT 0, 0, '', 0, " + time + " FROM " + quote(t.Name) + " t"
	default:
		return ""
	}
	return query + " WHERE " + t.whereAlias()
}

// whereAlias returns where for the table under the name t.
func (t *Table) whereAlias() string {
	out := ""
	for i, k := range t.Key {
		if i > 0 {
			out += " AND "
		}
		out += "t." + quoteKey(k) + " = ?"
	}
	return out
}
