package transcripts

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/destination"
	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/hint"
	"lcm-tui/ops/bundle"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Bundle shows the files of a bug report, each with its text, and writes them.
type Bundle struct {
	views.ListScreen[*bundle.Entry, *exportPreview]
	env    *views.Env
	begun  bool // The files are made once: that checks the whole database.
	packed packedBundle
	about  string // What was written.
}

// packedBundle is the files of a bug report.
type packedBundle struct {
	entries []bundle.Entry
	zip     []byte // It is small: texts and rows are not in it.
	refused error  // Why it can't be written; nil where it can.
}

var _ ui.Screen = (*Bundle)(nil)

// NewBundle returns the screen of the files of a bug report.
func NewBundle(env *views.Env) *Bundle {
	v := &Bundle{env: env}
	id := func(e *bundle.Entry) string { return e.Name }
	list := ui.NewList(env.Styles, id, v.row, func(e *bundle.Entry) string { return e.Name + " " + e.About })
	list.Empty = "making the files; esc stops that, and nothing is written"
	v.ListScreen = views.NewListScreen(v, env, 0.5, list, id, v.describe)
	v.LayoutColumns, v.HeaderLines, v.ReadDetailOf = v.columns, v.header, v.preview
	v.Path = views.NewPathPrompt(env.Styles, "Write to:", "a new zip file, private to you; nothing is written over", "write it", "bundle", v.write)
	return v
}

// Title implements ui.Screen.
func (v *Bundle) Title() string { return "Bug report" }

// Purpose implements ui.Screen.
func (v *Bundle) Purpose() string {
	return "The files of a bug report, as they would be sent: shapes, sizes and findings, and nothing that anyone said. Read each here; nothing is written until a name is given."
}

// makingBundle is the job that makes the files.
const makingBundle = "make the files"

var keyWriteBundle = ui.Act("w", "w", "write the zip file")

// OwnActions implements views.ListOwner.
func (v *Bundle) OwnActions() []views.Action {
	why := "its files aren't made yet"
	if v.packed.refused != nil {
		why = "a file of it holds what looks like a secret"
	}
	return []views.Action{
		v.ReadAction("its files aren't made yet"),
		{Action: keyWriteBundle.In("File").InFooter().Off(v.packed.zip != nil && v.packed.refused == nil, why), Run: func() tea.Cmd { v.Path.Open("report.zip"); return nil }},
	}
}

// Load implements views.ListOwner.
func (v *Bundle) Load() tea.Cmd {
	if v.begun {
		return nil
	}
	v.begun = true
	db, find := v.env.DB, v.env.Settings
	r := bundle.Request{Version: v.env.Version, FilesDir: v.env.Files, LogFolder: bundle.DefaultLogFolder()}
	return v.env.Jobs.Start(v, makingBundle, func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		if find != nil {
			r.Settings = find()
		}
		made, err := bundle.Make(ctx, db, r, report)
		if err != nil {
			return nil, err
		}
		out := packedBundle{entries: made.Entries, refused: made.Check(ctx)}
		var b bytes.Buffer
		err = errors.Join(ctx.Err(), made.Pack(ctx, &b), made.Close())
		out.zip = b.Bytes()
		return out, err
	})
}

// Receive implements views.ListOwner.
func (v *Bundle) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case packedBundle:
		v.packed = m
		v.List.SetItems(views.PointersTo(m.entries))
	case ui.FailedMsg:
		if m.Name == makingBundle {
			v.List.Empty = "its files weren't made: leave this page and open it again to try once more"
		}
	case writtenBundle:
		v.about = "wrote " + ui.Line(views.ShortenHome(m.path)) + ", " + ui.Size(m.bytes)
		return ui.Say(ui.StatusMsg{Text: v.about, Kind: ui.Done})
	}
	return nil
}

// header says whether secrets were found, and what was written.
func (v *Bundle) header(width, _ int) []string {
	s, text := v.env.Styles, v.env.Styles.Muted.Render("no text of a message, a summary, a file or a tool is in it, and no path")
	switch {
	case v.packed.refused != nil:
		text = s.Bad.Render("! " + v.packed.refused.Error() + ": " + hint.OnScreen(v.packed.refused))
	case v.packed.zip != nil:
		text += s.Muted.Render("; no secret was found; " + ui.Size(int64(len(v.packed.zip))) + " as a zip file")
	}
	var lines []string
	for _, l := range views.WrapAtMost(text, width-2, views.StateLines) {
		lines = append(lines, " "+l)
	}
	if v.about != "" {
		lines = append(lines, " "+s.Good.Render(ui.Cut(v.about, width-2)))
	}
	return append(lines, "")
}

func (v *Bundle) columns(width int) views.Columns {
	return views.Lay([]views.Column{{Title: "file", Width: 19}, {Title: "size", Width: 9, Right: true}, {Title: "holds"}}, width)
}

func (v *Bundle) row(e *bundle.Entry, width int, _ bool) string {
	return v.columns(width).Line(func(title string) string {
		switch title {
		case "file":
			return e.Name
		case "size":
			return ui.Size(e.Bytes)
		}
		return v.env.Styles.Muted.Render(e.About)
	})
}

func (v *Bundle) describe(e *bundle.Entry, p *exportPreview, _ int) string {
	s := v.env.Styles
	lines := []string{s.Title.Render(e.Name), s.Muted.Render(e.About), ""}
	if p != nil {
		lines = append(lines, ui.Sanitize(p.text))
	}
	return strings.Join(lines, "\n")
}

// preview reads how a file of the bundle begins.
func (v *Bundle) preview(e *bundle.Entry) views.DetailReader[*exportPreview] {
	packed, name := v.packed.zip, e.Name
	return func(context.Context) (*exportPreview, error) {
		z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
		if err != nil {
			return nil, err
		}
		f, err := z.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, previewSize))
		return &exportPreview{text: string(b)}, err
	}
}

// writtenBundle says where the files were written.
type writtenBundle struct {
	path  string
	bytes int64
}

// write writes the zip file.
func (v *Bundle) write(path string) tea.Cmd {
	if path == "" {
		return nil
	}
	packed, policy := v.packed.zip, destination.ForDatabase(v.env.DB, v.env.Locations)
	return v.env.Jobs.Start(v, "bundle", views.Read(func(context.Context) (out writtenBundle, err error) {
		if out.path, err = newFile(policy, path); err != nil {
			return out, err
		}
		out.bytes, err = atomicfile.Fill(out.path, nil, func(w io.Writer) error {
			_, err := w.Write(packed)
			return err
		})
		return out, err
	}))
}
