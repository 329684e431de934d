package ops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
)

// Op is an operation: a struct whose fields are its request.
type Op interface {
	// Name is the operation's verb, as the command line has it.
	Name() string
	// Plan reads db and says what would change. It may take long, and stops when
	// ctx is done.
	Plan(ctx context.Context, db *data.DB, report data.Report) (Plan, error)
}

// Generator is an operation whose plan is an estimate at first, because making it
// calls a model.
type Generator interface {
	Op
	// Generating is the operation that calls it.
	Generating() Op
}

// Estimator is a Generator whose estimate can be made again once it generates: what
// another plan of it would take, without a call.
type Estimator interface {
	Generator
	// Estimating is the operation that calls no model.
	Estimating() Op
}

// Stepper is an operation that can be written step by step, each by itself.
type Stepper interface {
	Op
	// Step is the n-th step, from 0; not ok when there are no more, or when the
	// operation is written whole.
	Step(n int) (op Op, ok bool)
}

// Batcher is an operation that is written in parts, one after the other, because hosts
// would wait too long for all of it at once.
type Batcher interface {
	Op
	// Batch is the n-th part, from 0. Its plan gives ErrNothing when there are no more.
	Batch(n int) Op
}

// Chooser is an operation whose texts are judged one by one.
type Chooser interface {
	Op
	// Without is the operation that leaves the text of an id, or an item of the plan, as it
	// is; Back is the one that includes it again.
	Without(id string) Op
	Back(id string) Op
	// With is the operation in which an id's text is one that was written by hand.
	With(id, text string) Op
	// Again is the operation that asks for another text in place of an id's.
	Again(id string) Op
}

// ErrNothing is wrapped by the error of a plan that would change nothing.
var ErrNothing = errors.New("nothing to do")

// Plan is what an operation would do.
type Plan struct {
	Op       string   `json:"op"`
	Title    string   `json:"title"`
	Notes    []string `json:"notes"`
	Warnings []string `json:"warnings"`
	Impact   Impact   `json:"impact"`
	// Changes are the rows as they are and as they would be.
	Changes []change.Change `json:"changes"`
	Texts   []Text          `json:"texts"`
	Guards  []change.Guard  `json:"guards"`
	// Items are the problems that the plan is about, for an operation that is a Decider.
	Items []Item `json:"items,omitempty"`
	// Files are the large files that are made before the rows are written.
	Files []data.NewFile `json:"files,omitempty"`
	// Set is what a plan over many rows would do; then Changes is empty. RefusedConversations
	// were selected too and are left as they are, and Forecast is the size of the file.
	Set                  *Set      `json:"set,omitempty"`
	RefusedConversations []Refusal `json:"refused,omitzero"`
	Forecast             *Forecast `json:"forecast,omitempty"`
	// Contexts are the contexts that would change, for showing them.
	Contexts []ContextChange `json:"-"`
	// Bulk keeps of inserted rows only digests in the record.
	Bulk bool `json:"-"`
	// Rebuild names search tables that would be rebuilt from the rows.
	Rebuild []string `json:"rebuild,omitempty"`
	// Backup is where a verified copy of the database goes before anything is written:
	// the plan deletes messages or parts. Empty is no copy.
	Backup string `json:"backup,omitempty"`
	// Forgets allows that messages can no longer be reached from the context.
	Forgets bool `json:"-"`
	// Leaves are messages that leave the reach of the context on purpose: another says the
	// same, or they say nothing.
	Leaves []int64 `json:"-"`
	// Refused is why the plan may not be applied although there is something to write; nil
	// is no reason.
	Refused error `json:"-"`
	// Force undoes an import although its host may store the messages again.
	Force bool `json:"force,omitempty"`
	// FirstMessage is the first number of the messages that are new in the plan: they get
	// others where these are taken when it is applied. 0 for none.
	FirstMessage int64 `json:"-"`
	// Sources are what the plan's new texts were made of: it is stale when one changes.
	Sources []lcm.SourceText `json:"-"`

	// onScreen are the words on a screen of notes and warnings that name a flag of a command.
	onScreen map[string]string
	rows     map[string]joinedRows // Of a plan of many: where it has its rows from, and its contexts.
	// Partial is why the plan is only a part of what was asked for, and whole in itself;
	// nil is all of it.
	Partial error `json:"-"`
	// Undoes is the record that applying the plan undoes; 0 is none. The changes only show
	// what that means.
	Undoes int64 `json:"undoes,omitempty"`
	// Redoes is the undone record whose changes the plan makes again; 0 is none.
	Redoes int64 `json:"redoes,omitempty"`
	// FileSHA256 is the SHA-256 of the plan file that the plan was read from; its record keeps it.
	// Empty is no file.
	FileSHA256 string `json:"plan_sha256,omitempty"`
	// More says that only a part of it is planned, or nothing: a model would make the rest,
	// in Impact.ModelCalls calls that weren't made.
	More bool `json:"-"`
	// Price is what these calls would cost, in words, and Model who would be asked.
	Price, Model string `json:"-"`
}

