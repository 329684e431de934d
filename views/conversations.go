package views

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/engine/assemble"
	"lcm-tui/internal/parallel"
	"lcm-tui/ui"
)

// Conversations is the first screen: every conversation of the file. What has to
// be counted is counted for the rows on screen first.
type Conversations struct {
	env    *Env
	list   *ui.List[*conversationRow]
	rows   []*conversationRow
	agents []string
	agent  int           // In agents; 0 is all.
	show   int           // Of shows.
	loads  int           // How often the rows were loaded.
	hidden bool          // Another screen is above: counting would only slow that.
	wait   time.Duration // Before health is looked at.
	// copying is where a backup goes that was asked for and not confirmed; empty is none.
	copying string
}

// conversationRow is a conversation and its numbers, as far as they are known.
type conversationRow struct {
	data.Conversation
	last   time.Time // Of the newest message.
	budget int64
	counts *counts
	age    int // The load after which the numbers were counted.
}

// sortDamage is the order by damage.
const sortDamage = "damage"

var shows = []string{"all", "active", "archived"}

var _ ui.Screen = (*Conversations)(nil)

// NewConversations is the screen of the file's conversations.
func NewConversations(env *Env) *Conversations {
	c := &Conversations{env: env, agents: []string{"all"}}
	c.list = ui.NewList(env.Styles, (*conversationRow).id, c.render, (*conversationRow).text)
	c.list.Empty = "no conversations: an agent makes the first one when it gets its first message"
	c.list.SetSorts(
		ui.Sort[*conversationRow]{Name: "activity"},
		ui.Sort[*conversationRow]{Name: "context", Less: func(a, b *conversationRow) bool { return a.tokens() > b.tokens() }},
		ui.Sort[*conversationRow]{Name: "messages", Less: func(a, b *conversationRow) bool { return a.messages() > b.messages() }},
		ui.Sort[*conversationRow]{Name: sortDamage, Less: func(a, b *conversationRow) bool { return c.damageRank(a) > c.damageRank(b) }},
		ui.Sort[*conversationRow]{Name: "name", Less: func(a, b *conversationRow) bool { return a.Name() < b.Name() }},
	)
	return c
}

func (r *conversationRow) id() string { return itoa(r.ID) }

func (r *conversationRow) text() string {
	return strings.Join([]string{r.Title, r.SessionKey, r.SessionID, "#" + itoa(r.ID)}, " ")
}

// Title implements ui.Screen.
func (c *Conversations) Title() string { return ui.Line(filepath.Base(c.env.DB.Path())) }

// Purpose implements ui.Screen.
func (c *Conversations) Purpose() string {
	return "Every conversation in the file, with how full its context is and whether it is sound."
}

// The keys of the screen.
var (
	keyOpen      = ui.Act("enter", "⏎", "open")
	keySummaries = ui.Act("s l", "s", "summaries")
	keyContext   = ui.Act("c", "c", "context")
	keyFiles     = ui.Act("f", "f", "files")
	keyHistory   = ui.Act("H", "H", "history")
	keyDamaged   = ui.Act("!", "!", "next damaged")
	keyHealth    = ui.Act("h", "h", "health of the file")
	keyAgent     = ui.Act("a", "a", "agent")
	keyShow      = ui.Act("v", "v", "active/archived")
	keyBackup    = ui.Act("B", "B", "back up")
	keySettings  = ui.Act("S", "S", "settings")
	keyCompact   = ui.Act("C", "C", "compact")
	keyCarryInto = ui.Act("t", "t", "transplant into it")
	keySessions  = ui.Act("T", "T", "transcripts")
	keyRepair    = ui.Act("R", "R", "repair")
)

// Actions implements ui.Screen.
func (c *Conversations) Actions() []ui.Action {
	_, some := c.list.Selected()
	own := []ui.Action{
		keyOpen.In("Look").InFooter().Off(some, "there is no conversation"),
		keySummaries.In("Look").InFooter().Off(some, "there is no conversation"),
		keyContext.In("Look").InFooter().Off(some, "there is no conversation"),
		keyFiles.In("Look").Off(some, "there is no conversation"),
		keyRolloutList.In("Look").Off(some, "there is no conversation"),
		keyCompact.In("Change").InFooter().Off(some && c.env.summarizerMissing() == "", first(c.env.summarizerMissing(), "there is no conversation")),
		keyRepair.In("Change").InFooter().Off(some && c.env.readOnly() == "", first(c.env.readOnly(), "there is no conversation")),
		keyCarryInto.In("Change").Off(c.notTarget() == "", c.notTarget()),
		keyDamaged.In("Look").Off(some, "there is no conversation"),
		keyHealth.In("Look").InFooter(),
		keyHistory.In("Look").InFooter(),
		keySessions.In("Look"),
		keySettings.In("Look").Off(c.env.Settings != nil, "there are none here"),
		keyAgent.In("List").Off(len(c.agents) > 2, "there is only one agent"),
		keyShow.In("List"),
		keyBackup.In("File"),
	}
	return append(own, c.list.Actions()...)
}

