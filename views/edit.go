package views

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/token"
	"lcm-tui/ops"
	"lcm-tui/ops/rewrite"
	"lcm-tui/ui"
)

// Editor has a person change a text in an editor of theirs while the screens stand
// aside. What done makes of the text, or of the failure, goes to the screen on top.
type Editor func(text string, done func(text string, err error) tea.Msg) tea.Cmd

type (
	// writeMsg is a summary's whole text, to be changed by hand.
	writeMsg struct{ id, text string }
	// writtenMsg is what came back from the editor.
	writtenMsg struct {
		id, before, text string
		err              error
	}
)

// draft is a text that was written by hand in place of a stored one, and not
// applied yet. It outlives the review that it was written for.
type draft struct{ of, text string }

// write opens the editor on a text; the answer is a writtenMsg.
func (e *Env) write(id, text string) tea.Cmd {
	return e.Editor(text, func(next string, err error) tea.Msg { return writtenMsg{id, text, next, err} })
}

// resume is write for a stored text. It goes on from a draft of it, if there is
// one.
func (e *Env) resume(id, stored string) tea.Cmd {
	d, ok := e.drafts[id]
	if !ok || d.of != stored {
		return e.write(id, stored)
	}
	return e.Editor(d.text, func(next string, err error) tea.Msg { return writtenMsg{id, stored, next, err} })
}

// keep remembers a text that was written by hand until it's applied.
func (e *Env) keep(id, stored, text string) {
	if e.drafts == nil {
		e.drafts = map[string]draft{}
	}
	e.drafts[id] = draft{stored, text}
}

// unchanged is what to say of a text that can't be gone on with, and whether it's
// one.
func (m writtenMsg) unchanged() (tea.Cmd, bool) {
	switch {
	case m.err != nil:
		return ui.Say(ui.ErrorMsg{Err: m.err}), true
	case m.text == m.before:
		return ui.Say(ui.StatusMsg{Text: "the text came back as it was"}), true
	}
	return nil, false
}

// uneditable says why no text can be written by hand, or is empty.
func (e *Env) uneditable() string {
	if e.Editor == nil {
		return "no editor is set up"
	}
	return e.readOnly()
}

// edit reads the whole text of b for the editor.
func (v *Summaries) edit(b *branch) tea.Cmd {
	db, id := v.env().DB, b.id
	return v.env().Jobs.Start(v, "read text", read(func(ctx context.Context) (writeMsg, error) {
		s, err := db.Summary(ctx, id)
		return writeMsg{id, s.Content}, err
	}))
}

// written opens the review of a text that came back from the editor.
func (v *Summaries) written(m writtenMsg) tea.Cmd {
	if say, same := m.unchanged(); same {
		return say
	}
	v.env().keep(m.id, m.before, m.text)
	conv := v.hub.row.ID
	return v.env().planned(v, "rewrite", func(ctx context.Context) (ops.Op, error) {
		var op rewrite.Op
		if summarizer, err := v.env().summarizer(ctx); err == nil { // For another candidate; a hand needs none.
			op = *rewriteOp(summarizer, conv, rewrite.Pick{})
		}
		op.Conversation, op.Pick, op.Texts = conv, rewrite.Pick{Summary: m.id}, map[string]string{m.id: m.text}
		op.Job.Estimator = token.Of(v.env().DB.Kind().Level)
		return &op, nil
	})
}

// edit opens the editor on the selected text.
func (r *Review) edit() tea.Cmd {
	e, _ := r.current()
	return r.env.write(e.id, e.text.After)
}

// written plans again with a text that came back from the editor.
func (r *Review) written(m writtenMsg) tea.Cmd {
	if say, same := m.unchanged(); same {
		return say
	}
	if e, ok := r.current(); ok && e.text != nil && e.id == m.id {
		r.env.keep(m.id, e.text.Before, m.text)
	}
	return r.propose("write "+ui.Line(m.id)+" by hand and rewrite what is made of it", r.op.(ops.Chooser).With(m.id, m.text))
}
