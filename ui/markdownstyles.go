package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// spanRole is what a piece of text is, which decides on its colour.
type spanRole uint8

const (
	roleText spanRole = iota
	roleHeading
	roleCode
	roleLink
	roleAddress // Of a link, and other things that are read second.
	roleFrame   // Lines of quotes, tables and rules.
)

// spanStyle is how a piece of text looks.
type spanStyle struct {
	role                 spanRole
	bold, italic, strike bool
}

// markdownPalette turns styles into escape sequences, each only once.
type markdownPalette struct {
	roles [roleFrame + 1]lipgloss.Style
	codes map[spanStyle][2]string
}

func newMarkdownPalette(dark bool) markdownPalette {
	s := NewStyles(dark)
	return markdownPalette{
		roles: [...]lipgloss.Style{
			roleText:    lipgloss.NewStyle(),
			roleHeading: s.Accent.Bold(true),
			roleCode:    s.Code,
			roleLink:    s.Accent,
			roleAddress: s.Muted,
			roleFrame:   s.Border,
		},
		codes: map[spanStyle][2]string{},
	}
}

// sequences returns what begins and what ends a text in that style.
func (p *markdownPalette) sequences(style spanStyle) (begin, end string) {
	if style == (spanStyle{}) {
		return "", ""
	}
	codes, ok := p.codes[style]
	if !ok {
		look := p.roles[style.role]
		if style.bold {
			look = look.Bold(true)
		}
		if style.italic {
			look = look.Italic(true)
		}
		if style.strike {
			look = look.Strikethrough(true)
		}
		codes[0], codes[1], _ = strings.Cut(look.Render("x"), "x")
		p.codes[style] = codes
	}
	return codes[0], codes[1]
}

func (p *markdownPalette) render(text string, style spanStyle) string {
	begin, end := p.sequences(style)
	return begin + text + end
}
