package viewtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/internal/characters"
)

// theme is one way to see the program.
type theme struct {
	name    string
	dark    bool
	profile colorprofile.Profile
}

var themes = []theme{
	{"dark", true, colorprofile.TrueColor},
	{"light", false, colorprofile.TrueColor},
	{"no colour", true, colorprofile.ASCII},
}

// styledCell is one character of a screen and its style, as the numbers of its escape sequences.
type styledCell struct{ text, style string }

// styleMap writes a screen twice: its text, and below it a letter for the style of each
// character. legend tells what the letters are in each theme.
type styleMap struct {
	letters map[[3]string]string
	legend  []string
}

// styleLetters are the names of styles, in the order of their first use. The dot is text without a style.
const styleLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&*+=?@^~<>"

func newStyleMap() *styleMap {
	return &styleMap{letters: map[[3]string]string{{}: "."}}
}

// letter returns the name of a style.
func (m *styleMap) letter(styles [3]string) string {
	if l, ok := m.letters[styles]; ok {
		return l
	}
	l := string(styleLetters[min(len(m.legend), len(styleLetters)-1)])
	m.letters[styles] = l
	m.legend = append(m.legend, fmt.Sprintf("%s  dark %s  light %s  no colour %s", l, styles[0], styles[1], orPlain(styles[2])))
	return l
}

func orPlain(style string) string {
	if style == "" {
		return "plain"
	}
	return style
}

// add writes a screen that was drawn in each of the themes. The text must be the same in all.
func (m *styleMap) add(t *testing.T, drawn [3]string) string {
	t.Helper()
	var rows [3][][]styledCell
	for i, th := range themes {
		rows[i] = cellRows(drawn[i], th.profile)
		if a, b := Plain(drawn[i]), Plain(drawn[0]); a != b {
			t.Errorf("the text differs between %s and %s:\n%s\n%s", themes[0].name, th.name, b, a)
			return ""
		}
	}
	var out strings.Builder
	for y, row := range rows[0] {
		var text, styles strings.Builder
		for x, c := range row {
			text.WriteString(c.text)
			letter := m.letter([3]string{c.style, rows[1][y][x].style, rows[2][y][x].style})
			styles.WriteString(strings.Repeat(letter, ansi.StringWidth(c.text)))
		}
		fmt.Fprintf(&out, "%s\n", strings.TrimRight(text.String(), " "))
		if s := strings.TrimRight(styles.String(), "."); s != "" {
			fmt.Fprintf(&out, "\t%s\n", s)
		}
	}
	return out.String()
}

// cellRows splits a drawn screen into characters with their styles, as a terminal of the profile shows
// them.
func cellRows(drawn string, profile colorprofile.Profile) (rows [][]styledCell) {
	var shown strings.Builder
	w := colorprofile.Writer{Forward: &shown, Profile: profile}
	_, _ = w.WriteString(drawn) // A strings.Builder takes everything.
	var state byte
	style := ""
	row := []styledCell{}
	for rest := shown.String(); rest != ""; {
		next := characters.Next(rest, state)
		seq := next.Text
		rest, state = rest[len(seq):], next.State
		switch {
		case seq == "\n":
			rows, row = append(rows, row), nil
		case next.Cells > 0:
			row = append(row, styledCell{seq, style})
		case seq == "\x1b[m" || seq == "\x1b[0m":
			style = ""
		case strings.HasPrefix(seq, "\x1b["):
			style += strings.TrimSuffix(strings.TrimPrefix(seq, "\x1b["), "m") + ";"
		}
	}
	return append(rows, row)
}
