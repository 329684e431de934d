package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
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
}

// NewInput returns a closed prompt. Label is printed before the text.
func NewInput(styles *Styles, label string) *Input {
	return &Input{label: label, styles: styles}
}

// Open starts the prompt with text in it.
func (i *Input) Open(text string) {
	i.before, i.after, i.open = nil, nil, true
	i.insert(text)
}

// Close ends the prompt and keeps its text.
func (i *Input) Close() { i.open = false }

// Reset ends the prompt and empties it.
func (i *Input) Reset() { i.before, i.after, i.open = nil, nil, false }

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
	return Pad(label+head+under+rest, width)
}

// clusters splits s into grapheme clusters.
func clusters(s string) []string {
	var out []string
	for s != "" {
		c, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		if c == "" {
			break
		}
		out, s = append(out, c), s[len(c):]
	}
	return out
}
