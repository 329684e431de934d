package pressure

import (
	"cmp"
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/settings"
	"lcm-tui/work"
)

// Rules say when a context is too full.
type Rules struct {
	Settings    settings.Settings
	MaxMessages int64 // How many messages may stand in a context; 0 is any number.
}

// load is what is read of a context.
type load struct {
	conv                    lcm.Conversation
	items, messages, tokens int64
	newest, budget          int64
}

// Find returns the active conversations whose contexts are fuller than they may be, that with the newest message
// first. The mark of each says what is known of its context, and by which rule it is too full.
func Find(ctx context.Context, db *data.DB, r Rules) (out []work.Candidate, err error) {
	s := db.Schema()
	if !s.Has("context_items") || !s.Has("conversations") || !s.Has("messages", "token_count") || !s.Has("summaries", "token_count") {
		return nil, nil
	}
	loads, err := data.Collect(ctx, db, "read contexts", query(s), nil, scanLoad)
	if err != nil {
		return nil, err
	}
	for _, l := range loads {
		if !l.conv.Active || l.conv.OnlyPrompts() {
			continue
		}
		c, err := r.judge(ctx, db, l)
		if err != nil {
			return nil, err
		}
		if c.Reason != "" {
			out = append(out, c)
		}
	}
	return out, nil
}

// query returns the statement that reads how full each context is.
func query(s *data.Schema) string {
	const table = "conversation_compaction_maintenance"
	budget, join := "NULL", ""
	if s.Has(table, "token_budget") {
		budget, join = "b.token_budget", " LEFT JOIN "+table+" b ON b.conversation_id = c.conversation_id"
	}
	return "SELECT c.conversation_id, c.session_id, " + s.Expr("conversations", "c", "session_key", "NULL") + ", " + s.Expr("conversations", "c", "active", "1") +
		`, count(*), count(ci.message_id), total(coalesce(m.token_count, s.token_count)), coalesce(max(ci.message_id), 0), ` + budget + `
		FROM context_items ci JOIN conversations c ON c.conversation_id = ci.conversation_id
		LEFT JOIN messages m ON m.message_id = ci.message_id LEFT JOIN summaries s ON s.summary_id = ci.summary_id` + join + `
		GROUP BY 1, 2, 3, 4, 9 ORDER BY 8 DESC, 1`
}

func scanLoad(scan data.RowScanner, l *load) error {
	var active data.Integer
	c := &l.conv
	err := scan((*data.Integer)(&c.ID), (*data.Text)(&c.SessionID), (*data.Text)(&c.SessionKey), &active, (*data.Integer)(&l.items), (*data.Integer)(&l.messages),
		(*data.Integer)(&l.tokens), (*data.Integer)(&l.newest), (*data.Integer)(&l.budget))
	c.Active = active != 0
	return err
}

// judge returns the candidate of a context; without a reason where it isn't too full.
func (r Rules) judge(ctx context.Context, db *data.DB, l load) (c work.Candidate, err error) {
	conf, _, err := r.Settings.ForConversation(ctx, db, l.conv) // A doubt is shown when it is compacted.
	if err != nil {
		return c, err
	}
	budget := cmp.Or(max(l.budget, 0), assemble.DefaultBudget)
	config := conf.Compaction()
	switch {
	case config.Due(l.tokens, 0, budget):
		c.Reason = work.Threshold
	case r.MaxMessages > 0 && l.messages > r.MaxMessages:
		c.Reason = work.Messages
	}
	c.Conversation = l.conv.ID
	c.Mark = fmt.Sprintf("%d items, %d tokens, message %d; threshold %d, messages %d", l.items, l.tokens, l.newest, config.Threshold(budget), r.MaxMessages)
	return c, nil
}
