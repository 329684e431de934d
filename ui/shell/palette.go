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
	hits   []hit // The rows of list.
	chosen bool  // The first row is to run as soon as the query is looked up.
	rows   int   // The most rows that were shown: the box stays in its place.
}

const (
	paletteWidth = 76
	paletteTop   = 2 // Lines above the list.
	labelWidth   = 6 // Of the column of keys.
)

// foundScore is above every score of a name.
const foundScore = matchWhole + 1

// findDelay is how long the query must rest before it is looked up.
const findDelay = 40 * time.Millisecond

// newPalette opens the palette of the top screen.
func (a *App) newPalette() (*palette, tea.Cmd) {
	p := &palette{styles: a.styles, jobs: a.jobs, find: a.cfg.Find, run: a.runCommand, input: ui.NewInput(a.styles, ":")}
	p.fixed = paletteCommands(a)
	p.list = ui.NewList(a.styles, func(c *ui.Command) string { return c.Kind + "\x00" + c.Name }, p.row, nil)
	p.list.Empty = "nothing is called that"
	p.input.Open("")
	return p, p.search()
}

// paletteCommands returns what the palette of the top screen knows without a lookup.
func paletteCommands(a *App) (out []ui.Command) {
	for _, act := range a.Actions() {
		if act.Group != ui.Typing && !act.OnlyKey && act.Key.Help().Desc != "" {
			c := a.commandOf(act)
			c.OnQuery = act.Group == ui.MoveGroup
			out = append(out, c)
		}
	}
	if c, ok := a.Top().(ui.Commander); ok {
		out = append(out, c.Commands()...)
	}
	if a.cfg.Commands != nil {
		for _, c := range a.cfg.Commands() {
			if len(c.Action.Key.Keys()) > 0 {
				c.Label = label(a.keymap.show(c.Action))
			}
			out = append(out, c)
		}
	}
	return out
}

// commandOf returns an action of the screen as a command, which presses its key.
func (a *App) commandOf(act ui.Action) ui.Command {
	c := ui.Command{Name: act.Key.Help().Desc, Kind: act.Group, Label: label(act)}
	names := act.Key.Keys()
	if !act.Key.Enabled() || len(names) == 0 {
		c.Why = reason(act)
		return c
	}
	press := a.key
	if act.Menu {
		press = a.give
	}
	c.Run = func() tea.Cmd { return press(ui.Press(names[0])) }
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
	m, ok := msg.(foundMsg)
	if !ok || m.query != p.query() {
		p.chosen = false
		return nil
	}
	p.found = m.commands
	p.rank()
	if !p.chosen {
		return nil
	}
	p.chosen = false
	p.list.Move(-p.list.Len())
	_, cmd := p.choose()
	return cmd
}

func (p *palette) query() string { return strings.TrimSpace(p.input.Value()) }

// search lists what is known for the present query, and looks up the rest.
func (p *palette) search() tea.Cmd {
	p.found = nil
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
	p.chosen = false
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "enter":
			return p.choose()
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
	if m, ok := msg.(tea.MouseMsg); ok {
		if opens(p.list, m, paletteTop) {
			return p.choose()
		}
		return false, nil
	}
	before := p.query()
	p.input.Update(msg)
	if p.query() != before {
		return false, p.search()
	}
	return false, nil
}

// The groups of the list for a query, in their order. What is looked up never comes before what
// is known at once, so that a late answer does not move the row under the cursor.
const (
	groupWord       = iota // The query is the word of the command.
	groupKnown             // Known at once.
	groupFound             // Looked up.
	groupImpossible        // Not possible now.
)

// hit is a command that answers the query.
type hit struct {
	*ui.Command
	group, score int
}

