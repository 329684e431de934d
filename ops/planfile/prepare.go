package planfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/fileidentity"
	"lcm-tui/internal/hint"
	"lcm-tui/ops"
)

// Options are how a plan file is applied.
type Options struct {
	Codecs Codecs
	// FilesDir is the files folder of the host; empty is lcm-files beside the database.
	FilesDir string
	// Exact plans a request again, where there is one, and refuses a file whose rows are others. A
	// set is always planned again.
	Exact  bool
	Report data.Report
}

// Prepared is a plan that can be applied, and the operation that made it where it was planned again.
type Prepared struct {
	Plan ops.Plan
	Op   ops.Op // Nil where the rows of the file are written.
}

// Prepare returns the plan of the file for a database, checked as far as that is possible without
// a lock. It fails with data.ErrOtherDatabase, with a *data.StaleError where the database has
// changed, with ops.ErrNothing where the plan is applied already.
func (f *File) Prepare(ctx context.Context, db *data.DB, o Options) (Prepared, error) {
	p, err := f.prepare(ctx, db, o)
	return p, f.Explain(ctx, db, err)
}

// Explain returns why the plan couldn't be prepared or written: where the rows are others because another run applied the same
// file in this moment, the error is that of a plan that is applied already.
func (f *File) Explain(ctx context.Context, db *data.DB, err error) error {
	var stale *data.StaleError
	if !errors.As(err, &stale) {
		return err
	}
	if applied := f.checkHistory(ctx, db); errors.Is(applied, ops.ErrNothing) {
		return applied
	}
	return err
}

func (f *File) prepare(ctx context.Context, db *data.DB, o Options) (Prepared, error) {
	if err := fileidentity.Check(ctx, db, f.Database); err != nil {
		return Prepared{}, f.forOther(db, err)
	}
	if err := f.checkHistory(ctx, db); err != nil {
		return Prepared{}, err
	}
	d := &f.document
	if d.Set != nil {
		return f.prepareSet(ctx, db, o)
	}
	untrusted := func(err error) error { return fileError(f.Path, err.Error(), makeAgain, err) }
	again := o.Exact && hasRequest(d.Request)
	if err := d.checkAgainst(db.Schema(), again); err != nil {
		return Prepared{}, untrusted(err)
	}
	p := d.plan()
	var err error
	if p.Files, err = d.newFiles(FilesFolder(db, o.FilesDir)); err != nil {
		return Prepared{}, untrusted(err)
	}
	p.FileSHA256 = f.SHA256
	if p.Backup != "" {
		renameBackup(&p, db.BackupPath())
	}
	if err := ops.Check(ctx, db, p); err != nil {
		return Prepared{}, err
	}
	if !again {
		return Prepared{Plan: p}, nil
	}
	fresh, op, err := f.planAgain(ctx, db, o)
	if err != nil {
		return Prepared{}, err
	}
	shown, err := ops.Renumbered(ctx, db, p)
	if err != nil {
		return Prepared{}, err
	}
	if what := difference(shown, fresh.Changes); what != "" {
		return Prepared{}, &hint.Error{
			Text: fmt.Sprintf("the plan file %s isn't what its request comes to: %s", f.Path, what),
			Next: "make the plan again; --exact=false writes the rows as they stand in the file", OnScreen: "make the plan again",
		}
	}
	fresh.Changes = shown // With the times and ids that were shown.
	return Prepared{Plan: fresh, Op: op}, nil
}

