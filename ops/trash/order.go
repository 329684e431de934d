package trash

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
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
	return removedSince(ctx, db, f.Record, func(later File) (string, error) {
		held, err := conversationsOf(ctx, later)
		for _, id := range missing {
			if later.RemovesConversations() && slices.Contains(held, id) {
				return fmt.Sprintf("conversation %d is gone", id), err
			}
		}
		return "", err
	})
}

// CheckMessages fails with a *data.BlockedError where a prune after a record removed some of the messages, or
// their texts: the record can only be undone as a whole once these are back.
func CheckMessages(ctx context.Context, db *data.DB, record int64, messages map[int64]bool) error {
	return removedSince(ctx, db, record, func(later File) (what string, err error) {
		from, err := data.Open(ctx, later.Path)
		if err != nil {
			return "", err
		}
		err = from.EachRow(ctx, "read the trash", "SELECT message_id FROM messages", nil, func(scan data.RowScanner) error {
			var id data.Integer
			err := scan(&id)
			if what == "" && messages[int64(id)] {
				what = fmt.Sprintf("the text of message %d is in the trash", id)
			}
			return err
		})
		return what, errors.Join(err, from.Close())
	})
}

// removedSince fails with a *data.BlockedError where is says what is missing because of the trash of a later record
// that isn't undone. One whose trash is gone can't be undone any more, so nothing waits for it.
func removedSince(ctx context.Context, db *data.DB, record int64, is func(later File) (what string, err error)) error {
	records, err := change.History(ctx, db)
	if err != nil {
		return err
	}
	for _, r := range records {
		later, ok, err := RestoreOf(ctx, db, r)
		if r.ID <= record || r.Undone() || !ok || err != nil {
			continue
		}
		what, err := is(later.File)
		if err != nil {
			return err
		}
		if what != "" {
			return &change.BlockedError{Record: record, By: r.ID, Title: r.Title, Err: errors.New(what)}
		}
	}
	return nil
}

// missingConversations returns those of some conversations that aren't in the database.
func missingConversations(ctx context.Context, db *data.DB, ids []int64) (out []int64, err error) {
	all, err := lcm.Conversations(ctx, db)
	for _, id := range ids {
		if !slices.ContainsFunc(all, func(c lcm.Conversation) bool { return c.ID == id }) {
			out = append(out, id)
		}
	}
	return out, err
}

// conversationsOf returns the conversations in a file of the trash.
func conversationsOf(ctx context.Context, f File) (ids []int64, err error) {
	db, err := data.Open(ctx, f.Path)
	if err != nil {
		return nil, err
	}
	all, err := lcm.Conversations(ctx, db)
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	return ids, errors.Join(err, db.Close())
}
