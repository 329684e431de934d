package ui

import (
	"image/color"
	"maps"
	"slices"

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

// ColorPair is a colour on a light and on a dark background: #rrggbb or the number of an ANSI colour.
type ColorPair struct{ Light, Dark string }

// Colors are those that a user chose, by the names of ColorNames; others stay as they are.
type Colors map[string]ColorPair

// ink and the others are the palette of the program.
var (
	ink     = ColorPair{"#1f2430", "#e4e6ee"}
	grey    = ColorPair{"#5c6370", "#9aa1b1"}
	mist    = ColorPair{"#8a909c", "#6b7284"}
	blue    = ColorPair{"#1f5fbf", "#7aa8ff"}
	teal    = ColorPair{"#0b7285", "#5fd0c5"}
	violet  = ColorPair{"#6b3fc0", "#b79bff"}
	magenta = ColorPair{"#a52a86", "#f08bd8"}
	green   = ColorPair{"#2b7a2b", "#83cf7c"}
	amber   = ColorPair{"#9a5b00", "#e8b45a"}
	red     = ColorPair{"#b3261e", "#ff8078"}
)

// colors are what the program draws with, by what they are for.
var colors = Colors{
	"title": ink, "key": ink, "crumb": grey, "muted": grey, "faint": mist, "accent": blue, "code": teal,
	"badge": {"#ffffff", "#12151c"}, "badge-background": blue,
	"good": green, "warn": amber, "bad": red,
	"cursor": {"#dbe4f5", "#2f3a52"}, "cursor-blurred": {"#eceef2", "#262b38"},
	"border": {"#b9bec8", "#464c5c"}, "focus": blue,
	"added": {"#dff3df", "#1d3a25"}, "added-word": {"#b2e2b2", "#2f6b3d"},
	"removed": {"#fbe3e1", "#45211f"}, "removed-word": {"#f3b9b4", "#7d322d"},
	"user": green, "assistant": blue, "tool": grey, "system": amber,
	"d0": teal, "d1": blue, "d2": violet, "d3": magenta,
}

// ColorNames returns what a user can choose the colour of.
func ColorNames() []string { return slices.Sorted(maps.Keys(colors)) }

// NewStyles returns the styles for a dark or a light background.
func NewStyles(dark bool) Styles { return Colors(nil).Styles(dark) }

// Styles returns the styles for a dark or a light background, in the colours of the user.
func (c Colors) Styles(dark bool) Styles {
	pick := lipgloss.LightDark(dark)
	of := func(name string) color.Color {
		pair, chosen := c[name]
		if !chosen {
			pair = colors[name]
		}
		return pick(lipgloss.Color(pair.Light), lipgloss.Color(pair.Dark))
	}
	fg := func(name string) lipgloss.Style { return lipgloss.NewStyle().Foreground(of(name)) }
	on := func(name string) lipgloss.Style { return lipgloss.NewStyle().Background(of(name)) }
	return Styles{
		DarkBackground: dark,
		Badge:          fg("badge").Background(of("badge-background")).Bold(true),
		Title:          fg("title").Bold(true),
		Crumb:          fg("crumb"),
		Muted:          fg("muted"),
		Faint:          fg("faint"),
		Accent:         fg("accent"),
		Good:           fg("good"),
		Warn:           fg("warn"),
		Bad:            fg("bad").Bold(true),
		Cursor:         on("cursor"),
		Blurred:        on("cursor-blurred"),
		Match:          lipgloss.NewStyle().Underline(true),
		Border:         fg("border"),
		Focus:          fg("focus"),
		Key:            fg("key").Bold(true),
		Code:           fg("code"),
		DiffStyles: DiffStyles{
			Added: on("added"), AddedWord: on("added-word").Underline(true),
			Removed: on("removed"), RemovedWord: on("removed-word").Strikethrough(true),
		},
		RoleStyles:  RoleStyles{User: fg("user"), Assistant: fg("assistant"), Tool: fg("tool"), System: fg("system")},
		DepthStyles: DepthStyles{D0: fg("d0"), D1: fg("d1"), D2: fg("d2"), D3: fg("d3")},
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
