package assemble

import "lcm-tui/data"

// Tokens is what a stored message of a role takes when it's shown, which is what hosts
// note as its token_count. An old file's tool columns are read from the metadata first,
// as a host does once.
func Tokens(role string, t *data.RawMessage, old bool) int64 {
	if role == "tool" && len(t.Parts) == 0 {
		return count(bareResult(t.Content.Text))
	}
	c, it := &contents{old: old}, &item{ContextPlace: data.ContextPlace{Message: t.ID, Role: role}}
	c.turn(it, t, &warnings{})
	return it.tokens
}
