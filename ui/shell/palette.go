package shell

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"lcm-tui/internal/sorting"
	"lcm-tui/ui"
)

// palette is an overlay that lists every action of the screen and every command of the
// program by name. What isn't possible now comes last, with the reason.
type palette struct {
	styles *ui.Styles
	jobs   *ui.Jobs
	fixed  []ui.Command // Known at once.
	found  []ui.Command // For the present query.
	find   func(ctx context.Context, query string) ([]ui.Command, error)
	run    func(ui.Command) tea.Cmd
	input  *ui.Input
	list   *ui.List[*ui.Command]
}

const paletteWidth = 76

// foundScore is above every score of a name.
const foundScore = 1 << 20

// findDelay is how long the query must rest before it is looked up.
const findDelay = 40 * time.Millisecond

// newPalette opens the palette of the top screen.
func (a *App) newPalette() (*palette, tea.Cmd) {
	p := &palette{styles: a.styles, jobs: a.jobs, find: a.cfg.Find, run: a.runCommand, input: ui.NewInput(a.styles, ":")}
	for _, act := range a.Actions() {
		if act.Group != ui.Typing && !act.OnlyKey && act.Key.Help().Desc != "" {
			p.fixed = append(p.fixed, a.commandOf(act))
		}
	}
	if c, ok := a.Top().(ui.Commander); ok {
		p.fixed = append(p.fixed, c.Commands()...)
	}
	if a.cfg.Commands != nil {
		for _, c := range a.cfg.Commands() {
			if len(c.Action.Key.Keys()) > 0 {
				c.Label = label(a.keymap.show(c.Action))
			}
			p.fixed = append(p.fixed, c)
		}
	}
	p.list = ui.NewList(a.styles, func(c *ui.Command) string { return c.Kind + "\x00" + c.Name }, p.row, nil)
	p.list.Empty = "nothing is called that"
	p.input.Open("")
	return p, p.search()
}

// commandOf returns an action of the screen as a command, which presses its key.
func (a *App) commandOf(act ui.Action) ui.Command {
	c := ui.Command{Name: act.Key.Help().Desc, Kind: act.Group, Label: label(act)}
	names := act.Key.Keys()
	if !act.Key.Enabled() || len(names) == 0 {
		c.Why = reason(act)
		return c
	}
	c.Run = func() tea.Cmd { return a.key(ui.Press(names[0])) }
	return c
}

// runCommand closes the palette and does what was chosen there.
func (a *App) runCommand(c ui.Command) tea.Cmd {
	a.overlays.close()
	if c.Why != "" || c.Run == nil {
		a.status.say(status{text: c.Name + " – " + c.Why, kind: ui.Warn})
		return nil
	}
	return c.Run()
}

type foundMsg struct {
	query    string
	commands []ui.Command
}

// Update takes what was found.
func (p *palette) Update(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(foundMsg); ok && m.query == p.query() {
		p.found = m.commands
		p.rank()
	}
	return nil
}

func (p *palette) query() string { return strings.TrimSpace(p.input.Value()) }

// search lists what is known for the present query, and looks up the rest.
func (p *palette) search() tea.Cmd {
	p.rank()
	p.list.Move(-p.list.Len())
	if p.find == nil {
		return nil
	}
	query, find := p.query(), p.find
	return p.jobs.Quiet(p, "find", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		if err := ui.Sleep(ctx, findDelay); err != nil {
			return nil, err
		}
		commands, err := find(ctx, query)
		return foundMsg{query, commands}, err
	})
}

func (p *palette) update(msg tea.Msg) (bool, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "enter":
			if c, ok := p.list.Selected(); ok {
				return true, p.run(*c)
			}
			return false, nil
		case "up", "down", "pgup", "pgdown":
			return false, p.list.Update(k)
		case "ctrl+p":
			p.list.Move(-1)
			return false, nil
		case "ctrl+n":
			p.list.Move(1)
			return false, nil
		}
	}
	if _, ok := msg.(tea.MouseWheelMsg); ok {
		return false, p.list.Update(msg)
	}
	before := p.query()
	p.input.Update(msg)
	if p.query() != before {
		return false, p.search()
	}
	return false, nil
}

