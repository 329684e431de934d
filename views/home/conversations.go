package home

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/pending"
	"lcm-tui/internal/parallel"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Conversations is the first screen: every conversation of the file. What has to
// be counted is counted for the rows on screen first.
type Conversations struct {
	views.ListScreen[*conversationRow, *preview]
	env     *views.Env
	text    rowText
	rows    []*conversationRow
	agents  []string
	idWidth int // Cells of the longest id.
	agent   int // In agents; 0 is all.
	show    int // Of shows.
	// pending is how far the host is with what it prepares in the background, by conversation.
	pending map[int64]pending.State
	loads   int           // How often the rows were loaded.
	notRead string        // Why they weren't, the last time; empty otherwise.
	hidden  bool          // Another screen is above: counting would only slow that.
	wait    time.Duration // Before health is looked at.
	// checking is the conversation that is checked unasked. What failed is not tried again before the
	// rows are loaded again: countFailed and checkFailed are the loads after which it failed.
	checking    int64
	countFailed int
	checkFailed map[int64]int
}

// conversationRow is a conversation and its numbers, as far as they are known.
type conversationRow struct {
	lcm.Conversation
	last   time.Time // Of the newest message.
	budget int64
	family int // Conversations of its session, itself included.
	counts *views.Counts
	// pending is how far the host is with what it prepares for it in the background.
	pending pending.State
	age     int // The load after which the numbers were counted.
}

// sortDamage is the order by damage.
const sortDamage = "damage"

// shows are the states by which the list can be limited.
var shows = []string{"all", "active", "archived"}

var _ ui.Screen = (*Conversations)(nil)

// NewConversations returns the screen of the file's conversations.
func NewConversations(env *views.Env) *Conversations {
	c := &Conversations{env: env, text: rowText{env}, agents: []string{"all"}, checkFailed: map[int64]int{}}
	list := ui.NewList(env.Styles, (*conversationRow).id, c.render, (*conversationRow).text)
	c.ListScreen = views.NewListScreen(c, env, 0.6, list, (*conversationRow).id, c.previewText)
	c.LayoutColumns, c.HeaderLines, c.ReadDetailOf, c.AfterUpdate = c.columns, c.header, c.readPreview, func() tea.Cmd { return tea.Batch(c.count(), c.checkVisible()) }
	c.List.HiddenID = func(r *conversationRow) string { return r.SessionID }
	sorts := []ui.Sort[*conversationRow]{
		{Name: "activity"},
		{Name: "context", Less: func(a, b *conversationRow) bool { return a.tokens() > b.tokens() }},
		{Name: "messages", Less: func(a, b *conversationRow) bool { return a.messages() > b.messages() }},
		{Name: sortDamage, Less: func(a, b *conversationRow) bool { return c.text.damageRank(a) > c.text.damageRank(b) }},
		{Name: "name", Less: func(a, b *conversationRow) bool { return a.name() < b.name() }},
	}
	if lcm.HasPendingTables(env.DB.Schema()) {
		sorts = append(sorts, ui.Sort[*conversationRow]{Name: "pending", Less: func(a, b *conversationRow) bool { return pendingRank(a.pending) > pendingRank(b.pending) }})
	}
	c.List.SetSorts(sorts...)
	return c
}

// id returns what the conversation is called in commands and copied as.
func (r *conversationRow) id() string { return views.Itoa(r.ID) }

// text returns what the filter searches: what the row shows, whatever there is room for.
func (r *conversationRow) text() string {
	parts := []string{"#" + views.Itoa(r.ID), r.Title, r.SessionKey, r.name()}
	if !r.Active {
		parts = append(parts, "archived")
	}
	parts = append(parts, string(r.pending))
	return strings.Join(parts, " ")
}

// name returns what people call the conversation.
func (r *conversationRow) name() string {
	opening := ""
	if r.counts != nil {
		opening = r.counts.Opening
	}
	return views.NameOf(r.Conversation, opening)
}

// Title implements ui.Screen.
func (c *Conversations) Title() string { return ui.Line(c.env.DatabaseName) }

// Purpose implements ui.Screen.
func (c *Conversations) Purpose() string {
	return "Every conversation in the file, with how full its context is and whether it is sound."
}

// Init implements ui.Screen.
func (c *Conversations) Init() tea.Cmd {
	c.postponeCheck()
	return c.ListScreen.Init()
}

type conversationsMsg struct {
	rows     []*conversationRow
	warnings []error
}

// Load implements views.ListOwner.
func (c *Conversations) Load() tea.Cmd {
	db := c.env.DB
	c.notRead = ""
	return tea.Batch(c.loadPending(), c.env.Jobs.Read(c, "load", views.Read(func(ctx context.Context) (conversationsMsg, error) {
		return loadRows(ctx, db)
	})))
}

func loadRows(ctx context.Context, db *data.DB) (m conversationsMsg, err error) {
	var last map[int64]data.Time
	var failed error
	var wg parallel.Group
	wg.Go(func() { last, failed = lcm.LastActivity(ctx, db) }) // The longer half.
	convs, err := lcm.Conversations(ctx, db)
	budgets, berr := lcm.Budgets(ctx, db)
	families := make([]selector.Conversation, len(convs))
	for i, c := range convs {
		families[i] = selector.Conversation{ID: c.ID, Session: c.SessionID, Key: c.SessionKey}
	}
	sizes := selector.CountFamilies(families)
	for _, c := range convs {
		m.rows = append(m.rows, &conversationRow{Conversation: c, budget: cmp.Or(budgets[c.ID], assemble.DefaultBudget), family: sizes[c.ID]})
	}
	wg.Wait()
	if err := errors.Join(err, berr, failed); err != nil {
		return conversationsMsg{}, err
	}
	for _, r := range m.rows {
		if r.last = last[r.ID].Time; r.last.IsZero() {
			r.last = r.CreatedAt.Time
		}
	}
	slices.SortStableFunc(m.rows, func(a, b *conversationRow) int { return b.last.Compare(a.last) })
	m.warnings = db.Warnings()
	return m, nil
}

