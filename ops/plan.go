package ops

import (
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/hint"
)

// Plan is what an operation would do: to rows one by one, to all rows of a selection, to
// earlier records, or what a model would be asked for.
type Plan struct {
	Op       string   `json:"op"`
	Title    string   `json:"title"`
	Notes    []string `json:"notes"`
	Warnings []string `json:"warnings"`
	Impact   Impact   `json:"impact"`
	RowPlan
	SetPlan
	// Rebuild names search tables that would be rebuilt from the rows.
	Rebuild []string `json:"rebuild,omitempty"`
	// Backup is where a verified copy of the database goes before anything is written:
	// the plan deletes messages or parts. Empty is no copy.
	Backup string `json:"backup,omitempty"`
	RecordPlan
	// FileSHA256 is the SHA-256 of the plan file that the plan was read from; its record keeps it.
	// Empty is no file.
	FileSHA256 string `json:"plan_sha256,omitempty"`
	CallPlan
	// Refused is why the plan may not be applied although there is something to write; nil
	// is no reason.
	Refused error `json:"-"`
	// Partial is why the plan is only a part of what was asked for, and whole in itself;
	// nil is all of it.
	Partial error `json:"-"`

	// onScreen are the words on a screen of notes and warnings that name a flag of a command.
	onScreen map[string]string
	rows     map[string]joinedRows // Of a plan of many: where it has its rows from, and its contexts.
}

// RowPlan is what a plan would do to rows, one by one.
type RowPlan struct {
	// Changes are the rows as they are and as they would be.
	Changes []change.Change `json:"changes"`
	Texts   []Text          `json:"texts"`
	Guards  []change.Guard  `json:"guards"`
	// Items are the problems that the plan is about, for an operation that is a Decider.
	Items []Item `json:"items,omitempty"`
	// Tables are the statements that make the tables of this program which the rows go into, where they aren't
	// there. They stay when the rows are undone.
	Tables []string `json:"-"`
	// Files are the large files that are made before the rows are written.
	Files []data.NewFile `json:"files,omitempty"`
	// Contexts are the contexts that would change, for showing them.
	Contexts []ContextChange `json:"-"`
	// Bulk keeps of inserted rows only digests in the record.
	Bulk bool `json:"-"`
	// Alone writes the plan only while no other process has the database open.
	Alone bool `json:"-"`
	// Forgets allows that messages can no longer be reached from the context.
	Forgets bool `json:"-"`
	// Leaves are messages that leave the reach of the context on purpose: another says the
	// same, or they say nothing.
	Leaves []int64 `json:"-"`
	// FirstMessage is the first number of the messages that are new in the plan: they get
	// others where these are taken when it is applied. 0 for none.
	FirstMessage int64 `json:"-"`
	// Sources are what the plan's new texts were made of: it is stale when one changes.
	Sources []lcm.SourceText `json:"-"`
}

// SetPlan is what a plan would do to all rows of a selection; then it has no changes of rows one by one.
type SetPlan struct {
	// Set is nil in every other plan.
	Set *Set `json:"set,omitempty"`
	// RefusedConversations were selected too and are left as they are.
	RefusedConversations []Refusal `json:"refused,omitzero"`
	// Forecast is the size of the file.
	Forecast *Forecast `json:"forecast,omitempty"`
}

// RecordPlan is which earlier record a plan would undo or make again.
type RecordPlan struct {
	// RecordTitle is the title of the record where the plan is only the first of several changes; empty is Title.
	RecordTitle string `json:"record_title,omitempty"`
	// Force undoes an import although its host may store the messages again.
	Force bool `json:"force,omitempty"`
	// Undoes is the record that applying the plan undoes; 0 is none. The changes only show
	// what that means.
	Undoes int64 `json:"undoes,omitempty"`
	// Redoes is the undone record whose changes the plan makes again; 0 is none.
	Redoes int64 `json:"redoes,omitempty"`
}

// CallPlan is what a model would still be asked for.
type CallPlan struct {
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

// ChangedTexts returns the text of a message or summary, where a change of its row changes it.
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

// ChangeContext adds to the plan what turns a conversation's context from before into
// after, row by row, and counts the impact. The items of after get the ordinals that they have
// if the plan is applied now (see data.DB.NewOrdinals); the writer decides again.
func (p *Plan) ChangeContext(db *data.DB, conv int64, before, after []lcm.ContextItem) {
	after = change.NewOrdinals(db, before, after)
	p.Contexts = append(p.Contexts, ContextChange{conv, before, after})
	p.Impact.ItemsBefore += len(before)
	p.Impact.ItemsAfter += len(after)
	p.Impact.TokensBefore = lcm.AddTokens(p.Impact.TokensBefore, lcm.SumTokens(before))
	p.Impact.TokensAfter = lcm.AddTokens(p.Impact.TokensAfter, lcm.SumTokens(after))
	p.Guards = append(p.Guards, change.GuardContext(conv, before))
	p.Changes = append(p.Changes, change.ContextChanges(before, after)...)
}

// New returns an empty plan of an operation, whose lists are empty, not absent.
func New(op, title string) Plan {
	return Plan{
		Op: op, Title: title, Notes: []string{}, Warnings: []string{},
		RowPlan: RowPlan{Changes: []change.Change{}, Texts: []Text{}, Guards: []change.Guard{}},
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

// ScreenText returns a note of the plan in its words for a screen.
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
	if next := hint.Of(err); next != "" {
		p.NoteFlag(strings.ReplaceAll(next, "\n", " "), strings.ReplaceAll(hint.OnScreen(err), "\n", " "))
	}
}

// Guard adds how many rows of a table have these values now.
func (p *RowPlan) Guard(table string, where data.Row, count int) {
	p.Guards = append(p.Guards, change.Guard{Table: table, Where: where, Count: int64(count)})
}

// Estimate reports whether the plan only tells what making it would take: there is
// nothing to write.
func (p Plan) Estimate() bool { return p.Empty() && (p.More || p.Impact.ModelCalls > 0) }

// Spent returns what the plan comes to as far as it was made: calls that a model would still
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

// Count returns how many rows the plan updates, inserts and deletes.
func (p RowPlan) Count() (updates, inserts, deletes int) {
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

// BackUp has a verified copy of the database made before the plan is written, and notes that. A home has no file to copy.
func (p *Plan) BackUp(db *data.DB) {
	if p.Backup = db.BackupPath(); p.Backup == "" {
		p.Note("no copy is made first, because a home has no file; pg_dump makes one")
		return
	}
	p.Note("a verified copy of the database is made first: " + p.Backup)
}
