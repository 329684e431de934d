package trash

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
)

// checkOrder fails with a *data.BlockedError where a later prune removed a conversation to whose
// messages the texts of the file belong. Restored now, those texts would find no place, while the
// record of their prune counted as undone; and the conversation would come back with stubs.
func (w *restorer) checkOrder(ctx context.Context, db *data.DB) error {
	f := w.restore.File
	if f.Removed != removedTexts || f.Record == 0 {
		return nil
	}
	missing, err := missingConversations(ctx, db, w.conversations)
	if err != nil || len(missing) == 0 {
		return err
	}
	records, err := db.History(ctx)
	if err != nil {
		return err
	}
	for _, r := range records {
		later, ok, err := RestoreOf(ctx, db, r)
		if r.ID <= f.Record || r.Undone() || !ok || err != nil || !later.File.RemovesConversations() {
			continue // One whose trash is gone can't be undone any more, so nothing waits for it.
		}
		held, err := conversationsOf(ctx, later.File)
		if err != nil {
			return err
		}
		for _, id := range missing {
			if slices.Contains(held, id) {
				return &data.BlockedError{Record: f.Record, By: r.ID, Title: r.Title, Err: fmt.Errorf("conversation %d is gone", id)}
			}
		}
	}
	return nil
}

// missingConversations are those of some conversations that aren't in the database.
func missingConversations(ctx context.Context, db *data.DB, ids []int64) (out []int64, err error) {
	all, err := db.Conversations(ctx)
	for _, id := range ids {
		if !slices.ContainsFunc(all, func(c data.Conversation) bool { return c.ID == id }) {
			out = append(out, id)
		}
	}
	return out, err
}

// conversationsOf are the conversations in a file of the trash.
func conversationsOf(ctx context.Context, f File) (ids []int64, err error) {
	db, err := data.Open(ctx, f.Path)
	if err != nil {
		return nil, err
	}
	all, err := db.Conversations(ctx)
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	return ids, errors.Join(err, db.Close())
}
