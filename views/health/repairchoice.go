package health

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/integrity"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// RepairChoice asks what is right where nothing in the file decides: it shows the rows of a
// finding side by side, and what can be done. Nothing is written without a review.
type RepairChoice struct {
	env     *views.Env
	finding integrity.Finding
	sides   [][2]string // Headings and texts.
	pager   *ui.Pager
	drawn   int
	done    bool // Something was written since: there may be nothing to choose any more.
}

var _ ui.Screen = (*RepairChoice)(nil)

func newRepairChoice(env *views.Env, f integrity.Finding) *RepairChoice {
	return &RepairChoice{env: env, finding: f, pager: ui.NewPager(env.Styles), drawn: -1}
}

// Title implements ui.Screen.
func (c *RepairChoice) Title() string { return "Choose" }

// Purpose implements ui.Screen.
func (c *RepairChoice) Purpose() string {
	return "What nothing in the file decides: the rows side by side, and what can be done with them. A review follows; nothing is written from here."
}

// options returns the alternatives with their keys.
func (c *RepairChoice) options() (out []ui.Action) {
	for i, what := range c.finding.Kind().Words() {
		key := views.Itoa(int64(i + 1))
		out = append(out, ui.Act(key, key, what))
	}
	return out
}

// Actions implements ui.Screen.
func (c *RepairChoice) Actions() (out []ui.Action) {
	for _, o := range c.options() {
		out = append(out, o.In("Change").InFooter())
	}
	return append(out, c.pager.Actions()...)
}

// Init implements ui.Screen.
func (c *RepairChoice) Init() tea.Cmd {
	f := c.finding
	return c.env.Jobs.Read(c, "load", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		var sides sidesMsg
		rows := f.Rows
		if len(rows) == 0 {
			rows = []string{f.Row}
		}
		for _, r := range rows[:min(2, len(rows))] {
			heading, text, err := side(ctx, c.env, f.Table, r)
			if err != nil {
				return nil, err
			}
			sides = append(sides, [2]string{heading, text})
		}
		return sides, nil
	})
}

type sidesMsg [][2]string

// Update implements ui.Screen.
func (c *RepairChoice) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case sidesMsg:
		c.sides, c.drawn = msg, -1
		return nil
	case ui.ChangedMsg:
		c.done = c.done || !msg.External
	case ui.ShownMsg:
		if c.done {
			return ui.Say(ui.PopMsg{Screen: c})
		}
	case tea.KeyPressMsg:
		for i, what := range c.finding.Kind().Words() {
			if msg.String() == views.Itoa(int64(i+1)) {
				return c.receive(what)
			}
		}
	}
	return c.pager.Update(msg)
}

// receive goes on to the review of an alternative.
func (c *RepairChoice) receive(what string) tea.Cmd {
	if what == integrity.Keep {
		return ui.Say(ui.PopMsg{Screen: c})
	}
	if why := c.env.ReadOnly(); why != "" {
		return ui.Say(ui.StatusMsg{Text: why})
	}
	return reviewChoice(c.env, c, c.finding, what)
}

// View implements ui.Screen.
func (c *RepairChoice) View(width, height int) string {
	if c.drawn != width {
		c.drawn = width
		c.pager.SetText(c.text(width - 1))
	}
	return c.pager.View(width, height)
}

func (c *RepairChoice) text(width int) string {
	s := c.env.Styles
	var b strings.Builder
	b.WriteString(s.Title.Render(string(c.finding.Fault)+"  "+ui.Line(c.env.WithNames(c.finding.Detail))) + "\n\n")
	for i, choice := range c.finding.Kind().Choices {
		b.WriteString(s.Key.Render(views.Itoa(int64(i+1))) + "  " + ui.Pad(choice.Word, 8) + " " + choice.Meaning + "\n")
	}
	b.WriteString("\n")
	if len(c.sides) == 2 && width >= 72 {
		return b.String() + c.beside(width)
	}
	for _, side := range c.sides {
		b.WriteString(s.Title.Render(ui.Line(side[0])) + "\n\n" + ui.Sanitize(side[1]) + "\n\n")
	}
	return b.String()
}

// beside puts two texts beside each other.
func (c *RepairChoice) beside(width int) string {
	half := (width - 3) / 2
	var columns [2][]string
	for i, side := range c.sides {
		columns[i] = append(columns[i], c.env.Styles.Title.Render(ui.Cut(ui.Line(side[0]), half)), "")
		columns[i] = append(columns[i], strings.Split(ansi.Wrap(ui.Sanitize(side[1]), half, ""), "\n")...)
	}
	var b strings.Builder
	for i := range max(len(columns[0]), len(columns[1])) {
		var cells [2]string
		for j := range columns {
			if i < len(columns[j]) {
				cells[j] = columns[j][i]
			}
		}
		b.WriteString(ui.Pad(cells[0], half) + c.env.Styles.Faint.Render(" │ ") + cells[1] + "\n")
	}
	return b.String()
}
