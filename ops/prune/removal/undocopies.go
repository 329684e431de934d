package removal

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/ops/trash"
)

// UndoCopies writes the copies of texts again that a record dropped, from the texts themselves. It
// fails with a *data.BlockedError where some of the texts are in the trash by now: they come back
// without their copies. A part whose text was forgotten for good stays as it is.
func UndoCopies(ctx context.Context, db *data.DB, record int64, report data.Report) error {
	messages, without, err := undoableCopies(ctx, db, record)
	if err != nil {
		return err
	}
	waiting := slices.Sorted(maps.Keys(messages))
	total := int64(len(waiting))
	never, err := json.Marshal(without)
	if err != nil {
		return err
	}
	query := "UPDATE message_parts AS p SET metadata = " + withCopyOf("p.metadata") + " WHERE " + lacksCopy + " AND p.message_id = ?1 AND p.part_id NOT IN (SELECT value FROM json_each(?2))"
	_, err = change.WriteSet(ctx, db, change.SetWrite{Record: record, Report: report, Write: func(ctx context.Context, t *change.Turn) (bool, error) {
		for len(waiting) > 0 && !t.Full() {
			chunk := waiting[:min(len(waiting), messagesPerStatement)]
			for _, id := range chunk {
				if _, err := t.Exec(ctx, query, id, string(never)); err != nil {
					return false, err
				}
			}
			waiting = waiting[len(chunk):]
			t.Wrote(len(chunk))
		}
		t.Progress(total-int64(len(waiting)), total, "messages")
		if len(waiting) > 0 {
			return false, nil
		}
		_, err := t.Exec(ctx, "UPDATE lcm_tui_undo SET undone_at = ? WHERE id = ? AND undone_at IS NULL", data.FormatTimeMillis(t.Now()), record)
		return true, err
	}})
	return err
}

// CheckUndoCopies fails where UndoCopies would, and writes nothing.
func CheckUndoCopies(ctx context.Context, db *data.DB, record int64) error {
	_, _, err := undoableCopies(ctx, db, record)
	return err
}

// undoableCopies returns the messages whose copies a record dropped, and parts of these that had none.
func undoableCopies(ctx context.Context, db *data.DB, record int64) (messages map[int64]bool, without []string, err error) {
	messages, without = map[int64]bool{}, []string{}
	err = change.SetNotes(ctx, db, record, func(text json.RawMessage) error {
		var note copyNote
		if err := json.Unmarshal(text, &note); err != nil {
			return err
		}
		ids, err := change.ParseRanges(note.Messages)
		for id := range ids {
			messages[id] = true
		}
		without = append(without, note.Without...)
		return err
	})
	if err == nil {
		err = trash.CheckMessages(ctx, db, record, messages)
	}
	return messages, without, err
}
