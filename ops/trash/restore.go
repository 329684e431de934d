package trash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/fileidentity"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
)

// Restore says what is put back from a trash file.
type Restore struct {
	File File
	// Conversations are those that are put back; none means all.
	Conversations []int64
	// SHA256 is what the record of the prune says of the file; empty compares nothing.
	SHA256 string
}

// RestoreResult is what was put back.
type RestoreResult struct {
	change.Outcome
	Conversations int64 `json:"conversations"` // Rows of conversations that weren't there.
	Messages      int64 `json:"messages"`      // Messages that weren't there.
	Texts         int64 `json:"texts"`         // Texts that stubs stood for.
	// Archived are conversations that came back archived, since another one has their key or
	// session.
	Archived []int64 `json:"archived_conversation_ids"`
	// Changed are messages that are neither as they were nor our stubs: they stay as they are.
	Changed int64 `json:"changed"`
	// Lost are messages whose rows are gone, so that their texts have no place, and links whose
	// other ends are gone.
	Lost int64 `json:"lost"`
	// Files are the large files that moved back, and Unmoved are the paths of those that
	// couldn't.
	Files   int      `json:"files"`
	Unmoved []string `json:"unmoved"`
}

var (
	// ErrChanged says that a trash file isn't what its record says.
	ErrChanged = errors.New("the trash file isn't what the record of the prune says: it was changed or replaced")
	// ErrOtherDatabase says that a trash file isn't of the database.
	ErrOtherDatabase = errors.New("the trash file is of another database: conversations with its ids are others there")
	// ErrNewerSchema says that the database lacks columns that the removed rows have.
	ErrNewerSchema = errors.New("the database is of an older version than the trash file")
	// ErrMissing says that the trash file of a record is gone.
	ErrMissing = errors.New("its trash file is gone, and what it removed with it")
)

// RestoreOp is what the record of a restore is about.
const RestoreOp = "restore"

// Apply puts rows back byte for byte, in short transactions under the record of the prune, or
// under a new one where there is none. Where all of a trash file is put back, the record counts
// as undone. What is there already is left, so that another call goes on where one was stopped.
func (r Restore) Apply(ctx context.Context, db *data.DB, report data.Report) (out RestoreResult, err error) {
	w, err := r.begin(ctx, db)
	if err != nil {
		return out, err
	}
	moved, unmoved := r.moveBack(db, w.conversations)
	w.result.Files, w.result.Unmoved = len(moved), unmoved
	set := change.SetWrite{
		Op: RestoreOp, Title: r.Title(), Record: r.File.Record, Attach: map[string]string{"trash": r.File.Path}, Write: w.write, Report: report,
		// The rows were there before, whatever rules they broke; the order of the statements and
		// their conditions keep references whole.
		WithoutRules: true,
	}
	if set.Detail, err = json.Marshal(map[string]any{"restored_from": r.File.Path}); err != nil {
		return out, err
	}
	outcome, err := change.WriteSet(ctx, db, set)
	var stopped *change.StoppedError
	if err != nil && !errors.As(err, &stopped) {
		for from, to := range moved {
			err = errors.Join(err, os.Rename(to, from))
		}
		return out, err
	}
	w.result.Outcome = outcome
	if err == nil && r.isOfOrigin(db) && !isAtWork(db) {
		for _, path := range w.unused {
			_ = os.Remove(path) // One that stays is a file without a row, which a prune of files finds.
		}
		_ = r.removeUnnamed(context.WithoutCancel(ctx), db) // Those of a run that was stopped.
	}
	return w.result, err
}

// isOfOrigin reports whether the database is the file that was pruned, and not a copy of it: the rows of a copy name
// the large files of that one.
func (r Restore) isOfOrigin(db *data.DB) bool {
	origin, err := os.Stat(r.File.Origin.Path)
	if err != nil {
		return false
	}
	here, err := os.Stat(db.Path())
	return err == nil && os.SameFile(origin, here)
}

// Title says in words what is restored.
func (r Restore) Title() string {
	if len(r.Conversations) == 0 {
		return "restore " + r.File.Name + " from the trash"
	}
	return fmt.Sprintf("restore %s of %s from the trash", plural.Count(len(r.Conversations), "conversation", "conversations"), r.File.Name)
}

