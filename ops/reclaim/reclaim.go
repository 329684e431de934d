package reclaim

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/outcome"
)

// Options say which steps are made.
type Options struct {
	WAL         bool // Only the -wal is emptied.
	Online      bool // The file is rewritten although others have it open, if that is quick.
	Incremental bool // From now on the file can give back free pages in small steps.
}

// Method is how a file was, or would be, rewritten.
type Method string

// The methods.
const (
	MethodSwap   Method = "swap"   // A compacted and verified copy takes the place of the file.
	MethodVacuum Method = "vacuum" // SQLite rewrites the file in place.
	MethodSteps  Method = "steps"  // Nothing is rewritten: search tables are merged, free pages and the -wal given back.
	MethodWAL    Method = "wal"    // Only the -wal is emptied.
)

// Sizes are what a database takes, in bytes.
type Sizes struct {
	File int64 `json:"file_bytes"`
	WAL  int64 `json:"wal_bytes"`
	Free int64 `json:"free_bytes"` // Of the file: pages that hold nothing.
}

// Total returns what the file and its -wal take.
func (s Sizes) Total() int64 { return s.File + s.WAL }

// Step is what one step did.
type Step struct {
	Name         string `json:"step"`
	Before       Sizes  `json:"before"`
	After        Sizes  `json:"after"`
	Milliseconds int64  `json:"milliseconds"`
	// Longest is the time of its longest transaction, for which others wait to write.
	Longest int64  `json:"longest_lock_milliseconds"`
	Note    string `json:"note,omitempty"` // What is left, and why.
}

// Result is what was given back, and what wasn't.
type Result struct {
	Path   string `json:"path"`
	Method Method `json:"method"`
	Before Sizes  `json:"before"`
	After  Sizes  `json:"after"`
	Steps  []Step `json:"steps"`
	// InUseBy are the other programs that have the file open, as far as that is known.
	InUseBy []string `json:"in_use_by,omitempty"`
	// Notes say what could not be done, and what to do about it.
	Notes []string `json:"notes,omitempty"`
}

// File gives back what the database at path no longer needs. No handle of this program may be
// open on it. Its errors are those of package data: data.ErrFull where the disk has too little
// room, and data.ErrInUse where others would wait too long.
func File(ctx context.Context, path string, o Options, report data.Report) (Result, error) {
	return run(ctx, path, o, report, func(string) {})
}

// run works as File that calls reached at each of its steps, where tests stop it.
func run(ctx context.Context, path string, o Options, report data.Report, reached func(step string)) (Result, error) {
	outcome.Of(ctx).Begin()
	w, err := newWorker(path, o, report, reached)
	if err != nil {
		return Result{}, err
	}
	return w.finish(ctx)
}

