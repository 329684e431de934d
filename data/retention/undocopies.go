package retention

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"lcm-tui/data"
)

// UndoCopies writes the copies of texts again that a record dropped, from the texts themselves. A
// part whose text was forgotten since stays as it is.
func UndoCopies(ctx context.Context, db *data.DB, record int64, report data.Report) error {
	var waiting []int64
	err := db.SetNotes(ctx, record, func(text json.RawMessage) error {
		var note copyNote
		if err := json.Unmarshal(text, &note); err != nil {
			return err
		}
		ids, err := data.ParseRanges(note.Messages)
		waiting = slices.AppendSeq(waiting, maps.Keys(ids))
		return err
	})
	if err != nil {
		return err
	}
	slices.Sort(waiting)
	total := int64(len(waiting))
	query := "UPDATE message_parts AS p SET metadata = " + withCopyOf("p.metadata") + " WHERE " + lacksCopy + " AND p.message_id = ?"
	_, err = db.WriteSet(ctx, data.SetWrite{Record: record, Report: report, Write: func(ctx context.Context, t *data.Turn) (bool, error) {
		for len(waiting) > 0 && !t.Full() {
			chunk := waiting[:min(len(waiting), messagesPerStatement)]
			for _, id := range chunk {
				if _, err := t.Exec(ctx, query, id); err != nil {
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
