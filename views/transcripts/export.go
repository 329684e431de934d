package transcripts

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/destination"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/export"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Export writes a conversation to a file in one of several formats, of which it shows the first
// lines.
type Export struct {
	views.ListScreen[*export.Format, *exportPreview]
	env     *views.Env
	row     lcm.Conversation
	title   string
	content map[export.Format]int // Which of its contents, by format.
	hide    int                   // Of hiding.
	files   int                   // Of export.FileModes.
}

var _ ui.Screen = (*Export)(nil)

// exportPreview is the beginning of an export.
type exportPreview struct {
	text     string
	markdown bool // It is shown as a reader sees it.
}

// hiding are the ways to leave out what must not be given away.
var hiding = []string{"nothing", "secrets", "secrets, keys, phone numbers"}

// NewExport returns the screen from which a conversation is exported.
func NewExport(env *views.Env, row lcm.Conversation, title string) *Export {
	v := &Export{env: env, row: row, title: title, content: map[export.Format]int{}}
	id := func(f *export.Format) string { return string(*f) }
	list := ui.NewList(env.Styles, id, v.render, func(f *export.Format) string { return string(*f) + " " + f.About() })
	v.ListScreen = views.NewListScreen(v, env, 0.42, list, v.ref, v.describe)
	v.ReadDetailOf, v.HeaderLines, v.MaxDetails = v.preview, v.header, 16
	v.Path = views.NewPathPrompt(env.Styles, "Write to:", "a new file, private to you; nothing is written over", "write it", "export", v.write)
	return v
}

// ref names a format with what is chosen for it, so that each choice has a preview of its own.
func (v *Export) ref(f *export.Format) string {
	return string(*f) + " " + string(v.contentOf(*f)) + " " + views.Itoa(int64(v.hide)) + " " + views.Itoa(int64(v.files))
}

// contentOf returns which part of the conversation is chosen for a format.
func (v *Export) contentOf(f export.Format) export.Content {
	can := f.Contents()
	return can[v.content[f]%len(can)]
}

// Title implements ui.Screen.
func (v *Export) Title() string { return v.title }

// Purpose implements ui.Screen.
func (v *Export) Purpose() string {
	return "Write this conversation as a file that others read. The text shows how the file begins; nothing is written until a name is given."
}

// The keys of the screen.
var (
	keyWriteFile     = ui.Act("enter", "⏎", "write the file")
	keyExportContent = ui.Act("w", "w", "what is in it")
	keyExportHide    = ui.Act("r", "r", "leave out")
	keyExportFiles   = ui.Act("f", "f", "large files")
	keyExportSlice   = ui.Act("d", "d", "as a database")
)

// OwnActions implements views.ListOwner.
func (v *Export) OwnActions() []views.Action {
	f, some := v.List.Selected()
	one := !some || len(f.Contents()) < 2
	return []views.Action{
		{Action: keyWriteFile.In("File").InFooter().Off(some, "no format is chosen"), Run: v.askPath},
		{Action: keyExportContent.In("Choose").InFooter().Off(!one, "the format holds nothing else"), Run: func() tea.Cmd { v.content[*f]++; return v.changed() }},
		{Action: keyExportHide.In("Choose").InFooter(), Run: func() tea.Cmd { v.hide = (v.hide + 1) % len(hiding); return v.changed() }},
		{Action: keyExportFiles.In("Choose").InFooter(), Run: func() tea.Cmd { v.files = (v.files + 1) % len(export.FileModes); return v.changed() }},
		{Action: keyExportSlice.In("File").InFooter(), Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: NewSlice(v.env, []int64{v.row.ID})}) }},
	}
}

// changed draws and reads again after a choice.
func (v *Export) changed() tea.Cmd {
	v.Dirty = true
	return nil
}

type formatsMsg []export.Format

// Load implements views.ListOwner.
func (v *Export) Load() tea.Cmd {
	formats := append(formatsMsg{}, export.HTML, export.Markdown)
	for _, f := range export.Formats {
		if f != export.HTML && f != export.Markdown {
			formats = append(formats, f)
		}
	}
	return ui.Say(formats)
}

// Receive implements views.ListOwner.
func (v *Export) Receive(msg tea.Msg) tea.Cmd {
	if formats, ok := msg.(formatsMsg); ok && len(v.List.Items()) == 0 {
		v.List.SetItems(views.PointersTo(formats))
	}
	return nil
}

// header says what is chosen.
func (v *Export) header(width, _ int) []string {
	chosen := "holds "
	if f, ok := v.List.Selected(); ok {
		chosen += string(v.contentOf(*f))
	}
	chosen += " · leaves out " + hiding[v.hide] + " · large files: " + fileModeText(export.FileModes[v.files])
	return []string{ui.Cut(" "+chosen, width), ""}
}

