package lcm

import (
	"context"
	"errors"
	"math"
	"slices"

	"lcm-tui/data"
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
func StreamMessages(ctx context.Context, db data.Querier, conv int64, of Seqs, fn func(*StreamedMessage) error) error {
	if !db.Schema().Has("messages", "message_id", "conversation_id", "seq") {
		return nil
	}
	inContext, err := contextMessages(ctx, db, conv)
	if err != nil {
		return err
	}
	for first := of.First; ; {
		ids, last, err := streamPage(ctx, db, conv, first, of.Last)
		if err != nil || len(ids) == 0 {
			return err
		}
		ms, err := streamedMessages(ctx, db, ids)
		if err != nil {
			return err
		}
		for i := range ms {
			ms[i].InContext = inContext[ms[i].ID]
			if err := fn(&ms[i]); errors.Is(err, data.ErrEndRows) {
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
func StreamContextMessages(ctx context.Context, db data.Querier, ids []int64, fn func(*StreamedMessage) error) error {
	for chunk := range slices.Chunk(ids, 16) { // Their sizes aren't known.
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		ms, err := streamedMessages(ctx, db, args)
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
func streamPage(ctx context.Context, db data.Querier, conv, first, end int64) (ids []any, last int64, err error) {
	content := db.Schema().Expr("messages", "m", "content", "NULL")
	query := "SELECT m.message_id, m.seq, coalesce(octet_length(" + content + "), 0) FROM messages m " +
		"WHERE m.conversation_id = ? AND m.seq BETWEEN ? AND ? ORDER BY m.seq"
	var sum int64
	err = data.Each(ctx, db, "read messages", query, []any{conv, first, end}, func(scan data.RowScanner) error {
		var id, seq, size data.Integer
		if err := scan(&id, &seq, &size); err != nil {
			return err
		}
		if len(ids) > 0 && int64(seq) != last && (sum+int64(size) > streamBytes || len(ids) >= streamMessages) {
			return data.ErrEndRows
		}
		ids, last, sum = append(ids, int64(id)), int64(seq), sum+int64(size)
		return nil
	})
	return ids, last, err
}

// streamedMessages returns these messages by seq, whole. One that can't be read is left out.
func streamedMessages(ctx context.Context, db data.Querier, ids []any) ([]StreamedMessage, error) {
	s, in := db.Schema(), " IN ("+data.Marks(len(ids))+")"
	q := data.RowQuery{From: "messages m", Number: "m.rowid", Where: "m.message_id" + in, Args: ids, Order: "m.seq, m.message_id"}
	q.Selected = "m.message_id, m.seq, m.role, " + s.Stored("messages", "m", `content token_count created_at identity_hash large_content
		transcript_entry_id stable_event_key openclaw_sender_metadata`)
	ms, err := data.CollectRows(ctx, db, "read messages", q, nil, func(scan data.RowScanner, m *StreamedMessage) error {
		return scan((*data.Integer)(&m.ID), (*data.Integer)(&m.Seq), (*data.Word)(&m.Role), &m.Content, &m.Tokens, &m.CreatedAt, (*data.Text)(&m.Hash),
			&m.LargeContent, (*data.Text)(&m.Entry), (*data.Text)(&m.EventKey), &m.Sender)
	})
	if err != nil {
		return nil, err
	}
	at := make(map[int64]*StreamedMessage, len(ms))
	for i := range ms {
		at[ms[i].ID] = &ms[i]
	}
	if err := streamParts(ctx, db, at, in, ids); err != nil {
		return nil, err
	}
	return ms, streamLeaves(ctx, db, at, in, ids)
}

// streamParts adds the parts of messages.
func streamParts(ctx context.Context, db data.Querier, at map[int64]*StreamedMessage, in string, ids []any) error {
	if !db.Schema().Has("message_parts", "message_id") {
		return nil
	}
	q := data.RowQuery{From: "message_parts p", Number: "p.rowid", Where: "p.message_id" + in, Args: ids}
	q.Order = "p.message_id, " + db.Schema().Expr("message_parts", "p", "ordinal", "p.rowid")
	q.Selected = "p.message_id, " + db.Schema().Stored("message_parts", "p", `part_id part_type ordinal text_content tool_call_id tool_name
		tool_input tool_output metadata`)
	parts, err := data.CollectRows(ctx, db, "read message parts", q, nil, func(scan data.RowScanner, p *RawPart) error {
		return scan((*data.Integer)(&p.Message), (*data.Text)(&p.ID), (*data.Word)(&p.Type), (*data.Integer)(&p.Ordinal), &p.Text, &p.ToolCallID,
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
func streamLeaves(ctx context.Context, db data.Querier, at map[int64]*StreamedMessage, in string, ids []any) error {
	if !db.Schema().Has("summary_messages", "message_id", "summary_id") {
		return nil
	}
	query := "SELECT message_id, summary_id FROM summary_messages WHERE message_id" + in + " ORDER BY message_id, summary_id"
	return data.Each(ctx, db, "read links", query, ids, func(scan data.RowScanner) error {
		var id data.Integer
		var summary data.Text
		err := scan(&id, &summary)
		if m := at[int64(id)]; m != nil {
			m.Summaries = append(m.Summaries, string(summary))
		}
		return err
	})
}

// contextMessages returns the messages in a context.
func contextMessages(ctx context.Context, db data.Querier, conv int64) (map[int64]bool, error) {
	out := map[int64]bool{}
	if !db.Schema().Has("context_items", "message_id", "conversation_id") {
		return out, nil
	}
	const query = "SELECT message_id FROM context_items WHERE conversation_id = ? AND message_id IS NOT NULL"
	return out, data.Each(ctx, db, "read context", query, []any{conv}, func(scan data.RowScanner) error {
		var id data.Integer
		err := scan(&id)
		out[int64(id)] = true
		return err
	})
}
