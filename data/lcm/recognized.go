package lcm

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/internal/lazyregexp"
)

// Recognized is a message with what a host recognizes it by when it is handed over again.
type Recognized struct {
	ID, Seq       int64
	Role, Content string
	Hash          string // identity_hash; empty where there is none.
	Entry         string // transcript_entry_id; empty where there is none.
}

// EachRecognized calls fn with every message of a conversation by seq.
func EachRecognized(ctx context.Context, db data.Querier, conv int64, fn func(Recognized) error) error {
	if !db.Schema().HasCore("messages") {
		return nil
	}
	query := "SELECT " + db.Schema().Stored("messages", "m", "message_id seq role content identity_hash transcript_entry_id") +
		" FROM messages m WHERE m.conversation_id = ? ORDER BY m.seq"
	return data.Each(ctx, db, "read messages", query, []any{conv}, func(scan data.RowScanner) error {
		var m Recognized
		err := scan((*data.Integer)(&m.ID), (*data.Integer)(&m.Seq), (*data.Word)(&m.Role), (*data.Text)(&m.Content), (*data.Text)(&m.Hash), (*data.Text)(&m.Entry))
		if err != nil {
			return err
		}
		return fn(m)
	})
}

// payloadReference matches what hosts write in the place of a payload that they move into a file: a
// picture, a user's file, the output of a tool, or a whole message.
var payloadReference = lazyregexp.New(`\| LCM file: ` + FileIDPattern + `\]|\[LCM (?:File|Tool Output|Raw Payload): ` + FileIDPattern + ` \|`)

// RefersToPayload reports whether a payload of the message with this text lies in a file.
func RefersToPayload(text string) bool { return payloadReference.MatchString(text) }

// outputReference matches a text that is nothing but the reference to the output of a tool. Hosts
// compare the output in its file with the message that is handed over.
var outputReference = lazyregexp.New(`(?s)^\[LCM Tool Output: ` + FileIDPattern + ` \|.*\n\nCall lcm_describe\(id="[^"]*", expandFile=true\)[^\n]*$`)

// IsOutputReference reports whether a text is the reference to the output of a tool, and nothing else.
func IsOutputReference(text string) bool {
	return RefersToPayload(text) && outputReference.MatchString(text)
}
