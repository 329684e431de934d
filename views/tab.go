package views

import (
	"context"
	"errors"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/engine/search"
	"lcm-tui/ui"
)

// The tabs of a conversation.
const (
	TabMessages = iota
	TabSummaries
	TabContext
	TabFiles
	TabHealth
	TabFocus
	TabPending // Only where a host prepares summaries in the background.
	TabCount
)

// TabNames are the names of the tabs.
var TabNames = [TabCount]string{"Messages", "Summaries", "Context", "Files", "Health", "Focus", "Pending"}

// Conversation is one conversation and the screens that show it, its tabs. They
// replace one another on the stack and keep their place; a tab is made when it's
// first shown.
type Conversation struct {
	env    *Env
	Row    lcm.Conversation
	Budget int64
	made   [TabCount]ui.Screen
	labels [TabCount]string // What stands behind a tab's name, such as a count.
	unread unread
	// deleted says that its row is gone since it was opened.
	deleted bool
	// marks finds what is to be marked in texts: the matches of the search that led here. Nil is
	// nothing.
	Marks func(text string) []search.Span
}

// NewConversation returns the hub of a conversation's screens.
func NewConversation(env *Env, row lcm.Conversation, budget int64) *Conversation {
	return &Conversation{env: env, Row: row, Budget: budget}
}

// Tab returns the screen of a tab.
func (c *Conversation) Tab(i int) ui.Screen {
	if c.made[i] == nil {
		c.made[i] = c.env.Screens.Tabs[i](Tab{Hub: c, index: i})
	}
	return c.made[i]
}

// Deleted reports whether the conversation is gone since it was opened.
func (c *Conversation) Deleted() bool { return c.deleted }

// Mark returns a styled text with what a search of the whole file found underlined.
func (c *Conversation) Mark(text string) string {
	if c.Marks == nil {
		return text
	}
	return UnderlineMarks(text, c.Marks)
}

// Tab is what the screens of a conversation have in common: the line of tabs on
// top, and the keys that go from one to another. They embed it.
type Tab struct {
	Hub   *Conversation
	index int
}

// Title implements ui.Screen.
func (t *Tab) Title() string {
	return t.Env().Name(t.Hub.Row) + " › " + TabNames[t.index]
}

// Env returns what every screen is given.
func (t *Tab) Env() *Env { return t.Hub.env }

var (
	tabKeys = [TabCount]ui.Action{
		ui.Act("1", "1", "messages").Named("tab-messages"), ui.Act("2 l", "2", "summaries").Named("tab-summaries"),
		ui.Act("3", "3", "context").Named("tab-context"), ui.Act("4", "4", "files").Named("tab-files"),
		ui.Act("5", "5", "health").Named("tab-health"), ui.Act("6", "6", "focus briefs").Named("tab-focus"),
		ui.Act("7", "7", "pending summaries").Named("tab-pending"),
	}
	keyFocus = ui.Act("o", "o", "focus briefs") // A second key, where the list has no orders.
	// What is done with the whole conversation, on tabs that have no narrower meaning of their own for these keys.
	keyTabCompact = ui.Act("C", "C", "compact")
	keyTabRepair  = ui.Act("R", "R", "repair")

	keyNextTab = ui.Act("]", "]", "next tab")
	keyPrevTab = ui.Act("[", "[", "previous tab")
)

// tabActions returns the keys of the tabs.
func (t *Tab) tabActions() (out []ui.Action) {
	for i, a := range tabKeys[:t.Hub.TabCount()] {
		out = append(out, a.In("Tabs").Off(i != t.index, "it is this tab"))
	}
	if why := t.Env().SummarizerMissing(); t.index != TabContext {
		out = append(out, keyTabCompact.In("Change").Off(why == "", why))
	}
	if why := t.Env().ReadOnly(); !t.repairsItself() {
		out = append(out, keyTabRepair.In("Change").Off(why == "", why))
	}
	return append(out, keyPrevTab.In("Tabs"), keyNextTab.In("Tabs"), KeyExport.In("File"))
}

// repairsItself reports whether the tab has a repair of its own, of what it shows.
func (t *Tab) repairsItself() bool {
	switch t.index {
	case TabSummaries, TabContext, TabHealth, TabPending:
		return true
	}
	return false
}

