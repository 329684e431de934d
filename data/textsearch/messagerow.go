package textsearch

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
)

// MaxTextBytes is how much of a text is read to show a hit. A longer text is searched whole.
const MaxTextBytes = 256 << 10

// MessageRow is a message that may be a hit.
type MessageRow struct {
	ID, Conversation, Seq int64
	Role                  string
	At                    data.Time
	Text                  string // At most as many bytes as were asked for.
	Bytes                 int64  // The length of the whole text.
	InContext             bool
}

// MessageTime is a message and when it was written.
type MessageTime struct {
	ID int64
	At data.Time
}

// IDRange has the ids of rows from From to To, both included.
type IDRange struct{ From, To int64 }

// maxMarks stays below the least number of parameters that any SQLite takes.
const maxMarks = 900

// MatchingMessages returns the ids of messages that the search table of messages finds for an
// expression, in a range, at most limit of them: the highest ids, or the lowest if oldest.
func MatchingMessages(ctx context.Context, db *data.DB, expression string, in IDRange, oldest bool, limit int) (ids []int64, err error) {
	query := "SELECT rowid FROM " + data.MessageIndex + " WHERE " + data.MessageIndex + " MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid " +
		direction(oldest) + " LIMIT " + strconv.Itoa(limit)
	err = db.EachRow(ctx, "search messages", query, []any{expression, in.From, in.To}, func(scan data.RowScanner) error {
		var id int64
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}

func direction(oldest bool) string {
	if oldest {
		return "ASC"
	}
	return "DESC"
}

// MessageTimes returns the times of those of some messages for which the conditions hold.
func MessageTimes(ctx context.Context, db *data.DB, ids []int64, conditions []Condition) (out []MessageTime, err error) {
	for chunk := range slices.Chunk(ids, maxMarks) {
		w := in("m.message_id", chunk)
		w.addMessage(db.Schema(), "+m.conversation_id", conditions) // An index would read the whole conversation for each chunk.
		query := "SELECT m.message_id, m.created_at FROM messages m WHERE " + w.String()
		err = data.Each(ctx, db, "read messages", query, w.args, func(scan data.RowScanner) error {
			var m MessageTime
			err := scan((*data.Integer)(&m.ID), &m.At)
			out = append(out, m)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Messages returns those of some messages for which the conditions hold, each with at most
// maxBytes of its text, in no order.
func Messages(ctx context.Context, db *data.DB, ids []int64, conditions []Condition, maxBytes int) (out []MessageRow, err error) {
	for chunk := range slices.Chunk(ids, maxMarks) {
		w := in("m.message_id", chunk)
		w.addMessage(db.Schema(), "+m.conversation_id", conditions) // An index would read the whole conversation for each chunk.
		err = eachMessage(ctx, db, w, "", maxBytes, func(m MessageRow) error {
			out = append(out, m)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, markInContext(ctx, db, out)
}

// ScanMessages calls fn with the messages in a range for which the conditions hold, the highest
// id first, or the lowest if oldest, with their whole texts; which are in the context isn't
// told. like has texts that each one has to contain, whatever the case of letters of ASCII.
func ScanMessages(ctx context.Context, db *data.DB, r IDRange, oldest bool, conditions []Condition, like []string, fn func(MessageRow) error) error {
	var w where
	w.and("m.message_id BETWEEN ? AND ?", r.From, r.To)
	for _, text := range like {
		w.contains("m.content", text)
	}
	w.addMessage(db.Schema(), "m.conversation_id", conditions)
	return eachMessage(ctx, db, w, " ORDER BY m.message_id "+direction(oldest), data.WholeText, fn)
}

func eachMessage(ctx context.Context, db *data.DB, w where, order string, maxBytes int, fn func(MessageRow) error) error {
	schema := db.Schema()
	text, length := "m.content", schema.StoredLength("m.content")
	if maxBytes != data.WholeText {
		// SQLite's functions on texts stop at a NUL; those on bytes don't.
		text = "CASE WHEN " + length + " > " + strconv.Itoa(maxBytes) + " THEN " + schema.Clip("m.content", maxBytes) + " ELSE m.content END"
	}
	query := "SELECT m.message_id, m.conversation_id, m.seq, m.role, m.created_at, " + text + ", " + length +
		" FROM messages m WHERE " + w.String() + order
	return data.Each(ctx, db, "read messages", query, w.args, func(scan data.RowScanner) error {
		var m MessageRow
		err := scan((*data.Integer)(&m.ID), (*data.Integer)(&m.Conversation), (*data.Integer)(&m.Seq), (*data.Text)(&m.Role), &m.At,
			(*data.Text)(&m.Text), (*data.Integer)(&m.Bytes))
		if err != nil {
			return err
		}
		if maxBytes == data.WholeText || m.Bytes <= int64(maxBytes) {
			m.Bytes = int64(len(m.Text)) // A home counts the bytes of an encoded text.
		} else {
			m.Bytes = schema.TextBytes(m.Text, m.Bytes)
		}
		m.Text = cutText(m.Text, m.Bytes, maxBytes)
		return fn(m)
	})
}

// cutText returns a text of so many bytes, of which at most maxBytes are read, without what isn't a whole character where it
// was cut.
func cutText(text string, bytes int64, maxBytes int) string {
	if int64(len(text)) < bytes {
		text = strings.ToValidUTF8(text, "")
	}
	return data.Clipped(text, maxBytes)
}

// markInContext notes which messages are in the context of their conversation.
func markInContext(ctx context.Context, db *data.DB, ms []MessageRow) error {
	var conversations, ids []int64
	for _, m := range ms {
		ids = append(ids, m.ID)
		conversations = append(conversations, m.Conversation)
	}
	present, err := ContextMessages(ctx, db, conversations, ids)
	for i := range ms {
		ms[i].InContext = present[ms[i].ID]
	}
	return err
}

// ContextMessages returns those of some messages that are in the context of these conversations.
func ContextMessages(ctx context.Context, db *data.DB, conversations, ids []int64) (map[int64]bool, error) {
	out := map[int64]bool{}
	for chunk := range slices.Chunk(ids, maxMarks) {
		w := in("ci.message_id", chunk)
		query := "SELECT ci.message_id FROM context_items ci WHERE " + Conversations(conversations...).Condition("ci.conversation_id") + " AND " + w.String()
		err := data.Each(ctx, db, "read context", query, w.args, func(scan data.RowScanner) error {
			var id int64
			err := scan((*data.Integer)(&id))
			out[id] = true
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// addMessage adds the conditions that hold for a message m, whose conversation is given as SQL. What can't hold for a message makes
// that no row is found.
func (w *where) addMessage(s *data.Schema, conversation string, conditions []Condition) {
	for _, c := range conditions {
		if c.Conversations != nil {
			w.anyOf(c.Not, where{sql: []string{Conversations(c.Conversations...).Condition(conversation)}})
			continue
		}
		w.anyOf(c.Not, c.ofMessage(s)...)
	}
}

func (c Condition) ofMessage(s *data.Schema) []where {
	switch {
	case c.Roles != nil:
		return []where{in("m.role", c.Roles)}
	case c.Times != nil:
		return times("m.created_at", c.Times)
	case c.Messages != nil:
		return []where{in("m.message_id", c.Messages)}
	case c.Recalled:
		return recalled(s, "m")
	}
	return c.ofParts(s)
}

// ofParts returns conditions that a message m has a part.
func (c Condition) ofParts(s *data.Schema) (out []where) {
	for _, p := range c.parts(s) {
		p.sql = []string{"EXISTS (SELECT 1 FROM message_parts p WHERE p.message_id = m.message_id AND " + p.String() + ")"}
		out = append(out, p)
	}
	for _, h := range c.Has {
		if h == HasFile && s.Has("messages", "large_content") {
			out = append(out, where{sql: []string{"m.large_content IS NOT NULL"}})
		}
	}
	return out
}

// parts returns conditions on a part p.
func (c Condition) parts(s *data.Schema) (out []where) {
	for _, t := range c.Tools {
		var w where
		if strings.EqualFold(t, RecallTools) {
			w.and(isRecallTool)
		} else {
			w.and("lower(p.tool_name) = lower(?)", t)
		}
		out = append(out, w)
	}
	for _, name := range c.FileNames {
		if s.Has("message_parts", "file_name") {
			var w where
			w.and("instr(lower(p.file_name), lower(?)) > 0", name)
			out = append(out, w)
		}
	}
	for _, h := range c.Has {
		if sql := propertySQL(s, h); sql != "" {
			out = append(out, where{sql: []string{sql}})
		}
	}
	return out
}

// propertySQL returns a condition that a part p gives its message a property, or empty.
func propertySQL(s *data.Schema, h Property) string {
	switch h {
	case HasParts:
		return "1"
	case HasFile:
		return "p.part_type = 'file'"
	case HasError:
		// Few parts have the word, which JSON can also write in other letters; the rest needn't be read as JSON.
		const failed = `CASE WHEN (instr(p.metadata, 'isError') > 0 OR instr(p.metadata, '\u00') > 0) AND json_valid(p.metadata) THEN json_extract(p.metadata, '$.isError') END = 1`
		if s.Has("message_parts", "tool_error") {
			return "(p.tool_error IS NOT NULL OR " + failed + ")"
		}
		return failed
	}
	return ""
}
