package views

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/token"
	"lcm-tui/ops"
	"lcm-tui/ops/rewrite"
	"lcm-tui/ui"
)

// Editor opens the user's editor on a text while the screens stand aside. What done makes of
// the text, or of the failure, goes to the screen on top.
type Editor func(text string, done func(text string, err error) tea.Msg) tea.Cmd

type (
	// storedTextMsg is the whole stored text of a summary, to be edited.
	storedTextMsg struct{ id, text string }
	// editedMsg is what came back from the editor.
	editedMsg struct {
		id, stored string
		given      string // The text that the editor was given.
		text       string // The text that came back.
		err        error
	}
)

// handText is a text that the user wrote for a summary and didn't apply yet. Env keeps it
// until the program ends, also after its review was left.
type handText struct {
	stored  string // The stored text in place of which it was written.
	text    string
	noticed bool // The user was told that it is kept.
}

// edit opens the editor on a text that stands in place of a stored one; the answer is an
// editedMsg.
func (e *Env) edit(id, stored, text string) tea.Cmd {
	return e.Editor(text, func(next string, err error) tea.Msg { return editedMsg{id, stored, text, next, err} })
}

// readText reads the stored text of a summary for the editor.
func (e *Env) readText(owner ui.Screen, id string) tea.Cmd {
	return e.Jobs.Start(owner, "read text", read(func(ctx context.Context) (storedTextMsg, error) {
		s, err := lcm.ReadSummary(ctx, e.DB, id)
		return storedTextMsg{id, s.Content}, err
	}))
}

// keepHandText keeps a text until it is applied, and tells that again when its review is
// left.
func (e *Env) keepHandText(id, stored, text string) {
	if e.handTexts == nil {
		e.handTexts = map[string]*handText{}
	}
	e.handTexts[id] = &handText{stored: stored, text: text}
}

// tellHandTexts says of texts that were written and not applied that they are kept, once.
func (e *Env) tellHandTexts() tea.Cmd {
	for id, h := range e.handTexts {
		if !h.noticed {
			h.noticed = true
			return ui.Say(ui.StatusMsg{Kind: ui.Warn, Text: "your text of " + ui.Line(id) +
				" is not applied; it is kept until you quit: E opens it again, e opens the stored text"})
		}
	}
	return nil
}

// unsavedHandTexts says what quitting drops, or is empty.
func (e *Env) unsavedHandTexts() string {
	switch n := len(e.handTexts); n {
	case 0:
		return ""
	case 1:
		for id := range e.handTexts {
			return "The text that you wrote for " + id + " is not applied: quitting drops it."
		}
	}
	return fmt.Sprintf("%d texts that you wrote are not applied: quitting drops them.", len(e.handTexts))
}

// unchanged reports whether there is no new text to go on with, and says why.
func (m editedMsg) unchanged() (say tea.Cmd, unchanged bool) {
	switch {
	case m.err != nil:
		return ui.Say(ui.ErrorMsg{Err: m.err}), true
	case m.text == m.given:
		return ui.Say(ui.StatusMsg{Text: "the text came back as it was: nothing changes"}), true
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

// edit opens the editor on the stored text of b.
func (v *Summaries) edit(b *branch) tea.Cmd { return v.env().readText(v, b.id) }

// resumeEdit opens the editor on the text of b that was written before and not applied.
func (v *Summaries) resumeEdit(b *branch) tea.Cmd {
	h := v.env().handTexts[b.id]
	if h == nil {
		return nil
	}
	return v.env().Editor(h.text, func(next string, err error) tea.Msg {
		return editedMsg{b.id, h.stored, h.stored, next, err} // Unchanged it is reviewed all the same.
	})
}

// edited opens the review of a text that came back from the editor.
func (v *Summaries) edited(m editedMsg) tea.Cmd {
	if say, unchanged := m.unchanged(); unchanged {
		return say
	}
	v.env().keepHandText(m.id, m.stored, m.text)
	conv := v.hub.row.ID
	return v.env().planned(v, "rewrite", func(ctx context.Context) (ops.Op, error) {
		var op rewrite.Op
		if summarizer, err := v.env().summarizer(ctx); err == nil { // For another candidate; the edit itself calls no model.
			op = *rewriteOp(summarizer, conv, rewrite.Pick{})
		}
		op.Conversation, op.Pick, op.Texts = conv, rewrite.Pick{Summary: m.id}, map[string]string{m.id: m.text}
		op.Job.Estimator = token.Of(v.env().DB.Kind().Level)
		return &op, nil
	})
}

// edit opens the editor on the selected text: the new one, or the stored one where no new
// one was made.
func (r *Review) edit() tea.Cmd {
	e, _ := r.current()
	if e.text == nil {
		return r.env.readText(r, e.id)
	}
	return r.env.edit(e.id, e.text.Before, e.text.After)
}

// edited plans again with a text that came back from the editor.
func (r *Review) edited(m editedMsg) tea.Cmd {
	if say, unchanged := m.unchanged(); unchanged {
		return say
	}
	r.env.keepHandText(m.id, m.stored, m.text)
	return r.propose("write "+ui.Line(m.id)+" by hand and rewrite what is made from it", r.op.(ops.Chooser).With(m.id, m.text))
}
