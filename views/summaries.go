package views

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/lineage"
	"lcm-tui/engine/summarize"
	"lcm-tui/ui"
)

// Summaries is the summary DAG of a conversation: a tree that unfolds, the text
// under the cursor, and a picture of what is covered.
type Summaries struct {
	tab
	tree   *tree
	list   *ui.List[*branch]
	detail *reading
	cover  *coverage // Nil until it's loaded.
	marks  map[string]summarize.Marker
	below  map[string]int64 // How many messages, by node.
	loaded bool
	flat   bool   // A filter is on: every node once, instead of the tree.
	hidden bool   // The picture is put away.
	wanted string // The summary to go to when it's loaded.

	width, top int // Of the last View: its width, and the lines above the tree.
}

var (
	_ ui.Screen  = (*Summaries)(nil)
	_ ui.Typer   = (*Summaries)(nil)
	_ ui.Escaper = (*Summaries)(nil)
	_ ui.Copier  = (*Summaries)(nil)
)

func newSummaries(t tab) ui.Screen {
	v := &Summaries{tab: t, tree: newTree(), below: map[string]int64{}}
	v.detail = newReading(v.env())
	v.list = ui.NewList(v.env().Styles, func(b *branch) string { return b.key }, v.render, (*branch).text)
	v.list.Divider = v.divider
	v.list.Empty = "reading the summaries"
	return v
}

func (b *branch) text() string {
	if b.node == nil {
		return b.id
	}
	return b.id + " d" + itoa(b.node.Depth) + " " + b.node.Content
}

// Purpose implements ui.Screen.
func (v *Summaries) Purpose() string {
	return "What was made of the conversation's older messages: every summary, what it was made of, and which of them the model sees."
}

// Init implements ui.Screen.
func (v *Summaries) Init() tea.Cmd { return v.load() }

type (
	treeMsg struct {
		graph *lineage.Graph
		roots []*lineage.Node
	}
	marksMsg map[string]summarize.Marker
	copyMsg  struct{ id, text string }
)

const previewClip = 240 // Bytes of every text that are read at once.

// load reads the tree.
func (v *Summaries) load() tea.Cmd {
	db, conv := v.env().DB, v.hub.row.ID
	v.detail.forget()
	return v.env().Jobs.Start(v, "load", read(func(ctx context.Context) (treeMsg, error) {
		g, err := lineage.Load(ctx, db, conv, previewClip)
		if err != nil {
			return treeMsg{}, err
		}
		return treeMsg{g, g.Roots()}, nil
	}))
}

// loadRest reads what takes longer than the tree, once that is there to be seen.
func (v *Summaries) loadRest() tea.Cmd {
	env, db, conv := v.env(), v.env().DB, v.hub.row.ID
	return tea.Batch(
		env.Jobs.Quiet(v, "marks", read(func(ctx context.Context) (marksMsg, error) {
			m, err := summarize.Marked(ctx, db, conv)
			return m, err
		})),
		env.Jobs.Quiet(v, "coverage", read(func(ctx context.Context) (*coverage, error) { return loadCoverage(ctx, db, conv) })),
		v.label(v),
	)
}

// Typing implements ui.Typer.
func (v *Summaries) Typing() bool {
	return v.list.Typing() || v.detail.focus && v.detail.pager.Typing()
}

// Escape implements ui.Escaper.
func (v *Summaries) Escape() bool {
	if v.detail.escape() {
		return true
	}
	had := v.list.Escape()
	v.reflow()
	return had
}

// Copy implements ui.Copier.
func (v *Summaries) Copy() string {
	b, _ := v.list.Selected()
	if b == nil {
		return ""
	}
	return b.id
}

// Update implements ui.Screen.
func (v *Summaries) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case treeMsg:
		v.take(msg)
		cmd = v.loadRest()
	case marksMsg:
		v.marks = msg
	case *coverage:
		v.cover, v.below = msg, map[string]int64{}
	case *passage:
		v.detail.take(msg)
	case labelsMsg:
		v.hear(msg)
	case copyMsg:
		return tea.Batch(tea.SetClipboard(msg.text), ui.Say(ui.StatusMsg{
			Text: "copied the text of " + ui.Line(msg.id) + ", " + ui.Size(int64(len(msg.text))), Kind: ui.Done,
		}))
	case ui.ChangedMsg:
		return v.load()
	case ui.FailedMsg:
		v.failed(msg)
	case ui.OpenMsg:
		b, _ := v.list.Selected()
		cmd = v.open(b)
	case tea.KeyPressMsg:
		cmd = v.key(msg)
	case tea.MouseClickMsg, tea.MouseWheelMsg:
		cmd = v.mouse(msg)
	default:
		cmd = tea.Batch(v.list.Update(msg), v.detail.pager.Update(msg))
	}
	v.reflow()
	return tea.Batch(cmd, v.rest())
}

