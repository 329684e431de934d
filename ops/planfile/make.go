package planfile

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/fileidentity"
	"lcm-tui/internal/hint"
	"lcm-tui/ops"
)

// unwritten begins the errors that say why there is no file of a plan.
const unwritten = "no plan file was written: "

// Check returns why an operation can't be planned into a file, before it is planned; nil is no reason.
func Check(op ops.Op) error {
	if s, ok := op.(ops.Stepper); ok {
		if _, stepwise := s.Step(0); stepwise {
			return &hint.Error{Text: unwritten + "it is written step by step, and each step is planned after the one before it was written", Next: "plan it without --each-pass", OnScreen: "plan it as one change"}
		}
	}
	if _, ok := op.(ops.Batcher); ok {
		return hint.New(unwritten+"it is written as several changes, each planned after the one before it was written", "plan each conversation into a file of its own")
	}
	return nil
}

// Make makes the file of a plan of an operation. version is that of the program.
func Make(ctx context.Context, db *data.DB, op ops.Op, p ops.Plan, codecs Codecs, version string) (*File, error) {
	if err := checkPlan(p); err != nil {
		return nil, err
	}
	id, err := fileidentity.Read(ctx, db)
	if err != nil {
		return nil, err
	}
	d := document{
		Header: Header{Note: note, Version: Version, MadeBy: version, MadeAt: data.FormatTimeMillis(db.Now()), Op: p.Op, Database: id},
		Title:  p.Title, Guards: p.Guards, Changes: p.Changes, Set: p.Set, Refused: p.RefusedConversations, Forecast: p.Forecast, Texts: p.Texts,
		Items: p.Items, Impact: p.Impact, Notes: p.Notes, Warnings: p.Warnings, Model: p.Model, Price: p.Price, Backup: p.Backup, Sources: p.Sources,
		application: application{Rebuild: p.Rebuild, Bulk: p.Bulk, Alone: p.Alone, Forgets: p.Forgets, Leaves: p.Leaves, First: p.FirstMessage},
	}
	if d.Request, err = codecs.encode(op, p); err != nil {
		return nil, err
	}
	if p.Set != nil && !hasRequest(d.Request) {
		return nil, hint.New(unwritten+p.Op+" has no request that can be kept in a file", "apply it at once")
	}
	if i := slices.IndexFunc(p.Changes, func(c change.Change) bool { return isDerived(c.Table) }); i >= 0 && !hasRequest(d.Request) {
		return nil, &hint.Error{
			Text:     unwritten + "it has texts of a model, and changes " + p.Changes[i].Table + ", which is written only where it is planned again",
			Next:     "repair what needs no model first, with --no-model, and plan this again after that",
			OnScreen: "repair what needs no model first, and plan this again after that",
		}
	}
	for _, c := range p.Contexts {
		d.Contexts = append(d.Contexts, contextChange{Conversation: c.Conversation, Before: c.Before, After: c.After})
	}
	if d.Files, err = readFiles(p.Files); err != nil {
		return nil, err
	}
	if p.Partial != nil {
		d.Notes = append(d.Notes[:len(d.Notes):len(d.Notes)], "this is a part of what was asked for: "+p.Partial.Error())
	}
	return &File{Header: d.Header, Plan: p, document: d}, nil
}

// checkPlan returns why a plan can't be kept in a file.
func checkPlan(p ops.Plan) error {
	switch {
	case p.Refused != nil:
		return p.Refused
	case p.Estimate():
		return &hint.Error{Text: unwritten + "it is an estimate: no model was asked, so there is nothing to write", Next: "add --generate, which asks the model; applying the file costs nothing then", OnScreen: "have the model asked first"}
	case p.Empty():
		return hint.New(unwritten+"it would change nothing", "plan something else")
	case p.Undoes != 0 || p.Redoes != 0:
		return hint.New(unwritten+"what is undone or redone stands in the database itself", "undo or redo it there")
	}
	return nil
}

// hasRequest reports whether a request is one.
func hasRequest(r json.RawMessage) bool { return len(r) > 0 && !bytes.Equal(r, []byte("null")) }

// plan returns the plan of a file as the review shows it.
func (d *document) plan() ops.Plan {
	p := ops.New(d.Op, d.Title)
	p.Notes, p.Warnings, p.Changes, p.Texts, p.Guards = append(p.Notes, d.Notes...), append(p.Warnings, d.Warnings...), append(p.Changes, d.Changes...), append(p.Texts, d.Texts...), append(p.Guards, d.Guards...)
	p.Set, p.RefusedConversations, p.Forecast, p.Impact, p.Items = d.Set, d.Refused, d.Forecast, d.Impact, d.Items
	p.Alone = d.Alone
	p.Bulk, p.Forgets, p.Leaves, p.FirstMessage, p.Sources = d.Bulk, d.Forgets, d.Leaves, d.First, d.Sources
	p.Rebuild, p.Backup, p.Model, p.Price = d.Rebuild, d.Backup, d.Model, d.Price
	for _, c := range d.Contexts {
		p.Contexts = append(p.Contexts, ops.ContextChange{Conversation: c.Conversation, Before: c.Before, After: c.After})
	}
	for _, f := range d.Files {
		p.Files = append(p.Files, data.NewFile{ID: f.ID, To: f.To, Bytes: f.Bytes, Body: string(f.Content)})
	}
	return p
}
