package removal

import (
	"context"
	"encoding/json"
	"time"

	"lcm-tui/data"
)

// Kept says by what the text of a message may have to stay.
type Kept struct {
	Message, Conversation, Seq int64
	Role                       string
	At                         data.Time
	Start                      string // The start of its text.
	Bytes                      int64  // Of its text.
	Forgotten                  bool   // It is a stub already.
	Newer                      int64  // How many seqs of the conversation are above its own.
	InContext                  bool   // The model sees it.
	Elsewhere                  bool   // It stands in the context of another conversation.
	Covered                    bool   // It is below a summary to which the context leads.
	CoveredByAny               bool   // It is below any summary.
	BelowMarked                bool   // It is below a summary with a marker of the host.
	Recent                     bool   // It was written after the time before which texts are selected.
}

// keptSQL is what ReadKept reads. ?1 is the conversation, ?2 the marked summaries, ?3 the time, ?4 the messages, ?5 how
// much of a text.
const keptSQL = `WITH RECURSIVE
	below(id) AS (SELECT summary_id FROM context_items WHERE conversation_id = ?1 AND summary_id IS NOT NULL
		UNION SELECT p.parent_summary_id FROM below CROSS JOIN summary_parents p ON p.summary_id = below.id),
	marked(id) AS (SELECT value FROM json_each(?2)
		UNION SELECT p.parent_summary_id FROM marked CROSS JOIN summary_parents p ON p.summary_id = marked.id)
	SELECT m.message_id, m.conversation_id, m.seq, m.role, m.created_at, CAST(substr(CAST(m.content AS BLOB), 1, ?5) AS TEXT), octet_length(m.content),
	substr(m.content, 1, length('` + data.ForgottenPrefix + `')) = '` + data.ForgottenPrefix + `',
	(SELECT max(seq) FROM messages WHERE conversation_id = ?1) - m.seq,
	m.message_id IN (SELECT message_id FROM context_items WHERE conversation_id = ?1 AND message_id IS NOT NULL),
	EXISTS (SELECT 1 FROM summary_messages l WHERE l.message_id = m.message_id AND l.summary_id IN (SELECT id FROM below)),
	EXISTS (SELECT 1 FROM summary_messages l WHERE l.message_id = m.message_id),
	EXISTS (SELECT 1 FROM summary_messages l WHERE l.message_id = m.message_id AND l.summary_id IN (SELECT id FROM marked)),
	?3 IS NOT NULL AND NOT (coalesce(julianday(m.created_at), (SELECT julianday(c.created_at) FROM conversations c WHERE c.conversation_id = ?1)) < julianday(?3))
	FROM json_each(?4) j CROSS JOIN messages m ON m.message_id = j.value
	WHERE m.conversation_id = ?1 ORDER BY m.seq`

// startBytes is how much of a text ReadKept reads.
const startBytes = 400

// ReadKept reads of messages of a conversation by what their texts may have to stay. marked are the summaries with a
// marker of the host, before is the time before which texts are selected or zero, and shared has the messages in other
// contexts.
func ReadKept(ctx context.Context, db *data.DB, conversation int64, messages []int64, marked []string, before time.Time, shared map[int64]bool) (out []Kept, err error) {
	marks, err := json.Marshal(append([]string{}, marked...))
	if err != nil {
		return nil, err
	}
	var until any
	if !before.IsZero() {
		until = data.FormatTimeMillis(before.UTC())
	}
	args := []any{conversation, string(marks), until, list(messages), startBytes}
	err = db.EachRow(ctx, "read messages", keptSQL, args, func(scan data.RowScanner) error {
		var k Kept
		var id, conv, seq, bytes, newer data.Integer
		var role, start data.Text
		err := scan(&id, &conv, &seq, &role, &k.At, &start, &bytes, &k.Forgotten, &newer, &k.InContext, &k.Covered, &k.CoveredByAny, &k.BelowMarked, &k.Recent)
		k.Message, k.Conversation, k.Seq, k.Role, k.Start = int64(id), int64(conv), int64(seq), string(role), string(start)
		k.Bytes, k.Newer, k.Elsewhere = int64(bytes), int64(newer), shared[k.Message]
		out = append(out, k)
		return err
	})
	return out, err
}
