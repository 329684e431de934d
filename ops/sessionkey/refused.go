package sessionkey

import (
	"context"
	"fmt"

	"lcm-tui/data"
)

// RefusedError says why the session of a conversation can't be changed, and what to do instead.
type RefusedError struct {
	What         string // What was asked for, as in "rename conversation 7".
	Why          string
	Next         string // With commands.
	NextOnScreen string // Next where no command can be typed; empty is Next itself.
}

func (e *RefusedError) Error() string { return fmt.Sprintf("can't %s: %s", e.What, e.Why) }

// Hint says what to do instead.
func (e *RefusedError) Hint() string { return e.Next }

// ScreenHint says it for a screen.
func (e *RefusedError) ScreenHint() string {
	if e.NextOnScreen != "" {
		return e.NextOnScreen
	}
	return e.Next
}

// checkFile refuses files whose host finds conversations in a way that this package doesn't know: of
// relatives of the format, and those from before the columns came.
func checkFile(db *data.DB, what string, columns ...string) error {
	if db.Kind().Relative {
		return &RefusedError{What: what, Why: "the file is one of " + db.Kind().Name + ", whose hosts find conversations otherwise", Next: "change the session in the host"}
	}
	return checkColumns(db, what, columns...)
}

// checkColumns refuses files from before some columns of conversations came.
func checkColumns(db *data.DB, what string, columns ...string) error {
	for _, column := range columns {
		if !db.Schema().Has(conversations, column) {
			return &RefusedError{
				What: what, Why: "the file is from before lossless-claw kept " + columnWords[column],
				Next: "let a newer host open the file first: it adds what is missing",
			}
		}
	}
	return nil
}

// columnWords say what a column of conversations holds.
var columnWords = map[string]string{"session_key": "session keys", "active": "whether a conversation is active"}

// holders returns the active conversations, other than one, that have a value in a column.
func holders(ctx context.Context, db *data.DB, column, value string, except int64) (out []int64, err error) {
	where := data.Row{column: value}
	if db.Schema().Has(conversations, "active") {
		where["active"] = int64(1)
	}
	rows, err := data.Images(ctx, db, conversations, where)
	for _, r := range rows {
		if id := data.CellInteger(r["conversation_id"]); id != except {
			out = append(out, id)
		}
	}
	return out, err
}