// Init implements ui.Screen.
func (c *Conversations) Init() tea.Cmd {
	c.disturb()
	return c.load()
}

type conversationsMsg struct {
	rows     []*conversationRow
	warnings []error
}

func (c *Conversations) load() tea.Cmd {
	db := c.env.DB
	return c.env.Jobs.Read(c, "load", read(func(ctx context.Context) (conversationsMsg, error) {
		return loadRows(ctx, db)
	}))
}

func loadRows(ctx context.Context, db *data.DB) (m conversationsMsg, err error) {
	var last map[int64]data.Time
	var failed error
	var wg parallel.Group
	wg.Go(func() { last, failed = db.LastActivity(ctx) }) // The longer half.
	convs, err := db.Conversations(ctx)
	budgets, berr := db.Budgets(ctx)
	wg.Wait()
	if err := errors.Join(err, berr, failed); err != nil {
		return m, err
	}
	for _, c := range convs {
		r := &conversationRow{Conversation: c, last: last[c.ID].Time, budget: budgets[c.ID]}
		if r.budget == 0 {
			r.budget = assemble.DefaultBudget
		}
		if r.last.IsZero() {
			r.last = c.CreatedAt.Time
		}
		m.rows = append(m.rows, r)
	}
	slices.SortStableFunc(m.rows, func(a, b *conversationRow) int { return b.last.Compare(a.last) })
	m.warnings = db.Warnings()
	return m, nil
}

// Typing implements ui.Typer.
func (c *Conversations) Typing() bool { return c.list.Typing() }

// Escape implements ui.Escaper.
func (c *Conversations) Escape() bool { return c.list.Escape() }

// Position implements ui.Positioner.
func (c *Conversations) Position() string { return c.list.Position() }

// Copy implements ui.Copier.
func (c *Conversations) Copy() string {
	r, ok := c.list.Selected()
	if !ok {
		return ""
	}
	return r.id()
}

// Update implements ui.Screen.
func (c *Conversations) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case conversationsMsg:
		cmd = c.receive(msg)
	case countsMsg:
		c.takeCounts(msg)
	case markMsg:
		c.takeMark(msg)
	case ui.ChangedMsg:
		if !msg.External {
			c.env.sound, c.env.whole = nil, false
		}
		return c.load()
	case ui.ShownMsg:
		c.hidden = false
		c.disturb()
	case ui.OpenMsg:
		return c.open(tabMessages)
	case tea.KeyPressMsg:
		c.disturb()
		if cmd := c.key(msg); cmd != nil {
			return cmd
		}
		cmd = c.list.Update(msg)
	case tea.MouseWheelMsg, tea.MouseClickMsg:
		c.disturb()
		cmd = c.list.Update(ui.Shift(msg, 0, -1))
	default:
		cmd = c.list.Update(msg)
	}
	return tea.Batch(cmd, c.count(), c.examine())
}

func (c *Conversations) key(msg tea.KeyPressMsg) tea.Cmd {
	if c.list.Typing() {
		return nil
	}
	if !key.Matches(msg, keyBackup.Key) {
		c.copying = ""
	}
	for _, k := range []struct {
		action ui.Action
		do     func() tea.Cmd
	}{
		{keyOpen, func() tea.Cmd { return c.open(tabMessages) }},
		{keySummaries, func() tea.Cmd { return c.open(tabSummaries) }},
		{keyContext, func() tea.Cmd { return c.open(tabContext) }},
		{keyFiles, func() tea.Cmd { return c.open(tabFiles) }},
		{keyRolloutList, c.rollout},
		{keyHealth, func() tea.Cmd { return c.push(NewHealth(c.env)) }},
		{keyHistory, func() tea.Cmd { return c.push(NewHistory(c.env)) }},
		{keyDamaged, c.nextDamaged},
		{keyCompact, c.compact},
		{keyCarryInto, c.transplant},
		{keySessions, func() tea.Cmd { return c.push(NewSessionFiles(c.env)) }},
		{keyRepair, c.repair},
		{keySettings, c.settings},
		{keyBackup, c.backup},
		{keyAgent, func() tea.Cmd { return c.cycle(&c.agent, len(c.agents)) }},
		{keyShow, func() tea.Cmd { return c.cycle(&c.show, len(shows)) }},
	} {
		if key.Matches(msg, k.action.Key) {
			return k.do()
		}
	}
	return nil
}

// backup says first where a copy of the file would go and how large it is. The second
// press makes it.
func (c *Conversations) backup() tea.Cmd {
	if to := c.copying; to != "" {
		c.copying = ""
		return backup(c.env, c, to)
	}
	c.copying = c.env.DB.BackupPath()
	return ui.Say(ui.StatusMsg{Text: "B again copies the database, " + ui.Size(c.env.DB.Size()) + ", to " + ui.Line(home(c.copying))})
}

