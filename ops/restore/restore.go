package restore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/outcome"
)

// Request says what is restored and how.
type Request struct {
	Backup *Backup
	Live   string // The path of the database that the backup replaces.
	// AtBackup keeps hosts from catching up from transcripts: conversations stay as they were.
	AtBackup bool
	// Force restores beside programs that have the file open, and on a network drive.
	Force bool
	Now   func() time.Time
}

// Method is how a backup takes the place of a database.
type Method string

// The methods.
const (
	MethodPages Method = "pages" // In one transaction of SQLite: the file stays the same file.
	MethodFiles Method = "files" // By renaming, because SQLite doesn't open the damaged file.
)

// Result is what was restored.
type Result struct {
	Live   string `json:"live"`
	Backup string `json:"backup"`
	Method Method `json:"method"`
	// Saved is a copy of what was there before; restoring it is the way back. It is empty where
	// nothing was there.
	Saved string `json:"saved"`
	// SavedDamaged says that the copy isn't a verified backup but the bytes of a damaged file.
	SavedDamaged bool             `json:"saved_damaged,omitempty"`
	Restored     bool             `json:"restored"` // The backup is in the place of the database.
	Tables       map[string]int64 `json:"tables"`   // Rows by table.
	// EqualPages is how many pages were compared with the backup and found equal.
	EqualPages     int64        `json:"equal_pages"`
	Records        int          `json:"records_restored_over"`
	Checkpoints    []Checkpoint `json:"checkpoints,omitempty"`
	CheckpointsSet bool         `json:"checkpoints_set,omitempty"`
	WALBytes       int64        `json:"wal_bytes"` // What is left of the -wal.
	Notes          []string     `json:"notes,omitempty"`
}

// Apply restores a backup. No handle of this program may be open on the live database. Before
// anything is replaced it is copied. Once the backup is in place, ctx ends nothing any more. What was
// reached is in the result also where an error follows; the error is then a *data.ReachedError.
func Apply(ctx context.Context, r Request, report data.Report) (Result, error) {
	w, err := newWorker(r, report)
	if err != nil {
		return Result{}, err
	}
	return w.apply(ctx)
}

// apply restores, and says how far it came.
func (w *worker) apply(ctx context.Context) (Result, error) {
	err := w.run(ctx)
	_, w.result.WALBytes = data.FileBytes(w.live)
	if err != nil && (w.result.Restored || w.result.Saved != "") {
		err = w.reachedError(err)
	}
	return w.result, err
}

// run makes the steps of a restore.
func (w *worker) run(ctx context.Context) (err error) {
	outcome.Of(ctx).Begin()
	if triggers := w.Backup.Schema().Triggers; len(triggers) > 0 {
		found := data.TriggerError(w.Backup.Named, triggers)
		if w.AtBackup {
			return found // Setting checkpoints would set them off.
		}
		w.note("the backup has triggers, and no command writes to the file while it has them: " + found.Error())
	}
	if w.AtBackup {
		if w.result.Checkpoints, err = w.Backup.Checkpoints(ctx); err != nil {
			return err
		}
	}
	inUse, err := w.probe(ctx)
	switch {
	case err != nil && !isUnopenable(err):
		return err
	case err != nil:
		return w.byFiles(ctx)
	}
	return w.byPages(ctx, inUse)
}

// reachedError says what is done and what isn't, and the way back.
func (w *worker) reachedError(err error) error {
	r := w.result
	e := &outcome.Error{Reached: "the database is as it was; the copy of it that was made before stays: " + r.Saved, Err: err}
	if !r.Restored {
		return e
	}
	e.Reached = "the database is the backup now"
	for _, step := range []struct {
		missing bool
		text    string
	}{
		{r.Method == MethodPages && r.EqualPages == 0, "its pages weren't compared with the backup to the end"},
		{r.Records < len(w.records), "the changes of this program that the backup lacks aren't noted in it"},
		{len(r.Checkpoints) > 0 && !r.CheckpointsSet, "the checkpoints of transcripts aren't set, so hosts catch up from them"},
	} {
		if step.missing {
			e.Reached += "; " + step.text
		}
	}
	if r.Saved != "" && !r.SavedDamaged {
		e.Next = "the way back: lcm-tui restore " + r.Saved + " --apply"
	}
	return e
}

// worker restores one backup.
type worker struct {
	Request
	live    string // Symbolic links are followed.
	report  data.Report
	result  Result
	records []change.Record // Of the live file, which the backup lacks.
	stamp   data.Stamp      // Of the live file before it was copied.
	reached func(step string)
	link    func(from, to string) error // Makes a hard link.
	part    *os.File                    // The copy that takes the place of a damaged file.
}

func newWorker(r Request, report data.Report) (*worker, error) {
	live, err := LivePath(r.Live)
	if err != nil {
		return nil, err
	}
	w := &worker{Request: r, live: live, report: report, reached: func(string) {}, link: os.Link}
	w.result = Result{Live: live, Backup: r.Backup.Named, Tables: r.Backup.Tables}
	if folder := filepath.Dir(live); filesystem.OnNetwork(folder) && !r.Force {
		return nil, refusal(r.Backup.Named, data.ErrRefused, folder+" is on a network drive, where it isn't known whether a host has the file open; stop all hosts and add --force")
	}
	return w, nil
}

