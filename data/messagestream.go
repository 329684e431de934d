package data

import (
	"context"
	"errors"
	"math"
	"slices"
)

// StreamedMessage is a message as it is stored, with its parts, the leaves that cover it, and
// whether it stands in the context.
type StreamedMessage struct {
	RawMessage
	InContext bool
	Summaries []string
}

// Seqs is a range of seqs, both ends included.
type Seqs struct{ First, Last int64 }

// AllSeqs is the range of every seq.
var AllSeqs = Seqs{math.MinInt64, math.MaxInt64}

// How much of a conversation is read at once: so many messages, and so many bytes of their
// contents. A single message may be larger.
const (
	streamMessages = 128
	streamBytes    = 2 << 20
)

// StreamMessages calls fn with a conversation's messages of a range by seq, whole and one at a
// time. It holds a few megabytes, however long the conversation is. A message is good until fn
// returns; ErrEndRows from fn ends the reading.
func (db *DB) StreamMessages(ctx context.Context, conv int64, of Seqs, fn func(*StreamedMessage) error) error {
	if !db.Schema().Has("messages", "message_id", "conversation_id", "seq") {
		return nil
	}
	inContext, err := db.contextMessages(ctx, conv)
	if err != nil {
		return err
	}
	for first := of.First; ; {
		ids, last, err := db.streamPage(ctx, conv, first, of.Last)
		if err != nil || len(ids) == 0 {
			return err
		}
		ms, err := db.streamedMessages(ctx, ids)
		if err != nil {
			return err
		}
		for i := range ms {
			ms[i].InContext = inContext[ms[i].ID]
			if err := fn(&ms[i]); errors.Is(err, ErrEndRows) {
				return nil
			} else if err != nil {
				return err
			}
		}
		if last == math.MaxInt64 {
			return nil
		}
		first = last + 1
	}
}

// StreamContextMessages calls fn with these messages of a context in the order of ids, whole and
// one at a time. One that doesn't exist is left out.
func (db *DB) StreamContextMessages(ctx context.Context, ids []int64, fn func(*StreamedMessage) error) error {
	for chunk := range slices.Chunk(ids, 16) { // Their sizes aren't known.
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		ms, err := db.streamedMessages(ctx, args)
		if err != nil {
			return err
		}
		for _, id := range chunk {
			for i := range ms {
				if ms[i].ID != id {
					continue
				}
				ms[i].InContext = true
				if err := fn(&ms[i]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// streamPage returns the next messages from a seq on that are read at once, and the last seq
// among them. All messages of one seq are in one page.
func (db *DB) streamPage(ctx context.Context, conv, first, end int64) (ids []any, last int64, err error) {
	content := db.Schema().expr("messages", "m", "content", "NULL")
	query := "SELECT m.message_id, m.seq, coalesce(octet_length(" + content + "), 0) FROM messages m " +
		"WHERE m.conversation_id = ? AND m.seq BETWEEN ? AND ? ORDER BY m.seq"
	var sum int64
	err = Each(ctx, db, "read messages", query, []any{conv, first, end}, func(scan RowScanner) error {
		var id, seq, size Integer
		if err := scan(&id, &seq, &size); err != nil {
			return err
		}
		if len(ids) > 0 && int64(seq) != last && (sum+int64(size) > streamBytes || len(ids) >= streamMessages) {
			return ErrEndRows
		}
		ids, last, sum = append(ids, int64(id)), int64(seq), sum+int64(size)
		return nil
	})
	return ids, last, err
}

// streamedMessages are these messages by seq, whole. One that can't be read is left out.
func (db *DB) streamedMessages(ctx context.Context, ids []any) ([]StreamedMessage, error) {
	s, in := db.Schema(), " IN ("+marks(len(ids))+")"
	q := RowQuery{From: "messages m", Number: "m.rowid", Where: "m.message_id" + in, Args: ids, Order: "m.seq, m.message_id"}
	q.Selected = "m.message_id, m.seq, m.role, " + s.stored("messages", "m", `content token_count created_at identity_hash large_content
		transcript_entry_id stable_event_key openclaw_sender_metadata`)
	ms, err := CollectRows(ctx, db, "read messages", q, nil, func(scan RowScanner, m *StreamedMessage) error {
		return scan((*Integer)(&m.ID), (*Integer)(&m.Seq), (*Word)(&m.Role), &m.Content, &m.Tokens, &m.CreatedAt, (*Text)(&m.Hash),
			&m.LargeContent, (*Text)(&m.Entry), (*Text)(&m.EventKey), &m.Sender)
	})
	if err != nil {
		return nil, err
	}
	at := make(map[int64]*StreamedMessage, len(ms))
	for i := range ms {
		at[ms[i].ID] = &ms[i]
	}
	if err := db.streamParts(ctx, at, in, ids); err != nil {
		return nil, err
	}
	return ms, db.streamLeaves(ctx, at, in, ids)
}

// streamParts adds the parts of messages.
func (db *DB) streamParts(ctx context.Context, at map[int64]*StreamedMessage, in string, ids []any) error {
	if !db.Schema().Has("message_parts", "message_id") {
		return nil
	}
	q := RowQuery{From: "message_parts p", Number: "p.rowid", Where: "p.message_id" + in, Args: ids}
	q.Order = "p.message_id, " + db.Schema().expr("message_parts", "p", "ordinal", "p.rowid")
	q.Selected = "p.message_id, " + db.Schema().stored("message_parts", "p", `part_id part_type ordinal text_content tool_call_id tool_name
		tool_input tool_output metadata`)
	parts, err := CollectRows(ctx, db, "read message parts", q, nil, func(scan RowScanner, p *RawPart) error {
		return scan((*Integer)(&p.Message), (*Text)(&p.ID), (*Word)(&p.Type), (*Integer)(&p.Ordinal), &p.Text, &p.ToolCallID,
			&p.ToolName, &p.ToolInput, &p.ToolOutput, &p.Metadata)
	})
	for _, p := range parts {
		if m := at[p.Message]; m != nil { // A damaged index may lead to rows of others.
			m.Parts = append(m.Parts, p)
		}
	}
	return err
}

// streamLeaves adds the leaves that cover messages.
func (db *DB) streamLeaves(ctx context.Context, at map[int64]*StreamedMessage, in string, ids []any) error {
	if !db.Schema().Has("summary_messages", "message_id", "summary_id") {
		return nil
	}
	query := "SELECT message_id, summary_id FROM summary_messages WHERE message_id" + in + " ORDER BY message_id, summary_id"
	return Each(ctx, db, "read links", query, ids, func(scan RowScanner) error {
		var id Integer
		var summary Text
		err := scan(&id, &summary)
		if m := at[int64(id)]; m != nil {
			m.Summaries = append(m.Summaries, string(summary))
		}
		return err
	})
}

// contextMessages are the messages in a context.
func (db *DB) contextMessages(ctx context.Context, conv int64) (map[int64]bool, error) {
	out := map[int64]bool{}
	if !db.Schema().Has("context_items", "message_id", "conversation_id") {
		return out, nil
	}
	const query = "SELECT message_id FROM context_items WHERE conversation_id = ? AND message_id IS NOT NULL"
	return out, Each(ctx, db, "read context", query, []any{conv}, func(scan RowScanner) error {
		var id Integer
		err := scan(&id)
		out[int64(id)] = true
		return err
	})
}
