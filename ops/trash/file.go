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
	"strconv"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/sorting"
)

// File is a file in the trash of a database.
type File struct {
	Number int    `json:"number"` // The oldest is 1.
	Name   string `json:"name"`
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	// FilesBytes is the size of the large files that were moved into the trash and are there.
	FilesBytes int64 `json:"files_bytes"`

	Verb     string            `json:"verb"`
	Removed  string            `json:"removed"` // conversations, texts or files.
	Selector string            `json:"selector"`
	MadeAt   data.Time         `json:"made_at"`
	Origin   Origin            `json:"source"`
	Rows     map[string]int64  `json:"rows"` // By table.
	Digests  map[string]string `json:"digests,omitempty"`
	Files    []StoredFile      `json:"files"`
	// Record is the record of the prune that made it; 0 is none.
	Record int64 `json:"record,omitempty"`
	// Problem says why the file can't be read; its contents are unknown then.
	Problem string `json:"problem,omitempty"`
	// HalfDeleted says that the deletion of the file was stopped: what is left of it can only be deleted.
	HalfDeleted bool `json:"half_deleted,omitempty"`
}

// RemovesConversations reports whether whole conversations are in the file, and not texts.
func (f File) RemovesConversations() bool { return f.Removed == removedConversations }

// FilesFolder returns where the large files of a trash file lie.
func (f File) FilesFolder() string {
	return strings.TrimSuffix(strings.TrimSuffix(f.Path, emptiedEnding), ".db") + ".files"
}

// Title says in words what is in the file.
func (f File) Title() string {
	if f.Problem != "" {
		return f.Problem
	}
	return f.Verb + ": " + f.Selector
}

// ErrNoFile says that the trash has no such file.
var ErrNoFile = errors.New("the trash has no such file")

// halfDeleted is the problem of a file whose deletion was stopped.
const halfDeleted = "its deletion was stopped, and can only be finished"

// errNoManifest says that a file isn't one of the trash.
var errNoManifest = errors.New("it is no file of the trash: it has no table lcm_tui_trash")

// List reads the trash of a database, the oldest file first. A file that can't be read is listed
// with its problem. A file whose deletion was stopped keeps its number, so that the same command again deletes no other one.
func List(ctx context.Context, db *data.DB) ([]File, error) {
	entries, err := os.ReadDir(data.TrashFolder(db.Path()))
	if errors.Is(err, fs.ErrNotExist) {
		return []File{}, nil
	}
	if err != nil {
		return nil, folderError(data.TrashFolder(db.Path()), err)
	}
	records, err := recordsByFile(ctx, db)
	if err != nil {
		return nil, err
	}
	out := []File{}
	for _, e := range entries {
		if !e.Type().IsRegular() || filepath.Ext(strings.TrimSuffix(e.Name(), emptiedEnding)) != ".db" {
			continue
		}
		f, err := Read(ctx, filepath.Join(data.TrashFolder(db.Path()), e.Name()))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			f.Problem = data.ProblemOf(err)
		}
		if f.HalfDeleted {
			f.Problem = halfDeleted
		}
		f.Record = records[f.Name]
		out = append(out, f)
	}
	sorting.Stable(out, func(a, b *File) int { return a.order().Compare(b.order()) })
	for i := range out {
		out[i].Number = i + 1
	}
	return out, nil
}

// order returns the time by which files are sorted. Of one that can't be read it is the second in its name, which those of the
// same second share.
func (f *File) order() time.Time {
	if (f.Problem == "" || f.HalfDeleted) && f.MadeAt.Valid() {
		return f.MadeAt.Time
	}
	second, _, _ := strings.Cut(f.Name, "-")
	at, _ := time.Parse(nameTime, second) // Another name has none, and comes first.
	return at
}

// recordsByFile returns the newest records that name a trash file, by the name of that.
func recordsByFile(ctx context.Context, db *data.DB) (map[string]int64, error) {
	all, err := change.History(ctx, db)
	if err != nil {
		return nil, err
	}
	out := map[string]int64{}
	for _, r := range slices.Backward(all) {
		if receipt, ok := change.ReceiptOf(r); ok {
			out[receipt.Name()] = r.ID
		}
	}
	return out, nil
}

// Find returns the file of the trash with a number, or with a name or the beginning of one.
func Find(ctx context.Context, db *data.DB, name string) (File, error) {
	files, err := List(ctx, db)
	if err != nil {
		return File{}, err
	}
	number, isNumber := strconv.Atoi(name)
	var found []File
	for _, f := range files {
		if isNumber == nil && f.Number == number || f.Name == name {
			return f, nil
		}
		if strings.HasPrefix(f.Name, name) {
			found = append(found, f)
		}
	}
	if len(found) == 1 && name != "" {
		return found[0], nil
	}
	return File{}, fmt.Errorf("%s of %s: %w", name, db.Path(), ErrNoFile)
}

// Read reads what a trash file says of itself. It doesn't compare its rows with their digests.
func Read(ctx context.Context, path string) (File, error) {
	name, emptied := strings.CutSuffix(filepath.Base(path), emptiedEnding)
	f := File{Name: name, Path: path, HalfDeleted: emptied, Rows: map[string]int64{}, Files: []StoredFile{}}
	info, err := os.Stat(path)
	if err != nil {
		return f, err
	}
	f.Bytes = info.Size()
	db, err := data.Open(ctx, path)
	if err != nil {
		return f, err
	}
	defer db.Close()
	if !db.Schema().Has("lcm_tui_trash") {
		return f, errNoManifest
	}
	err = db.EachRow(ctx, "read the trash", "SELECT verb, removed, selector, made_at, source, counts, digests, files FROM lcm_tui_trash LIMIT 1", nil, f.scan)
	if err == nil && f.Verb == "" {
		err = errNoManifest
	}
	for _, s := range f.Files {
		if info, err := os.Stat(f.Stored(s)); err == nil {
			f.FilesBytes += info.Size()
		}
	}
	return f, err
}

func (f *File) scan(scan data.RowScanner) error {
	var source, counts, digests, files data.Text
	if err := scan((*data.Text)(&f.Verb), (*data.Text)(&f.Removed), (*data.Text)(&f.Selector), &f.MadeAt, &source, &counts, &digests, &files); err != nil {
		return err
	}
	return errors.Join(json.Unmarshal([]byte(source), &f.Origin), json.Unmarshal([]byte(counts), &f.Rows),
		json.Unmarshal([]byte(digests), &f.Digests), json.Unmarshal([]byte(files), &f.Files))
}

// Stored returns where a large file lies in the trash.
func (f File) Stored(s StoredFile) string {
	return filepath.Join(f.FilesFolder(), strconv.FormatInt(s.Conversation, 10), filepath.Base(s.Path))
}
