package conversation

import (
	"context"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Files is the large files that were moved out of a conversation's messages, and
// what the model sees in their place.
type Files struct {
	places map[string]lcm.LargeFileLocation // By id, of those that are there.
	found  views.Target                     // The file to which a search led.
	views.Tab
	views.ListScreen[*lcm.LargeFile, views.NoDetail]
}

var _ ui.Screen = (*Files)(nil)

// NewFiles returns the tab of the large files.
func NewFiles(t views.Tab) ui.Screen {
	v := &Files{Tab: t}
	id := func(f *lcm.LargeFile) string { return f.ID }
	list := ui.NewList(v.Env().Styles, id, v.row, func(f *lcm.LargeFile) string { return f.Name + " " + f.MIME + " " + f.ID })
	list.SetSorts(
		ui.Sort[*lcm.LargeFile]{Name: "age"},
		ui.Sort[*lcm.LargeFile]{Name: "size", Less: func(a, b *lcm.LargeFile) bool { return a.Bytes > b.Bytes }},
		ui.Sort[*lcm.LargeFile]{Name: "name", Less: func(a, b *lcm.LargeFile) bool { return a.Name < b.Name }},
	)
	v.ListScreen = views.NewListScreen(v, v.Env(), 0.5, list, id, v.describe)
	v.Tabs, v.LayoutColumns = &v.Tab, v.columns
	return v
}

// Purpose implements ui.Screen.
func (v *Files) Purpose() string {
	return "The files and tool outputs that were too large to stay in a message: what the model sees of each, and what is in it."
}

var keyContent = ui.Act("c", "c", "content")

// OwnActions implements views.ListOwner.
func (v *Files) OwnActions() []views.Action {
	_, some := v.List.Selected()
	const none = "there are no files"
	return []views.Action{
		{Action: views.KeyRead.Off(some, none), Run: v.open},
		{Action: keyContent.In("Read").InFooter().Off(some, none), Run: v.content},
	}
}

// filesMsg brings the files and where each lies, by id; one that isn't there is left out.
type filesMsg struct {
	files  []lcm.LargeFile
	places map[string]lcm.LargeFileLocation
}

// Load implements views.ListOwner.
func (v *Files) Load() tea.Cmd {
	db, conv, folder := v.Env().DB, v.Hub.Row.ID, v.Env().Files
	return tea.Batch(v.Label(v), v.Env().Jobs.Read(v, "load", views.Read(func(ctx context.Context) (m filesMsg, err error) {
		m.files, err = lcm.LargeFiles(ctx, db, conv)
		m.places = map[string]lcm.LargeFileLocation{}
		for _, f := range m.files {
			if at, err := lcm.FindLargeFile(f, folder); err == nil {
				m.places[f.ID] = at
			}
		}
		return m, err
	})))
}

// Receive implements views.ListOwner.
func (v *Files) Receive(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(filesMsg); ok {
		v.places = m.places
		v.List.Empty = "no large files: the host moves a text out of its message from about 25,000 tokens on"
		v.SetRows(views.PointersTo(m.files))
	}
	return nil
}

// open goes one deeper: from the list to the text, where that isn't on screen
// already, and from there to the content.
func (v *Files) open() tea.Cmd {
	if !v.TextFocused && !ui.Wide(v.Width) {
		return v.Focus(true)
	}
	return v.content()
}

func (v *Files) content() tea.Cmd {
	f, ok := v.List.Selected()
	if !ok {
		return nil
	}
	return ui.Say(ui.PushMsg{Screen: newFileContent(v.Env(), *f)})
}

func (v *Files) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: "name"},
		{Title: "type", Width: 16, From: 64},
		{Title: "size", Width: 8, Right: true},
		{Title: "lines", Width: 7, Right: true, From: 48},
		{Title: "when", Width: 8, Right: true},
	}, width)
}

func (v *Files) row(f *lcm.LargeFile, width int, _ bool) string {
	s := v.Env().Styles
	return v.columns(width).Line(func(title string) string {
		switch title {
		case "name":
			return v.name(f, v.columns(width).Width("name"))
		case "type":
			return s.Muted.Render(ui.LineN(f.MIME, 16))
		case "size":
			return ui.Size(f.Bytes)
		case "lines":
			if f.Lines == 0 {
				return ""
			}
			return ui.Num(f.Lines)
		}
		return s.Muted.Render(views.Ago(f.CreatedAt.Time, v.Env().Now()))
	})
}

