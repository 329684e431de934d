package lcm

import (
	"context"
	"encoding/json"
	"slices"

	"lcm-tui/data"
	"lcm-tui/internal/parallel"
)

// ContextPlace is a context item with only what decides whether a model sees it, so that a
// long context can be read whole.
type ContextPlace struct {
	Ordinal int64
	Summary string // Empty for a message.
	Message int64
	Role    string // Of the message.
	Missing bool   // The row named doesn't exist.
	Blank   bool   // A message of blank text without parts.
}

// ContextSequence has the texts of some places of a context. A message or summary may be at
// more than one place.
type ContextSequence struct {
	Messages  map[int64]*RawMessage
	Summaries map[string]*Summary
	Sources   map[string][]string // Of the condensed summaries, those that exist, in order.
}

// ContextPlaces returns the places of a conversation's context in order.
func ContextPlaces(ctx context.Context, db data.Querier, conv int64) ([]ContextPlace, error) {
	s := db.Schema()
	if !s.Has("context_items") {
		return nil, nil
	}
	missing, role := "1", "'"+stateMissing+"'"
	from := " FROM context_items ci"
	if s.Has("summaries") {
		missing = "s.summary_id IS NULL"
		from += " LEFT JOIN summaries s ON s.summary_id = ci.summary_id"
	}
	if s.Has("messages") {
		mute := data.JsBlank(s.Expr("messages", "m", "content", "NULL"))
		if s.Has("message_parts") { // First, since the index answers it without the text.
			mute = "NOT EXISTS (SELECT 1 FROM message_parts p WHERE p.message_id = m.message_id) AND " + mute
		}
		role = "CASE WHEN m.message_id IS NULL THEN '" + stateMissing + "' WHEN m.role = 'assistant' AND " + mute + " THEN '" + stateBlank + "' ELSE m.role END"
		from += " LEFT JOIN messages m ON m.message_id = ci.message_id"
	}
	state := "CASE WHEN ci.summary_id IS NULL THEN " + role + " WHEN " + missing + " THEN '" + stateMissing + "' END"
	query := "SELECT ci.ordinal, ci.summary_id, ci.message_id, " + state + from + " WHERE ci.conversation_id = ? ORDER BY ci.ordinal"
	return data.Collect(ctx, db, "read context", query, []any{conv}, func(scan data.RowScanner, p *ContextPlace) error {
		err := scan((*data.Integer)(&p.Ordinal), (*data.Text)(&p.Summary), (*data.Integer)(&p.Message), (*data.Word)(&p.Role))
		p.Missing, p.Blank = p.Role == stateMissing, p.Role == stateBlank
		return err
	})
}

// Values in the column of the role for a place that has none.
const (
	stateMissing = "-"
	stateBlank   = "~"
)

// ReadContextSequence reads the whole texts of consecutive places of a conversation's context. A
// message or summary that doesn't exist any more is left out.
func ReadContextSequence(ctx context.Context, db data.Querier, conv int64, places []ContextPlace) (*ContextSequence, error) {
	q := &ContextSequence{Messages: map[int64]*RawMessage{}, Summaries: map[string]*Summary{}, Sources: map[string][]string{}}
	if len(places) == 0 {
		return q, nil
	}
	args := []any{conv, places[0].Ordinal, places[len(places)-1].Ordinal}
	isSummary := func(p ContextPlace) bool { return p.Summary != "" }
	var (
		work   parallel.Group
		blocks map[int64][]RawPart
		failed error
	)
	work.Go(func() { blocks, failed = sequenceParts(ctx, db, args) }) // On another connection.
	err := sequenceMessages(ctx, db, q, args)
	if err == nil && slices.ContainsFunc(places, isSummary) {
		err = sequenceSummaries(ctx, db, q, args)
	}
	work.Wait()
	if err == nil {
		err = failed
	}
	for id, bs := range blocks {
		t := q.Messages[id]
		if t == nil {
			t = &RawMessage{ID: id, Content: data.Stored{Null: true}, Sender: data.Stored{Null: true}, LargeContent: data.Stored{Null: true}}
			q.Messages[id] = t
		}
		t.Parts = bs
	}
	return q, err
}

// contextJoin begins a query for rows that are in a context; CROSS JOIN keeps the order and
// the index of the items.
const contextJoin = " FROM context_items ci CROSS JOIN "

const atOrdinals = " WHERE ci.conversation_id = ? AND ci.ordinal BETWEEN ? AND ?"

