package assemble

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/token"
)

// bareResult returns what a result without parts is weighed as: the host still knows what call
// it answers when it stores it.
func bareResult(content string) string {
	return string(jstext.Array([]jstext.Value{textBlock(content)}))
}

// Weigh returns the token_count that a host stores with a message: the estimate of what
// it will send of it, which is the content as it is rebuilt from the parts, and
// what the model thought where its provider sends that beside the content.
func Weigh(e token.Estimator, role, content string, blocks []lcm.RawPart) int64 {
	if role == "tool" && len(blocks) == 0 {
		return e.Count(bareResult(content))
	}
	parts := make([]part, len(blocks))
	for i, b := range blocks {
		parts[i] = newPart(b)
		if parts[i].meta.Field("rawPayloadExternalized") == jstext.True {
			return e.Count(content)
		}
	}
	m := rebuild(role, content, parts, identityOf(parts) != nil)
	if len(m.blocks) == 0 && !m.content.Defined() {
		return e.Count(content)
	}
	n := e.Count(m.sent())
	if m.Role == RoleAssistant {
		n += e.Count(reasoningOf(parts).value.Text())
	}
	return n
}

// Tokens returns what a stored message of a role takes when it's shown, which is what hosts
// note as its token_count. An old file's tool columns are read from the metadata first,
// as a host does once.
func Tokens(role string, t *lcm.RawMessage, old bool) int64 {
	if role == "tool" && len(t.Parts) == 0 {
		return count(bareResult(t.Content.Text))
	}
	c, it := &contents{old: old}, &item{ContextPlace: lcm.ContextPlace{Message: t.ID, Role: role}}
	c.turn(it, t, &warnings{})
	return it.tokens
}

// SenderLabel stands before a sender's name where a model reads it, and is counted with it.
const SenderLabel = "speaker (untrusted metadata): "

// Counted returns items of a context with the tokens that a host counts where it chooses among them:
// for a message the stored ones, an estimate where none are stored, and those of its sender's name.
func Counted(ctx context.Context, db *data.DB, conv int64, items []lcm.ContextItem) ([]lcm.ContextItem, error) {
	found, err := lcm.UncountedMessages(ctx, db, conv)
	if err != nil {
		return nil, err
	}
	extra, estimator := make(map[int64]int64, len(found)), token.Of(db.Kind().Level)
	for _, m := range found {
		n := estimator.Count(m.Content)
		if sender := strings.TrimSpace(m.Sender); sender != "" {
			n += estimator.Count(SenderLabel + sender)
		}
		extra[m.ID] = n
	}
	out := slices.Clone(items)
	for i := range out {
		out[i].Tokens = lcm.AddTokens(max(0, out[i].Tokens), extra[out[i].Message])
	}
	return out, nil
}
