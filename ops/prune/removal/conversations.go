package removal

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/ops/trash"
)

// Request removes whole conversations.
type Request struct {
	Title    string
	Selector string // What was selected, in words.
	// Guards are the conversations that are removed, as they were planned. One that has
	// changed stops the removal.
	Guards []change.ConversationGuard
	// FilesFolder is where the large files of the conversations lie; those that a removed row
	// names move into the trash. Empty leaves all files where they are.
	FilesFolder string
	// UnknownSessions are sessions that no host knows: the receipts of their turns go with the last
	// conversation of each.
	UnknownSessions []string
}

// Result is what became of a removal.
type Result struct {
	change.Outcome
	Trash change.Receipt
	// Files are how many large files moved into the trash, and Unmoved are the paths of those
	// that couldn't: no row names them any more.
	Files   int
	Unmoved []string
}

// RemoveConversations writes the rows of conversations to the trash, deletes them in short
// transactions under one record, and then moves their large files into the trash. A conversation
// that fits is deleted in one transaction. A larger one is archived and loses its texts first,
// then its context and summaries, and its messages last. Another call goes on where one
// was stopped. detail is what the record remembers; the receipt of the trash comes into it.
// It fails with a *TableError, a *data.StaleError or a *change.StoppedError, or where the trash can't be used.
func RemoveConversations(ctx context.Context, db *data.DB, r Request, detail map[string]any, report data.Report) (out Result, err error) {
	if err = CheckRemovable(ctx, db); err != nil {
		return out, err
	}
	guards, err := inOrder(ctx, db, r.Guards)
	if err != nil {
		return out, err
	}
	ids := make([]int64, 0, len(r.Guards))
	for _, g := range r.Guards {
		ids = append(ids, g.Conversation)
	}
	files, err := StoredFiles(ctx, db, ids, r.FilesFolder)
	if err != nil {
		return out, err
	}
	contents := trash.Contents{Verb: "conversations", Selector: r.Selector, Conversations: ids, Files: files}
	w := &remover{guarded: newGuarded(guards), unknownSessions: r.UnknownSessions, waiting: guards, total: int64(len(ids))}
	out.Outcome, err = trash.Keep(ctx, db, contents, detail, report, func(receipt change.Receipt, text json.RawMessage) (change.Outcome, error) {
		out.Trash = receipt
		return change.WriteSet(ctx, db, change.SetWrite{Op: "prune", Title: r.Title, Detail: text, Write: w.write, Report: report, WithoutRules: true})
	})
	var stopped *change.StoppedError
	if err != nil && !errors.As(err, &stopped) {
		return out, err
	}
	w.warn(db)
	left, readErr := remaining(context.WithoutCancel(ctx), db, files)
	if readErr != nil {
		return out, errors.Join(err, readErr)
	}
	out.Files, out.Unmoved = moveFiles(out.Trash, slices.DeleteFunc(files, func(f trash.StoredFile) bool { return left[f.ID] }))
	return out, err
}

// remaining returns the files that rows still name.
func remaining(ctx context.Context, db *data.DB, files []trash.StoredFile) (map[string]bool, error) {
	left := map[string]bool{}
	if len(files) == 0 {
		return left, nil
	}
	ids, err := lcm.FileIDs(ctx, db)
	for _, f := range files {
		_, left[f.ID] = ids[f.ID]
	}
	return left, err
}

// StoredFiles returns the large files on the disk that rows of these conversations name, in the
// folder.
func StoredFiles(ctx context.Context, db *data.DB, ids []int64, folder string) (out []trash.StoredFile, err error) {
	if folder == "" {
		return nil, nil
	}
	for _, id := range ids {
		rows, err := lcm.LargeFiles(ctx, db, id)
		if err != nil {
			return nil, err
		}
		for _, f := range rows {
			if at, err := lcm.FindLargeFile(f, folder); err == nil {
				out = append(out, trash.StoredFile{ID: f.ID, Conversation: id, Path: at.Path, Bytes: at.Bytes})
			}
		}
	}
	return out, nil
}

// moveFiles moves files into the trash. A file that can't be moved stays where it is.
func moveFiles(receipt change.Receipt, files []trash.StoredFile) (moved int, unmoved []string) {
	in := trash.File{Path: receipt.Path}
	for _, f := range files {
		to := in.Stored(f)
		err := os.MkdirAll(filepath.Dir(to), 0o700)
		if _, there := os.Lstat(to); err == nil && !errors.Is(there, fs.ErrNotExist) {
			err = fs.ErrExist // Another file of the same name; nothing in the trash is written over.
		}
		if err == nil {
			err = os.Rename(f.Path, to)
		}
		if err != nil {
			unmoved = append(unmoved, f.Path)
			continue
		}
		moved++
	}
	return moved, unmoved
}
