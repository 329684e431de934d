package sessionkey

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/openclaw"
	"lcm-tui/ops"
)

// UndoCheck returns CheckUndo for the host that was located.
func UndoCheck(l openclaw.Locations) func(ctx context.Context, db *data.DB, record int64) error {
	return func(ctx context.Context, db *data.DB, record int64) error {
		if !isOne(db) {
			return nil
		}
		return CheckUndo(ctx, db, record, FindHost(l))
	}
}

// CheckUndo refuses, on files of 1.0, the undo of a record that changed which session a conversation belongs to
// where the host's sessions don't allow what the undo does: it is a change of the session itself. Other records pass.
func CheckUndo(ctx context.Context, db *data.DB, record int64, host Host) error {
	r, made, err := change.RecordChanges(ctx, db, record)
	if err != nil || !isOne(db) || r.Undone() || !strings.HasPrefix(r.Op, "key ") || r.Op == (*Move)(nil).Name() {
		return err
	}
	what := fmt.Sprintf("undo record %d", r.ID)
	for _, c := range made {
		if c.Table != conversations || c.Before == nil || c.After == nil {
			continue
		}
		conv, err := read(ctx, db, data.CellInteger(c.After["conversation_id"]))
		if err != nil {
			return err
		}
		if err := checkBack(ctx, db, what, conv, c, host); err != nil {
			return err
		}
	}
	return nil
}

// checkBack refuses what an undo would do to the row of a conversation, by the rules of the operation that does the same.
func checkBack(ctx context.Context, db *data.DB, what string, conv conversation, made change.Change, host Host) error {
	was, is := data.CellInteger(made.Before["active"]) != 0, data.CellInteger(made.After["active"]) != 0
	switch {
	case was && !is:
		return (&Unarchive{Conversation: conv.ID, Host: host}).checkSessions(ctx, db, what, conv)
	case !was && is:
		if why := conv.whyKnown(host.stores(ctx)); why != "" {
			return &RefusedError{What: what, Why: why + ": the host would begin another conversation and store the session again", Next: endInHost}
		}
	case !isSame(made.Before["session_key"], made.After["session_key"]):
		p := ops.New("", what)
		return (&Rename{Conversation: conv.ID, Key: data.CellText(made.Before["session_key"]), Host: host}).checkSessions(ctx, db, &p, what, conv)
	}
	return nil
}