func (v *Summaries) failed(m ui.FailedMsg) {
	v.detail.failed(m)
	if m.Name == "load" && !v.loaded {
		v.list.Empty = "the summaries could not be read"
	}
}

func (v *Summaries) key(msg tea.KeyPressMsg) tea.Cmd {
	if v.list.Typing() {
		return v.list.Update(msg)
	}
	if v.Typing() {
		return v.detail.key(msg)
	}
	if cmd := v.tabKey(msg); cmd != nil {
		return cmd
	}
	for _, d := range v.deeds() {
		if key.Matches(msg, d.Key) {
			return d.do()
		}
	}
	cmd := v.detail.key(msg)
	if !v.detail.focus {
		cmd = tea.Batch(cmd, v.list.Update(msg))
	}
	return cmd
}

// mouse hands a click or the wheel to what is under it.
func (v *Summaries) mouse(msg tea.Msg) tea.Cmd {
	if cmd, ok := v.tabClick(msg, v.width); ok {
		return cmd
	}
	toDetail, toList := v.detail.mouse(msg, v.width, v.top, treeShare)
	if toDetail != nil {
		return v.detail.pager.Update(toDetail)
	}
	return v.list.Update(toList)
}

// rest has the text under the cursor loaded.
func (v *Summaries) rest() tea.Cmd {
	b, _ := v.list.Selected()
	if b == nil || b.node == nil {
		return nil
	}
	db, id := v.env().DB, b.id
	return v.detail.load(v, id, func(ctx context.Context) (*passage, error) { return summaryPassage(ctx, db, id, true) })
}

// take takes a graph that was loaded; the cursor stays where it was.
func (v *Summaries) take(m treeMsg) {
	b, _ := v.list.Selected()
	v.tree.take(m.graph, m.roots)
	v.list.Empty = "no summaries yet: the host makes the first when the context grows beyond its threshold"
	if !v.loaded && len(m.roots) == 1 {
		v.tree.open[v.tree.find(m.roots[0].ID)] = true
	}
	v.loaded = true
	v.set()
	if v.wanted != "" {
		v.show(v.wanted)
	} else if b != nil && !v.list.Select(b.key) {
		v.show(b.id)
	}
}

func (v *Summaries) divider(prev, next *branch) string {
	if v.flat || prev.outside || !next.outside {
		return ""
	}
	return v.env().Styles.Muted.Render("── " + outsideOfAll + " ──")
}

const (
	treeShare   = 0.5
	pictureFrom = 20 // Lines of the screen.
	mostBands   = 6  // Lines of the picture, on a small screen.
)

// View implements ui.Screen.
func (v *Summaries) View(width, height int) string {
	v.width = width
	lines := []string{v.tabLine(width)}
	page := v.detail.focus && !ui.Wide(width)
	if !v.hidden && !page && height >= pictureFrom {
		lines = append(lines, v.cover.view(v, width, max(mostBands, height/4))...)
	}
	v.top = len(lines)
	rest := max(1, height-v.top)
	v.list.Blurred = v.detail.focus
	switch {
	case page:
		lines = append(lines, v.text(width-1, rest))
	case ui.Wide(width):
		left, right, rows := ui.Panes(width, rest, treeShare)
		lines = append(lines, ui.Split(v.env().Styles, v.list.View(left, rows), v.text(right, rows), width, rest, treeShare, v.detail.focus))
	default:
		lines = append(lines, v.list.View(width, rest))
	}
	return strings.Join(lines, "\n")
}

// text draws the detail of what is under the cursor.
func (v *Summaries) text(width, height int) string {
	b, ok := v.list.Selected()
	if !ok {
		return ""
	}
	return v.detail.view(b.id, width, height, func(p *passage, width int) string { return v.describe(b, p, width) })
}