// realPath returns where a database lies, with symbolic links followed.
func realPath(path string) (string, error) {
	if err := data.CheckFile(path); err != nil {
		return "", err
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err == nil {
		resolved, err = filepath.Abs(resolved)
	}
	if err != nil {
		return "", &data.Error{Path: path, Verb: "open", Kind: data.ErrMissing, Err: err}
	}
	return resolved, nil
}

// finish runs, closes and measures.
func (w *worker) finish(ctx context.Context) (Result, error) {
	err := w.run(ctx)
	if err == nil {
		w.result.After, err = w.sizes(context.WithoutCancel(ctx))
	}
	if err != nil && w.writing {
		err = w.reachedError(err)
	}
	if w.conn != nil {
		if closing := w.close(); err == nil {
			err = closing
		}
	}
	if err == nil { // The last connection to a file empties its -wal.
		now := measureFiles(w.path)
		w.result.After.File, w.result.After.WAL = now.File, now.WAL
	}
	return w.result, err
}

// reachedError says which steps are done.
func (w *worker) reachedError(err error) error {
	done := make([]string, 0, len(w.result.Steps))
	for _, s := range w.result.Steps {
		done = append(done, s.Name)
	}
	e := &outcome.Error{Reached: "no row was changed, and no step is done to its end", Next: "run reclaim again for the rest", Err: err}
	if len(done) > 0 {
		e.Reached = "no row was changed; these steps are done: " + strings.Join(done, ", ")
	}
	return e
}

// worker gives back the space of one file.
type worker struct {
	connection
	path    string // Symbolic links are followed.
	options Options
	report  data.Report
	result  Result
	reached func(step string) // Tells a test how far it has come.
	trying  time.Duration     // How long it is tried to empty the -wal.
	writing bool              // The first step was begun.
	shared  bool              // Others have the file open, and get time to write between the steps.
	unsure  bool              // It isn't known whether others have the file open.
	stamp   data.Stamp        // Of the file when its copy was begun.
	fresh   *data.Exclusive   // Of the copy, while it takes the place of the file.
}

func newWorker(path string, o Options, report data.Report, reached func(step string)) (*worker, error) {
	resolved, err := realPath(path)
	if err != nil {
		return nil, err
	}
	w := &worker{path: resolved, options: o, report: report, reached: reached, trying: truncateFor}
	w.result = Result{Path: resolved, Steps: []Step{}}
	return w, nil
}

// run makes the steps that the options and the other programs allow.
func (w *worker) run(ctx context.Context) error {
	before := measureFiles(w.path) // The probe may empty the -wal.
	inUse, err := w.probe(ctx)
	if err != nil {
		return err
	}
	if err := w.open(ctx, w.path); err != nil {
		return err
	}
	if w.result.Before, err = w.sizes(ctx); err != nil {
		return err
	}
	w.result.Before.File, w.result.Before.WAL = before.File, before.WAL
	if w.options.WAL {
		w.writing = true
		w.result.Method = MethodWAL
		return w.truncate(ctx)
	}
	if w.result.Method, err = w.choose(ctx, inUse); err != nil {
		return err
	}
	w.writing = true
	if w.options.Incremental && w.result.Method != MethodSteps {
		// The next rewrite makes the file so.
		if err := w.exec(ctx, "convert", "PRAGMA auto_vacuum = INCREMENTAL"); err != nil {
			return err
		}
	}
	if err := w.merge(ctx); err != nil {
		return err
	}
	if err := w.truncate(ctx); err != nil {
		return err
	}
	return w.rewrite(ctx)
}

// rewrite gives back the free pages by the method that was chosen. Where that writes the whole file
// again, no page holds what was replaced before.
func (w *worker) rewrite(ctx context.Context) error {
	unclean, err := change.UncleanPages(ctx, w.conn)
	if err != nil {
		return data.WrapError(w.path, "read", err)
	}
	switch w.result.Method {
	case MethodSwap:
		err = w.swap(ctx)
	case MethodVacuum:
		err = w.vacuum(ctx)
	default:
		err = w.incremental(ctx)
	}
	if err != nil || len(unclean) == 0 || w.result.Method == MethodSteps || measureFiles(w.path).WAL > 0 {
		return err // The old pages are in the file as long as the new ones are in the -wal.
	}
	w.reached("rewritten")
	return data.WrapError(w.path, "write", change.MarkPagesClean(ctx, w.conn, unclean))
}

// probe reports whether somebody else has the file open. Leftovers of a run that was killed are
// removed if nobody has.
func (w *worker) probe(ctx context.Context) (inUse bool, err error) {
	x, err := data.OpenExclusive(ctx, w.path)
	if errors.Is(err, data.ErrInUse) {
		w.result.InUseBy = data.HolderNames(w.path)
		w.unsure = errors.Is(err, data.ErrHoldersUnknown)
		return true, nil
	}
	if err != nil {
		return false, err
	}
	w.removeLeftovers()
	return false, x.Close()
}

// removeLeftovers removes what a run that was killed left beside the file: an unfinished copy,
// or another name of the file that it replaced.
func (w *worker) removeLeftovers() {
	// What is beside an unfinished copy may be there without it.
	for _, pattern := range []string{partSuffix, oldSuffix, partSuffix + "-wal", partSuffix + "-shm"} {
		names, _ := filepath.Glob(globQuote(w.path) + pattern)
		for _, name := range names {
			data.RemoveDatabase(name)
		}
	}
	samples, _ := filepath.Glob(globQuote(w.path) + sampleSuffix + "*")
	for _, folder := range samples {
		_ = os.RemoveAll(folder) // It holds a few rows; the next run tries again.
	}
}

// globQuote makes a path match itself only.
func globQuote(path string) string {
	quoted := make([]byte, 0, len(path))
	for _, c := range []byte(path) {
		if c == '*' || c == '?' || c == '[' || c == '\\' && os.PathSeparator != '\\' {
			quoted = append(quoted, '[', c, ']')
			continue
		}
		quoted = append(quoted, c)
	}
	return string(quoted)
}
