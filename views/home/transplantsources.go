package home

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/transplant"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// TransplantSources are the conversations whose summaries can be copied into a target: those of
// the same database, of the same session first, or those of another database file.
type TransplantSources struct {
	views.ListScreen[*conversationRow, *[]lcm.ContextItem]
	env      *views.Env
	of       *Conversations // It draws rows, and has the numbers that were counted.
	target   *conversationRow
	messages bool   // Copy messages that no summary covers, too.
	from     string // The path of the other database; empty is the one that is open.
	loaded   string // The path from which the rows come.
}

var _ ui.Screen = (*TransplantSources)(nil)

func newTransplantSources(env *views.Env, of *Conversations, target *conversationRow) *TransplantSources {
	v := &TransplantSources{env: env, of: of, target: target}
	list := ui.NewList(env.Styles, (*conversationRow).id, v.render, (*conversationRow).text)
	list.SetSorts(
		ui.Sort[*conversationRow]{Name: "same session first"},
		ui.Sort[*conversationRow]{Name: "name", Less: func(a, b *conversationRow) bool { return a.name() < b.name() }},
	)
	v.ListScreen = views.NewListScreen(v, env, 0.55, list, (*conversationRow).id, v.describe)
	v.LayoutColumns, v.ReadDetailOf, v.MaxDetails, v.HeaderLines, v.AfterUpdate = v.columns, v.summariesOf, 8, v.line, v.count
	v.Path = views.NewPathPrompt(env.Styles, "Database file:", "an empty path is this database; another file is only read", "open it", "load", v.readFrom)
	return v
}

// Title implements ui.Screen.
func (v *TransplantSources) Title() string {
	return "Transplant into " + v.env.Name(v.target.Conversation)
}

// Purpose implements ui.Screen.
func (v *TransplantSources) Purpose() string {
	return "Choose the source conversation, of this database or with f of another file: its summaries are copied into the target with all that they are made from. What would change is shown first."
}

var (
	keyCarry     = ui.Act("enter", "⏎", "review the copy")
	keyOtherFile = ui.Act("f", "f", "other database file")
	keyMessages  = ui.Act("m", "m", "messages too")
)

// OwnActions implements views.ListOwner.
func (v *TransplantSources) OwnActions() []views.Action {
	r, some := v.List.Selected()
	messages := keyMessages
	if v.messages {
		messages = ui.Act("m", "m", "summaries only").Named(keyMessages.ID())
	}
	return []views.Action{
		{Action: keyCarry.In("Change").InFooter().Off(some, "there is no other conversation"), Run: func() tea.Cmd { return v.carry(r) }},
		{Action: messages.In("Change").InFooter(), Run: func() tea.Cmd { v.messages = !v.messages; return nil }},
		{Action: keyOtherFile.In("Look").InFooter(), Run: func() tea.Cmd { v.Path.Open(v.from); return nil }},
	}
}

// carry opens the review of the transplant.
func (v *TransplantSources) carry(r *conversationRow) tea.Cmd {
	return v.env.Plan(v, &transplant.Op{
		Source: r.ID, From: v.loaded, Target: v.target.ID, Messages: v.messages, Budget: v.target.budget, Files: v.env.Files,
	})
}

// readFrom lists the conversations of another file, or of this one where the path is empty.
func (v *TransplantSources) readFrom(path string) tea.Cmd {
	v.from = path
	clear(v.Details) // Those of other conversations may have the same ids.
	return v.Init()
}

// withSource calls fn with the database of the source conversations. Another file is opened
// read-only for as long as that takes.
func (v *TransplantSources) withSource(ctx context.Context, path string, fn func(*data.DB) error) error {
	if path == "" {
		return fn(v.env.DB)
	}
	db, err := data.Open(ctx, path)
	if err != nil {
		return err
	}
	return errors.Join(fn(db), db.Close())
}

// mostCountedAbroad is how many conversations of another file are counted before they are
// listed.
const mostCountedAbroad = 200

type transplantSourcesMsg struct {
	rows []*conversationRow
	from string
}

// Load implements views.ListOwner.
func (v *TransplantSources) Load() tea.Cmd {
	from := v.from
	return v.env.Jobs.Read(v, "load", views.Read(func(ctx context.Context) (out transplantSourcesMsg, err error) {
		out.from = from
		err = v.withSource(ctx, from, func(db *data.DB) error {
			m, err := loadRows(ctx, db)
			out.rows = m.rows
			for _, r := range m.rows[:min(len(m.rows), mostCountedAbroad)] {
				if from == "" || err != nil {
					break
				}
				r.counts, err = views.CountOne(ctx, db, r.ID)
			}
			return err
		})
		return out, err
	}))
}

// Receive implements views.ListOwner.
func (v *TransplantSources) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case transplantSourcesMsg:
		v.List.Empty = "there is no other conversation to copy from"
		if v.loaded = msg.from; v.loaded != "" {
			v.List.Empty = "there is no conversation in " + ui.Line(views.ShortenHome(v.loaded))
		}
		v.List.SetItems(v.arranged(msg.rows))
	case ui.FailedMsg:
		if msg.Name == "load" {
			v.from = v.loaded
		}
	case countsMsg:
		for _, r := range v.List.Items() {
			if n := msg[r.ID]; n != nil {
				r.counts = n
			}
		}
	}
	return nil
}