// begin checks that the file fits the database.
func (r Restore) begin(ctx context.Context, db *data.DB) (*restorer, error) {
	if r.File.Problem != "" {
		return nil, fmt.Errorf("restore %s: %s", r.File.Path, r.File.Problem)
	}
	if r.SHA256 != "" {
		digest, err := fileDigest(r.File.Path)
		if err == nil && digest != r.SHA256 {
			err = ErrChanged
		}
		if err != nil {
			return nil, fmt.Errorf("restore %s: %w", r.File.Path, err)
		}
	}
	from, err := data.Open(ctx, r.File.Path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	if err := r.checkOrigin(ctx, db); err != nil {
		return nil, fmt.Errorf("restore %s: %w", r.File.Path, err)
	}
	for _, table := range from.Schema().Tables() {
		if !strings.HasPrefix(table, "lcm_tui_") && r.File.Rows[table] > 0 && !db.Schema().Has(table, from.Schema().Columns(table)...) {
			return nil, fmt.Errorf("restore %s: %w: it lacks the table %s or columns of it", r.File.Path, ErrNewerSchema, table)
		}
	}
	w := &restorer{restore: r, from: from.Schema(), total: r.File.Rows["messages"]}
	w.result.Archived, w.result.Unmoved = []int64{}, []string{}
	all, err := lcm.Conversations(ctx, from)
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		if len(r.Conversations) == 0 || slices.Contains(r.Conversations, c.ID) {
			w.conversations = append(w.conversations, c.ID)
		}
	}
	slices.Sort(w.conversations)
	for _, id := range r.Conversations {
		if !slices.Contains(w.conversations, id) {
			return nil, &data.NotFoundError{What: "conversation", ID: fmt.Sprint(id), Path: r.File.Path}
		}
	}
	return w, w.checkOrder(ctx, db)
}

// checkOrigin fails where conversations of the file's origin are others in the database. Where none of them is there, it has
// to lie where it lay, or have the record of the prune, which says what the file is.
func (r Restore) checkOrigin(ctx context.Context, db *data.DB) error {
	o := r.File.Origin
	found, err := fileidentity.FindSample(ctx, db, o.Sample)
	if errors.Is(err, fileidentity.ErrOtherDatabase) || err == nil && found == 0 && o.Path != db.Path() && r.SHA256 == "" {
		return ErrOtherDatabase
	}
	return err
}

// stored returns the large files of conversations that lie in the trash.
func (r Restore) stored(conversations []int64) (out []StoredFile) {
	for _, f := range r.File.Files {
		if r.File.Removed != removedFiles && !slices.Contains(conversations, f.Conversation) {
			continue
		}
		if _, err := os.Lstat(r.File.Stored(f)); err == nil { // Else it was never moved, or moved back before.
			out = append(out, f)
		}
	}
	return out
}

// movable returns the large files of conversations that can be moved back: no other file has their places, and they are in no
// trash of another database, of which this one is a copy.
func (r Restore) movable(db *data.DB, conversations []int64) []StoredFile {
	if filepath.Dir(r.File.Path) != data.TrashFolder(db.Path()) && !r.isOfOrigin(db) {
		return nil
	}
	return slices.DeleteFunc(r.stored(conversations), func(f StoredFile) bool {
		_, there := os.Lstat(r.place(db, f))
		return !errors.Is(there, fs.ErrNotExist)
	})
}

// place returns where a large file comes back to: where it lay, or, in a database that was moved or copied with its folder,
// the same place in the folder of now.
func (r Restore) place(db *data.DB, f StoredFile) string {
	if r.isOfOrigin(db) {
		return f.Path
	}
	below, err := filepath.Rel(filepath.Dir(r.File.Origin.Path), f.Path)
	if err != nil || !filepath.IsLocal(below) {
		return f.Path
	}
	return filepath.Join(filepath.Dir(db.Path()), below)
}

// moveBack moves large files of conversations back. It returns the moved ones by
// their places in the trash.
func (r Restore) moveBack(db *data.DB, conversations []int64) (moved map[string]string, unmoved []string) {
	moved, unmoved = map[string]string{}, []string{}
	for _, f := range r.movable(db, conversations) {
		from, to := r.File.Stored(f), r.place(db, f)
		if os.MkdirAll(filepath.Dir(to), 0o700) == nil && os.Rename(from, to) == nil {
			moved[from] = to
		}
	}
	for _, f := range r.stored(conversations) { // What is still there.
		unmoved = append(unmoved, r.place(db, f))
	}
	return moved, unmoved
}