// Update implements ui.Screen.
func (c *Conversations) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ui.ChangedMsg:
		if !msg.External {
			c.env.Sound, c.env.Whole = nil, false
		}
	case tea.KeyPressMsg, tea.MouseWheelMsg, tea.MouseClickMsg:
		c.postponeCheck()
	}
	return c.ListScreen.Update(msg)
}

// Receive implements views.ListOwner.
func (c *Conversations) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case conversationsMsg:
		return c.receive(msg)
	case countsMsg:
		c.receiveCounts(msg)
	case pendingStatesMsg:
		c.receivePending(msg)
	case markMsg:
		c.receiveMark(msg)
	case ui.FailedMsg:
		c.failed(msg)
	case ui.ShownMsg:
		c.hidden = false
		c.postponeCheck()
	}
	return c.List.Update(msg)
}

// failed notes what can't be read, which is tried again only after the next load.
func (c *Conversations) failed(m ui.FailedMsg) {
	switch m.Name {
	case "load":
		c.notRead = views.NotRead(m.Err)
	case "count":
		c.countFailed = c.loads
	case "health":
		c.checkFailed[c.checking] = c.loads
	}
}

// receive takes the rows, keeping the numbers that are known until they are counted
// again.
func (c *Conversations) receive(m conversationsMsg) tea.Cmd {
	known := map[int64]*conversationRow{}
	for _, r := range c.rows {
		known[r.ID] = r
	}
	agents, listed := map[string]bool{}, make(map[int64]*lcm.Conversation, len(m.rows))
	c.idWidth = 2
	for _, r := range m.rows {
		listed[r.ID] = &r.Conversation
		c.idWidth = max(c.idWidth, len(views.Itoa(r.ID)))
		if k := known[r.ID]; k != nil {
			r.counts, r.age = k.counts, k.age
		}
		r.pending = c.pending[r.ID]
		agents[r.Agent()] = true
	}
	c.rows = m.rows
	c.env.RememberListed(listed)
	c.setAgents(agents)
	c.refilter()
	c.loads++
	switch {
	case c.loads > 1:
		return nil
	case c.env.Notice != nil: // What the user waits for; what is wrong with the file stands in the header too.
		return ui.Say(c.env.Notice)
	case len(m.warnings) == 0:
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
	c.List.SetItems(rows)
}

// unchecked returns how many conversations of the list nobody has checked yet.
func (c *Conversations) unchecked() (n int) {
	for _, r := range c.List.Rows() {
		if _, known := c.env.Health(r.ID); !known {
			n++
		}
	}
	return n
}

// header returns the line above the list.
func (c *Conversations) header(width, _ int) []string {
	c.List.Empty = c.emptyReason()
	return []string{c.env.Styles.Muted.Render(c.bar(width))}
}

// bar says how many conversations are listed, which, and in which order.
func (c *Conversations) bar(width int) string {
	left := []string{" " + c.List.Count() + plural.Noun(len(c.List.Items()), " conversation", " conversations")}
	if len(c.agents) > 2 {
		left = append(left, "agent: "+ui.Line(c.agents[c.agent]))
	}
	left = append(left, "show: "+shows[c.show])
	if n := len(c.env.Marks); n > 0 {
		left = append(left, views.MarkSign+" "+ui.Num(int64(n))+" marked")
	}
	right := []string{"o sort: " + c.List.SortLabel() + " "}
	if n := c.unchecked(); n > 0 && c.List.SortName() == sortDamage {
		right = append([]string{ui.Num(int64(n)) + " not checked yet"}, right...)
	}
	bar := strings.Join(left, "   ")
	end, fits := keysBeside(right, width-ansi.StringWidth(bar))
	if !fits {
		return ui.Cut(bar, width)
	}
	return ui.Pad(bar, width-ansi.StringWidth(end)) + end
}

// keysBeside returns the end of the bar in less than width cells, and whether there is room for it: with
// the keys that find something, as far as there is room. The filter goes first, which every list has.
func keysBeside(end []string, width int) (string, bool) {
	const find, filter = "F find", "/ filter"
	for _, keys := range [][]string{{find, filter}, {find}, {filter}, nil} {
		for _, gap := range []string{"   ", "  "} {
			if text := strings.Join(append(keys, end...), gap); ansi.StringWidth(text) < width {
				return text, true
			}
		}
	}
	return "", false
}

// emptyReason says why no conversation is listed, and what to do.
func (c *Conversations) emptyReason() string {
	switch {
	case c.loads == 0:
		return views.FirstNonEmpty(c.notRead, "reading the conversations")
	case len(c.rows) == 0:
		return "no conversations: an agent makes the first one when it gets its first message"
	case c.agent != 0 && c.show != 0:
		return "agent " + ui.Line(c.agents[c.agent]) + " has no " + shows[c.show] + " conversations: . a shows other agents, . v others of this one"
	case c.agent != 0:
		return "agent " + ui.Line(c.agents[c.agent]) + " has no conversations: . a shows those of others"
	}
	return "no conversation is " + shows[c.show] + ": . v shows the others"
}
