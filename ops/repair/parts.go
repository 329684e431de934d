package repair

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/sorting"
	"lcm-tui/ops/repair/draft"
)

// toolCall is what metadata may say of a tool call.
type toolCall struct {
	ID  string `json:"toolCallId"`
	Raw struct {
		ID, Name, ToolName                string
		Call1                             string `json:"call_id"`
		Call2                             string `json:"toolCallId"`
		Call3                             string `json:"tool_call_id"`
		Use                               string `json:"tool_use_id"`
		Input, Arguments, ToolInput, Tool json.RawMessage
	} `json:"raw"`
	Name string `json:"toolName"`
}

// copyToolColumns copies to the columns what metadata say of a tool call.
func copyToolColumns(ctx context.Context, s *state) error {
	for _, fault := range []integrity.FaultID{integrity.ToolColumnsEmpty, integrity.ToolResultWithoutCallID} {
		for _, f := range s.found.of(fault) {
			column, key := "part_id", any(f.Row)
			if fault == integrity.ToolResultWithoutCallID {
				column, key = "message_id", id(f.Row)
			}
			rows, err := data.ImagesIn(ctx, s.db, "message_parts", column, []any{key}, "part_id", "tool_call_id", "tool_name", "tool_input", "metadata")
			if err != nil {
				return err
			}
			known := false
			for _, r := range rows {
				known = copyCall(s, r) || known
			}
			if known {
				s.found.markRepaired(f)
			} else {
				s.found.leave(f, "its metadata don't name the call either; only the transcript does")
			}
		}
	}
	return nil
}

// copyCall fills the empty tool columns of a part; it reports whether its metadata name the call.
func copyCall(s *state, r data.Row) bool {
	var c toolCall
	if json.Unmarshal([]byte(draft.Text(r["metadata"])), &c) != nil {
		return false
	}
	id := cmp.Or(c.ID, c.Raw.ID, c.Raw.Call1, c.Raw.Call2, c.Raw.Call3, c.Raw.Use)
	if id == "" {
		return false
	}
	set := data.Row{}
	fill := func(column, value string) {
		if draft.Text(r[column]) == "" && value != "" {
			set[column] = value
		}
	}
	fill("tool_call_id", id)
	fill("tool_name", cmp.Or(c.Name, c.Raw.Name, c.Raw.ToolName))
	for _, input := range []json.RawMessage{c.Raw.Input, c.Raw.Arguments, c.Raw.ToolInput} {
		var text string
		if json.Unmarshal(input, &text) != nil {
			text = string(input)
		}
		if set["tool_input"] == nil && text != "null" {
			fill("tool_input", text)
		}
	}
	s.rows.Set("message_parts", r, set)
	return true
}

// numberParts numbers the parts of a message from 0, in such an order that no two ever
// have the same number.
func numberParts(ctx context.Context, s *state) error {
	for _, f := range s.found.of(integrity.PartOrdinalGaps) {
		if !s.messages.Has(id(f.Row)) {
			continue
		}
		rows, err := data.ImagesIn(ctx, s.db, "message_parts", "message_id", []any{id(f.Row)}, "part_id", "ordinal")
		if err != nil {
			return err
		}
		ordinal := func(r data.Row) int64 { return draft.Number(r["ordinal"]) }
		sorting.Stable(rows, func(a, b *data.Row) int { return cmp.Compare(ordinal(*a), ordinal(*b)) })
		for i, r := range rows {
			if ordinal(r) > int64(i) {
				s.rows.Set("message_parts", r, data.Row{"ordinal": int64(i)})
			}
		}
		for i, r := range slices.Backward(rows) {
			if draft.Number(r["ordinal"]) < int64(i) {
				s.rows.Set("message_parts", r, data.Row{"ordinal": int64(i)})
			}
		}
		s.found.markRepaired(f)
	}
	return nil
}

// addParts makes one text part of the text of each message that has no parts.
func addParts(ctx context.Context, s *state) error {
	fs := s.found.of(integrity.MessageWithoutParts)
	if len(fs) == 0 {
		return nil
	}
	conv, err := lcm.ReadConversation(ctx, s.db, s.op.Conversation)
	if err != nil {
		return err
	}
	rows, err := messageRows(ctx, s, messagesOf(fs), "role", "content")
	for _, r := range rows {
		b, err := json.Marshal(map[string]string{"originalRole": draft.Text(r["role"])})
		if err != nil {
			return err
		}
		s.rows.Insert("message_parts", data.Row{
			"part_id": data.NewUUID(s.db), "message_id": r["message_id"], "session_id": conv.SessionID, "part_type": "text", "ordinal": int64(0),
			"text_content": draft.Text(r["content"]), "metadata": string(b),
		})
		s.plan.Guard("message_parts", data.Row{"message_id": r["message_id"]}, 0)
	}
	s.found.markAll(integrity.MessageWithoutParts)
	return err
}

// countMessageTokens counts the tokens of messages as they are shown.
func countMessageTokens(ctx context.Context, s *state) error {
	ids := messagesOf(append(slices.Clone(s.found.of(integrity.MessageTokensMissing)), s.found.of(integrity.MessageTokensWrong)...))
	rows, err := messageRows(ctx, s, ids, "token_count")
	if err != nil {
		return err
	}
	for _, r := range rows {
		message := draft.Number(r["message_id"])
		row, err := lcm.ReadRawMessage(ctx, s.db, message)
		if err != nil {
			return err
		}
		header := s.messages.Header(message)
		tokens := assemble.Tokens(header.Role, row, !s.db.Schema().Has("lcm_migration_state"))
		if text := s.estimator().Count(row.Content.Text); 2*tokens < text {
			tokens = text
		}
		s.rows.Set("messages", r, data.Row{"token_count": tokens})
		for _, n := range s.graph.Covering(message) {
			s.uncounted[n.ID] = s.uncounted[n.ID] || !header.Tokens.Valid || header.Tokens.Value <= 0
			s.recounted[n.ID] += tokens - header.Tokens.Value
		}
		header.Tokens = data.Number{Value: tokens, Valid: true}
		s.messages.Update(header)
	}
	s.found.markAll(integrity.MessageTokensMissing, integrity.MessageTokensWrong)
	return nil
}
