package testhome

import (
	"context"
	"errors"
	"maps"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/token"
)

// Append appends a message to a conversation, and plans again where others wrote since. It returns how often it did.
func Append(ctx context.Context, db *data.DB, conversation int64, text string) (again int, err error) {
	return appendWith(ctx, db, conversation, data.Row{"role": "user", "content": text, "token_count": int64(9)}, nil)
}

// AppendWhole works as Append with all that a host stores of a message: its hash, the number of its tokens, and a part.
func AppendWhole(ctx context.Context, db *data.DB, conversation int64, text string) (again int, err error) {
	const role = "user"
	row := data.Row{"role": role, "content": text, "token_count": token.Of("").Count(text), "identity_hash": identity.Hash(role, text)}
	return appendWith(ctx, db, conversation, row, data.Row{"part_id": db.NewID(), "session_id": "test", "part_type": "text", "ordinal": int64(0), "text_content": text})
}

// appendWith appends a message with these cells, and its part if there is one.
func appendWith(ctx context.Context, db *data.DB, conversation int64, message, part data.Row) (again int, err error) {
	for {
		ends, err := lcm.ReadNextNumbers(ctx, db, conversation)
		if err != nil {
			return again, err
		}
		row := data.Row{"message_id": ends.Message, "conversation_id": conversation, "seq": ends.Seq, "created_at": db.FormatNow()}
		maps.Copy(row, message)
		item := data.Row{
			"conversation_id": conversation, "ordinal": ends.Ordinal, "item_type": "message", "message_id": ends.Message, "summary_id": nil, "created_at": db.FormatNow(),
		}
		b := change.Batch{
			Op: "backfill", Title: "append", FirstMessage: ends.Message, Bulk: true,
			Changes: []change.Change{change.Insert(db, "messages", row), change.Insert(db, "context_items", item)},
		}
		if part != nil {
			own := data.Row{"message_id": ends.Message}
			maps.Copy(own, part)
			b.Changes = append(b.Changes, change.Insert(db, "message_parts", own))
		}
		_, err = change.Write(ctx, db, b)
		var stale *data.StaleError
		var broken *data.InvariantError // The ends were those of two moments.
		if !errors.As(err, &stale) && !errors.As(err, &broken) && !errors.Is(err, data.ErrLocked) {
			return again, err
		}
		again++
	}
}
