package ui

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/internal/characters"
)

// Answer is what became of an Input by a message.
type Answer int

// The answers of an Input.
const (
	Open     Answer = iota // still typing
	Accepted               // enter: read Value
	Dropped                // esc
)

// maxInput is how many characters a prompt takes; the rest of a longer paste is left out.
const maxInput = 4096

// Input is a prompt of one line with a label. It takes keys and pastes while
// it is open, edits by whole characters as the reader sees them, and never
// reads the clipboard of the machine by itself. The textinput of bubbles edits by code
// points, which takes an accent or a family apart, and reads the clipboard on ctrl+v.
type Input struct {
	label  string
	styles *Styles
	before []string // Grapheme clusters left of the cursor.
	after  []string // Those right of it.
	open   bool
	reason string // Why the text was refused; empty once it is edited.
}

// NewInput returns a closed prompt. Label is printed before the text.
func NewInput(styles *Styles, label string) *Input {
	return &Input{label: label, styles: styles}
}

// Open starts the prompt with text in it.
func (i *Input) Open(text string) {
	i.before, i.after, i.open, i.reason = nil, nil, true, ""
	i.insert(text)
}

// Close ends the prompt and keeps its text.
func (i *Input) Close() { i.open = false }

// Reset ends the prompt and empties it.
func (i *Input) Reset() { i.before, i.after, i.open, i.reason = nil, nil, false, "" }

// Refuse opens the prompt again with its text, and shows the reason beside it until it is edited.
func (i *Input) Refuse(reason string) { i.open, i.reason = true, Line(reason) }

// RefuseFailed refuses a text for which a job of this name failed, and reports whether msg says so.
func (i *Input) RefuseFailed(msg tea.Msg, job string) bool {
	m, ok := msg.(FailedMsg)
	if !ok || m.Name != job || i.open || i.Value() == "" || errors.Is(m.Err, context.Canceled) {
		return false
	}
	i.Refuse(m.Err.Error())
	return true
}

// Typing reports whether the prompt is open.
func (i *Input) Typing() bool { return i.open }

// Value returns the text so far.
func (i *Input) Value() string { return strings.Join(i.before, "") + strings.Join(i.after, "") }

// Update takes a key or a paste. Enter and esc close the prompt; esc empties
// it as well.
func (i *Input) Update(msg tea.Msg) Answer {
	if !i.open {
		return Open
	}
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		i.reason = ""
	}
	switch m := msg.(type) {
	case tea.KeyPressMsg:
		switch m.String() {
		case "enter":
			i.Close()
			return Accepted
		case "esc":
			i.Reset()
			return Dropped
		}
		i.edit(m)
	case tea.PasteMsg:
		i.insert(m.Content)
	}
	return Open
}

// View draws label and text in one line of width cells; of a long text the
// part around the cursor.
func (i *Input) View(width int) string {
	label := i.styles.Accent.Render(i.label) + " "
	reason := ""
	if i.reason != "" { // It takes at most what the text leaves, but half of the line in any case.
		left := max(width/2, width-ansi.StringWidth(label)-ansi.StringWidth(i.Value())-1)
		reason = i.styles.Warn.Render(Cut("  ~ "+i.reason, left))
		width -= ansi.StringWidth(reason)
	}
	room := max(1, width-ansi.StringWidth(label))
	under, rest := " ", ""
	if len(i.after) > 0 {
		under, rest = i.after[0], strings.Join(i.after[1:], "")
	}
	if i.open {
		under = lipgloss.NewStyle().Reverse(true).Render(under)
	}
	head := strings.Join(i.before, "")
	keep := min(ansi.StringWidth(rest), room/4)
	if over := ansi.StringWidth(head) + ansi.StringWidth(under) + keep - room; over > 0 {
		head = ansi.TruncateLeft(head, over+1, "…")
	}
	if reason != "" {
		return Cut(label+head+under+rest, width) + reason
	}
	return Pad(label+head+under+rest, width)
}

// clusters splits s into grapheme clusters.
func clusters(s string) []string {
	var out []string
	for s != "" {
		c, _ := characters.First(s)
		if c == "" {
			break
		}
		out, s = append(out, c), s[len(c):]
	}
	return out
}

// Actions returns the keys of an open prompt for the footer; do is what enter does. Of a closed one there are none.
func (i *Input) Actions(do string) []Action {
	if !i.open {
		return nil
	}
	return []Action{Act("enter", "⏎", do).In(Typing).InFooter(), Act("esc", "esc", "leave").In(Typing).InFooter()}
}