// sequenceMessages reads the messages of which more is needed than their parts.
func sequenceMessages(ctx context.Context, db data.Querier, q *ContextSequence, args []any) error {
	s := db.Schema()
	if !s.Has("messages") {
		return nil
	}
	sender, large := s.Expr("messages", "m", "openclaw_sender_metadata", "NULL"), s.Expr("messages", "m", "large_content", "NULL")
	content, where := s.Expr("messages", "m", "content", "NULL"), ""
	if s.Has("message_parts") {
		const alone = "NOT EXISTS (SELECT 1 FROM message_parts p WHERE p.message_id = m.message_id)"
		content = "CASE WHEN " + alone + " THEN " + content + " END"
		where = " AND (" + sender + " IS NOT NULL OR " + large + " IS NOT NULL OR " + alone + ")"
	}
	query := "SELECT m.message_id, " + content + ", " + sender + ", " + large + contextJoin +
		"messages m ON m.message_id = ci.message_id" + atOrdinals + where
	return data.Each(ctx, db, "read messages", query, args, func(scan data.RowScanner) error {
		t := new(RawMessage)
		err := scan((*data.Integer)(&t.ID), &t.Content, &t.Sender, &t.LargeContent)
		q.Messages[t.ID] = t
		return err
	})
}

func sequenceParts(ctx context.Context, db data.Querier, args []any) (map[int64][]RawPart, error) {
	s := db.Schema()
	if !s.Has("message_parts") {
		return nil, nil
	}
	query := "SELECT p.message_id, ci.ordinal, " + s.Exprs("message_parts", "p", "part_id", "part_type", "ordinal", "text_content",
		"tool_call_id", "tool_name", "tool_input", "tool_output", "metadata") +
		contextJoin + "message_parts p ON p.message_id = ci.message_id" + atOrdinals + " ORDER BY ci.ordinal, p.ordinal"
	out, first := map[int64][]RawPart{}, map[int64]int64{}
	err := data.Each(ctx, db, "read message parts", query, args, func(scan data.RowScanner) error {
		var id, place int64
		var b RawPart
		err := scan((*data.Integer)(&id), (*data.Integer)(&place), (*data.Text)(&b.ID), (*data.Word)(&b.Type), (*data.Integer)(&b.Ordinal), &b.Text,
			&b.ToolCallID, &b.ToolName, &b.ToolInput, &b.ToolOutput, &b.Metadata)
		if at, seen := first[id]; seen && at != place {
			return err // The message is at two places.
		}
		first[id] = place
		out[id] = append(out[id], b)
		return err
	})
	return out, err
}

func sequenceSummaries(ctx context.Context, db data.Querier, q *ContextSequence, args []any) error {
	if !db.Schema().Has("summaries") {
		return nil
	}
	const in = "s.summary_id IN (SELECT summary_id FROM context_items WHERE conversation_id = ? AND ordinal BETWEEN ? AND ?)"
	sums, err := summaries(ctx, db, data.RowQuery{Where: in, Args: args}, data.WholeText)
	for i := range sums {
		q.Summaries[sums[i].ID] = &sums[i]
	}
	if err != nil || !db.Schema().Has("summary_parents") {
		return err
	}
	const query = "SELECT DISTINCT l.summary_id, l.parent_summary_id, l.ordinal" + contextJoin +
		`summary_parents l ON l.summary_id = ci.summary_id CROSS JOIN summaries s ON s.summary_id = l.parent_summary_id` +
		atOrdinals + " ORDER BY l.summary_id, l.ordinal"
	return data.Each(ctx, db, "read summary links", query, args, func(scan data.RowScanner) error {
		var id, source data.Text
		var ordinal data.Integer
		err := scan(&id, &source, &ordinal)
		q.Sources[string(id)] = append(q.Sources[string(id)], string(source))
		return err
	})
}

// OrdinalsNamingCalls returns the ordinals of a conversation's context at which a message has
// a part that names one of these tool calls, in its column or in its metadata. The column comes
// first: it is looked up among all calls at once.
func OrdinalsNamingCalls(ctx context.Context, db data.Querier, conv int64, calls []string) ([]int64, error) {
	if !db.Schema().Has("context_items") || !db.Schema().Has("message_parts") || len(calls) == 0 {
		return nil, nil
	}
	wanted, err := json.Marshal(calls)
	if err != nil {
		return nil, err // Texts only.
	}
	query := "SELECT DISTINCT ci.ordinal" + contextJoin + "message_parts p ON p.message_id = ci.message_id" +
		" WHERE ci.conversation_id = ?1 AND (" + db.Schema().Expr("message_parts", "p", "tool_call_id", "NULL") + " IN (SELECT value FROM json_each(?2))" +
		" OR EXISTS (SELECT 1 FROM json_each(?2) w WHERE instr(" + db.Schema().Expr("message_parts", "p", "metadata", "NULL") + ", json_quote(w.value)) > 0)) ORDER BY ci.ordinal"
	return data.Collect(ctx, db, "read calls of tools", query, []any{conv, string(wanted)}, func(scan data.RowScanner, ordinal *int64) error {
		return scan((*data.Integer)(ordinal))
	})
}
