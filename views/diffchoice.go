package views

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/ui"
)

// DiffChoice is the choice of the file with which the database is compared: a backup of it, or
// another database of this machine.
type DiffChoice struct {
	ListScreen[*comparableFile, noDetail]
	env *Env
}

// comparableFile is a file that the database can be compared with.
type comparableFile struct {
	path     string
	backup   bool
	bytes    int64
	modified time.Time
}

var _ ui.Screen = (*DiffChoice)(nil)

// NewDiffChoice is the screen of the files with which the database can be compared.
func NewDiffChoice(env *Env) *DiffChoice {
	v := &DiffChoice{env: env}
	id := func(f *comparableFile) string { return f.path }
	list := ui.NewList(env.Styles, id, v.row, id)
	list.Empty = "looking for backups and databases"
	v.ListScreen = NewListScreen(v, env, 0.6, list, id, v.describe)
	v.layoutColumns = v.columns
	return v
}

// Title implements ui.Screen.
func (v *DiffChoice) Title() string { return "Compare with" }

// Purpose implements ui.Screen.
func (v *DiffChoice) Purpose() string {
	return "The backups of this database, the newest first, and the other databases of this machine. Comparing changes none of them."
}

var keyCompareFile = ui.Act("enter", "⏎", "compare")

func (v *DiffChoice) OwnActions() []Action {
	f, some := v.list.Selected()
	return []Action{
		{keyCompareFile.In("Look").InFooter().Off(some && !v.textFocused, firstNonEmpty(textWhen(v.textFocused, textHasKeys), "there is no other file")), func() tea.Cmd {
			return ui.Say(ui.PushMsg{Screen: newDiff(v.env, fileSource(f.path, f.backup))})
		}},
	}
}

type comparableFilesMsg []*comparableFile

func (v *DiffChoice) Load() tea.Cmd {
	own, databases := v.env.DB.Path(), v.env.Databases
	return v.env.Jobs.Read(v, "load", read(func(ctx context.Context) (comparableFilesMsg, error) {
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

func (v *DiffChoice) Receive(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(comparableFilesMsg); ok {
		v.list.Empty = "there is no backup and no other database: B in the list of conversations makes a backup"
		v.list.SetItems(m)
	}
	return nil
}

func (v *DiffChoice) columns(width int) Columns {
	return Lay([]Column{{title: "file"}, {title: "is", width: 8}, {title: "size", width: 9, right: true}, {title: "written", width: 9, right: true, from: 50}}, width)
}

func (v *DiffChoice) row(f *comparableFile, width int, _ bool) string {
	return v.columns(width).line(func(title string) string {
		switch title {
		case "is":
			return f.kind()
		case "size":
			return ui.Size(f.bytes)
		case "written":
			return ago(f.modified, v.env.Now())
		}
		return cutMiddle(ui.Line(shortenHome(f.path)), v.columns(width).width("file"))
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

func (v *DiffChoice) describe(f *comparableFile, _ noDetail, _ int) string {
	s := v.env.Styles
	direction := "+ will be what only the other database has, − what only this one has"
	if f.backup {
		direction = "+ will be what was added since, − what was removed since"
	}
	return strings.Join([]string{s.Title.Render(ui.Line(f.path)), f.kind() + ", " + ui.Size(f.bytes), s.Muted.Render("written ") + ui.Timestamp(f.modified), "", s.Muted.Render(direction)}, "\n")
}
