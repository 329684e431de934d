package views

import (
	"context"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/engine/search"
	"lcm-tui/ui"
)

// The tabs of a conversation.
const (
	tabMessages = iota
	tabSummaries
	tabContext
	tabFiles
	tabHealth
	tabFocus
	tabPending // Only where a host prepares summaries in the background.
	tabs
)

var tabNames = [tabs]string{"Messages", "Summaries", "Context", "Files", "Health", "Focus", "Pending"}

// Conversation is one conversation and the screens that show it, its tabs. They
// replace one another on the stack and keep their place; a tab is made when it's
// first shown.
type Conversation struct {
	env    *Env
	row    lcm.Conversation
	budget int64
	made   [tabs]ui.Screen
	labels [tabs]string // What stands behind a tab's name, such as a count.
	unread unread
	// marks finds what is to be marked in texts: the matches of the search that led here. Nil is
	// nothing.
	marks func(text string) []search.Span
}

// NewConversation returns the hub of a conversation's screens.
func NewConversation(env *Env, row lcm.Conversation, budget int64) *Conversation {
	return &Conversation{env: env, row: row, budget: budget}
}

// Tab is the screen of a tab.
func (c *Conversation) Tab(i int) ui.Screen {
	if c.made[i] == nil {
		c.made[i] = c.env.Screens.Tabs[i](Tab{hub: c, index: i})
	}
	return c.made[i]
}

// tab is what the screens of a conversation have in common: the line of tabs on
// top, and the keys that go from one to another. They embed it.
type Tab struct {
	hub   *Conversation
	index int
}

// Title implements ui.Screen.
func (t *Tab) Title() string {
	return t.env().name(t.hub.row) + " › " + tabNames[t.index]
}

func (t *Tab) env() *Env { return t.hub.env }

var (
	tabKeys = [tabs]ui.Action{
		ui.Act("1", "1", "messages"), ui.Act("2 l", "2", "summaries"), ui.Act("3", "3", "context"),
		ui.Act("4", "4", "files"), ui.Act("5", "5", "health"), ui.Act("6", "6", "focus briefs"), ui.Act("7", "7", "pending summaries"),
	}
	keyFocus   = ui.Act("o", "o", "focus briefs") // A second key, where the list has no orders.
	keyNextTab = ui.Act("]", "]", "next tab")
	keyPrevTab = ui.Act("[", "[", "previous tab")
)

// tabActions are the keys of the tabs.
func (t *Tab) tabActions() (out []ui.Action) {
	for i, a := range tabKeys[:t.hub.tabCount()] {
		out = append(out, a.In("Tabs").Off(i != t.index, "it is this tab"))
	}
	return append(out, keyPrevTab.In("Tabs"), keyNextTab.In("Tabs"), keyExport.In("File"))
}

// tabKey goes to another tab if msg is its key.
func (t *Tab) tabKey(msg tea.KeyPressMsg) tea.Cmd {
	for i, a := range tabKeys[:t.hub.tabCount()] {
		if key.Matches(msg, a.Key) && i != t.index {
			return t.hub.show(i)
		}
	}
	switch {
	case key.Matches(msg, keyExport.Key):
		return push(t.env().Screens.Export(t.env(), t.hub.row, "Export"))
	case key.Matches(msg, keyNextTab.Key):
		return t.hub.show((t.index + 1) % t.hub.tabCount())
	case key.Matches(msg, keyPrevTab.Key):
		return t.hub.show((t.index + t.hub.tabCount() - 1) % t.hub.tabCount())
	}
	return nil
}

// tabCount is how many tabs the conversation has. The last one is only for files in whose
// generation hosts prepare summaries in the background.
func (c *Conversation) tabCount() int {
	if lcm.HasPendingTables(c.env.DB.Schema()) {
		return tabs
	}
	return tabPending
}

func (c *Conversation) show(i int) tea.Cmd {
	return ui.Say(ui.SwitchMsg{Screen: c.Tab(i)})
}

// tabClick goes to the tab that was clicked; y counts from the line of tabs.
func (t *Tab) tabClick(msg tea.Msg, width int) (tea.Cmd, bool) {
	click, ok := msg.(tea.MouseClickMsg)
	if !ok || click.Y != 0 {
		return nil, false
	}
	if i, hit := t.bar().Hit(click.X, width); hit && i != t.index {
		return t.hub.show(i), true
	}
	return nil, true
}

func (t *Tab) bar() ui.Tabs {
	names := make([]string, t.hub.tabCount())
	for i, n := range tabNames[:len(names)] {
		names[i] = n
		label := t.hub.labels[i]
		if i == tabHealth {
			label = strings.TrimPrefix(ansi.Strip(t.env().healthMark(t.hub.row.ID)), "·")
		}
		if label != "" {
			names[i] += " " + label
		}
	}
	return ui.Tabs{Names: names, Active: t.index}
}

// tabLine is the line of tabs.
func (t *Tab) tabLine(width int) string { return t.bar().View(t.env().Styles, width) }

type labelsMsg struct {
	labels [tabs]string
	tokens int64
}

// label has the tabs' counts brought up to date; its message goes to setLabels.
func (t *Tab) label(owner ui.Screen) tea.Cmd {
	db, conv := t.env().DB, t.hub.row.ID
	return t.env().Jobs.Quiet(owner, "tabs", read(func(ctx context.Context) (m labelsMsg, err error) {
		n, err := countOne(ctx, db, conv)
		if err != nil {
			return m, err
		}
		m.labels[tabMessages] = ui.Num(n.Messages)
		m.labels[tabSummaries] = ui.Num(n.SummaryCount())
		if n.damage > 0 {
			m.labels[tabSummaries] += " !" + ui.Num(int64(n.damage))
		}
		m.labels[tabContext] = ui.Tokens(n.ContextTokens)
		if slices.ContainsFunc(db.IncompleteTables(), func(t string) bool { return slices.Contains(tabTables[tabContext], t) }) {
			m.labels[tabContext] = "?"
		}
		m.labels[tabFiles] = ui.Num(n.LargeFiles)
		m.tokens = n.ContextTokens
		briefs, err := lcm.FocusBriefs(ctx, db, conv)
		m.labels[tabFocus] = ui.Num(int64(len(briefs)))
		if err != nil {
			return m, err
		}
		state, err := pending.ReadState(ctx, db, conv)
		m.labels[tabPending] = string(state)
		return m, err
	}))
}

// setLabels keeps the tabs' counts.
func (t *Tab) setLabels(m labelsMsg) { t.hub.labels = m.labels }

// ConversationID is the conversation that the tab shows.
func (t *Tab) ConversationID() int64 { return t.hub.row.ID }
