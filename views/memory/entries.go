package memory

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data/lcm"
	"lcm-tui/data/promoted"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/promote"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Entries is the promoted memory: what is handed to sessions at their start, and found by lcm_search.
type Entries struct {
	views.ListScreen[*promoted.Entry, views.NoDetail]
	env  *views.Env
	all  []promoted.Entry
	show show
}

// show is which entries are listed.
type show int

const (
	inUse show = iota
	archived
	everything
	shows
)

var _ ui.Screen = (*Entries)(nil)

// NewEntries returns the screen of promoted memory.
func NewEntries(env *views.Env) *Entries {
	v := &Entries{env: env}
	id := func(e *promoted.Entry) string { return e.ID }
	list := ui.NewList(env.Styles, id, v.render, func(e *promoted.Entry) string {
		return e.Content + " " + strings.Join(e.Tags, " ") + " " + e.Project + " " + e.ID
	})
	list.SetSorts(
		ui.Sort[*promoted.Entry]{Name: "newest"},
		ui.Sort[*promoted.Entry]{Name: "confidence", Less: func(a, b *promoted.Entry) bool { return a.Confidence > b.Confidence }},
		ui.Sort[*promoted.Entry]{Name: "project", Less: func(a, b *promoted.Entry) bool { return a.Project < b.Project }},
	)
	list.Empty = "reading the entries"
	v.ListScreen = views.NewListScreen(v, env, 0.55, list, id, v.describe)
	v.LayoutColumns, v.HeaderLines = v.columns, v.header
	return v
}

// Title implements ui.Screen.
func (v *Entries) Title() string { return "Promoted memory" }

// Purpose implements ui.Screen.
func (v *Entries) Purpose() string {
	return "What was kept of summaries, or stored by hand: sessions of the project get the best of it at their start. An entry that is archived stays, and is handed to nobody."
}

// entryKeys are the screen's own keys.
var entryKeys = struct{ Edit, Archive, Origin, Show ui.Action }{
	Edit:    ui.Act("e", "e", "edit the text"),
	Archive: ui.Act("d", "d", "archive, or put into use again"),
	Origin:  ui.Act("w", "w", "where it came from"),
	Show:    ui.Act("v", "v", "in use/archived/all"),
}

// OwnActions implements views.ListOwner.
func (v *Entries) OwnActions() []views.Action {
	e, some := v.List.Selected()
	none := views.TextWhen(!some, "there is no entry")
	change := views.FirstNonEmpty(none, v.env.ReadOnly())
	edit := views.FirstNonEmpty(none, v.env.Uneditable())
	origin := none
	if some && e.Summary == "" {
		origin = "it was stored by hand, or by an agent"
	}
	k := entryKeys
	return []views.Action{
		v.ReadAction(none),
		{Action: k.Origin.In("Look").InFooter().Off(origin == "", origin), Run: func() tea.Cmd { return v.visit(e.Summary) }},
		{Action: k.Edit.In("Change").InFooter().Off(edit == "", edit), Run: func() tea.Cmd { return v.env.Edit(e.ID, e.Content, e.Content) }},
		{Action: k.Archive.In("Change").InFooter().Off(change == "", change), Run: func() tea.Cmd {
			return v.env.Plan(v, &promote.Change{IDs: []string{e.ID}, Archive: !e.IsArchived()})
		}},
		{Action: k.Show.In("List").InFooter(), Run: func() tea.Cmd {
			v.show = (v.show + 1) % shows
			v.set()
			return nil
		}},
	}
}

// visit opens the summary that an entry was made of.
func (v *Entries) visit(summary string) tea.Cmd { return visitSummary(v.env, v, summary) }

// visitSummary opens a summary in its conversation over owner.
func visitSummary(env *views.Env, owner ui.Screen, id string) tea.Cmd {
	return env.Jobs.Open(owner, "open", views.Read(func(ctx context.Context) (summaryMsg, error) {
		s, err := lcm.ReadSummary(ctx, env.DB, id)
		return summaryMsg{s.Conversation, id}, err
	}))
}

