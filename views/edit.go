package views

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
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