// rank orders the commands that answer the query. Without a query they stay as they come, with the impossible
// ones last. Of two with the same word or name the first that is possible stays.
func (p *palette) rank() {
	p.hits = nil
	seen := map[string]int{}
	known := map[string]bool{} // The words of what is known at once.
	for i := range p.fixed {
		known[p.fixed[i].Word] = true
	}
	commands := slices.Concat(p.fixed, p.found)
	for n := range commands {
		c := &commands[n]
		h := hit{Command: c, group: groupKnown, score: p.score(c)}
		switch {
		case h.score == 0:
			continue
		case slices.Contains(strings.Fields(c.Word), strings.ToLower(p.query())):
			h.group = groupWord
		case c.Why != "":
			h.group = groupImpossible
		case n >= len(p.fixed):
			h.group = groupFound
		}
		at, double := seen[strings.ToLower(c.Name)]
		if i := slices.IndexFunc(p.hits, func(k hit) bool { return k.Word != "" && k.Word == c.Word }); i >= 0 && known[c.Word] && n >= len(p.fixed) {
			p.hits[i] = h // What was looked up says more.
			continue
		}
		switch {
		case !double:
			seen[strings.ToLower(c.Name)] = len(p.hits)
			p.hits = append(p.hits, h)
		case p.hits[at].Why != "" && c.Why == "":
			p.hits[at] = h
		}
	}
	sorting.Stable(p.hits, func(a, b *hit) int {
		if p.query() == "" {
			return cmp.Compare(min(1, len(a.Why)), min(1, len(b.Why)))
		}
		return cmp.Or(cmp.Compare(a.group, b.group), b.score-a.score)
	})
	items := make([]*ui.Command, len(p.hits))
	for i := range p.hits {
		items[i] = p.hits[i].Command
	}
	p.list.SetItems(items)
}

// score tells how well a command answers the query; 0 is not at all.
func (p *palette) score(c *ui.Command) int {
	query := strings.ToLower(p.query())
	switch {
	case query == "" && c.OnQuery:
		return 0
	case c.Found:
		return foundScore // Among these the order is that of the lookup.
	}
	score := matchClass(query, c.Name)
	for _, word := range strings.Fields(c.Word) {
		if strings.HasPrefix(word, query) {
			score = max(score, matchStart)
		}
	}
	return score
}

// isSettled reports whether what is looked up can't come before the first row.
func (p *palette) isSettled() bool {
	return !p.jobs.Running(p, "find") || len(p.hits) > 0 && p.hits[0].group <= groupKnown
}

// choose runs the row under the cursor. While the query is looked up and the lookup may bring a better row, it
// waits for that, and keys behind it wait as well.
func (p *palette) choose() (bool, tea.Cmd) {
	if p.list.Index() == 0 && !p.isSettled() {
		p.chosen = p.jobs.HoldKeys(p, "find")
		return false, nil
	}
	if c, ok := p.list.Selected(); ok {
		return true, p.run(*c)
	}
	return false, nil
}

func (p *palette) row(c *ui.Command, width int, _ bool) string {
	if c.Why != "" {
		text := p.styles.Faint.Render(ui.Line(c.Name) + " – " + ui.Line(c.Why))
		return ui.Justify(text, p.styles.Faint.Render(c.Label)+" ", width, width/2)
	}
	right := lipgloss.PlaceHorizontal(labelWidth, lipgloss.Right, p.styles.Key.Render(c.Label)) + " "
	if kind := ui.LineN(c.Kind, width/3); kind != "" {
		right = p.styles.Faint.Render(kind) + " " + right
	}
	return ui.Justify(ui.UnderlineMatches(ui.Line(c.Name), p.query()), "  "+right, width, width/2)
}

func (p *palette) view(width, height int) string {
	inner := max(1, min(width-6, paletteWidth))
	p.rows = max(p.rows, p.list.Len())
	rows := max(1, min(height-7, p.rows))
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

// The classes of a match, from the worst: letters that begin words, a part of the text, and the
// beginning or the whole of a word or of the text.
const (
	matchInitials = iota + 1
	matchPart
	matchWordStart
	matchWord
	matchStart
	matchWhole
)

// matchClass tells how well text answers a query: 0 is not at all. Case does not count.
func matchClass(query, text string) int {
	query, text = strings.ToLower(query), strings.ToLower(text)
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch {
	case query == text:
		return matchWhole
	case query != "" && slices.Contains(words, query):
		return matchWord
	case strings.HasPrefix(text, query):
		return matchStart
	case slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, query) }):
		return matchWordStart
	case strings.Contains(text, query):
		return matchPart
	case beginsWords([]rune(query), words):
		return matchInitials
	}
	return 0
}

// beginsWords reports whether a query consists of beginnings of words, in their order: "rsk" and "resk" are
// "rename the session key".
func beginsWords(query []rune, words []string) bool {
	if len(query) == 0 {
		return true
	}
	for i, w := range words {
		for n, r := range []rune(w) {
			if n == len(query) || query[n] != r {
				break
			}
			if beginsWords(query[n+1:], words[i+1:]) {
				return true
			}
		}
	}
	return false
}
