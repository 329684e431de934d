package transcripts

import (
	"context"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/destination"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/slice"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Slice copies conversations into a new database, of which it first shows what it would hold.
type Slice struct {
	views.ListScreen[*slice.Part, views.NoDetail]
	env     *views.Env
	chosen  []int64
	cut     bool // Links to other conversations are left out; else these are copied as well.
	away    bool // The file is for another machine.
	survey  slice.Survey
	written *slice.Result // Nil until the file is written.
}

var _ ui.Screen = (*Slice)(nil)

// NewSlice returns the screen from which conversations are copied into a new database.
func NewSlice(env *views.Env, chosen []int64) *Slice {
	v := &Slice{env: env, chosen: chosen}
	id := func(p *slice.Part) string { return views.Itoa(p.Conversation) }
	list := ui.NewList(env.Styles, id, v.row, func(p *slice.Part) string { return env.Label(p.Conversation) })
	list.Empty = "looking for what it would hold"
	v.ListScreen = views.NewListScreen(v, env, 0.6, list, id, v.describe)
	v.LayoutColumns, v.HeaderLines = v.columns, v.header
	v.Path = views.NewPathPrompt(env.Styles, "Write to:", "a new database, private to you; nothing is written over, and this one is only read", "write it", "slice", v.write)
	return v
}

// Title implements ui.Screen.
func (v *Slice) Title() string { return "Slice" }

// Purpose implements ui.Screen.
func (v *Slice) Purpose() string {
	return "Copy conversations into a new database: every row of theirs, as it is. The list is what the file would hold; nothing is written until a name is given."
}

var (
	keyWriteSlice = ui.Act("enter", "⏎", "write the file")
	keySliceLinks = ui.Act("w", "w", "links to others")
	keySliceAway  = ui.Act("m", "m", "for this or another machine")
)

// OwnActions implements views.ListOwner.
func (v *Slice) OwnActions() []views.Action {
	return []views.Action{
		{Action: keyWriteSlice.In("File").InFooter().Off(v.List.Len() > 0, "it isn't known yet what the file would hold"), Run: v.askPath},
		{Action: keySliceAway.In("Choose").InFooter(), Run: func() tea.Cmd { v.away = !v.away; return nil }},
		{Action: keySliceLinks.In("Choose").InFooter().Off(len(v.survey.Crossing) > 0, "no links lead to other conversations"), Run: func() tea.Cmd { v.cut = !v.cut; return v.Load() }},
	}
}

// request returns the copy that is chosen.
func (v *Slice) request() slice.Request {
	r := slice.Request{Conversations: v.chosen, Lineage: slice.LineageTake, Detach: v.away, Archive: v.away, Search: true, Finish: slice.Mark}
	if v.cut {
		r.Lineage = slice.LineageCut
	}
	return r
}

// Load implements views.ListOwner.
func (v *Slice) Load() tea.Cmd {
	db, r := v.env.DB, v.request()
	return v.env.Jobs.Read(v, "load", views.Read(func(ctx context.Context) (slice.Survey, error) { return slice.Look(ctx, db, r) }))
}

// Receive implements views.ListOwner.
func (v *Slice) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case slice.Survey:
		v.survey = m
		v.List.SetItems(views.PointersTo(m.Parts))
	case *slice.Result:
		v.written = m
		return ui.Say(ui.StatusMsg{Text: "wrote " + plural.Count(int(m.Tables["conversations"]), "conversation", "conversations") + ", " + ui.Size(m.Bytes) + ", to " + ui.Line(views.ShortenHome(m.Path)), Kind: ui.Done})
	case ui.FailedMsg:
		if m.Name == "load" {
			v.List.Empty = "what it would hold can't be read"
		}
	}
	return nil
}

// header says what the file would hold and how, and after that what was written.
func (v *Slice) header(width, _ int) (lines []string) {
	s := v.env.Styles
	add := func(style func(...string) string, text string) {
		for _, l := range views.WrapAtMost(text, width-2, views.StateLines) {
			lines = append(lines, " "+style(l))
		}
	}
	for _, t := range v.terms() {
		add(s.Muted.Render, t)
	}
	warnings := (&slice.Result{LeftOut: v.survey.LeftOut}).Warnings()
	if v.written != nil {
		add(s.Good.Render, "written and checked: "+ui.Line(views.ShortenHome(v.written.Path))+", "+ui.Size(v.written.Bytes))
		warnings = v.written.Warnings()
	}
	for _, w := range warnings {
		add(s.Warn.Render, "~ "+ui.Line(w))
	}
	return append(lines, "")
}

