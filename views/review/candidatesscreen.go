package review

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/token"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Candidates shows the stored text of a summary and all new ones that there were for it, beside each other where
// there is room, and takes the one that is chosen.
type Candidates struct {
	env    *views.Env
	id     string
	stored *ops.Text // The stored text, or what the summary is made of.
	texts  []candidate
	chosen int // The present one.
	choose func(n int) tea.Cmd
	pager  *ui.Pager
	width  int // For which the text was made; 0 is none.
}

var _ ui.Screen = (*Candidates)(nil)

const (
	minCandidateWidth = 36 // Cells of a text that stands beside others, at least.
	columnGap         = 3
)

func newCandidatesScreen(env *views.Env, id string, stored *ops.Text, texts []candidate, chosen int, choose func(n int) tea.Cmd) *Candidates {
	return &Candidates{env: env, id: id, stored: stored, texts: texts, chosen: chosen, choose: choose, pager: ui.NewPager(env.Styles)}
}

// Title implements ui.Screen.
func (c *Candidates) Title() string { return "Candidates of " + views.ShortID(c.id, views.IDWidth) }

// Purpose implements ui.Screen.
func (c *Candidates) Purpose() string {
	return "The stored text of a summary, or what it is made of, beside every new text that there was for it in this review. A digit chooses one; no model is asked again for it, and nothing is written."
}

// Init implements ui.Screen.
func (c *Candidates) Init() tea.Cmd { return nil }

// Typing implements ui.Typer.
func (c *Candidates) Typing() bool { return c.pager.Typing() }

// Escape implements ui.Escaper.
func (c *Candidates) Escape() bool { return c.pager.Escape() }

// Position implements ui.Positioner.
func (c *Candidates) Position() string { return c.pager.Position() }

// Copy implements ui.Copier.
func (c *Candidates) Copy() string { return c.id }

// actions returns the keys that choose.
func (c *Candidates) actions() (out []views.Action) {
	for i := range c.texts[:min(len(c.texts), 9)] {
		n := strconv.Itoa(i + 1)
		act := ui.Act(n, n, "take candidate "+n).In("Change").InFooter()
		out = append(out, views.Action{Action: act.Off(i != c.chosen, "it is the chosen one"), Run: func() tea.Cmd {
			return tea.Batch(ui.Say(ui.PopMsg{Screen: c}), c.choose(i))
		}})
	}
	return out
}

// Actions implements ui.Screen.
func (c *Candidates) Actions() (out []ui.Action) {
	for _, a := range c.actions() {
		out = append(out, a.Action)
	}
	return append(out, c.pager.Actions()...)
}

// Update implements ui.Screen.
func (c *Candidates) Update(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(tea.KeyPressMsg); ok && !c.pager.Typing() {
		for _, a := range c.actions() {
			if key.Matches(m, a.Key) {
				return a.Run()
			}
		}
	}
	return c.pager.Update(msg)
}

// View implements ui.Screen.
func (c *Candidates) View(width, height int) string {
	if c.width != width {
		c.width = width
		c.pager.SetText(c.text(width - 2))
	}
	return " " + strings.ReplaceAll(c.pager.View(width-2, height), "\n", "\n ")
}

// text returns the texts in as many columns as there is room for: the stored one first, or last where they
// don't all stand beside each other.
func (c *Candidates) text(width int) string {
	var order []int // 0 is the stored text.
	for i := range c.texts {
		order = append(order, i+1)
	}
	columns := max(1, min(len(order)+1, (width+columnGap)/(minCandidateWidth+columnGap)))
	if columns > len(order) {
		order = append([]int{0}, order...)
	} else {
		order = append(order, 0)
	}
	var bands []string
	for band := range slices.Chunk(order, columns) {
		bands = append(bands, c.beside(band, (width-columnGap*(len(band)-1))/len(band)))
	}
	return strings.Join(bands, "\n\n")
}

// beside returns texts beside each other, in columns of so many cells.
func (c *Candidates) beside(numbers []int, column int) string {
	s := c.env.Styles
	texts, rows := make([][]string, len(numbers)), 0
	for i, n := range numbers {
		text := c.stored.Before
		if n > 0 {
			text = c.texts[n-1].text
		}
		texts[i] = append([]string{c.heading(n, text)}, ui.WrapLines(ui.Markdown(text, column, s.DarkBackground), column)...)
		rows = max(rows, len(texts[i]))
	}
	lines := make([]string, rows)
	for row := range lines {
		cells := make([]string, len(texts))
		for i, t := range texts {
			cells[i] = ui.Pad(views.LineAt(t, row), column)
		}
		lines[row] = strings.Join(cells, s.Faint.Render(" │ "))
	}
	return strings.Join(lines, "\n")
}

// heading returns which text the i-th is, where 0 is the stored one, and how long it is.
func (c *Candidates) heading(i int, text string) string {
	s := c.env.Styles
	tokens := ui.Tokens(token.Of(c.env.DB.Kind().Level).Count(text))
	if i == 0 {
		before := "stored  "
		if c.stored.Made {
			before = "made of  "
		}
		return s.Muted.Render(before + tokens)
	}
	by := cmp.Or(ui.Line(c.texts[i-1].model), "yours")
	head := s.Key.Render(strconv.Itoa(i)) + " " + s.Title.Render(by) + s.Muted.Render("  "+tokens)
	if i-1 == c.chosen {
		head += s.Good.Render("  chosen")
	}
	return head
}

// candidateText says which of several candidates is chosen, or is empty.
func candidateText(n, of int) string {
	if of < 2 {
		return ""
	}
	return fmt.Sprintf("  candidate %d of %d", n+1, of)
}