// tabKey goes to another tab if msg is its key.
func (t *Tab) tabKey(msg tea.KeyPressMsg) tea.Cmd {
	for i, a := range tabKeys[:t.Hub.TabCount()] {
		if key.Matches(msg, a.Key) && i != t.index {
			return t.Hub.turnTo(i)
		}
	}
	switch {
	case key.Matches(msg, keyTabCompact.Key) && t.index != TabContext:
		return t.Env().Compact("Compact", t.Hub.Row, t.Hub.Budget, AsConfigured)
	case key.Matches(msg, keyTabRepair.Key) && !t.repairsItself():
		return t.Env().Repair(RepairPlace{Conversation: t.Hub.Row.ID})
	case key.Matches(msg, KeyExport.Key):
		return push(t.Env().Screens.Export(t.Env(), t.Hub.Row, "Export"))
	case key.Matches(msg, keyNextTab.Key):
		return t.Hub.turnTo((t.index + 1) % t.Hub.TabCount())
	case key.Matches(msg, keyPrevTab.Key):
		return t.Hub.turnTo((t.index + t.Hub.TabCount() - 1) % t.Hub.TabCount())
	}
	return nil
}

// TabCount returns how many tabs the conversation has. The last one is only for files in whose
// generation hosts prepare summaries in the background.
func (c *Conversation) TabCount() int {
	if lcm.HasPendingTables(c.env.DB.Schema()) {
		return TabCount
	}
	return TabPending
}

// Show follows a link to another tab, which takes the place of the present one. Back returns from each link.
func (c *Conversation) Show(i int) tea.Cmd {
	return ui.Say(ui.SwitchMsg{Screen: c.Tab(i)})
}

// turnTo goes to another tab by its key or a click. Back returns once from each tab.
func (c *Conversation) turnTo(i int) tea.Cmd {
	return ui.Say(ui.SwitchMsg{Screen: c.Tab(i), Once: true})
}

// tabClick goes to the tab that was clicked; y counts from the line of tabs.
func (t *Tab) tabClick(msg tea.Msg, width int) (tea.Cmd, bool) {
	click, ok := msg.(tea.MouseClickMsg)
	if !ok || click.Y != 0 {
		return nil, false
	}
	if i, hit := t.bar().Hit(click.X, width); hit && i != t.index {
		return t.Hub.turnTo(i), true
	}
	return nil, true
}

func (t *Tab) bar() ui.Tabs {
	names := make([]string, t.Hub.TabCount())
	for i, n := range TabNames[:len(names)] {
		names[i] = n
		label := t.Hub.labels[i]
		if i == TabHealth {
			label = strings.ReplaceAll(strings.TrimPrefix(ansi.Strip(t.Env().HealthMark(t.Hub.Row.ID)), "·"), " ", "")
		}
		if label != "" {
			names[i] += " " + label
		}
	}
	return ui.Tabs{Names: names, Active: t.index}
}

// tabLine returns the line of tabs.
func (t *Tab) tabLine(width int) string { return t.bar().View(t.Env().Styles, width) }

type labelsMsg struct {
	labels  [TabCount]string
	tokens  int64
	deleted bool // The conversation isn't there any more.
}

// Label has the tabs' counts brought up to date; its message goes to setLabels.
func (t *Tab) Label(owner ui.Screen) tea.Cmd {
	db, conv := t.Env().DB, t.Hub.Row.ID
	return t.Env().Jobs.Quiet(owner, "tabs", Read(func(ctx context.Context) (m labelsMsg, err error) {
		n, err := CountOne(ctx, db, conv)
		if errors.Is(err, data.ErrNotFound) {
			return labelsMsg{deleted: true}, nil
		}
		if err != nil {
			return m, err
		}
		m.labels[TabMessages] = ui.Num(n.Messages)
		m.labels[TabSummaries] = ui.Num(n.SummaryCount())
		if n.damage > 0 {
			m.labels[TabSummaries] += " !" + ui.Num(int64(n.damage))
		}
		m.labels[TabContext] = ui.Tokens(n.ContextTokens)
		if slices.ContainsFunc(db.IncompleteTables(), func(t string) bool { return slices.Contains(tabTables[TabContext], t) }) {
			m.labels[TabContext] = "?"
		}
		m.labels[TabFiles] = ui.Num(n.LargeFiles)
		m.tokens = n.ContextTokens
		briefs, err := lcm.FocusBriefs(ctx, db, conv)
		m.labels[TabFocus] = ui.Num(int64(len(briefs)))
		if err != nil {
			return m, err
		}
		state, err := pending.ReadState(ctx, db, conv)
		m.labels[TabPending] = string(state)
		return m, err
	}))
}

// setLabels keeps the tabs' counts.
func (t *Tab) setLabels(m labelsMsg) { t.Hub.labels, t.Hub.deleted = m.labels, m.deleted }

// ConversationID returns the conversation that the tab shows.
func (t *Tab) ConversationID() int64 { return t.Hub.Row.ID }
