package views

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/ops/transplant"
	"lcm-tui/ui"
)

// Donors is the conversations whose memory can be carried into another one: those
// of the same session first.
type Donors struct {
	pane[*row, []data.ContextItem]
	env      *Env
	of       *Conversations // It draws rows, and has the numbers that were counted.
	target   *row
	messages bool // Carry messages that no summary covers, too.
}

var _ ui.Screen = (*Donors)(nil)

func newDonors(env *Env, of *Conversations, target *row) *Donors {
	d := &Donors{env: env, of: of, target: target}
	list := ui.NewList(env.Styles, (*row).id, d.render, (*row).text)
	list.SetSorts(
		ui.Sort[*row]{Name: "same session first"},
		ui.Sort[*row]{Name: "name", Less: func(a, b *row) bool { return a.Name() < b.Name() }},
	)
	d.pane = newPane(d, env, 0.55, list, (*row).id, d.describe)
	d.layoutColumns, d.readDetailOf, d.maxDetails, d.headerLines, d.afterUpdate = d.columns, d.remembered, 8, d.line, d.count
	return d
}

// Title implements ui.Screen.
func (d *Donors) Title() string { return "Transplant into " + ui.Line(d.target.Name()) }

// Purpose implements ui.Screen.
func (d *Donors) Purpose() string {
	return "Choose the conversation whose memory is copied into this one: its summaries with all that they were made of. What would change is shown first."
}

var (
	keyCarry    = ui.Act("enter", "⏎", "plan it")
	keyMessages = ui.Act("m", "m", "messages too")
)

func (d *Donors) actions() []action {
	r, some := d.list.Selected()
	messages := keyMessages
	if d.messages {
		messages = ui.Act("m", "m", "summaries only")
	}
	return []action{
		{keyCarry.In("Change").InFooter().Off(some, "there is no other conversation"), func() tea.Cmd { return d.carry(r) }},
		{messages.In("Change").InFooter(), func() tea.Cmd { d.messages = !d.messages; return nil }},
	}
}

// carry opens the review of the transplant.
func (d *Donors) carry(r *row) tea.Cmd {
	return d.env.plan(d, &transplant.Op{
		Source: r.ID, Target: d.target.ID, Messages: d.messages, Budget: d.target.budget, Files: d.env.Files,
	})
}

type donorsMsg []*row

func (d *Donors) load() tea.Cmd {
	db := d.env.DB
	return d.env.Jobs.Start(d, "load", read(func(ctx context.Context) (donorsMsg, error) {
		m, err := loadRows(ctx, db)
		return m.rows, err
	}))
}

func (d *Donors) receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case donorsMsg:
		d.list.Empty = "there is no other conversation to copy from"
		d.list.SetItems(d.arranged(msg))
	case countsMsg:
		for _, r := range d.list.Items() {
			if n := msg[r.ID]; n != nil {
				r.counts = n
			}
		}
	}
	return nil
}

// count counts those on screen whose numbers aren't known yet.
func (d *Donors) count() tea.Cmd {
	ids := pick(d.list.Visible(), func(r *row) bool { return r.counts == nil })
	if len(ids) == 0 || d.env.Jobs.Running(d, "count") {
		return nil
	}
	return d.env.count(d, ids)
}

// arranged leaves out the target and puts its own session's past first.
func (d *Donors) arranged(rows []*row) []*row {
	rows = slices.DeleteFunc(rows, func(r *row) bool { return r.ID == d.target.ID })
	for _, r := range rows {
		if i := slices.IndexFunc(d.of.rows, func(o *row) bool { return o.ID == r.ID }); i >= 0 {
			r.counts = d.of.rows[i].counts
		}
	}
	slices.SortStableFunc(rows, func(a, b *row) int { return d.distance(a) - d.distance(b) })
	return rows
}

func (d *Donors) distance(r *row) int {
	switch {
	case r.SessionKey != "" && r.SessionKey == d.target.SessionKey, r.SessionID != "" && r.SessionID == d.target.SessionID:
		return 0
	case r.Agent() != "" && r.Agent() == d.target.Agent():
		return 1
	}
	return 2
}

// line says what is chosen, and what for.
func (d *Donors) line(width, _ int) []string {
	s := d.env.Styles
	what := "summaries"
	if d.messages {
		what = "summaries, and messages that none covers,"
	}
	return []string{ui.Cut(s.Muted.Render(" copy "+what+" into ")+s.Title.Render(ui.Line(d.target.Name()))+s.Muted.Render(" from …"), width)}
}

func (d *Donors) columns(width int) layout {
	return lay([]column{
		{title: " ", width: 1},
		{title: "conversation"},
		{title: "summaries", width: 9, right: true, from: 44},
		{title: "context", width: 9, right: true, from: 56},
		{title: "last", width: 7, right: true},
	}, width)
}

func (d *Donors) render(r *row, width int, _ bool) string {
	return d.columns(width).line(func(title string) string { return d.of.cell(r, title) })
}

// remembered reads what stands in a conversation's context.
func (d *Donors) remembered(r *row) detailReader[[]data.ContextItem] {
	db, conv := d.env.DB, r.ID
	return func(ctx context.Context) ([]data.ContextItem, error) {
		items, err := db.Context(ctx, conv)
		return slices.DeleteFunc(items, func(it data.ContextItem) bool { return !it.IsSummary() }), err
	}
}

// describe is a conversation, and the summaries that would be carried.
func (d *Donors) describe(r *row, items *[]data.ContextItem, width int) string {
	s := d.env.Styles
	var b strings.Builder
	b.WriteString(s.Title.Render(ui.Line(r.Name())) + "\n")
	facts := "#" + itoa(r.ID) + "  since " + d.env.stamp(r.CreatedAt)
	if !r.Active {
		facts += "  archived " + ui.Line(r.ArchiveCause)
	}
	b.WriteString(s.Muted.Render(strings.TrimSpace(facts)) + "\n\n")
	if items == nil {
		return b.String()
	}
	if len(*items) == 0 {
		return b.String() + s.Muted.Render("no summary stands in its context; m carries messages too")
	}
	b.WriteString(s.Muted.Render(ui.Count(int64(len(*items)), "summary", "summaries")+" in its context:") + "\n\n")
	for _, it := range *items {
		head := s.Depth(int(it.Depth)).Render("d"+itoa(it.Depth)) + " " + shortID(it.Summary, idInList) +
			s.Muted.Render("  "+ui.Tokens(it.Tokens)+"  "+d.env.stamp(it.At))
		b.WriteString(ui.Cut(head, width) + "\n   " + ui.Cut(ui.Line(it.Preview), max(8, width-3)) + "\n")
	}
	return b.String()
}

// transplant opens the choice of what to carry into the selected conversation.
func (c *Conversations) transplant() tea.Cmd {
	r, ok := c.list.Selected()
	if !ok || c.notTarget() != "" {
		return nil
	}
	return c.push(newDonors(c.env, c, r))
}

// notTarget says why nothing can be carried into the selected conversation.
func (c *Conversations) notTarget() string {
	r, some := c.list.Selected()
	switch {
	case !some:
		return "there is no conversation"
	case c.env.readOnly() != "":
		return c.env.readOnly()
	case len(c.rows) < 2:
		return "there is no other conversation to copy from"
	case !r.Active:
		return "it is archived: its host never reads it again"
	}
	return ""
}