// rank orders the commands: those that were found by their id, then those that are
// possible by how well their names match, then the others. Without a query they stay as
// they come.
func (p *palette) rank() {
	type hit struct {
		ui.Command
		score int
	}
	var hits []hit
	seen := map[string]int{}
	for _, c := range slices.Concat(p.fixed, p.found) {
		score, ok := fuzzy(p.query(), c.Name+" "+c.Kind)
		isWord := c.Word != "" && strings.EqualFold(p.query(), c.Word)
		switch {
		case isWord:
			score = foundScore + 1
		case c.Found:
			score = foundScore // Among these the order is that of the lookup.
		case !ok:
			continue
		}
		name := strings.ToLower(c.Name)
		at, double := seen[name]
		switch {
		case !double:
			seen[name] = len(hits)
			hits = append(hits, hit{c, score})
		case hits[at].Why != "" && c.Why == "":
			hits[at] = hit{c, score}
		}
	}
	sorting.Stable(hits, func(a, b *hit) int {
		if possible := cmp.Compare(min(1, len(a.Why)), min(1, len(b.Why))); possible != 0 || p.query() == "" {
			return possible
		}
		return b.score - a.score
	})
	items := make([]*ui.Command, len(hits))
	for i := range hits {
		items[i] = &hits[i].Command
	}
	p.list.SetItems(items)
}

func (p *palette) row(c *ui.Command, width int, _ bool) string {
	if c.Why != "" {
		text := p.styles.Faint.Render(ui.Line(c.Name) + " – " + ui.Line(c.Why))
		return ui.Justify(text, p.styles.Faint.Render(c.Label)+" ", width, width/2)
	}
	kind := ""
	if c.Kind != "" {
		kind = p.styles.Faint.Render("  " + c.Kind)
	}
	return ui.Justify(ui.UnderlineMatches(ui.Line(c.Name), p.query())+kind, p.styles.Key.Render(c.Label)+" ", width, width/2)
}

func (p *palette) view(width, height int) string {
	inner := max(1, min(width-6, paletteWidth))
	rows := max(1, min(height-7, max(1, p.list.Len())))
	foot := p.styles.Key.Render("⏎") + p.styles.Muted.Render(" do it  ") +
		p.styles.Key.Render("↑↓") + p.styles.Muted.Render(" choose  ") +
		p.styles.Key.Render("esc") + p.styles.Muted.Render(" close")
	if n := p.list.Len(); n > rows {
		foot = ui.Justify(foot, p.styles.Muted.Render(ui.Num(int64(p.list.Index()+1))+" of "+ui.Num(int64(n))+" "), inner-1, inner/2)
	}
	text := lipgloss.JoinVertical(lipgloss.Left,
		" "+p.input.View(inner-1), "", p.list.View(inner, rows), ui.Cut(" "+foot, inner))
	return ui.Frame(p.styles, text, inner, rows+3)
}

// reason returns why an action is not possible now.
func reason(a ui.Action) string {
	if a.Why != "" {
		return a.Why
	}
	return "not possible now"
}

// fuzzy tells how well text answers query: higher is better, and false is not
// at all. All letters of query must come in order; words that begin with them,
// and letters that follow each other, count more.
func fuzzy(query, text string) (score int, ok bool) {
	q, t := []rune(strings.ToLower(query)), []rune(strings.ToLower(text))
	at, run := 0, 0
	for i, r := range t {
		if at == len(q) {
			break
		}
		if r != q[at] {
			run = 0
			continue
		}
		at++
		run++
		score += 2 * run
		if i == 0 || !unicode.IsLetter(t[i-1]) {
			score += 8
		}
	}
	if at < len(q) {
		return 0, false
	}
	if i := strings.Index(string(t), string(q)); i >= 0 {
		score += 40 - min(i, 20)
	}
	return score - len(t)/8, true
}