// count counts those on screen whose numbers aren't known yet.
func (v *TransplantSources) count() tea.Cmd {
	ids := firstIDs(v.List.Visible(), func(r *conversationRow) bool { return r.counts == nil })
	if len(ids) == 0 || v.loaded != "" || v.env.Jobs.Running(v, "count") {
		return nil
	}
	return count(v.env, v, ids)
}

// arranged leaves out the target and puts its own session's past first.
func (v *TransplantSources) arranged(rows []*conversationRow) []*conversationRow {
	if v.loaded != "" {
		slices.SortStableFunc(rows, func(a, b *conversationRow) int { return v.distance(a) - v.distance(b) })
		return rows
	}
	rows = slices.DeleteFunc(rows, func(r *conversationRow) bool { return r.ID == v.target.ID })
	for _, r := range rows {
		if i := slices.IndexFunc(v.of.rows, func(o *conversationRow) bool { return o.ID == r.ID }); i >= 0 {
			r.counts = v.of.rows[i].counts
		}
	}
	slices.SortStableFunc(rows, func(a, b *conversationRow) int { return v.distance(a) - v.distance(b) })
	return rows
}

func (v *TransplantSources) distance(r *conversationRow) int {
	switch {
	case r.SessionKey != "" && r.SessionKey == v.target.SessionKey, r.SessionID != "" && r.SessionID == v.target.SessionID:
		return 0
	case r.Agent() != "" && r.Agent() == v.target.Agent():
		return 1
	}
	return 2
}

// line says what is chosen, and what for.
func (v *TransplantSources) line(width, _ int) []string {
	s := v.env.Styles
	what := "summaries"
	if v.messages {
		what = "summaries, and messages that none covers,"
	}
	text := s.Muted.Render("copy "+what+" into ") + s.Title.Render(v.env.Name(v.target.Conversation)) + s.Muted.Render(" #"+views.Itoa(v.target.ID)+" from "+v.source())
	return strings.Split(ui.Indent(strings.Join(ui.WrapLines(text, width-1), "\n")), "\n")
}

// source names the database of the source conversations.
func (v *TransplantSources) source() string {
	if v.loaded == "" {
		return "another conversation of this database"
	}
	return "another file, read-only: " + ui.Line(views.ShortenHome(v.loaded))
}

func (v *TransplantSources) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: " ", Width: 1},
		{Title: "id", Width: 6, Right: true},
		{Title: "conversation"},
		{Title: "summaries", Width: 9, Right: true, From: 44},
		{Title: "context", Width: 9, Right: true, From: 56},
		{Title: "last", Width: 7, Right: true},
	}, width)
}

func (v *TransplantSources) render(r *conversationRow, width int, _ bool) string {
	columns := v.columns(width)
	return columns.Line(func(title string) string { return v.of.text.cell(r, title, columns.Width(title)) })
}

// summariesOf reads the summaries in a conversation's context.
func (v *TransplantSources) summariesOf(r *conversationRow) views.DetailReader[*[]lcm.ContextItem] {
	from, conv := v.loaded, r.ID
	return func(ctx context.Context) (*[]lcm.ContextItem, error) {
		var items []lcm.ContextItem
		err := v.withSource(ctx, from, func(db *data.DB) (err error) {
			items, err = lcm.Context(ctx, db, conv)
			return err
		})
		items = slices.DeleteFunc(items, func(it lcm.ContextItem) bool { return !it.IsSummary() })
		return &items, err
	}
}

// describe returns a conversation, and the summaries that would be carried.
func (v *TransplantSources) describe(r *conversationRow, items *[]lcm.ContextItem, width int) string {
	s := v.env.Styles
	var b strings.Builder
	b.WriteString(s.Title.Render(ui.Line(r.name())) + "\n")
	facts := "#" + views.Itoa(r.ID) + "  since " + v.env.Stamp(r.CreatedAt)
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
	b.WriteString(s.Muted.Render(plural.Count(len(*items), "summary", "summaries")+" in its context:") + "\n\n")
	for _, it := range *items {
		head := s.Depth(int(it.Depth)).Render("d"+views.Itoa(it.Depth)) + " " + views.ShortID(it.Summary, views.IDWidth) +
			s.Muted.Render("  "+ui.Tokens(it.Tokens)+"  "+v.env.Stamp(it.At))
		b.WriteString(ui.Cut(head, width) + "\n   " + ui.Cut(ui.Line(it.Preview), max(8, width-3)) + "\n")
	}
	return b.String()
}

// transplant opens the choice of what to carry into the selected conversation.
func (c *Conversations) transplant() tea.Cmd {
	r, ok := c.List.Selected()
	if !ok || c.notTarget() != "" {
		return nil
	}
	return c.push(newTransplantSources(c.env, c, r))
}

// notTarget says why nothing can be carried into the selected conversation.
func (c *Conversations) notTarget() string {
	r, some := c.List.Selected()
	switch {
	case !some:
		return "there is no conversation"
	case c.env.ReadOnly() != "":
		return c.env.ReadOnly()
	case !r.Active:
		return "it is archived: its host never reads it again"
	}
	return ""
}
