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
	// StoredTextMsg is the whole stored text of a summary, to be edited.
	StoredTextMsg struct{ ID, Text string }
	// EditedMsg is what came back from the editor.
	EditedMsg struct {
		ID, Stored string
		Given      string // The text that the editor was given.
		Text       string // The text that came back.
		Err        error
	}
)

// HandText is a text that the user wrote for a summary and didn't apply yet. Env keeps it
// until the program ends, also after its review was left.
type HandText struct {
	Stored  string // The stored text in place of which it was written.
	Text    string
	noticed bool // The user was told that it is kept.
}

// handTexts holds texts of the user that are not applied.
type handTexts struct {
	HandTexts map[string]*HandText // By summary.
}

// Edit opens the editor on a text that stands in place of a stored one; the answer is an
// editedMsg.
func (e *Env) Edit(id, stored, text string) tea.Cmd {
	return e.Editor(text, func(next string, err error) tea.Msg { return EditedMsg{id, stored, text, next, err} })
}

// ReadText reads the stored text of a summary for the editor.
func (e *Env) ReadText(owner ui.Screen, id string) tea.Cmd {
	return e.Jobs.Open(owner, "read text", Read(func(ctx context.Context) (StoredTextMsg, error) {
		s, err := lcm.ReadSummary(ctx, e.DB, id)
		return StoredTextMsg{id, s.Content}, err
	}))
}

// KeepHandText keeps a text until it is applied, and tells that again when its review is
// left.
func (h *handTexts) KeepHandText(id, stored, text string) {
	if h.HandTexts == nil {
		h.HandTexts = map[string]*HandText{}
	}
	h.HandTexts[id] = &HandText{Stored: stored, Text: text}
}

// TellHandTexts says of texts that were written and not applied that they are kept, once.
func (h *handTexts) TellHandTexts() tea.Cmd {
	for id, text := range h.HandTexts {
		if !text.noticed {
			text.noticed = true
			return ui.Say(ui.StatusMsg{Kind: ui.Warn, Text: "your text of " + ui.Line(id) +
				" is not applied; it is kept until you quit: E opens it again, e opens the stored text"})
		}
	}
	return nil
}

// UnsavedHandTexts says what quitting drops, or is empty.
func (h *handTexts) UnsavedHandTexts() string {
	switch n := len(h.HandTexts); n {
	case 0:
		return ""
	case 1:
		for id := range h.HandTexts {
			return "The text that you wrote for " + id + " is not applied: quitting drops it."
		}
	}
	return fmt.Sprintf("%d texts that you wrote are not applied: quitting drops them.", len(h.HandTexts))
}

// Unchanged reports whether there is no new text to go on with, and says why.
func (m EditedMsg) Unchanged() (say tea.Cmd, unchanged bool) {
	switch {
	case m.Err != nil:
		return ui.Say(ui.ErrorMsg{Err: m.Err}), true
	case m.Text == m.Given:
		return ui.Say(ui.StatusMsg{Text: "the text came back as it was: nothing changes"}), true
	}
	return nil, false
}

// Uneditable says why no text can be written by hand, or is empty.
func (e *Env) Uneditable() string {
	if e.Editor == nil {
		return "no editor is set up"
	}
	return e.ReadOnly()
}
