package change

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// checkGuards fails with a StaleError if something isn't as the plan saw it.
func checkGuards(ctx context.Context, t *tx, gs []Guard) error {
	for _, g := range gs {
		where, args := g.where()
		var n int64
		if err := t.QueryRowContext(ctx, "SELECT count(*) FROM "+data.QuoteName(g.Table)+where, args...).Scan(&n); err != nil {
			return fmt.Errorf("guard %s: %w", g.Table, err)
		}
		what := data.Label(g.Table, g.Where.Columns(), g.Where)
		if n != g.Count {
			return &data.StaleError{What: what, Why: fmt.Sprintf("has %d rows where the plan saw %d", n, g.Count)}
		}
		if g.Digest == "" {
			continue
		}
		is, err := placesDigest(ctx, t, where, args)
		if err != nil {
			return fmt.Errorf("guard %s: %w", g.Table, err)
		}
		if is != g.Digest {
			return &data.StaleError{What: what, Why: "has other items than the plan saw"}
		}
	}
	return nil
}

func (g Guard) where() (string, []any) {
	where, args := data.WhereSQL(g.Where)
	for _, column := range g.UpTo.Columns() {
		where, args = where+" AND "+data.QuoteName(column)+" <= ?", append(args, g.UpTo[column])
	}
	return where, args
}

// counts reports whether a new row is among those that the guard counts.
func (g Guard) counts(r data.Row) bool {
	for column, want := range g.Where {
		if !data.SameValue(r[column], want) {
			return false
		}
	}
	for column, most := range g.UpTo {
		if data.CellInteger(r[column]) > data.CellInteger(most) {
			return false
		}
	}
	return true
}

// GuardContext returns the guard of a context that was read: nothing has changed up to its
// last item. Items that a host appends after it don't make the plan stale, unless damaged ordinals hide which item is the last.
func GuardContext(conv int64, items []lcm.ContextItem) Guard {
	g := Guard{Table: "context_items", Where: data.Row{"conversation_id": conv}, Count: int64(len(items))}
	if len(items) == 0 {
		return g
	}
	if isAscending(items) {
		g.UpTo = data.Row{"ordinal": items[len(items)-1].Ordinal}
	}
	h := sha256.New()
	for _, it := range items {
		addPlace(h, it.Ordinal, it.Message, it.Summary)
	}
	g.Digest = placesSum(h)
	return g
}

// isAscending reports whether the ordinals of items, in the order of the file, ascend. A text, which SQLite puts behind all numbers,
// is read as 0.
func isAscending(items []lcm.ContextItem) bool {
	for i := range len(items) - 1 {
		if items[i].Ordinal >= items[i+1].Ordinal {
			return false
		}
	}
	return true
}

func placesDigest(ctx context.Context, t *tx, where string, args []any) (string, error) {
	h := sha256.New()
	err := data.EachRow(ctx, t, "SELECT ordinal, message_id, summary_id FROM context_items"+where+" ORDER BY ordinal", args, func(scan data.RowScanner) error {
		var ordinal, message data.Integer
		var summary data.Text
		err := scan(&ordinal, &message, &summary)
		addPlace(h, int64(ordinal), int64(message), string(summary))
		return err
	})
	return placesSum(h), err
}

func addPlace(h hash.Hash, ordinal, message int64, summary string) {
	_, _ = fmt.Fprintf(h, "%d %d %q\n", ordinal, message, summary) // A hash takes everything.
}

func placesSum(h hash.Hash) string {
	return base64.RawStdEncoding.EncodeToString(h.Sum(nil)[:lcm.DigestBytes])
}