// name returns the name of a file in width cells. Behind it stands what a search found in its summary alone.
func (v *Files) name(f *lcm.LargeFile, width int) string {
	name := v.Hub.Mark(ui.Line(fileName(f)))
	short := ui.Cut(name, width/2) + "  "
	for _, text := range []string{f.Exploration, v.foundIn(f)} {
		if found := views.Excerpt(text, width-ansi.StringWidth(short), v.Hub.Marks); views.IsMarked(found) && !views.IsMarked(name) {
			return short + v.Env().Styles.Muted.Render(found)
		}
	}
	return views.CutToMark(name, width)
}

// foundIn returns the part of a file's content to which a search led, or an empty text.
func (v *Files) foundIn(f *lcm.LargeFile) string {
	if f.ID == v.found.ID {
		return v.found.Snippet
	}
	return ""
}

// fileName returns the name of a file, or its id where it has none.
func fileName(f *lcm.LargeFile) string { return views.FirstNonEmpty(f.Name, f.ID) }

func (v *Files) describe(f *lcm.LargeFile, _ views.NoDetail, width int) string {
	text := v.Hub.Mark(v.facts(f, width))
	if found := v.foundIn(f); found != "" && !views.IsMarked(text) {
		text += "\n\n" + v.Env().Styles.Muted.Render("found in its content:") + "\n\n" + v.Hub.Mark(ansi.Wrap(ui.Line(found), max(1, width), ""))
	}
	v.ScrollToMark(f.ID, text)
	return text
}

// facts returns what is known of a file.
func (v *Files) facts(f *lcm.LargeFile, width int) string {
	s := v.Env().Styles
	var b strings.Builder
	b.WriteString(s.Title.Render(ui.Line(fileName(f))) + "\n")
	b.WriteString(s.Muted.Render(ui.Line(f.ID)+"   "+v.Env().Stamp(f.CreatedAt)) + "\n")
	facts := []string{ui.Line(f.MIME), ui.Size(f.Bytes)}
	if f.Lines > 0 {
		facts = append(facts, plural.Count(f.Lines, "line", "lines"))
	}
	b.WriteString(strings.Join(facts, "   ") + "\n")
	b.WriteString(s.Muted.Render("at ") + ui.Line(v.place(f)) + "\n\n")
	if strings.TrimSpace(f.Exploration) == "" {
		return b.String() + s.Muted.Render("there is no exploration summary: the model knows only the name")
	}
	b.WriteString(s.Muted.Render("what the model sees of it:") + "\n\n")
	b.WriteString(explorationText(strings.TrimSpace(f.Exploration), width, s.DarkBackground))
	b.WriteString("\n\n" + s.Faint.Render("c shows the content"))
	return b.String()
}

// explorationText returns the summary of a file that the model sees. Hosts write a list of facts, one a
// line, which Markdown would run together; a model writes Markdown.
func explorationText(text string, width int, dark bool) string {
	for line := range strings.Lines(text) {
		for _, sign := range []string{"#", "- ", "* ", "|", "```", "1. "} {
			if strings.HasPrefix(line, sign) {
				return ui.Markdown(text, width, dark)
			}
		}
	}
	return ui.Sanitize(text)
}

// place returns where the content of a file lies, as seen from the files folder.
func (v *Files) place(f *lcm.LargeFile) string {
	at, found := v.places[f.ID]
	if !found {
		return views.ShortenHome(f.URI) + " (not in the files folder)"
	}
	path := within(v.Env().Files, at.Path)
	if at.Moved {
		path += " (the row says " + views.ShortenHome(f.URI) + ")"
	}
	return path
}

// within returns a path as seen from a folder, or as it is where it lies elsewhere.
func within(folder, path string) string {
	if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
		return filepath.Join(filepath.Base(folder), rel)
	}
	return views.ShortenHome(path)
}

// GoTo puts the cursor on a row.
func (v *Files) GoTo(to views.Target) tea.Cmd {
	v.List.Select(to.ID)
	v.found = to
	if to.Marked {
		v.MarkedRef = to.ID
	}
	return nil
}