// terms say what would be copied, for whom, and what becomes of links.
func (v *Slice) terms() []string {
	var all slice.Part
	for _, p := range v.survey.Parts {
		all.Messages += p.Messages
		all.Summaries += p.Summaries
		all.Files += p.Files
	}
	out := []string{
		"holds " + plural.Count(len(v.survey.Parts), "conversation", "conversations") + ": " + plural.Count(int(all.Messages), "message", "messages") + ", " + plural.Count(int(all.Summaries), "summary", "summaries"),
		"to look at: rows as they are; no host may go on in it",
	}
	if v.away {
		out[1] = "for another machine: archived, without the paths of session files"
		if all.Files > 0 {
			out[1] += ", with copies of " + plural.Count(int(all.Files), "large file", "large files") + " beside it"
		}
	}
	if n := len(v.survey.Crossing); n > 0 {
		out = append(out, "links lead to other conversations: "+map[bool]string{false: "these are copied too", true: "the links are left out"}[v.cut])
	}
	return out
}

func (v *Slice) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: "conversation"},
		{Title: "messages", Width: 8, Right: true},
		{Title: "summaries", Width: 9, Right: true},
		{Title: "context", Width: 7, Right: true, From: 56},
		{Title: "files", Width: 5, Right: true, From: 64},
	}, width)
}

func (v *Slice) row(p *slice.Part, width int, _ bool) string {
	return v.columns(width).Line(func(title string) string {
		switch title {
		case "messages":
			return ui.Num(p.Messages)
		case "summaries":
			return ui.Num(p.Summaries)
		case "context":
			return ui.Num(p.Items)
		case "files":
			return ui.Num(p.Files)
		}
		return views.TextWhen(p.Added, "+ ") + v.env.Label(p.Conversation)
	})
}

// describe says what is copied of a conversation.
func (v *Slice) describe(p *slice.Part, _ views.NoDetail, _ int) string {
	s := v.env.Styles
	lines := []string{s.Title.Render(v.env.Label(p.Conversation))}
	if p.Added {
		lines = append(lines, s.Muted.Render("it wasn't chosen: links of the chosen conversations lead to it"))
	}
	lines = append(lines, "", plural.Count(int(p.Messages), "message", "messages")+" with all parts", plural.Count(int(p.Summaries), "summary", "summaries")+" with their links",
		plural.Count(int(p.Items), "item", "items")+" of its context", plural.Count(int(p.Files), "large file", "large files"))
	for _, c := range v.survey.Crossing {
		if c.Conversation == p.Conversation {
			lines = append(lines, s.Muted.Render(plural.Count(int(c.Links), "link", "links")+" in "+c.Table+" lead to it"))
		}
	}
	return strings.Join(append(lines, "", "and its state, its search tables, and the rows of other tables that refer to it"), "\n")
}

// askPath asks for the path of the new file.
func (v *Slice) askPath() tea.Cmd {
	name := "slice-" + views.Itoa(v.chosen[0])
	if n := len(v.chosen); n > 1 {
		name = "slice-of-" + views.Itoa(int64(n))
	}
	v.Path.Open(name + ".db")
	return nil
}

// write writes the file.
func (v *Slice) write(path string) tea.Cmd {
	if path == "" {
		return nil
	}
	db, r, policy := v.env.DB, v.request(), destination.ForDatabase(v.env.DB, v.env.Locations)
	r.FilesFrom = v.env.Files
	return v.env.Jobs.Start(v, "slice", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		whole, err := newFile(policy, path)
		if err != nil {
			return nil, err
		}
		if r.Detach {
			if r.FilesTo, err = newFile(policy, whole+".files"); err != nil {
				return nil, err
			}
		}
		out, err := slice.Write(ctx, db, whole, r, data.Report(report))
		return &out, err
	})
}

// newFile returns the whole path of a file that may be written.
func newFile(policy *destination.Policy, path string) (string, error) {
	whole, err := filepath.Abs(path)
	if err == nil {
		err = policy.Check(whole)
	}
	return whole, err
}