// planAgain plans the request of the file.
func (f *File) planAgain(ctx context.Context, db *data.DB, o Options) (p ops.Plan, op ops.Op, err error) {
	codec, ok := o.Codecs[f.Op]
	if !ok {
		return p, nil, fileError(f.Path, fmt.Sprintf("there is no operation %.60q", f.Op), makeAgain, nil)
	}
	if op, err = codec.Decode(f.Request); err != nil {
		return p, nil, fileError(f.Path, "its request can't be read: "+err.Error(), makeAgain, err)
	}
	if p, err = op.Plan(ctx, db, o.Report); err != nil {
		return p, nil, fmt.Errorf("planning it again: %w", err)
	}
	if p.Op != f.Op {
		return p, nil, fileError(f.Path, fmt.Sprintf("its request is of %s, not of %s", p.Op, f.Op), makeAgain, nil)
	}
	p.FileSHA256 = f.SHA256
	return p, op, ops.NotePending(ctx, db, &p)
}

// prepareSet plans the set of the file again, and compares it.
func (f *File) prepareSet(ctx context.Context, db *data.DB, o Options) (Prepared, error) {
	if err := change.CheckConversations(ctx, db, f.document.Set.Guards); err != nil {
		return Prepared{}, err
	}
	p, op, err := f.planAgain(ctx, db, o)
	if err != nil {
		return Prepared{}, err
	}
	if p.Set == nil {
		return Prepared{}, fileError(f.Path, "its request plans no set of rows", makeAgain, nil)
	}
	if err := compareSets(f.document.Set, p.Set); err != nil {
		return Prepared{}, err
	}
	request, err := o.Codecs.encode(op, p)
	if err != nil {
		return Prepared{}, err
	}
	if !sameJSON(request, f.Request) {
		return Prepared{}, &data.StaleError{What: "what " + f.Op + " finds", Why: "is not what it was"}
	}
	return Prepared{Plan: p, Op: op}, nil
}

// sameJSON reports whether two values are the same but for blanks.
func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// renameBackup gives the backup of a plan another name, in its notes too.
func renameBackup(p *ops.Plan, path string) {
	if path == "" { // A home has no file to copy.
		p.Notes = slices.DeleteFunc(p.Notes, func(n string) bool { return strings.Contains(n, p.Backup) })
		p.Backup = ""
		return
	}
	for i, n := range p.Notes {
		p.Notes[i] = strings.ReplaceAll(n, p.Backup, path)
	}
	p.Backup = path
}

// forOther adds to an error that the file is for another database which one that is.
func (f *File) forOther(db *data.DB, err error) error {
	if !errors.Is(err, fileidentity.ErrOtherDatabase) {
		return err
	}
	return fileError(f.Path, fmt.Sprintf("it was made for %s, and %s isn't that database or a copy of it", f.Database.Path, db.Path()),
		"open the database that it was made for, or a copy of it", err)
}

// IsApplied reports whether a record of the database, which isn't undone, applied the plan of the file.
func (f *File) IsApplied(ctx context.Context, db *data.DB) (bool, error) {
	err := f.checkHistory(ctx, db)
	if errors.Is(err, ops.ErrNothing) {
		return true, nil
	}
	return false, err
}

// checkHistory fails with ops.ErrNothing where a record that isn't undone has the digest of the file.
func (f *File) checkHistory(ctx context.Context, db *data.DB) error {
	records, err := change.History(ctx, db)
	if err != nil {
		return err
	}
	redone := map[int64]bool{}  // Records whose changes are there again, under another record.
	for _, r := range records { // The newest first.
		var detail struct {
			SHA256 string `json:"plan_sha256"`
		}
		_ = json.Unmarshal(r.Detail, &detail) // A record without one isn't of a file.
		there := !r.Undone() && r.RestoredOver == "" || redone[r.ID]
		if there && r.Redoes != 0 {
			redone[r.Redoes] = true
		}
		switch {
		case !there || detail.SHA256 != f.SHA256:
		case r.Unfinished:
			return fileError(f.Path, fmt.Sprintf("record %d applied a part of it and stopped", r.ID),
				fmt.Sprintf("plan the rest again, or undo what was written with lcm-tui undo %d", r.ID), nil)
		default:
			return fmt.Errorf("record %d applied the plan %s already: %w", r.ID, f.Path, ops.ErrNothing)
		}
	}
	return nil
}
