// Package redo makes the changes of an undone record again. It must not decide what fits
// the file: that is the store's.
package redo

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/lazyregexp"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Op redoes the changes of a record that was undone, under a new record.
type Op struct {
	Record int64
}

var _ ops.Op = (*Op)(nil)

// name is the verb, which also begins the titles of records that redo others.
const name = "redo"

// Name implements ops.Op.
func (*Op) Name() string { return name }

// Plan implements ops.Op. It fails as data.DB.Redo does, with ops.ErrNothing where undoing
// the record left its changes in place.
func (o *Op) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	r, err := change.ReadRedo(ctx, db, o.Record)
	if err != nil {
		return ops.Plan{}, err
	}
	if verb := ops.SetVerb(r.Record); verb != "" {
		return ops.Plan{}, &hint.Error{ // It doesn't keep which rows it wrote.
			Text: fmt.Sprintf("record %d is a prune, which isn't redone from its record", o.Record),
			Next: "plan it again: lcm-tui prune " + verb + " with the same selectors", OnScreen: "plan the same prune again",
		}
	}
	if isByHost(db, r.Record) {
		return ops.Plan{}, &hint.Error{ // What the host has by now decides whether it may be done.
			Text: fmt.Sprintf("record %d changed which session a conversation belongs to, which isn't redone from its record", o.Record),
			Next: "plan it again: lcm-tui " + r.Record.Op, OnScreen: "plan it again",
		}
	}
	p := ops.New(name, Title(r.Record))
	p.Redoes, p.Forgets, p.Leaves = r.Record.ID, r.Forgets, r.Leaves
	p.Changes, p.Guards = append(p.Changes, r.Changes...), append(p.Guards, r.Guards...)
	for _, c := range r.Changes {
		p.Texts = append(p.Texts, ops.ChangedTexts(c)...)
	}
	for _, c := range r.Contexts {
		p.ChangeContext(db, c.Conversation, c.Before, c.After)
	}
	if p.Empty() {
		return p, fmt.Errorf("record %d changed nothing that its undo reverted: %w", o.Record, ops.ErrNothing)
	}
	updates, inserts, deletes := p.Count()
	p.Note(fmt.Sprintf("%s, %s, %s, as record %d did", plural.Count(updates, "row changes", "rows change"),
		plural.Count(inserts, "row is added", "rows are added"), plural.Count(deletes, "row is deleted", "rows are deleted"), r.Record.ID))
	p.Note("what a host has written since stays; where rows of this change were changed since, nothing is redone")
	return p, nil
}

// isByHost reports whether what a host has by now decides if a change may be made.
func isByHost(db *data.DB, r change.Record) bool {
	return db.Kind().Generation == data.GenerationOne && strings.HasPrefix(r.Op, "key ")
}

// isImport reports whether a record added the messages of a session file, of which it keeps only the keys.
func isImport(r change.Record) bool { return r.Op == "backfill" || r.Op == "follow" }

// WhyNot says on a screen why a record isn't redone from what it keeps, and what is done instead; it is
// empty where it is.
func WhyNot(db *data.DB, r change.Record) string {
	switch {
	case r.CutShort():
		return "parts of it were never written: plan the same change again"
	case ops.SetVerb(r) != "":
		return "a prune is planned again instead"
	case isByHost(db, r):
		return "a change of a session is planned again instead"
	case isImport(r):
		return "its session file is imported again instead"
	}
	return ""
}

// Again says how the changes of an undone record are made again.
func Again(db *data.DB, r change.Record) string {
	switch {
	case r.CutShort():
		return "plan the same change again"
	case ops.SetVerb(r) != "":
		return "lcm-tui prune with the same selectors removes it again"
	case isByHost(db, r):
		return "lcm-tui " + r.Op + " makes the change again"
	case isImport(r):
		return "importing the session file adds what follows its last stored message"
	}
	return fmt.Sprintf("lcm-tui redo %d makes the change again", r.ID)
}

// redone is the start of the title of a record that redoes another.
var redone = lazyregexp.New(`^` + name + ` #\d+: `)

// Title returns what the redo of a record is called. That of a redo names what is redone, not
// the whole line of undos and redos.
func Title(r change.Record) string {
	return fmt.Sprintf("%s #%d: %s", name, r.ID, redone.ReplaceAllString(r.Title, ""))
}
