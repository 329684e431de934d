package metrics

import (
	"cmp"
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// eachContext calls fn with every active conversation and the tokens of its context, as lcm.ContextTokens counts them.
func eachContext(ctx context.Context, q data.Querier, fn func(c lcm.Conversation, tokens int64)) error {
	s := q.Schema()
	query := "SELECT c.conversation_id, c.session_id, " + s.Expr("conversations", "c", "session_key", "''") + `,
		(SELECT total(coalesce(m.token_count, s.token_count)) FROM context_items i LEFT JOIN messages m ON m.message_id = i.message_id
			LEFT JOIN summaries s ON s.summary_id = i.summary_id WHERE i.conversation_id = c.conversation_id)
		FROM conversations c WHERE ` + s.Expr("conversations", "c", "active", "1") + " <> 0 ORDER BY c.conversation_id"
	return data.Each(ctx, q, "sum contexts", query, nil, func(scan data.RowScanner) error {
		var c lcm.Conversation
		var tokens data.Integer
		err := scan((*data.Integer)(&c.ID), (*data.Text)(&c.SessionID), (*data.Text)(&c.SessionKey), &tokens)
		if err == nil {
			fn(c, int64(tokens))
		}
		return err
	})
}

// mostAgents is how many agents have labels of their own, beside those in the place of a name.
const mostAgents = 20

// namedAgents returns the agents that have labels: those that had one before, also where nothing is left of them, then
// the new ones in their order, until there are enough. The rest is one together.
func namedAgents(before []agentContext, order []string, now map[string]*agentContext) (out []agentContext) {
	at := map[string]int{}
	named := 0
	add := func(name string) {
		if _, ok := at[name]; ok {
			return
		}
		if name != noAgent && name != otherLabel {
			if named == mostAgents {
				name = otherLabel
			} else {
				named++
			}
		}
		if _, ok := at[name]; !ok {
			at[name] = len(out)
			out = append(out, agentContext{Name: name})
		}
	}
	for _, a := range before {
		add(a.Name)
	}
	for _, name := range order {
		add(name)
	}
	for _, name := range order {
		i, ok := at[name]
		if !ok {
			i = at[otherLabel]
		}
		out[i].add(now[name].Tokens, now[name].Threshold)
	}
	return out
}

// add adds the numbers of a context, or of several.
func (a *agentContext) add(tokens, threshold int64) {
	a.Tokens, a.Threshold = lcm.AddTokens(a.Tokens, tokens), lcm.AddTokens(a.Threshold, threshold)
}

// fullest returns the n contexts with the most tokens.
func fullest(all []fullContext, n int) []fullContext {
	slices.SortStableFunc(all, func(a, b fullContext) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Conversation, b.Conversation))
	})
	return all[:min(n, len(all))]
}