func (c *Conversations) open(tab int) tea.Cmd {
	r, ok := c.list.Selected()
	if !ok {
		return nil
	}
	return c.push(NewConversation(c.env, r.Conversation, r.budget).Tab(tab))
}

// rollout goes to the Codex rollout of the conversation under the cursor.
func (c *Conversations) rollout() tea.Cmd {
	r, ok := c.list.Selected()
	if !ok {
		return nil
	}
	return c.push(NewRollout(c.env, r.Conversation))
}

func (c *Conversations) settings() tea.Cmd {
	if c.env.Settings == nil {
		return nil
	}
	return c.push(NewConfig(c.env))
}

func (c *Conversations) compact() tea.Cmd {
	r, ok := c.list.Selected()
	if !ok || c.env.summarizerMissing() != "" {
		return nil
	}
	return c.env.compact(r.Conversation, r.budget, asConfigured)
}

func (c *Conversations) repair() tea.Cmd {
	r, ok := c.list.Selected()
	if !ok || c.env.readOnly() != "" {
		return nil
	}
	return c.env.repair(c, r.ID, nil)
}

func (c *Conversations) push(s ui.Screen) tea.Cmd {
	c.hidden = true
	c.env.Jobs.Cancel(c, "count", "health")
	return ui.Say(ui.PushMsg{Screen: s})
}

// cycle goes to the next of n choices.
func (c *Conversations) cycle(choice *int, n int) tea.Cmd {
	*choice = (*choice + 1) % n
	c.refilter()
	return c.count()
}

// take takes the rows, keeping the numbers that are known until they are counted
// again.
func (c *Conversations) receive(m conversationsMsg) tea.Cmd {
	known := map[int64]*conversationRow{}
	for _, r := range c.rows {
		known[r.ID] = r
	}
	agents := map[string]bool{}
	for _, r := range m.rows {
		if k := known[r.ID]; k != nil {
			r.counts, r.age = k.counts, k.age
		}
		agents[r.Agent()] = true
	}
	c.rows = m.rows
	c.setAgents(agents)
	c.refilter()
	c.loads++
	if c.loads > 1 || len(m.warnings) == 0 {
		return nil
	}
	return ui.Say(ui.ErrorMsg{Err: m.warnings[0]})
}

func (c *Conversations) setAgents(found map[string]bool) {
	chosen := c.agents[c.agent]
	c.agents = []string{"all"}
	for a := range found {
		if a != "" {
			c.agents = append(c.agents, a)
		}
	}
	slices.Sort(c.agents[1:])
	c.agent = max(0, slices.Index(c.agents, chosen))
}

func (c *Conversations) refilter() {
	var rows []*conversationRow
	for _, r := range c.rows {
		agent := c.agent == 0 || r.Agent() == c.agents[c.agent]
		shown := c.show == 0 || r.Active == (c.show == 1)
		if agent && shown {
			rows = append(rows, r)
		}
	}
	c.list.SetItems(rows)
}

// nextDamaged goes to the next conversation below that is known to be damaged, and says
// how many aren't checked yet: they are neither sound nor damaged.
func (c *Conversations) nextDamaged() tea.Cmd {
	items := c.list.Rows()
	say := func(text string) tea.Cmd { return ui.Say(ui.StatusMsg{Text: text}) }
	unchecked := c.unchecked()
	for i := range items {
		r := items[(c.list.Index()+1+i)%len(items)]
		if c.damage(r) > 0 {
			c.list.Select(r.id())
			if unchecked == 0 {
				return nil
			}
			return say(ui.Count(int64(unchecked), "conversation isn't", "conversations aren't") + " checked yet: h checks the whole file")
		}
	}
	if unchecked == 0 {
		return say("no conversation of this list is damaged")
	}
	if unchecked == len(items) {
		return say("no conversation of this list is checked yet: h checks the whole file")
	}
	return say("no damage in the " + ui.Num(int64(len(items)-unchecked)) + " of " + ui.Num(int64(len(items))) +
		" conversations that are checked: h checks the whole file")
}

// unchecked is how many conversations of the list nobody has checked yet.
func (c *Conversations) unchecked() (n int) {
	for _, r := range c.list.Rows() {
		if _, known := c.env.health(r.ID); !known {
			n++
		}
	}
	return n
}

// View implements ui.Screen.
func (c *Conversations) View(width, height int) string {
	s := c.env.Styles
	left := " agent " + ui.Line(c.agents[c.agent]) + "   " + shows[c.show] + "   " + c.list.Count() + " conversations"
	right := "/ filter   o sort: " + c.list.SortLabel() + " "
	if c.list.SortName() == sortDamage {
		if n := c.unchecked(); n > 0 {
			right = ui.Num(int64(n)) + " not checked yet (·)   " + right
		}
	}
	bar := ui.Pad(left, max(0, width-len(right))) + right
	c.list.Head = c.columns(width - 1).head(s.Muted)
	return s.Muted.Render(ui.Cut(bar, width)) + "\n" + c.list.View(width, height-1)
}