// ConversationGuard says what a conversation was like when a set was planned.
type ConversationGuard struct {
	Conversation int64  `json:"conversation_id"`
	Messages     int64  `json:"messages"`
	MaxMessage   int64  `json:"max_message_id"`
	MaxSeq       int64  `json:"max_seq"`
	Tokens       int64  `json:"token_count"` // The sum over its messages.
	UpdatedAt    string `json:"updated_at"`
	Active       string `json:"active"` // As it is stored; empty where the file knows no archive.
	Key          string `json:"session_key"`
	// Appends allows messages that came since, and the updated_at that comes with them.
	Appends bool `json:"appends,omitempty"`
}

// GuardConversation returns the guard of a conversation as it is now. It fails with a
// NotFoundError where there is none.
func GuardConversation(ctx context.Context, db *data.DB, conv int64, appends bool) (ConversationGuard, error) {
	var g ConversationGuard
	err := snapshot(ctx, db, "read conversation", func(t *tx) (err error) {
		var ok bool
		if g, ok, err = readGuard(ctx, t, t.Schema, conv, -1); err == nil && !ok {
			err = db.NotFound("conversation", conv)
		}
		return err
	})
	g.Appends = appends
	return g, err
}

// CheckConversations fails with a StaleError where a conversation is no longer as its guard saw
// it. It takes no lock.
func CheckConversations(ctx context.Context, db *data.DB, guards []ConversationGuard) error {
	return snapshot(ctx, db, "check", func(t *tx) error {
		for _, g := range guards {
			if err := checkConversation(ctx, t, g); err != nil {
				return err
			}
		}
		return nil
	})
}

// CheckConversation works as CheckConversations for one conversation, under the lock of the turn.
func (t *Turn) CheckConversation(ctx context.Context, g ConversationGuard) error {
	return checkConversation(ctx, t.t, g)
}

func checkConversation(ctx context.Context, t *tx, g ConversationGuard) error {
	upTo := int64(-1)
	if g.Appends {
		upTo = g.MaxMessage
	}
	is, ok, err := readGuard(ctx, t, t.Schema, g.Conversation, upTo)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("conversation %d", g.Conversation)
	if !ok {
		return &data.StaleError{What: what, Why: "is gone"}
	}
	is.Appends = g.Appends
	if g.Appends {
		is.UpdatedAt = g.UpdatedAt
	}
	if is == g {
		return nil
	}
	why := "has other messages than the plan saw"
	switch {
	case is.Active != g.Active:
		why = "was archived or unarchived"
	case is.Key != g.Key:
		why = "has another session key now"
	case is.Messages == g.Messages && is.Tokens == g.Tokens && is.MaxMessage == g.MaxMessage && is.MaxSeq == g.MaxSeq:
		why = "was changed"
	}
	return &data.StaleError{What: what, Why: why}
}

// readGuard reads what a guard says of a conversation and its messages up to an id; below 0 is
// all of them. It reports whether there is such a conversation.
func readGuard(ctx context.Context, q data.Connection, s *data.Schema, conv, upTo int64) (g ConversationGuard, ok bool, err error) {
	g.Conversation = conv
	query := "SELECT " + s.Exprs("conversations", "c", "updated_at", "active", "session_key") + " FROM conversations c WHERE c.conversation_id = ?"
	err = data.EachRow(ctx, q, query, []any{conv}, func(scan data.RowScanner) error {
		ok = true
		return scan((*data.Text)(&g.UpdatedAt), (*data.Text)(&g.Active), (*data.Text)(&g.Key))
	})
	if err != nil || !ok {
		return g, ok, err
	}
	// Not sum: damaged counts can be more than fits into a number, and then it fails.
	const messages = `SELECT count(*), max(message_id), max(seq), CAST(total(token_count) AS INTEGER) FROM messages
		WHERE conversation_id = ?1 AND (?2 < 0 OR message_id <= ?2)`
	err = data.EachRow(ctx, q, messages, []any{conv, upTo}, func(scan data.RowScanner) error {
		return scan((*data.Integer)(&g.Messages), (*data.Integer)(&g.MaxMessage), (*data.Integer)(&g.MaxSeq), (*data.Integer)(&g.Tokens))
	})
	return g, ok, err
}
