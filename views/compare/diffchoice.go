package compare

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// DiffChoice is the choice of the file with which the database is compared: a backup of it, or
// another database of this machine.
type DiffChoice struct {
	views.ListScreen[*comparableFile, views.NoDetail]
	env *views.Env
}

// comparableFile is a file that the database can be compared with.
type comparableFile struct {
	path     string
	backup   bool
	bytes    int64
	modified time.Time
}

var _ ui.Screen = (*DiffChoice)(nil)

// NewDiffChoice returns the screen of the files with which the database can be compared.
func NewDiffChoice(env *views.Env) *DiffChoice {
	v := &DiffChoice{env: env}
	id := func(f *comparableFile) string { return f.path }
	list := ui.NewList(env.Styles, id, v.row, id)
	list.Empty = "looking for backups and databases"
	v.ListScreen = views.NewListScreen(v, env, 0.6, list, id, v.describe)
	v.LayoutColumns = v.columns
	v.Path = views.NewPathPrompt(env.Styles, "Compare with:", "another database or a backup; it is only read", "compare", "open", v.open)
	return v
}

// Title implements ui.Screen.
func (v *DiffChoice) Title() string { return "Compare with" }

// Purpose implements ui.Screen.
func (v *DiffChoice) Purpose() string {
	return "The backups of this database, the newest first, and the other databases of this machine. Comparing changes none of them."
}

var (
	keyCompareFile = ui.Act("enter", "⏎", "compare")
	keyNameFile    = ui.Act("f", "f", "another file")
)

// OwnActions implements views.ListOwner.
func (v *DiffChoice) OwnActions() []views.Action {
	f, some := v.List.Selected()
	return []views.Action{
		{Action: keyCompareFile.In("Look").InFooter().Off(some && !v.TextFocused, views.FirstNonEmpty(views.TextWhen(v.TextFocused, views.TextHasKeys), "no file is listed: f names one")), Run: func() tea.Cmd {
			return ui.Say(ui.PushMsg{Screen: newDiff(v.env, fileSource(f.path, f.backup))})
		}},
		{Action: keyNameFile.In("Look").InFooter(), Run: func() tea.Cmd { v.Path.Open(v.Path.Value()); return nil }},
	}
}

// open compares with a file that the user named, once it is known to be a database.
func (v *DiffChoice) open(path string) tea.Cmd {
	if path == "" {
		return nil
	}
	return v.env.Jobs.Open(v, "open", views.Read(func(ctx context.Context) (ui.PushMsg, error) {
		other, err := data.Open(ctx, path)
		if err != nil {
			return ui.PushMsg{}, err
		}
		return ui.PushMsg{Screen: newDiff(v.env, fileSource(path, false))}, other.Close()
	}))
}

type comparableFilesMsg []*comparableFile

// Load implements views.ListOwner.
func (v *DiffChoice) Load() tea.Cmd {
	own, databases := v.env.DB.Path(), v.env.Databases
	return v.env.Jobs.Read(v, "load", views.Read(func(ctx context.Context) (comparableFilesMsg, error) {
		backups, err := data.Backups(own)
		if err != nil {
			return nil, err
		}
		var out comparableFilesMsg
		for _, b := range backups {
			out = append(out, &comparableFile{b.Path, true, b.Bytes, b.ModifiedAt})
		}
		slices.SortStableFunc(out, func(a, b *comparableFile) int { return b.modified.Compare(a.modified) })
		if databases == nil {
			return out, nil
		}
		for _, d := range databases.Find(ctx).Databases {
			if d.Path != own && !slices.Contains(d.SameFile, own) {
				out = append(out, &comparableFile{d.Path, false, d.Bytes, d.Modified})
			}
		}
		return out, nil
	}))
}

// Receive implements views.ListOwner.
func (v *DiffChoice) Receive(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(comparableFilesMsg); ok {
		v.List.Empty = "there is no backup and no other database: f names a file, and `.` then `B` in the list of conversations makes a backup"
		v.List.SetItems(m)
	}
	return nil
}

func (v *DiffChoice) columns(width int) views.Columns {
	return views.Lay([]views.Column{{Title: "file"}, {Title: "is", Width: 8}, {Title: "size", Width: 9, Right: true}, {Title: "written", Width: 9, Right: true, From: 50}}, width)
}

func (v *DiffChoice) row(f *comparableFile, width int, _ bool) string {
	return v.columns(width).Line(func(title string) string {
		switch title {
		case "is":
			return f.kind()
		case "size":
			return ui.Size(f.bytes)
		case "written":
			return views.Ago(f.modified, v.env.Now())
		}
		return cutMiddle(ui.Line(views.ShortenHome(f.path)), v.columns(width).Width("file"))
	})
}

func (f *comparableFile) kind() string {
	if f.backup {
		return "backup"
	}
	return "database"
}

// cutMiddle shortens a path to a width: its end tells files apart.
func cutMiddle(path string, width int) string {
	r := []rune(path)
	if len(r) <= width || width < 8 {
		return path
	}
	return string(r[:width/3]) + "…" + string(r[len(r)-(width-width/3-1):])
}

func (v *DiffChoice) describe(f *comparableFile, _ views.NoDetail, _ int) string {
	s := v.env.Styles
	direction := "+ will be what only the other database has, − what only this one has"
	if f.backup {
		direction = "+ will be what was added since, − what was removed since"
	}
	return strings.Join([]string{s.Title.Render(ui.Line(f.path)), f.kind() + ", " + ui.Size(f.bytes), s.Muted.Render("written ") + ui.Timestamp(f.modified), "", s.Muted.Render(direction)}, "\n")
}
