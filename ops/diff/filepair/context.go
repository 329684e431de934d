package filepair

import (
	"context"

	"lcm-tui/data"
)

// Item is an item of a context.
type Item struct {
	Ordinal   int64
	Type      string // message or summary.
	Ref       string // The id of the message or summary, in its own file.
	Partner   string // The id in the other file, or empty.
	Tokens    int64
	CreatedAt data.Time
}

// Context returns the context of a conversation in one file, in order.
func (p *Pair) Context(ctx context.Context, s Side, of ConversationKey) (out []Item, err error) {
	if of.id(s) == 0 || !p.has("context_items", "conversation_id", "ordinal", "item_type", "message_id", "summary_id") {
		return nil, nil
	}
	if err := p.match(ctx, of); err != nil {
		return nil, err
	}
	a, schema := s.alias(), s.schema()
	query := "SELECT " + a + ".ordinal, " + a + ".item_type, coalesce(" + a + ".message_id, " + a + ".summary_id), coalesce(" +
		p.partner(s, "message_id") + ", " + p.partner(s, "summary_id") + "), " + tokens(p.sides[s].Schema(), schema, a) + ", " + a + ".created_at" +
		" FROM " + schema + ".context_items " + a + " WHERE " + a + ".conversation_id = ? ORDER BY " + a + ".ordinal"
	err = p.each(ctx, "read the context", query, []any{of.id(s)}, func(scan data.RowScanner) error {
		var i Item
		var kind, ref, partner data.Text
		err := scan((*data.Integer)(&i.Ordinal), &kind, &ref, &partner, (*data.Integer)(&i.Tokens), &i.CreatedAt)
		i.Type, i.Ref, i.Partner = string(kind), string(ref), string(partner)
		out = append(out, i)
		return err
	})
	return out, p.tolerate(err, "context_items", of)
}

// tokens returns the number of tokens of a context item.
func tokens(has *data.Schema, schema, a string) string {
	out := "coalesce("
	if has.Has("messages", "message_id", "token_count") {
		out += "(SELECT token_count FROM " + schema + ".messages m WHERE m.message_id = " + a + ".message_id), "
	}
	if has.Has("summaries", "summary_id", "token_count") {
		out += "(SELECT token_count FROM " + schema + ".summaries s WHERE s.summary_id = " + a + ".summary_id), "
	}
	return out + "0, 0)"
}