// Text is a stored text that would change, or one that would be made.
type Text struct {
	ID     string `json:"id"`
	Before string `json:"before"`
	After  string `json:"after"`
	// Made says that the text is new, and that Before is what it was made of.
	Made bool `json:"made,omitempty"`
}

// ChangedTexts is the text of a message or summary, where a change of its row changes it.
func ChangedTexts(c change.Change) []Text {
	id := map[string]string{"summaries": "summary_id", "messages": "message_id"}[c.Table]
	before, after := data.CellText(c.Before["content"]), data.CellText(c.After["content"])
	if id == "" || before == after {
		return nil
	}
	row := c.Before
	if row == nil {
		row = c.After
	}
	return []Text{{ID: data.CellText(row[id]), Before: before, After: after}}
}

// ContextChange is one conversation's context before and after.
type ContextChange struct {
	Conversation  int64
	Before, After []lcm.ContextItem
}

// New is an empty plan of an operation, whose lists are empty, not absent.
func New(op, title string) Plan {
	return Plan{
		Op: op, Title: title, Notes: []string{}, Warnings: []string{},
		Changes: []change.Change{}, Texts: []Text{}, Guards: []change.Guard{},
	}
}

// Note adds a fact that the user should know.
func (p *Plan) Note(s string) { p.Notes = append(p.Notes, s) }

// NoteFlag adds a note that names a flag of a command, with its words for a screen, where no
// flag can be given.
func (p *Plan) NoteFlag(command, screen string) {
	p.Note(command)
	if p.onScreen == nil {
		p.onScreen = map[string]string{}
	}
	p.onScreen[command] = screen
}

// ScreenText is a note of the plan in its words for a screen.
func (p *Plan) ScreenText(note string) string {
	if s, ok := p.onScreen[note]; ok {
		return s
	}
	return note
}

// Warn adds a fact that may make the user think again.
func (p *Plan) Warn(s string) { p.Warnings = append(p.Warnings, s) }

// Refuse keeps the plan from being applied, and says why.
func (p *Plan) Refuse(err error) {
	p.Refused = err
	p.Warn("it can't be applied: " + err.Error())
	var command interface{ Hint() string }
	if !errors.As(err, &command) || command.Hint() == "" {
		return
	}
	hint := strings.ReplaceAll(command.Hint(), "\n", " ")
	var screen interface{ ScreenHint() string }
	if errors.As(err, &screen) {
		p.NoteFlag(hint, strings.ReplaceAll(screen.ScreenHint(), "\n", " "))
		return
	}
	p.Note(hint)
}

// Guard adds how many rows of a table have these values now.
func (p *Plan) Guard(table string, where data.Row, count int) {
	p.Guards = append(p.Guards, change.Guard{Table: table, Where: where, Count: int64(count)})
}

// Estimate reports whether the plan only tells what making it would take: there is
// nothing to write.
func (p Plan) Estimate() bool { return p.Empty() && (p.More || p.Impact.ModelCalls > 0) }

// Spent is what the plan comes to as far as it was made: calls that a model would still
// be asked in were not made.
func (p Plan) Spent() Impact {
	i := p.Impact
	if p.More || p.Estimate() {
		i.ModelCalls, i.InputTokens, i.OutputTokens = 0, 0, 0
	}
	return i
}

