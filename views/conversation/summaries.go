package conversation

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/lineage"
	"lcm-tui/engine/summarize"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Summaries is the summary DAG of a conversation: a tree that unfolds, the text
// under the cursor, and a picture of what is covered.
type Summaries struct {
	views.Tab
	views.ListScreen[*branch, *fullText]
	summaryGraph
	loaded        bool
	filtered      bool   // A filter is on: every node once, instead of the tree.
	pictureHidden bool   // The picture is put away.
	target        string // The summary to go to when it's loaded.
}

var _ ui.Screen = (*Summaries)(nil)

// NewSummaries returns the tab of the graph of summaries.
func NewSummaries(t views.Tab) ui.Screen {
	v := &Summaries{Tab: t}
	v.summaryGraph = summaryGraph{env: v.Env(), tree: newTree(), messageCounts: map[string]int64{}}
	list := ui.NewList(v.Env().Styles, func(b *branch) string { return b.key }, v.render, (*branch).text)
	list.Divider = v.divider
	list.Empty = "reading the summaries"
	v.ListScreen = views.NewListScreen(v, v.Env(), 0.55, list, func(b *branch) string { return b.id }, v.describe)
	v.Tabs = &v.Tab
	v.ReadDetailOf, v.HeaderLines, v.AfterUpdate = v.readFullText, v.coverageLines, v.followFilter
	return v
}

func (b *branch) text() string {
	if b.node == nil {
		return b.id
	}
	return b.id + " d" + views.Itoa(b.node.Depth) + " " + b.node.Content
}

// Purpose implements ui.Screen.
func (v *Summaries) Purpose() string {
	return "What was made of the conversation's older messages: every summary, what it was made of, and which of them the model sees."
}

type (
	treeMsg struct {
		graph *lineage.Graph
		roots []*lineage.Node
	}
	marksMsg map[string]summarize.Marker
	copyMsg  struct{ id, text string }
)

const previewClip = 240 // Bytes of every text that are read at once.

// Load reads the tree.
func (v *Summaries) Load() tea.Cmd {
	db, conv := v.Env().DB, v.Hub.Row.ID
	return v.Env().Jobs.Read(v, "load", views.Read(func(ctx context.Context) (treeMsg, error) {
		g, err := lineage.Load(ctx, db, conv, previewClip)
		if err != nil {
			return treeMsg{}, err
		}
		return treeMsg{g, g.Roots()}, nil
	}))
}

// loadRest reads what takes longer than the tree, once that is there to be seen.
func (v *Summaries) loadRest() tea.Cmd {
	env, db, conv := v.Env(), v.Env().DB, v.Hub.Row.ID
	return tea.Batch(
		loadMarks(v, &v.Tab),
		env.Jobs.Quiet(v, "coverage", views.Read(func(ctx context.Context) (*coverage, error) { return loadCoverage(ctx, db, conv) })),
		v.Label(v),
	)
}

// loadMarks reads which summaries of a tab's conversation are damaged.
func loadMarks(owner ui.Screen, t *views.Tab) tea.Cmd {
	db, conv := t.Env().DB, t.Hub.Row.ID
	return t.Env().Jobs.Quiet(owner, "marks", views.Read(func(ctx context.Context) (marksMsg, error) {
		m, err := summarize.FindMarkers(ctx, db, conv)
		return m, err
	}))
}

// Place implements ui.Placer. A filter shows other rows than the tree.
func (v *Summaries) Place() func() tea.Cmd {
	restorePane, flat := v.ListScreen.Place(), v.filtered
	return func() tea.Cmd {
		v.target, v.filtered = "", flat
		if v.tree.graph != nil {
			v.buildRows()
		}
		return restorePane()
	}
}

// Escape implements ui.Escaper.
func (v *Summaries) Escape() bool {
	had := v.ListScreen.Escape()
	v.followFilter()
	return had
}

// Receive implements views.ListOwner.
func (v *Summaries) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case treeMsg:
		v.receiveGraph(msg)
		return v.loadRest()
	case marksMsg:
		v.marks = msg
	case *coverage:
		v.coverage, v.messageCounts = msg, map[string]int64{}
	case views.StoredTextMsg:
		return v.Env().Edit(msg.ID, msg.Text, msg.Text)
	case views.EditedMsg:
		return v.edited(msg)
	case ui.ShownMsg:
		return v.Env().TellHandTexts()
	case copyMsg:
		return views.CopyToClipboard(msg.text, "the text of "+ui.Line(msg.id)+", "+ui.Size(int64(len(msg.text))))
	}
	return nil
}

// readFullText reads the text of a summary.
func (v *Summaries) readFullText(b *branch) views.DetailReader[*fullText] {
	if b.node == nil {
		return nil
	}
	return summaryFullText(v.Env(), b.id, true, v.Rendered.Width)
}

// receiveGraph takes a graph that was loaded; the cursor stays where it was.
func (v *Summaries) receiveGraph(m treeMsg) {
	b, _ := v.List.Selected()
	v.tree.receive(m.graph, m.roots)
	v.List.Empty = "no summaries yet: the host makes the first when the context grows beyond its threshold"
	if !v.loaded && len(m.roots) == 1 {
		v.tree.open[v.tree.find(m.roots[0].ID)] = true
	}
	v.loaded = true
	v.buildRows()
	if v.target != "" {
		v.show(v.target)
	} else if b != nil && !v.List.Select(b.key) {
		v.show(b.id)
	}
}

func (v *Summaries) divider(prev, next *branch) string {
	if v.filtered || prev.outside || !next.outside {
		return ""
	}
	return v.Env().Styles.Muted.Render("── " + outsideOfAll + " ──")
}

const (
	pictureFrom = 20 // Lines of the screen.
	mostBands   = 6  // Lines of the picture, on a small screen.
)

// coverageLines returns the picture of what is covered, where there is room for it.
func (v *Summaries) coverageLines(width, height int) []string {
	if v.pictureHidden || v.TextIsPage() || height < pictureFrom {
		return nil
	}
	return v.coverage.view(v, width, max(mostBands, height/4))
}
