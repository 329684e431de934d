package clean

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/trash"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// trashRow is a file of the trash, or a conversation in it.
type trashRow struct {
	file         trash.File
	conversation *trash.PreviewConversation // Nil for the file.
	undone       bool                       // All of it was put back.
	open         bool
}

// id tells rows of the list apart.
func (r *trashRow) id() string {
	if r.conversation != nil {
		return r.file.Name + " " + views.Itoa(r.conversation.ID)
	}
	return r.file.Name
}

// text returns what the filter searches.
func (r *trashRow) text() string {
	if c := r.conversation; c != nil {
		return "#" + views.Itoa(c.ID) + " " + c.Title + " " + c.SessionKey
	}
	return r.file.Name + " " + r.file.Title()
}

// show lists the files, the newest first.
func (v *Trash) show(m trashMsg) tea.Cmd {
	v.List.Empty = "the trash is empty: what is pruned from this file appears here"
	if v.env.DB.IsHome() {
		v.List.Empty = "a home has no trash, since nothing is pruned there: its changes are in the history (H), where they can be undone"
	}
	v.files, v.undone = m.files, m.undone
	slices.Reverse(v.files)
	v.set()
	var open []tea.Cmd
	for _, r := range v.List.Items() {
		if r.conversation == nil && v.open[r.file.Name] {
			open = append(open, v.fold(r, true))
		}
	}
	if v.at != "" {
		v.List.Select(v.at)
		v.at = ""
	}
	return tea.Batch(open...)
}

// set makes the rows from the files and what is unfolded. The cursor stays on its row.
func (v *Trash) set() {
	var rows []*trashRow
	for _, f := range v.files {
		rows = append(rows, &trashRow{file: f, undone: v.undone[f.Record], open: v.open[f.Name]})
		if p := v.inside[f.Name]; p != nil && v.open[f.Name] {
			for i := range p.Conversations {
				rows = append(rows, &trashRow{file: f, conversation: &p.Conversations[i]})
			}
		}
	}
	v.List.SetItems(rows)
	v.Dirty = true
}

// preview reads what a restore of a row's file would put back.
func (v *Trash) preview(r *trashRow) views.DetailReader[*trash.Preview] {
	if r.file.Problem != "" {
		return nil
	}
	db, restore := v.env.DB, trash.Restore{File: r.file}
	return func(ctx context.Context) (*trash.Preview, error) {
		p, err := restore.Preview(ctx, db)
		return &p, err
	}
}

// header asks for the age and for the word that confirms; else it says how large the trash is.
func (v *Trash) header(width, _ int) []string {
	s := v.env.Styles
	switch {
	case v.age.Typing():
		return []string{" " + v.age.View(width-1), s.Muted.Render(ui.Cut(" such as 30d, 12w, 6m, 1y or 2026-05-01; what would go is said before", width))}
	case v.confirm.Typing():
		return []string{
			ui.Cut(" "+s.Warn.Render("~ "+plural.Count(len(v.doomed), "file", "files")+" of "+ui.Size(trashBytes(v.doomed)))+s.Muted.Render(" would be deleted, and what they removed couldn't be put back"), width),
			" " + v.confirm.View(width-1),
		}
	}
	if v.env.DB.IsHome() {
		return nil
	}
	return []string{ui.Cut(s.Muted.Render(" "+plural.Count(len(v.files), "file", "files")+", "+ui.Size(trashBytes(v.files))+", in "+ui.Line(filepath.Base(data.TrashFolder(v.env.DB.Path())))+" beside the database"), width), ""}
}

// trashBytes returns the size of files with the large files in them.
func trashBytes(files []trash.File) (n int64) {
	for _, f := range files {
		n += f.Bytes + f.FilesBytes
	}
	return n
}

func (v *Trash) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: "what"},
		{Title: "conversations", Width: 13, Right: true, From: 78},
		{Title: "size", Width: 8, Right: true, From: 34},
		{Title: "record", Width: 6, Right: true, From: 52},
		{Title: "state", Width: 13, From: 60},
		{Title: "made", Width: 7, Right: true},
	}, width)
}

