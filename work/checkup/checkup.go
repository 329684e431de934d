package checkup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/planfile"
	"lcm-tui/ops/repair"
	"lcm-tui/work"
)

// Checker checks a database.
type Checker struct {
	DB       *data.DB
	Notes    *work.Sidecar
	Limits   integrity.Limits
	FilesDir string // Where large files lie.
	Folder   string // Where the plans of repairs go.
	Codecs   planfile.Codecs
	Version  string // Of this program.
	Report   data.Report
}

// Do does the job of a check: of its conversation, or of the whole file. It says in words what it found, also where the repair
// can't be planned.
func (c *Checker) Do(ctx context.Context, j work.Job) (result string, err error) {
	d, err := integrity.Check(ctx, c.DB, integrity.Request{Conversation: j.Conversation, FilesDir: c.FilesDir, Limits: c.Limits}, c.Report)
	if err != nil {
		return "", err
	}
	found := noteOf(j.Conversation, d)
	result = countsText(d.Counts)
	if j.Mode == work.ScanAndPlan {
		var words string
		found.Plan, words, err = c.planRepair(ctx, j.Conversation)
		result += words
	}
	if ctx.Err() != nil {
		return "", ctx.Err() // It is done again.
	}
	return result, errors.Join(err, c.Notes.Checks().NoteCheckup(ctx, found))
}

// planRepair plans the repair of a conversation, or with 0 of the whole file, in place of the plan before. It returns its file, and
// words for the result of the check.
func (c *Checker) planRepair(ctx context.Context, conversation int64) (path, words string, err error) {
	before, err := c.Notes.Checks().LastPlan(ctx, conversation)
	if err != nil {
		return "", "", err
	}
	op := &repair.Op{Conversation: conversation, All: conversation == 0, FilesDir: c.FilesDir, Limits: c.Limits}
	path, err = c.plan(ctx, op, "conversation-"+strconv.FormatInt(conversation, 10))
	var nothing *repair.NothingError
	switch {
	case errors.As(err, &nothing):
		words = ", nothing that can be repaired by itself"
	case err != nil:
		return "", "", fmt.Errorf("plan the repair: %w", err)
	default:
		words = "; lcm-tui plan show " + path
	}
	if before != "" {
		_ = os.Remove(before) // It may be gone, or kept: it is only older.
	}
	return path, words, nil
}

// noteOf returns what is noted of a check.
func noteOf(conversation int64, d integrity.Diagnosis) work.Checkup {
	return work.Checkup{Conversation: conversation, Fatal: d.Counts.Fatal, Error: d.Counts.Error, Warn: d.Counts.Warn, Info: d.Counts.Info}
}

// countsText says in words what a check found.
func countsText(n integrity.Counts) string {
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{{n.Fatal, "fatal finding", "fatal findings"}, {n.Error, "error", "errors"}, {n.Warn, "warning", "warnings"}, {n.Info, "note", "notes"}} {
		if p.n > 0 {
			parts = append(parts, plural.Count(p.n, p.one, p.many))
		}
	}
	if len(parts) == 0 {
		return "nothing found"
	}
	return strings.Join(parts, ", ")
}

// Wrote checks what a write to a conversation can have damaged: its context, and the links of its summaries. It says in
// words what it found, and nothing where all is well.
func (c *Checker) Wrote(ctx context.Context, conversation int64) (note string, err error) {
	faults := integrity.Select(func(f integrity.Fault) bool {
		return f.ID.Area() == integrity.ContextArea || f.ID.Area() == integrity.LinkArea
	})
	d, err := integrity.Check(ctx, c.DB, integrity.Request{Conversation: conversation, Faults: faults, Limits: c.Limits}, c.Report)
	if err != nil {
		return "", err
	}
	if err := c.Notes.Checks().NoteCheckup(ctx, noteOf(conversation, d)); err != nil {
		return "", err
	}
	if n := d.Counts; n.Fatal+n.Error+n.Warn > 0 {
		return fmt.Sprintf("the check after it found %s: lcm-tui doctor %d", countsText(n), conversation), nil
	}
	return "", nil
}

// plan plans an operation into a file, and returns its path.
func (c *Checker) plan(ctx context.Context, op ops.Op, name string) (path string, err error) {
	p, err := op.Plan(ctx, c.DB, c.Report)
	if err != nil {
		return "", err
	}
	f, err := planfile.Make(ctx, c.DB, op, p, c.Codecs, c.Version)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(c.Folder, 0o700); err != nil {
		return "", fmt.Errorf("make a plan: %w", err)
	}
	path = filepath.Join(c.Folder, fmt.Sprintf("repair-%s-%s.json", name, time.Now().UTC().Format("20060102T150405.000Z")))
	return path, f.Write(path)
}
