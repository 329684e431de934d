package change

import (
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
)

// OnlyStaleError says that a record has nothing that undo could revert: it only made pending
// batches stale, and these stay stale.
type OnlyStaleError struct {
	Record  int64
	Batches int
}

func (e *OnlyStaleError) Error() string {
	batches, them := "a pending batch", "it"
	if e.Batches != 1 {
		batches, them = fmt.Sprintf("%d pending batches", e.Batches), "them"
	}
	return fmt.Sprintf("record %d only made %s stale, which undo can't revert: a host that is about to publish must not find %s active again", e.Record, batches, them)
}

// Unwrap returns ErrNoRecord: there is nothing to undo.
func (e *OnlyStaleError) Unwrap() error { return ErrNoRecord }

// ScreenHint says what happens instead.
func (e *OnlyStaleError) ScreenHint() string {
	return "the host plans the background compaction again by itself"
}

// Hint says what happens instead, and how to undo an earlier change.
func (e *OnlyStaleError) Hint() string {
	return e.ScreenHint() + "; lcm-tui undo ID undoes an earlier change"
}

// CheckUndo fails where a record, of which these are the changes, has nothing to undo: with
// ErrUndone, for replaced secrets, or with an OnlyStaleError if all that they do is to make pending batches stale.
// The time of a conversation's last change doesn't count.
func (r Record) CheckUndo(cs []Change) error {
	if r.RestoredOver != "" {
		return restoredOverError(r)
	}
	if r.Undone() {
		return fmt.Errorf("record %d: %w", r.ID, ErrUndone)
	}
	if r.Op == OpSecrets {
		return &hint.Error{
			Text:     fmt.Sprintf("record %d can't be undone: it replaced secrets, and keeps no copy of them", r.ID),
			Next:     "older records can still be undone: lcm-tui undo ID; they bring back the placeholders, not the secrets",
			OnScreen: "older records can still be undone; they bring back the placeholders, not the secrets",
		}
	}
	e := &OnlyStaleError{Record: r.ID}
	for _, c := range cs {
		switch {
		case c.MakesStale() && c.Table == data.PendingBatchTable:
			e.Batches++
		case !c.MakesStale() && !c.onlyDates():
			return nil
		}
	}
	if e.Batches == 0 {
		return nil
	}
	return e
}

// onlyDates reports whether a change only sets updated_at of a conversation.
func (c Change) onlyDates() bool {
	if c.Table != "conversations" || c.Before == nil || c.After == nil {
		return false
	}
	return without(c.Before, updatedAtColumn).Equal(without(c.After, updatedAtColumn))
}

// notePending adds to a record how many pending batches a transaction made stale and deleted.
func notePending(ctx context.Context, t *tx, record int64, n pendingCount) error {
	if n == (pendingCount{}) {
		return nil
	}
	_, err := t.ExecContext(ctx, `UPDATE lcm_tui_undo SET detail = json_set(CASE WHEN json_valid(detail) THEN detail ELSE '{}' END,
		'$.stale_batches', coalesce(json_extract(detail, '$.stale_batches'), 0) + ?, '$.deleted_batches', coalesce(json_extract(detail, '$.deleted_batches'), 0) + ?)
		WHERE id = ?`, n.stale, n.deleted, record)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}
