package transplant

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/token"
)

// messageCopier copies the rows of messages and their parts, with the links from leaves.
type messageCopier struct {
	*rowWriter
	target     *lcm.Conversation
	keepHashes bool // Even where a text is another one now: a host knows the original's.
	files      *fileCopies
	numbers    *numbering
	estimator  token.Estimator
	dropped    dropped
}

// dropped counts what copied messages are left without.
type dropped struct {
	keys    int // By which hosts recognize messages: the target has them already.
	entries int // Ids of transcript entries, which a host of 1.0 would look for in the target's transcript.
}

// copyAll adds the messages and their parts.
func (m *messageCopier) copyAll(ctx context.Context, from *originals) error {
	taken := map[string]map[string]bool{}
	for _, column := range []string{entryColumn, "stable_event_key"} {
		var err error
		if taken[column], err = data.ColumnValues(ctx, m.db, "messages", column, m.target.ID); err != nil {
			return err
		}
	}
	ids := make([]int64, len(from.messages))
	for i, r := range from.messages {
		ids[i] = data.CellInteger(r["message_id"])
		copied := m.message(r)
		m.dropTakenKeys(copied, taken)
		m.insert("messages", copied)
		from.messages[i] = nil // Memory has each row once: there may be very many.
	}
	for _, old := range ids {
		for i, p := range from.parts[old] {
			m.insert("message_parts", m.part(p, m.numbers.messages[old], int64(i)))
		}
		clear(from.parts[old])
	}
	return nil
}

// linkAll adds the links from copied leaves to messages.
func (m *messageCopier) linkAll(chosen *selection) {
	for _, n := range chosen.nodes {
		m.link(m.numbers.summaries[n.ID], chosen.links[n.ID])
	}
}

// message returns the row of a copied message.
func (m *messageCopier) message(original data.Row) data.Row {
	const table = "messages"
	old := data.CellInteger(original["message_id"])
	r := m.fit(table, original)
	r["message_id"], r["conversation_id"], r["seq"] = m.numbers.messages[old], m.target.ID, m.numbers.seqs[old]
	r["role"] = oneOf(r["role"], "assistant", "system", "user", "assistant", "tool") // As hosts store a role that they don't know.
	m.fill(table, r, "content", "")
	for _, column := range []string{"content", "large_content"} {
		if text, ok := r[column].(string); ok && len(m.files.ids) > 0 {
			r[column] = m.files.rename(text)
		}
	}
	m.fill(table, r, "token_count", m.estimator.Count(data.CellText(r["content"])))
	m.fill(table, r, "created_at", m.db.FormatNow())
	m.setIdentityHash(r, original)
	if m.db.Schema().Has(data.AnchorTrustTable) && r[entryColumn] != nil {
		// A host of 1.0 looks for the entry in the target's transcript, doesn't find it there,
		// and distrusts the conversation.
		r[entryColumn] = nil
		m.dropped.entries++
	}
	return r
}

// entryColumn names the transcript entry that a message came from.
const entryColumn = "transcript_entry_id"

// dropTakenKeys removes the keys of a message that another message of the target has: they
// are unique there, and hosts store a message without its key where that is taken.
func (m *messageCopier) dropTakenKeys(r data.Row, taken map[string]map[string]bool) {
	for column, keys := range taken {
		key := data.CellText(r[column])
		if r[column] == nil {
			continue
		}
		if keys[key] {
			r[column] = nil
			m.dropped.keys++
		}
		keys[key] = true
	}
}

// partTypes are the kinds of part that the format has.
var partTypes = []string{
	"text", "reasoning", "tool", "patch", "file", "subtask", "compaction", "step_start", "step_finish", "snapshot", "agent", "retry",
}

// part returns the row of a copied part.
func (m *messageCopier) part(original data.Row, message, ordinal int64) data.Row {
	const table = "message_parts"
	r := m.fit(table, original)
	for column, v := range r {
		if text, ok := v.(string); ok && len(m.files.ids) > 0 {
			r[column] = m.files.rename(text)
		}
	}
	r["part_id"], r["message_id"] = data.NewUUID(m.db), message
	r["part_type"] = oneOf(r["part_type"], "agent", partTypes...)
	m.fill(table, r, "ordinal", ordinal)
	if m.db.Schema().Has(table, "session_id") {
		r["session_id"] = m.target.SessionID
	}
	return r
}

// link adds the links of a leaf, in its order.
func (m *messageCopier) link(summary string, links []lcm.MessageLink) {
	linked := map[int64]bool{}
	for _, l := range links {
		id, ok := m.numbers.messages[l.Message]
		if !ok || linked[id] {
			continue
		}
		m.insert("summary_messages", data.Row{"summary_id": summary, "message_id": id, "ordinal": int64(len(linked))})
		linked[id] = true
	}
}
