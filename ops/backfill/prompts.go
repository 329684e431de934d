package backfill

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/ingest"
)

// ofSameForm returns the conversations that hold only prompts for a history of prompts, and the others for a whole
// transcript: the two of a session never mix.
func ofSameForm(all []lcm.Conversation, f *transcript.File) []lcm.Conversation {
	_, only := f.Kind.Client()
	return slices.DeleteFunc(slices.Clone(all), func(c lcm.Conversation) bool { return c.OnlyPrompts() != only })
}

// addNote adds the members of a note to the metadata of a message's first part.
func addNote(s *ingest.Stored, note jstext.Value) {
	if !note.Defined() || len(s.Parts) == 0 {
		return
	}
	var o jstext.Object
	for name, v := range jstext.Parse(s.Parts[0].Metadata.Text).Fields() {
		o.Put(name, v)
	}
	for name, v := range note.Fields() {
		o.Put(name, v)
	}
	s.Parts[0].Metadata = data.Stored{Text: string(o.Value())}
}

// archivePrompts archives the conversation that holds only the prompts of the session, when its transcript is imported
// after all.
func (w *planWriter) archivePrompts(ctx context.Context) error {
	if _, only := w.file.Kind.Client(); only || !w.target.Active || w.file.Session.ID == "" {
		return nil
	}
	all, err := lcm.ConversationsOf(ctx, w.db, w.file.Session.ID, "")
	if err != nil {
		return err
	}
	for _, c := range all {
		if !c.Active || !c.OnlyPrompts() || c.SessionID != w.file.Session.ID {
			continue
		}
		rows, err := data.Images(ctx, w.db, "conversations", data.Row{"conversation_id": c.ID})
		if err != nil || len(rows) == 0 {
			return err
		}
		now := w.db.FormatNow()
		w.plan.Changes = append(w.plan.Changes, change.Update(w.db, "conversations", rows[0], data.Row{
			"active": int64(0), "archived_at": now, "archive_cause": "superseded", "updated_at": now,
		}))
		w.plan.Note(fmt.Sprintf("conversation %d is archived: it has only the prompts of this session", c.ID))
	}
	return nil
}