type (
	// summaryMsg is a summary that is to be shown, with its conversation.
	summaryMsg struct {
		conversation int64
		id           string
	}
	entriesMsg []promoted.Entry
)

// Load implements views.ListOwner.
func (v *Entries) Load() tea.Cmd {
	db := v.env.DB
	return v.env.Jobs.Read(v, "load", views.Read(func(ctx context.Context) (entriesMsg, error) { return promoted.List(ctx, db) }))
}

// Receive implements views.ListOwner.
func (v *Entries) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case entriesMsg:
		v.all = m
		v.set()
	case summaryMsg:
		return v.env.Visit(v, m.conversation, views.Target{Tab: views.TabSummaries, ID: m.id})
	case views.TargetMsg:
		return v.env.Arrive(m)
	case views.EditedMsg:
		if say, unchanged := m.Unchanged(); unchanged {
			return say
		}
		return v.env.Plan(v, &promote.Change{IDs: []string{m.ID}, Text: m.Text})
	}
	return nil
}

// set lists the entries that are to be shown.
func (v *Entries) set() {
	var rows []*promoted.Entry
	for i := range v.all {
		if e := &v.all[i]; v.show == everything || e.IsArchived() == (v.show == archived) {
			rows = append(rows, e)
		}
	}
	v.List.Empty = "nothing is promoted yet: lcm-tui promote keeps summaries that say most, and lcm-tui store any text"
	if len(v.all) > 0 {
		v.List.Empty = "no entry is so: v shows others"
	}
	v.List.SetItems(rows)
	v.Dirty = true
}

func (v *Entries) header(width, _ int) []string {
	n := 0
	for _, e := range v.all {
		if !e.IsArchived() {
			n++
		}
	}
	text := plural.Count(n, "entry", "entries") + " in use, " + plural.Count(len(v.all)-n, "archived entry", "archived entries")
	return []string{ui.Cut(v.env.Styles.Muted.Render(" "+text+"; here are "+[]string{"those in use", "archived ones", "all"}[v.show]), width), ""}
}

func (v *Entries) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: "entry"},
		{Title: "tags", Width: 20, From: 70},
		{Title: "project", Width: 20, From: 96},
		{Title: "sure", Width: 5, Right: true, From: 50},
		{Title: "stored", Width: 7, Right: true},
	}, width)
}

func (v *Entries) render(e *promoted.Entry, width int, _ bool) string {
	s := v.env.Styles
	return v.columns(width).Line(func(title string) string {
		switch title {
		case "entry":
			if e.IsArchived() {
				return s.Faint.Render(ui.LineN(e.Content, width))
			}
			return ui.LineN(e.Content, width)
		case "tags":
			return s.Muted.Render(ui.Line(strings.Join(e.Tags, " ")))
		case "project":
			return s.Muted.Render(ui.Line(views.FirstNonEmpty(e.Project, "all")))
		case "sure":
			return ui.Percent(e.Confidence)
		}
		return s.Muted.Render(views.Ago(e.CreatedAt.Time, v.env.Now()))
	})
}

// describe shows an entry whole, and where it came from.
func (v *Entries) describe(e *promoted.Entry, _ views.NoDetail, width int) string {
	s := v.env.Styles
	var b strings.Builder
	fact := func(name, value string) {
		if value != "" {
			b.WriteString(ansi.Wrap(s.Muted.Render(name+" ")+ui.Line(value), max(1, width), " ") + "\n")
		}
	}
	b.WriteString(s.Title.Render(ui.Line(e.ID)) + "\n")
	fact("project", views.FirstNonEmpty(e.Project, "all projects"))
	fact("tags", strings.Join(e.Tags, ", "))
	fact("stored", ui.Timestamp(e.CreatedAt.Time))
	fact("confidence", ui.Percent(e.Confidence))
	fact("made of", views.FirstNonEmpty(e.Summary, "a text that a person or an agent stored"))
	if e.IsArchived() {
		fact("archived", ui.Timestamp(e.ArchivedAt.Time))
	}
	fact("replaced by", e.Superseded)
	b.WriteString("\n" + ansi.Wrap(ui.Sanitize(e.Content), max(1, width), " ") + "\n")
	return b.String()
}
