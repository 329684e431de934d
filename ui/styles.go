package ui

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// Styles is how things look. There is one value of it for the whole program,
// made by NewStyles and held by pointer: the shell overwrites it when the
// terminal tells its background, so read it when drawing and keep no copy.
type Styles struct {
	// Dark says that the terminal's background is dark.
	DarkBackground bool

	Badge, Title, Crumb, Muted, Faint, Accent lipgloss.Style
	// Good, Warn and Bad go with a sign or a word, never alone: ✓, ~ and !.
	Good, Warn, Bad lipgloss.Style
	// Cursor is the row under the cursor, Blurred the same in a pane without
	// the focus, Match a piece of text that a filter or a search found.
	Cursor, Blurred, Match lipgloss.Style
	// Border and Focus are the frames of panes without and with the focus.
	Border, Focus lipgloss.Style
	// Key is the name of a key in footer and help.
	Key lipgloss.Style
	// Code is code in a text.
	Code lipgloss.Style

	DiffStyles
	RoleStyles
	DepthStyles
}

// DiffStyles is how lines of two texts look that differ.
type DiffStyles struct {
	Added, Removed lipgloss.Style
	// AddedWord and RemovedWord are the words that differ within a line, which has a sign
	// of its own: underlined and struck through where there is no colour.
	AddedWord, RemovedWord lipgloss.Style
}

// RoleStyles is how the roles of messages look.
type RoleStyles struct{ User, Assistant, Tool, System lipgloss.Style }

// DepthStyles is how summaries of depth 0 to 3 look.
type DepthStyles struct{ D0, D1, D2, D3 lipgloss.Style }

// colorPair is a colour of the palette on a light and on a dark background.
type colorPair struct{ light, dark string }

// colors is every colour of the program.
var colors = struct {
	ink, grey, mist, line, row, rowDim, paper      colorPair
	blue, teal, violet, magenta, green, amber, red colorPair
	plus, minus, plusHi, minusHi                   colorPair
}{
	ink:     colorPair{"#1f2430", "#e4e6ee"},
	grey:    colorPair{"#5c6370", "#9aa1b1"},
	mist:    colorPair{"#8a909c", "#6b7284"},
	line:    colorPair{"#b9bec8", "#464c5c"},
	row:     colorPair{"#dbe4f5", "#2f3a52"},
	rowDim:  colorPair{"#eceef2", "#262b38"},
	blue:    colorPair{"#1f5fbf", "#7aa8ff"},
	teal:    colorPair{"#0b7285", "#5fd0c5"},
	violet:  colorPair{"#6b3fc0", "#b79bff"},
	magenta: colorPair{"#a52a86", "#f08bd8"},
	green:   colorPair{"#2b7a2b", "#83cf7c"},
	amber:   colorPair{"#9a5b00", "#e8b45a"},
	red:     colorPair{"#b3261e", "#ff8078"},
	plus:    colorPair{"#dff3df", "#1d3a25"},
	minus:   colorPair{"#fbe3e1", "#45211f"},
	plusHi:  colorPair{"#b2e2b2", "#2f6b3d"},
	minusHi: colorPair{"#f3b9b4", "#7d322d"},
	paper:   colorPair{"#ffffff", "#12151c"},
}

// NewStyles returns the styles for a dark or a light background.
func NewStyles(dark bool) Styles {
	p := colors
	pick := lipgloss.LightDark(dark)
	c := func(t colorPair) color.Color { return pick(lipgloss.Color(t.light), lipgloss.Color(t.dark)) }
	fg := func(t colorPair) lipgloss.Style { return lipgloss.NewStyle().Foreground(c(t)) }
	on := func(t colorPair) lipgloss.Style { return lipgloss.NewStyle().Background(c(t)) }
	return Styles{
		DarkBackground: dark,
		Badge:          fg(p.paper).Background(c(p.blue)).Bold(true),
		Title:          fg(p.ink).Bold(true),
		Crumb:          fg(p.grey),
		Muted:          fg(p.grey),
		Faint:          fg(p.mist),
		Accent:         fg(p.blue),
		Good:           fg(p.green),
		Warn:           fg(p.amber),
		Bad:            fg(p.red).Bold(true),
		Cursor:         on(p.row),
		Blurred:        on(p.rowDim),
		Match:          lipgloss.NewStyle().Underline(true),
		Border:         fg(p.line),
		Focus:          fg(p.blue),
		Key:            fg(p.ink).Bold(true),
		Code:           fg(p.teal),
		DiffStyles: DiffStyles{
			Added: on(p.plus), AddedWord: on(p.plusHi).Underline(true),
			Removed: on(p.minus), RemovedWord: on(p.minusHi).Strikethrough(true),
		},
		RoleStyles:  RoleStyles{User: fg(p.green), Assistant: fg(p.blue), Tool: fg(p.grey), System: fg(p.amber)},
		DepthStyles: DepthStyles{D0: fg(p.teal), D1: fg(p.blue), D2: fg(p.violet), D3: fg(p.magenta)},
	}
}

// Depth returns the style of a summary of depth n; from 3 on they look alike.
func (s *DepthStyles) Depth(n int) lipgloss.Style {
	switch {
	case n <= 0:
		return s.D0
	case n == 1:
		return s.D1
	case n == 2:
		return s.D2
	}
	return s.D3
}

// Role returns the style of a message's role: user, assistant, tool, else system.
func (s *RoleStyles) Role(name string) lipgloss.Style {
	switch name {
	case "user":
		return s.User
	case "assistant":
		return s.Assistant
	case "tool", "toolResult":
		return s.Tool
	}
	return s.System
}
