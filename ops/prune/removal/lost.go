package removal

import (
	"context"
	"encoding/json"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// Lost is a message that loses its texts, and what is lost with it.
type Lost struct {
	Message, Conversation, Seq int64
	Role                       string
	At                         data.Time
	Content                    string
	Parts                      int
	// Texts are all texts that are lost, without the ids of large files, which a stub keeps.
	Texts []string
}

// EachLost calls fn with the messages of a list, in the order of their ids, as they are in a database or in a file of
// the trash.
func EachLost(ctx context.Context, db *data.DB, messages []int64, fn func(Lost) error) error {
	for len(messages) > 0 {
		n := min(len(messages), messagesPerStatement)
		some, err := readLost(ctx, db, messages[:n])
		if err != nil {
			return err
		}
		for i := range some {
			if err := fn(some[i]); err != nil {
				return err
			}
		}
		messages = messages[n:]
	}
	return nil
}

// readLost reads some messages.
func readLost(ctx context.Context, db *data.DB, messages []int64) (out []Lost, err error) {
	at := map[int64]int{}
	const query = `SELECT message_id, conversation_id, seq, role, created_at, content FROM messages
		WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id`
	err = db.EachRow(ctx, "read messages", query, []any{list(messages)}, func(scan data.RowScanner) error {
		var m Lost
		var id, conv, seq data.Integer
		var role, content data.Text
		err := scan(&id, &conv, &seq, &role, &m.At, &content)
		m.Message, m.Conversation, m.Seq, m.Role, m.Content = int64(id), int64(conv), int64(seq), string(role), string(content)
		m.add(m.Content)
		at[m.Message] = len(out)
		out = append(out, m)
		return err
	})
	if err != nil || !db.Schema().Has("message_parts") {
		return out, err
	}
	columns := append([]string{"message_id", "metadata"}, forgottenColumns(db.Schema())...)
	parts := "SELECT " + strings.Join(columns, ", ") + " FROM message_parts WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, ordinal"
	err = db.EachRow(ctx, "read parts", parts, []any{list(messages)}, func(scan data.RowScanner) error {
		cells := make([]any, len(columns))
		dest := make([]any, len(columns))
		for i := range cells {
			dest[i] = &cells[i]
		}
		if err := scan(dest...); err != nil {
			return err
		}
		i, known := at[data.CellInteger(cells[0])]
		if !known {
			return nil
		}
		m := &out[i]
		m.Parts++
		m.addMetadata(cells[1])
		for _, c := range cells[2:] {
			m.add(data.CellText(c))
		}
		return nil
	})
	for i := range out {
		out[i].cutFiles()
	}
	return out, err
}

// add adds a text that the message didn't have yet.
func (m *Lost) add(text string) {
	if text == "" || data.IsForgotten(text) {
		return
	}
	for _, known := range m.Texts {
		if known == text {
			return
		}
	}
	m.Texts = append(m.Texts, text)
}

// addMetadata adds the texts of the metadata of a part that don't stay.
func (m *Lost) addMetadata(cell any) {
	text := data.CellText(cell)
	kept := data.CellText(reducedMetadata(cell))
	var value any
	if text == "" || json.Unmarshal([]byte(text), &value) != nil {
		m.add(text)
		return
	}
	m.addLeaves(value, kept)
}

// addLeaves adds the texts of a value of JSON that aren't in what is kept.
func (m *Lost) addLeaves(value any, kept string) {
	switch v := value.(type) {
	case string:
		if quoted := string(jstext.Quote(v)); !strings.Contains(kept, quoted) {
			m.add(v)
		}
	case []any:
		for _, e := range v {
			m.addLeaves(e, kept)
		}
	case map[string]any:
		for _, e := range v {
			m.addLeaves(e, kept)
		}
	}
}

// cutFiles cuts the texts at the ids of large files.
func (m *Lost) cutFiles() {
	var out []string
	for _, text := range m.Texts {
		from := 0
		lcm.EachFileID(text, func(at int, id string) {
			out = append(out, text[from:at])
			from = at + len(id)
		})
		out = append(out, text[from:])
	}
	m.Texts = out
}