// Empty reports whether there is nothing to write. What an undo brings back may be in the trash,
// and not among the changes.
func (p Plan) Empty() bool {
	return len(p.Changes) == 0 && len(p.Rebuild) == 0 && p.Undoes == 0 && p.Set.isEmpty()
}

// Count is how many rows the plan updates, inserts and deletes.
func (p Plan) Count() (updates, inserts, deletes int) {
	for _, c := range p.Changes {
		switch {
		case c.Before == nil:
			inserts++
		case c.After == nil:
			deletes++
		default:
			updates++
		}
	}
	return updates, inserts, deletes
}

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

// ApplyPlan is Apply, and says more of what became of the plan.
func ApplyPlan(ctx context.Context, db *data.DB, p Plan, report ...data.Report) (change.Outcome, error) {
	if p.Refused != nil {
		return change.Outcome{}, p.Refused
	}
	if err := db.Writable(); err != nil { // Before a backup that would be for nothing.
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
	detail, err := json.Marshal(detail{counts(p.Spent()), copied, p.FileSHA256})
	if err != nil {
		return change.Outcome{}, err
	}
	made, err := data.WriteFiles(ctx, p.Files)
	if err != nil {
		return change.Outcome{}, unwrittenError(err, copied)
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
		return change.Outcome{}, unwrittenError(err, copied)
	}
	return out, nil
}

// batch is what is written of the plan.
func (p Plan) batch() change.Batch {
	return change.Batch{
		Op: p.Op, Title: p.Title, Changes: p.Changes, Guards: p.Guards, Forgets: p.Forgets, Leaves: p.Leaves, Bulk: p.Bulk,
		Rebuild: p.Rebuild, FirstMessage: p.FirstMessage, Sources: p.Sources, Redoes: p.Redoes,
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

// Outcome is what became of a plan beyond its own rows, in words.
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

func unwrittenError(err error, backup string) error {
	if backup == "" {
		return err
	}
	return &UnwrittenError{backup, err}
}

// UnwrittenError says that a plan wasn't written although the backup that it wants was
// made, and stays.
type UnwrittenError struct {
	Backup string
	Err    error
}

func (e *UnwrittenError) Error() string {
	return e.Err.Error() + "; nothing was changed, and the backup that was made before stays: " + e.Backup
}

// Unwrap gives the cause.
func (e *UnwrittenError) Unwrap() error { return e.Err }

// detail is what a record remembers of a plan.
type detail struct {
	counts
	Backup     string `json:"backup,omitempty"`
	FileSHA256 string `json:"plan_sha256,omitempty"`
}

// makeBackup makes the backup that a plan wants, under another name where there is a file of
// its name already, and returns where it is.
func makeBackup(ctx context.Context, db *data.DB, p Plan, report []data.Report) (string, error) {
	if p.Backup == "" {
		return "", nil
	}
	tell := func(int, int, string) {}
	if len(report) > 0 {
		tell = report[0]
	}
	made, err := db.BackupNumbered(ctx, p.Backup, tell)
	if err != nil {
		return "", &BackupError{err}
	}
	return made.Path, nil
}

// BackupError says that a plan wasn't written because the backup that it wants failed.
type BackupError struct{ Err error }

func (e *BackupError) Error() string {
	return "nothing was changed, since the backup failed: " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *BackupError) Unwrap() error { return e.Err }

// Hint says what to do first.
func (e *BackupError) Hint() string {
	if errors.Is(e.Err, data.ErrDamaged) {
		return "a copy of a damaged file can't be verified: repair its search tables first, lcm-tui repair --all --fault X06, or save what is left, lcm-tui salvage"
	}
	var hint interface{ Hint() string }
	if errors.As(e.Err, &hint) {
		return hint.Hint()
	}
	return ""
}

// ScreenHint says it for a screen.
func (e *BackupError) ScreenHint() string {
	if errors.Is(e.Err, data.ErrDamaged) {
		return "a copy of a damaged file can't be verified: repair its search tables (X06) first, or save what is left with the command salvage"
	}
	var hint interface{ ScreenHint() string }
	if errors.As(e.Err, &hint) {
		return hint.ScreenHint()
	}
	return e.Hint()
}
