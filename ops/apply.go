package ops

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/plural"
)

// Apply writes the plan and returns the id of its record. A refused plan gives its
// reason. It writes nothing, and returns a *data.StaleError, when the database is no
// longer what the plan saw. With a *data.UnfinishedError a part of it is written. The
// backup, where the plan wants one, is made and verified before; report tells how far
// that is. Files are made next, outside of the transaction: where one can't be,
// nothing is written, and where the rows can't be, the files are removed again.
func Apply(ctx context.Context, db *data.DB, p Plan, report ...data.Report) (int64, error) {
	out, err := ApplyPlan(ctx, db, p, report...)
	return out.Record, err
}

// ApplyPlan works as Apply, and says more of what became of the plan.
func ApplyPlan(ctx context.Context, db *data.DB, p Plan, report ...data.Report) (change.Outcome, error) {
	if p.Refused != nil {
		return change.Outcome{}, p.Refused
	}
	outcome.Of(ctx).Begin()
	if err := db.Writable(); err != nil { // Before a backup that would be for nothing.
		return change.Outcome{}, err
	}
	if err := checkLocks(ctx, db, p); err != nil {
		return change.Outcome{}, err
	}
	for _, r := range report {
		ctx = data.ReportWaits(ctx, r)
	}
	if p.Undoes != 0 {
		undo := Undo
		if p.Force {
			undo = ForceUndo
		}
		return change.Outcome{Record: p.Undoes}, undo(ctx, db, p.Undoes)
	}
	if p.Set != nil {
		return applySet(ctx, db, p, report)
	}
	copied, err := makeBackup(ctx, db, p, report)
	if err != nil {
		return change.Outcome{}, err
	}
	detail, err := json.Marshal(detail{counts(p.Spent()), copied, p.FileSHA256, reasonOf(ctx)})
	if err != nil {
		return change.Outcome{}, err
	}
	if err := makeTables(ctx, db, p.Tables); err != nil {
		return change.Outcome{}, err
	}
	made, err := data.WriteFiles(ctx, p.Files)
	if err != nil {
		return change.Outcome{}, err
	}
	b := p.batch()
	b.Detail = detail
	out, err := change.WriteBatch(ctx, db, b)
	var unfinished *change.UnfinishedError
	if errors.As(err, &unfinished) { // Rows that name the files are there.
		return out, err
	}
	if err != nil {
		data.RemoveFiles(made)
		return change.Outcome{}, err
	}
	return out, nil
}

// makeTables runs the statements that make tables.
func makeTables(ctx context.Context, db *data.DB, statements []string) error {
	if len(statements) == 0 {
		return nil
	}
	return db.Transact(ctx, data.Transaction{Verb: "write"}, func(t *data.Tx) error {
		for _, s := range statements {
			if _, err := t.ExecContext(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// batch returns what is written of the plan.
func (p Plan) batch() change.Batch {
	return change.Batch{
		Op: p.Op, Title: cmp.Or(p.RecordTitle, p.Title), Changes: p.Changes, Guards: p.Guards, Forgets: p.Forgets, Leaves: p.Leaves, Bulk: p.Bulk,
		Rebuild: p.Rebuild, FirstMessage: p.FirstMessage, Sources: p.Sources, Redoes: p.Redoes, Alone: p.Alone,
	}
}

// Check fails as Apply would where the plan no longer fits the file. It writes nothing.
func Check(ctx context.Context, db *data.DB, p Plan) error {
	if p.Refused != nil || p.Undoes != 0 || p.Empty() {
		return nil
	}
	if p.Set != nil {
		return change.CheckConversations(ctx, db, p.Set.Guards)
	}
	return change.Check(ctx, db, p.batch())
}

// Renumbered returns the changes of the plan with the ordinals that its context items get if it
// is applied now.
func Renumbered(ctx context.Context, db *data.DB, p Plan) ([]change.Change, error) {
	return change.RenumberContexts(ctx, db, p.batch())
}

// Outcome returns what became of a plan beyond its own rows, in words.
func Outcome(out change.Outcome) (notes []string) {
	if n := out.Appended; n > 0 {
		notes = append(notes, fmt.Sprintf("%s came while this was planned and stayed behind what was written", plural.Count(n, "new item of the context", "new items of the context")))
	}
	if n := int(out.StaleBatches); n > 0 {
		notes = append(notes, plural.Count(n, "pending batch became stale", "pending batches became stale")+": the host plans the background compaction again")
	}
	if n := int(out.DeletedBatches); n > 0 {
		notes = append(notes, plural.Count(n, "pending batch was deleted", "pending batches were deleted")+" with its nodes and links")
	}
	return notes
}

// RecordNotes say what a record did to pending batches, in words.
func RecordNotes(r change.Record) []string {
	return Outcome(change.Outcome{StaleBatches: r.StaleBatches, DeletedBatches: r.DeletedBatches})
}

// detail is what a record remembers of a plan.
type detail struct {
	counts
	Backup     string `json:"backup,omitempty"`
	FileSHA256 string `json:"plan_sha256,omitempty"`
	Reason     string `json:"reason,omitempty"`
}

type reasonKey struct{}

// WithReason returns a context whose records remember why they were written: a word, such as the reason of a job.
func WithReason(ctx context.Context, reason string) context.Context {
	return context.WithValue(ctx, reasonKey{}, reason)
}

func reasonOf(ctx context.Context) string {
	reason, _ := ctx.Value(reasonKey{}).(string)
	return reason
}

// makeBackup makes the backup that a plan wants, under another name where there is a file of
// its name already, and returns where it is.
func makeBackup(ctx context.Context, db *data.DB, p Plan, report []data.Report) (string, error) {
	if p.Backup == "" {
		return "", nil
	}
	if err := db.ReadyToWrite(ctx); err != nil {
		return "", err
	}
	tell := func(int, int, string) {}
	if len(report) > 0 {
		tell = report[0]
	}
	made, err := data.BackupNumbered(ctx, db, p.Backup, tell)
	if err != nil {
		return "", BackupError(err)
	}
	outcome.Of(ctx).Backup(made.Path)
	return made.Path, nil
}

// BackupError returns the error of a plan that wasn't written because the backup that it wants failed.
func BackupError(err error) error {
	e := &hint.Error{Text: "the backup failed: " + err.Error(), Err: err}
	if errors.Is(err, data.ErrDamaged) {
		e.Next = "a copy of a damaged file can't be verified: repair its search tables first, lcm-tui repair --all --fault X06, or save what is left, lcm-tui salvage"
		e.OnScreen = "a copy of a damaged file can't be verified: repair its search tables (X06) first, or save what is left with :salvage"
	}
	return e
}
