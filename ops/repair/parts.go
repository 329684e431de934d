package repair

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/integrity"
)

// parts mends rows of message_parts, and then what is counted of them.
func (d *draft) parts(ctx context.Context) error {
	for _, s := range []stage{d.metadata, d.calls, d.partOrdinals, d.partless, d.counts} {
		if err := s(ctx); err != nil {
			return err
		}
	}
	return nil
}

// metadata that isn't JSON becomes the role alone, which a host needs.
func (d *draft) metadata(ctx context.Context) error {
	for _, f := range d.take(integrity.ContentMalformed) {
		if f.Table != "message_parts" {
			continue
		}
		rows, err := d.db.ImagesIn(ctx, "message_parts", "part_id", []any{f.Row}, "part_id", "message_id", "metadata")
		if err != nil {
			return err
		}
		if len(rows) != 1 || json.Valid([]byte(word(rows[0]["metadata"]))) || rows[0]["metadata"] == nil {
			d.leave(f, "only the transcript knows what it said")
			continue
		}
		role := d.bySlim[number(rows[0]["message_id"])].Role
		b, err := json.Marshal(map[string]string{"originalRole": role})
		if err != nil {
			return err
		}
		d.edits.set("message_parts", rows[0], data.Row{"metadata": string(b)})
		d.done(f)
	}
	return nil
}

// call is what metadata may know of a tool call.
type call struct {
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

// calls copies to the columns what metadata know of a tool call.
func (d *draft) calls(ctx context.Context) error {
	for _, fault := range []integrity.FaultID{integrity.ToolColumnsEmpty, integrity.ToolResultWithoutCallID} {
		for _, f := range d.take(fault) {
			column, key := "part_id", any(f.Row)
			if fault == integrity.ToolResultWithoutCallID {
				column, key = "message_id", id(f.Row)
			}
			rows, err := d.db.ImagesIn(ctx, "message_parts", column, []any{key}, "part_id", "tool_call_id", "tool_name", "tool_input", "metadata")
			if err != nil {
				return err
			}
			known := false
			for _, r := range rows {
				known = d.call(r) || known
			}
			if known {
				d.done(f)
			} else {
				d.leave(f, "the metadata don't know the call either; only the transcript does")
			}
		}
	}
	return nil
}

// call fills the tool columns of a part that are empty; it reports whether the call's
// id is known then.
func (d *draft) call(r data.Row) bool {
	var c call
	if json.Unmarshal([]byte(word(r["metadata"])), &c) != nil {
		return false
	}
	id := cmp.Or(c.ID, c.Raw.ID, c.Raw.Call1, c.Raw.Call2, c.Raw.Call3, c.Raw.Use)
	if id == "" {
		return false
	}
	set := data.Row{}
	fill := func(column, value string) {
		if word(r[column]) == "" && value != "" {
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
	d.edits.set("message_parts", r, set)
	return true
}

// partOrdinals numbers the parts of a message from 0, in such an order that no two ever
// have the same number.
func (d *draft) partOrdinals(ctx context.Context) error {
	for _, f := range d.take(integrity.PartOrdinalGaps) {
		if _, ok := d.bySlim[id(f.Row)]; !ok {
			continue
		}
		rows, err := d.db.ImagesIn(ctx, "message_parts", "message_id", []any{id(f.Row)}, "part_id", "ordinal")
		if err != nil {
			return err
		}
		slices.SortStableFunc(rows, func(a, b data.Row) int { return cmp.Compare(number(a["ordinal"]), number(b["ordinal"])) })
		for i, r := range rows {
			if number(r["ordinal"]) > int64(i) {
				d.edits.set("message_parts", r, data.Row{"ordinal": int64(i)})
			}
		}
		for i, r := range slices.Backward(rows) {
			if number(r["ordinal"]) < int64(i) {
				d.edits.set("message_parts", r, data.Row{"ordinal": int64(i)})
			}
		}
		d.done(f)
	}
	return nil
}

// partless makes one text part of each message's text that has no parts.
func (d *draft) partless(ctx context.Context) error {
	fs := d.take(integrity.MessageWithoutParts)
	if len(fs) == 0 {
		return nil
	}
	conv, err := d.db.Conversation(ctx, d.op.Conversation)
	if err != nil {
		return err
	}
	rows, err := d.images(ctx, rowsOf(fs), "role", "content")
	for _, r := range rows {
		b, err := json.Marshal(map[string]string{"originalRole": word(r["role"])})
		if err != nil {
			return err
		}
		d.edits.insert("message_parts", data.Row{
			"part_id": d.db.NewUUID(), "message_id": r["message_id"], "session_id": conv.SessionID, "part_type": "text", "ordinal": int64(0),
			"text_content": word(r["content"]), "metadata": string(b),
		})
		d.plan.Guard("message_parts", data.Row{"message_id": r["message_id"]}, 0)
	}
	d.all(integrity.MessageWithoutParts)
	return err
}

// counts counts the tokens of messages as they are shown.
func (d *draft) counts(ctx context.Context) error {
	ids := rowsOf(append(slices.Clone(d.take(integrity.MessageTokensMissing)), d.take(integrity.MessageTokensWrong)...))
	rows, err := d.images(ctx, ids, "token_count")
	if err != nil {
		return err
	}
	for _, r := range rows {
		message := number(r["message_id"])
		turn, err := d.db.RawMessage(ctx, message)
		if err != nil {
			return err
		}
		slim := d.bySlim[message]
		tokens := assemble.Tokens(slim.Role, turn, !d.db.Schema().Has("lcm_migration_state"))
		if text := d.estimator().Count(turn.Content.Text); 2*tokens < text {
			tokens = text
		}
		d.edits.set("messages", r, data.Row{"token_count": tokens})
		for _, n := range d.ownersOf(d.byMessage[message]) {
			d.resummed[n.ID] = d.resummed[n.ID] || !slim.Tokens.Valid || slim.Tokens.Value <= 0
			d.recounted[n.ID] += tokens - slim.Tokens.Value
		}
		slim.Tokens = data.Number{Value: tokens, Valid: true}
		d.bySlim[message] = slim
	}
	d.all(integrity.MessageTokensMissing, integrity.MessageTokensWrong)
	return nil
}
