package repair

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
)

// NothingError says that nothing can be repaired, and what is left.
type NothingError struct {
	// Failed is why a model made none of the texts that were asked for; nil where none was
	// asked.
	Failed error
	Where  string
	Faults []integrity.FaultID // The only ones that were asked for; nil are all.
	Left   []string            // What was found and isn't repaired, with why.
	Items  []ops.Item          // The same findings, with the choices there are.
}

func (e *NothingError) Error() string {
	if len(e.Left) == 0 && e.Faults != nil {
		return fmt.Sprintf("repair: nothing of %s is found in %s", faultNames(e.Faults), e.Where)
	}
	if len(e.Left) == 0 {
		return "repair: nothing is wrong with " + e.Where
	}
	if e.Failed != nil {
		return fmt.Sprintf("repair: nothing of what is wrong with %s is repaired, since no text was made for it", e.Where)
	}
	return fmt.Sprintf("repair: nothing of what is wrong with %s can be repaired as asked", e.Where)
}

// Unwrap makes it one of the errors of a plan that changes nothing, unless a model failed:
// then there was something to do, and it wasn't done.
func (e *NothingError) Unwrap() error {
	if e.Failed != nil {
		return e.Failed
	}
	return ops.ErrNothing
}

// mostTold is how much of what is left a hint says.
const mostTold = 12

// Hint lists what is left.
func (e *NothingError) Hint() string {
	lines := e.Left
	if len(lines) > mostTold {
		lines = append(slices.Clone(lines[:mostTold]), fmt.Sprintf("and %d more; lcm-tui doctor lists them", len(e.Left)-mostTold))
	}
	return strings.Join(lines, "\n")
}

// Plan implements ops.Op.
func (o *Op) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	if o.All {
		return o.planAll(ctx, db, report)
	}
	p, _, err := o.plan(ctx, db, report)
	return p, err
}

// plan plans the repair of one conversation, and counts the findings that it repairs.
func (o *Op) plan(ctx context.Context, db *data.DB, report data.Report) (p ops.Plan, repaired map[integrity.FaultID]int, err error) {
	if o.Conversation != 0 {
		// Findings about host state may name a conversation that doesn't exist.
		if _, err := db.Conversation(ctx, o.Conversation); err != nil && !o.checked {
			return p, nil, err
		}
	}
	found, err := o.findings(ctx, db, report)
	if err != nil {
		return p, nil, err
	}
	if err := o.check(ctx, db, found); err != nil {
		return p, nil, err
	}
	d, err := newDraft(ctx, db, o, found)
	if err != nil {
		return p, nil, err
	}
	err = d.mend(ctx, report)
	var host *data.HostError
	if errors.As(err, &host) { // What needs no room in the context is repaired all the same.
		if d, err = newDraft(ctx, db, o, found); err == nil {
			d.postpone(host)
			err = d.mend(ctx, report)
		}
	}
	if err != nil {
		return p, nil, err
	}
	if err := d.finish(ctx); err != nil {
		return p, nil, err
	}
	if d.plan.Empty() && !d.plan.More {
		return p, nil, &NothingError{Failed: d.failed, Where: o.where(), Faults: o.Faults, Left: told(d.left), Items: d.plan.Items}
	}
	return d.plan, d.mended, nil
}

// findings are those of this conversation.
func (o *Op) findings(ctx context.Context, db *data.DB, report data.Report) ([]integrity.Finding, error) {
	if o.checked {
		return o.found, nil
	}
	// All faults are looked for, as one that isn't to be mended may bear on another.
	r := integrity.Request{Conversation: o.Conversation, FilesDir: o.FilesDir, Limits: o.Limits}
	found, err := integrity.Check(ctx, db, r, report)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found.Findings, func(f integrity.Finding) bool { return f.Conversation != o.Conversation }), nil
}

// stage is one step of mending.
type stage func(context.Context) error

// mend goes through the stages, each of which finds what the ones before it left.
func (d *draft) mend(ctx context.Context, report data.Report) error {
	stages := []stage{
		d.mergers, d.erasures, d.links, d.cycles, d.shared, d.kinds, d.orphans, d.leftovers, d.context, d.unreached, d.room, d.messages, d.parts,
		d.texts(report), d.summaries, d.counters, d.files, d.forgotten, d.archive, d.notes, d.search, d.storage,
	}
	for _, s := range stages {
		if err := s(ctx); err != nil {
			return err
		}
	}
	return nil
}

// finish makes the plan of the draft.
func (d *draft) finish(ctx context.Context) error {
	p := &d.plan
	if err := d.place(ctx); err != nil {
		return err
	}
	if err := d.touch(ctx); err != nil {
		return err
	}
	p.Changes = append(p.Changes, d.edits.changes()...)
	p.Title = d.title()
	for _, l := range told(d.left) {
		p.Warn("not repaired: " + l)
	}
	if !d.op.checked {
		for _, u := range d.op.unused(d.listed) {
			p.Warn(u)
		}
	}
	if d.deletes() || d.merged || d.erased {
		p.Backup = d.db.BackupPath()
		p.Note("a verified copy of the database is made first: " + p.Backup)
	}
	p.Items = d.planItems()
	if len(p.Rebuild) > 0 {
		p.Note("undo leaves rebuilt search tables as they are, in step with the rows")
	}
	return nil
}

// deletes reports whether rows go that nothing could make again.
func (d *draft) deletes() bool {
	return slices.ContainsFunc(d.plan.Changes, func(c data.Change) bool {
		return c.After == nil && slices.Contains([]string{"messages", "message_parts", "summaries"}, c.Table)
	})
}

func (d *draft) title() string {
	switch {
	case d.merged:
		return fmt.Sprintf("repair: merge conversation %d into the one that goes on", d.op.Conversation)
	case d.erased:
		return fmt.Sprintf("repair: delete conversation %d", d.op.Conversation)
	case d.op.Conversation == 0:
		return "repair the file: " + orEstimate(d.mended)
	}
	return fmt.Sprintf("repair conversation %d: %s", d.op.Conversation, orEstimate(d.mended))
}

// orEstimate counts what is repaired, in words. Where a model has to be asked first, nothing
// is yet.
func orEstimate(repaired map[integrity.FaultID]int) string {
	if len(repaired) == 0 {
		return "an estimate"
	}
	return countFaults(repaired)
}