// fileModeText says what becomes of large files.
func fileModeText(m export.FileMode) string {
	switch m {
	case export.FilesInline:
		return "in the text"
	case export.FilesCopy:
		return "copied beside"
	}
	return "references only"
}

func (v *Export) render(f *export.Format, width int, _ bool) string {
	return ui.Cut(ui.Pad(string(*f), 10)+v.env.Styles.Muted.Render(f.About()), width)
}

func (v *Export) describe(f *export.Format, p *exportPreview, width int) string {
	s := v.env.Styles
	if p == nil {
		return s.Muted.Render("reading …")
	}
	if p.markdown {
		return s.Muted.Render("what "+v.name(*f)+" shows first") + "\n\n" + ui.Markdown(p.text, width, s.DarkBackground)
	}
	return s.Muted.Render("how "+v.name(*f)+" begins") + "\n\n" + ui.Sanitize(p.text)
}

// name returns the name of a new file.
func (v *Export) name(f export.Format) string {
	return "conversation-" + views.Itoa(v.row.ID) + f.Extension()
}

// options returns what is chosen.
func (v *Export) options(f export.Format) export.Options {
	return export.Options{Format: f, Content: v.contentOf(f), Files: export.FileModes[v.files], FilesFolder: v.env.Files}
}

// hidden completes options with what is left out. It reads the database.
func hidden(ctx context.Context, db *data.DB, o export.Options, hide int) (export.Options, error) {
	if hide == 0 {
		return o, nil
	}
	o.Scrubber = export.NewRedactor()
	if hide == 1 {
		return o, nil
	}
	all, err := lcm.Conversations(ctx, db)
	var keys []string
	for _, c := range all {
		keys = append(keys, c.SessionKey)
	}
	o.Scrubber = export.Scrubbers{o.Scrubber, export.NewPseudonyms(keys)}
	return o, err
}

// previewLines and previewSize are how much of an export is shown, in lines and in bytes.
const (
	previewLines = 200
	previewSize  = 24 << 10
)

// errEnough ends an export of which enough is written to be shown.
var errEnough = errors.New("enough")

// beginning keeps the first bytes that are written to it.
type beginning struct{ bytes.Buffer }

// Write implements io.Writer.
func (b *beginning) Write(p []byte) (int, error) {
	n, _ := b.Buffer.Write(p[:min(len(p), previewSize-b.Len())])
	if n < len(p) {
		return n, errEnough
	}
	return n, nil
}

// preview reads how an export in a format begins.
func (v *Export) preview(f *export.Format) views.DetailReader[*exportPreview] {
	db, row, o, hide := v.env.DB, v.row, v.options(*f), v.hide
	if o.Files == export.FilesCopy { // A preview copies nothing.
		o.Files = export.FilesNone
	}
	page := o.Format == export.HTML
	if page { // A reader of the page sees no source of it either.
		o.Format = export.Markdown
	}
	return func(ctx context.Context) (*exportPreview, error) {
		o, err := hidden(ctx, db, o, hide)
		if err != nil {
			return nil, err
		}
		var b beginning
		if _, err := export.Write(ctx, db, []lcm.Conversation{row}, &b, o, nil); err != nil && !errors.Is(err, errEnough) {
			return nil, err
		}
		text := b.String()
		if _, body, ok := strings.Cut(text, "\n---\n"); ok && page { // The facts in front are not on the page.
			text = body
		}
		lines := strings.SplitAfterN(text, "\n", previewLines+1)
		return &exportPreview{strings.Join(lines[:min(len(lines), previewLines)], ""), page}, nil
	}
}

// askPath asks for the path of the new file.
func (v *Export) askPath() tea.Cmd {
	if f, ok := v.List.Selected(); ok {
		v.Path.Open(v.name(*f))
	}
	return nil
}

// write writes the file and says where it is.
func (v *Export) write(path string) tea.Cmd {
	f, ok := v.List.Selected()
	if !ok || path == "" {
		return nil
	}
	db, row, o, hide, policy := v.env.DB, v.row, v.options(*f), v.hide, destination.ForDatabase(v.env.DB, v.env.Locations)
	return v.env.Jobs.Start(v, "export", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		whole, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if o, err = hidden(ctx, db, o, hide); err != nil {
			return nil, err
		}
		r, size, err := export.ToFile(ctx, db, []lcm.Conversation{row}, export.Target{Path: whole, Policy: policy}, o, report)
		if err != nil {
			return nil, err
		}
		text := "wrote " + plural.Count(r.Messages, "message", "messages") + " and " + plural.Count(r.Summaries, "summary", "summaries") + ", " +
			ui.Size(size) + ", to " + ui.Line(views.ShortenHome(whole))
		return ui.StatusMsg{Text: text, Kind: ui.Done}, nil
	})
}