// LivePath returns where a database lies, with symbolic links followed. It needn't be there.
func LivePath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved, nil
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return "", &data.Error{Path: path, Verb: "restore to", Kind: data.ErrMissing, Err: err}
	}
	return filepath.Join(folder, filepath.Base(path)), nil
}

// isUnopenable reports whether an error says that SQLite doesn't open a file, or that it isn't there.
func isUnopenable(err error) bool {
	for _, kind := range []error{data.ErrDamaged, data.ErrNotSQLite, data.ErrEmpty, data.ErrMissing} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// probe reports whether others have the file open, and fails where that is in the way or SQLite
// doesn't open the file.
func (w *worker) probe(ctx context.Context) (inUse bool, err error) {
	if file, _ := data.FileBytes(w.live); file == 0 { // SQLite would delete a -wal beside it.
		return false, &data.Error{Path: w.live, Verb: "open", Kind: data.ErrEmpty}
	}
	x, err := data.OpenExclusive(ctx, w.live)
	switch {
	case err == nil:
		if err := x.Close(); err != nil {
			return false, err
		}
		w.stamp, err = data.StampOf(w.live)
		return false, err
	case !errors.Is(err, data.ErrInUse):
		return false, err
	case w.Force:
		w.note("a program had the database open: what it remembers of the turn in progress may be out of date, and what it wrote since the copy was made is in neither file")
		return true, nil
	}
	return true, w.inUse(err)
}

// inUse returns the refusal to restore beside a host; err says whether there is one, or may be one.
func (w *worker) inUse(err error) error {
	if errors.Is(err, data.ErrHoldersUnknown) {
		return refusal(w.Backup.Named, data.ErrHoldersUnknown, "stop all hosts; then run this as root, or add --force")
	}
	who := "the host"
	if names := data.HolderNames(w.live); len(names) > 0 {
		who = strings.Join(names, ", ")
	}
	return refusal(w.Backup.Named, data.ErrInUse, "stop "+who+" and try again; --force restores beside it, and what it remembers of the turn in progress may then be out of date")
}

func (w *worker) note(text string) { w.result.Notes = append(w.result.Notes, text) }

// savedPath returns a name, which no file has, for the copy of what is replaced.
func (w *worker) savedPath() string {
	return data.FreeBackupPath(w.live + ".lcm-tui-" + w.Now().UTC().Format("20060102T150405Z") + ".before-restore.bak")
}

// save copies what is going to be replaced, and reads what is needed of it.
func (w *worker) save(ctx context.Context) error {
	if err := w.checkSpace(); err != nil {
		return err
	}
	to := w.savedPath()
	live, err := data.Open(ctx, w.live)
	if err == nil {
		err = w.saveVerified(ctx, live, to)
		if closing := live.Close(); err == nil {
			err = closing
		}
	}
	switch {
	case err == nil:
		w.result.Saved = to
		return nil
	case errors.Is(err, data.ErrDamaged), errors.Is(err, data.ErrNotSQLite), errors.Is(err, data.ErrUnverified):
		return w.saveBytes(ctx, to)
	}
	return err
}

// saveVerified makes a verified backup of the live database.
func (w *worker) saveVerified(ctx context.Context, live *data.DB, to string) (err error) {
	if err := CheckVersions(w.Backup, live); err != nil {
		return err
	}
	if len(live.Warnings()) > 0 {
		return fmt.Errorf("save %s: %w", w.live, errors.Join(live.Warnings()...))
	}
	if w.records, err = change.RecordsMissingIn(ctx, live, w.Backup.DB); err != nil {
		return err
	}
	_, err = live.Backup(ctx, to, w.report)
	return err
}

// CheckVersions refuses a backup of a newer version than the live database, and a live file of another
// program.
func CheckVersions(b *Backup, live *data.DB) error {
	switch {
	case live.Kind().Relative:
		return refusal(live.Path(), ErrRelative, live.Kind().Name+" files are never written")
	case b.Kind().IsNewer(live.Kind()):
		return refusal(b.Named, ErrNewer, "it is of "+b.Kind().String()+", the live one of "+live.Kind().String()+": start the newer plugin on the live database once, then restore")
	}
	return nil
}

// checkSpace fails where the copy, and the -wal of the restore, don't fit on the disk.
func (w *worker) checkSpace() error {
	file, wal := data.FileBytes(w.live)
	needed := file + wal + w.Backup.Bytes() + w.Backup.Bytes()/10
	return data.CheckRoom(filepath.Dir(w.live), needed, "free some space and try again: a copy of the live database is kept, and the restore needs room too", "")
}

const longestTruncate = 30 * time.Second

// saveBytes copies a damaged file and what lies beside it.
func (w *worker) saveBytes(ctx context.Context, to string) error {
	w.report(0, 0, "copying the damaged file")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if _, err := os.Stat(w.live + suffix); err != nil {
			continue
		}
		if err := copyNew(ctx, w.live+suffix, to+suffix); err != nil {
			return err
		}
	}
	w.result.Saved, w.result.SavedDamaged = to, true
	return nil
}
