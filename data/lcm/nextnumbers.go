package lcm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
)

// NextNumbers are where rows would be appended.
type NextNumbers struct {
	Seq          int64 // The next seq, from 1.
	Ordinal      int64 // The next place in the context, from 0.
	Message      int64 // The next message_id of the file.
	Conversation int64 // The next conversation_id of the file.
}

// ReadNextNumbers finds the ends of a conversation, or of the file alone for one that isn't
// there. Ids of rows that are gone aren't given again.
func ReadNextNumbers(ctx context.Context, db data.Querier, conv int64) (e NextNumbers, err error) {
	query := `SELECT
		(SELECT max(coalesce(max(seq), 0), 0) + 1 FROM messages WHERE conversation_id = ?1),
		(SELECT coalesce(max(ordinal), -1) + 1 FROM context_items WHERE conversation_id = ?1),
		` + NextMessage + `,
		1 + max(coalesce((SELECT max(conversation_id) FROM conversations), 0), coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'conversations'), 0))`
	_, err = data.One(ctx, db, "read ends", Counting(db.Schema(), query), []any{conv}, (*data.Integer)(&e.Seq), (*data.Integer)(&e.Ordinal),
		(*data.Integer)(&e.Message), (*data.Integer)(&e.Conversation))
	if err != nil {
		return e, err
	}
	for _, n := range []struct {
		what string
		next int64
	}{{"seq of the conversation", e.Seq}, {"ordinal of the context", e.Ordinal}, {"message_id", e.Message}, {"conversation_id", e.Conversation}} {
		if n.next > mostNumber {
			return e, hint.Wrap(fmt.Errorf("%w: the highest %s is at the end of SQLite's integers", ErrNoNumbers, n.what),
				"no host can go on there either: begin a new file with lcm-tui init NEW, and carry over what is needed with lcm-tui transplant --from")
		}
	}
	return e, nil
}

// mostNumber is the last number after which rows are appended: more than any plan appends are left then.
const mostNumber = math.MaxInt64 - 1<<24

// ErrNoNumbers says that nothing can be appended, because the numbers of rows are used up.
var ErrNoNumbers = errors.New("no numbers are left for new rows")

// NextMessage is the number of the next message.
const NextMessage = `1 + max(coalesce((SELECT max(message_id) FROM messages), 0), coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'messages'), 0))`

// Counting returns a query of SQLite's own counters, for a file that may have none: somebody
// else made its tables.
func Counting(s *data.Schema, query string) string {
	if s.Has("sqlite_sequence") {
		return query
	}
	return strings.ReplaceAll(query, "FROM sqlite_sequence", "FROM (SELECT NULL name, NULL seq)")
}

// CountMessagesAndItems returns how many messages a conversation has, and how many items its context.
func CountMessagesAndItems(ctx context.Context, db data.Querier, conv int64) (messages, items int64, err error) {
	const query = `SELECT (SELECT count(*) FROM messages WHERE conversation_id = ?1), (SELECT count(*) FROM context_items WHERE conversation_id = ?1)`
	_, err = data.One(ctx, db, "count", query, []any{conv}, (*data.Integer)(&messages), (*data.Integer)(&items))
	return messages, items, err
}