func (v *Trash) render(r *trashRow, width int, _ bool) string {
	s, columns := v.env.Styles, v.columns(width)
	if c := r.conversation; c != nil {
		name := "    #" + views.Itoa(c.ID) + " " + views.FirstNonEmpty(c.Title, c.SessionKey, "no session key")
		return ui.Cut(ui.Line(name)+s.Muted.Render("  "+trashState(c)), width)
	}
	f := r.file
	return columns.Line(func(title string) string {
		switch title {
		case "what":
			sign := "▸ "
			if r.open {
				sign = "▾ "
			}
			return s.Muted.Render(sign) + ui.Line(v.env.WithNames(f.Title()))
		case "conversations":
			return ui.Num(f.Rows["conversations"])
		case "size":
			return ui.Size(f.Bytes + f.FilesBytes)
		case "record":
			if f.Record == 0 {
				return s.Muted.Render("–")
			}
			return "#" + views.Itoa(f.Record)
		case "state":
			return s.Muted.Render(r.state())
		}
		return s.Muted.Render(views.Ago(f.MadeAt.Time, v.env.Now()))
	})
}

// state says whether what is in a file was put back.
func (r *trashRow) state() string {
	switch {
	case r.file.HalfDeleted:
		return "half deleted"
	case r.file.Problem != "":
		return "unreadable"
	case r.undone:
		return "put back"
	}
	return "removed"
}

// trashState says what a restore would do about a conversation.
func trashState(c *trash.PreviewConversation) string {
	switch {
	case c.Taken:
		return "gone; comes back archived, since another has its key or session"
	case c.Missing:
		return "gone, " + plural.Count(c.Messages, "message", "messages")
	case c.Messages+c.Texts > 0:
		return plural.Count(c.Messages+c.Texts, "text was", "texts were") + " removed"
	}
	return "all of it is there"
}

// describe says what a file is, and what a restore would put back.
func (v *Trash) describe(r *trashRow, p *trash.Preview, width int) string {
	s, f := v.env.Styles, r.file
	var b strings.Builder
	write := func(text string) { b.WriteString(ansi.Wrap(text, max(1, width), " ") + "\n") }
	if c := r.conversation; c != nil {
		b.WriteString(s.Title.Render("#"+views.Itoa(c.ID)+" "+ui.Line(views.FirstNonEmpty(c.Title, c.SessionKey))) + "\n" + s.Muted.Render(ui.Line(c.SessionKey)) + "\n\n")
		write(trashState(c))
		if c.Changed > 0 {
			write(plural.Count(c.Changed, "message was changed since and stays as it is", "messages were changed since and stay as they are"))
		}
		return b.String()
	}
	b.WriteString(s.Title.Render(ui.Line(v.env.WithNames(f.Title()))) + "\n" + s.Muted.Render(ui.Line(f.Name)) + "\n\n")
	if f.Problem != "" {
		write(s.Warn.Render("~ ") + views.TextWhen(!f.HalfDeleted, "it can't be read: ") + ui.Line(f.Problem))
		return b.String()
	}
	write(s.Muted.Render("made ") + ui.Timestamp(f.MadeAt.Time))
	write(s.Muted.Render("rows ") + ui.Line(views.FirstNonEmpty(views.RowsByTable(f.Rows), "none")))
	if n := len(f.Files); n > 0 {
		write(s.Muted.Render("and ") + plural.Count(n, "large file", "large files") + ", " + ui.Size(f.FilesBytes))
	}
	if p == nil {
		return b.String()
	}
	b.WriteString("\n" + s.Muted.Render("a restore now") + "\n")
	notes := ops.RestoreNotes(*p)
	if p.Empty() {
		notes = []string{"changes nothing: all of it is there"}
	}
	for _, n := range notes {
		write("· " + ui.Line(n))
	}
	return b.String()
}
