package transcripts

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/backfill"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// SessionFiles are the session files on disk beside their conversations: which have what
// isn't stored yet, and which are gone. Several can be marked and imported in one review.
type SessionFiles struct {
	views.ListScreen[*sessionFile, views.NoDetail]
	env      *views.Env
	counted  map[string]survey // By path.
	marked   map[string]bool   // By path.
	problems []error
	loaded   bool
}

// survey is what counting the messages of a session file found.
type survey struct {
	backfill.Survey
	err error
}

var _ ui.Screen = (*SessionFiles)(nil)

// NewSessionFiles is the screen of the session files.
func NewSessionFiles(env *views.Env) *SessionFiles {
	v := &SessionFiles{env: env, counted: map[string]survey{}, marked: map[string]bool{}}
	list := ui.NewList(env.Styles, (*sessionFile).ref, v.row, func(s *sessionFile) string { return s.path + " " + s.key + " " + string(s.kind) + " " + s.conv.Name() })
	list.SetSorts(
		ui.Sort[*sessionFile]{Name: "age"},
		ui.Sort[*sessionFile]{Name: "size", Less: func(a, b *sessionFile) bool { return a.size > b.size }},
		ui.Sort[*sessionFile]{Name: "new first", Less: func(a, b *sessionFile) bool { return v.fresh(a) > v.fresh(b) }},
		ui.Sort[*sessionFile]{Name: "path", Less: func(a, b *sessionFile) bool { return a.path < b.path }},
	)
	v.ListScreen = views.NewListScreen(v, env, 0.6, list, (*sessionFile).ref, v.describe)
	v.LayoutColumns, v.AfterUpdate = v.columns, v.count
	return v
}

// Title implements ui.Screen.
func (v *SessionFiles) Title() string { return "Session files" }

// Purpose implements ui.Screen.
func (v *SessionFiles) Purpose() string {
	return "The sessions of OpenClaw, Claude Code and Codex, in files and in OpenClaw's databases, beside the conversations they belong to. What isn't stored yet can be imported; space marks several for one review."
}

var (
	keyImport = ui.Act("I", "I", "import")

	keyMarkAll      = ui.Act("A", "A", "mark all that have something new")
	keyConversation = ui.Act("c", "c", "conversation")
)

// OwnActions implements views.ListOwner.
func (v *SessionFiles) OwnActions() []views.Action {
	s, some := v.List.Selected()
	if !some {
		s = &sessionFile{}
	}
	why := v.whyNotImported(s, some)
	importReason, importKey := views.FirstNonEmpty(v.env.ReadOnly(), why), keyImport
	if n := len(v.marked); n > 0 {
		importReason, importKey = v.env.ReadOnly(), ui.Act("I", "I", "import "+plural.Count(n, "marked file", "marked files"))
	}
	mark := views.KeyMark
	if v.marked[s.ref()] {
		mark, why = ui.Act("space", "space", "unmark"), ""
	}
	return []views.Action{
		v.ReadAction("there is no session file"),
		{Action: mark.In("Change").InFooter().Off(why == "" && !v.TextFocused, views.FirstNonEmpty(why, "the text has the keys")), Run: func() tea.Cmd { return v.mark(s) }},
		{Action: keyMarkAll.In("Change").Off(v.loaded && !v.TextFocused, "the session files are being read"), Run: v.markAll},
		{Action: importKey.In("Change").InFooter().Off(importReason == "", importReason), Run: v.importMarked},
		{Action: views.KeyCompareList.In("Look").Off(some && s.found && !s.gone, views.FirstNonEmpty(views.TextWhen(s.gone, "the session file is gone"), "it has no conversation yet")), Run: v.compare},
		{Action: keyConversation.In("Look").InFooter().Off(some && s.found, "it has no conversation yet"), Run: v.conversation},
	}
}

// whyNotImported says why nothing of a session file can be imported, or is empty.
func (v *SessionFiles) whyNotImported(s *sessionFile, there bool) string {
	n, counted := v.counted[s.ref()]
	switch {
	case !there:
		return "there is no session file"
	case s.gone:
		return "the session file is gone"
	case counted && n.err != nil:
		return "it can't be read"
	case counted && n.Messages == 0:
		return "everything in it is stored"
	}
	return ""
}

// mark marks a session file, or takes its mark away, and goes on to the next row.
func (v *SessionFiles) mark(s *sessionFile) tea.Cmd {
	if v.marked[s.path] {
		delete(v.marked, s.path)
	} else {
		v.marked[s.path] = true
	}
	v.List.Move(1)
	return nil
}

// markAll marks every row that may have something new, but those that the host put aside in its
// archive, or takes all marks away.
func (v *SessionFiles) markAll() tea.Cmd {
	rows := v.List.Rows()
	unmarked := 0
	for _, s := range rows {
		if v.whyNotImported(s, true) == "" && !v.marked[s.path] && !backfill.Packed(s.path) {
			v.marked[s.path] = true
			unmarked++
		}
	}
	if unmarked == 0 {
		clear(v.marked)
	}
	return nil
}

// Update implements ui.Screen. After an import nothing is marked any more.
func (v *SessionFiles) Update(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(ui.ChangedMsg); ok && !m.External {
		clear(v.marked)
	}
	return v.ListScreen.Update(msg)
}

type (
	sessionFilesMsg sessionFileSearch
	surveyMsg       struct {
		ref string
		survey
	}
)

// Load implements views.ListOwner.
func (v *SessionFiles) Load() tea.Cmd {
	v.counted = map[string]survey{}
	env := v.env
	return env.Jobs.Read(v, "load", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		f, err := findSessionFiles(ctx, env, report)
		return sessionFilesMsg(f), err
	})
}

// Receive implements views.ListOwner.
func (v *SessionFiles) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case sessionFilesMsg:
		v.loaded, v.problems = true, msg.problems
		v.List.Empty = "no session files in " + strings.Join(v.places(), ", ") + "; lcm-tui backfill PATH imports from anywhere"
		v.SetRows(msg.sessions)
	case surveyMsg:
		v.counted[msg.ref] = msg.survey
		if msg.err != nil || msg.Messages == 0 {
			delete(v.marked, msg.ref) // There is nothing to import any more.
		}
	}
	return nil
}

func (v *SessionFiles) places() (out []string) {
	for _, p := range v.env.Sessions {
		out = append(out, ui.Line(views.ShortenHome(p)))
	}
	if out == nil {
		out = []string{"the usual places"}
	}
	return out
}

// request is the import of a session file.
func (v *SessionFiles) request(path string) *backfill.Op {
	threshold := int64(25_000)
	if set, ok := v.env.KnownSettings(); ok {
		threshold = set.LargeFileTokens()
	}
	return &backfill.Op{Path: path, Keys: &backfill.Keys{}, Files: v.env.Files, Threshold: threshold}
}

// importMarked opens the review of importing the marked session files, in the order of the
// list, or the one under the cursor where none is marked.
func (v *SessionFiles) importMarked() tea.Cmd {
	v.env.Jobs.Cancel(v, "count")
	if len(v.marked) == 0 {
		s, ok := v.List.Selected()
		if !ok {
			return nil
		}
		return v.env.Plan(v, v.request(s.path))
	}
	m := &backfill.Many{}
	for _, s := range v.List.Items() {
		if v.marked[s.path] && !s.gone {
			m.Files = append(m.Files, v.request(s.path))
		}
	}
	return v.env.Plan(v, m)
}

// compare opens the screen of the session's transcript and conversation.
func (v *SessionFiles) compare() tea.Cmd {
	s, ok := v.List.Selected()
	if !ok || !s.found || s.gone {
		return nil
	}
	return ui.Say(ui.PushMsg{Screen: NewComparison(v.env, s.conv, s.path)})
}

func (v *SessionFiles) conversation() tea.Cmd {
	s, ok := v.List.Selected()
	if !ok || !s.found {
		return nil
	}
	return ui.Say(ui.PushMsg{Screen: views.NewConversation(v.env, s.conv, 0).Tab(views.TabMessages)})
}

// count counts, in the background, the messages of the session file under the cursor, then of
// those on the screen, one at a time.
func (v *SessionFiles) count() tea.Cmd {
	if !v.loaded || v.env.Jobs.Running(v, "count") {
		return nil
	}
	s, ok := v.uncounted()
	if !ok {
		return nil
	}
	db := v.env.DB
	if s.gone {
		return v.env.Jobs.Quiet(v, "count", views.Read(func(ctx context.Context) (surveyMsg, error) {
			n, _, err := lcm.CountMessagesAndItems(ctx, db, s.conv.ID)
			return surveyMsg{s.ref(), survey{Survey: backfill.Survey{Stored: int(n)}, err: err}}, nil
		}))
	}
	op := v.request(s.path)
	return v.env.Jobs.Quiet(v, "count", views.Read(func(ctx context.Context) (surveyMsg, error) {
		n, err := op.Survey(ctx, db, func(int, int, string) {})
		if ctx.Err() != nil {
			return surveyMsg{}, ctx.Err()
		}
		return surveyMsg{s.ref(), survey{n, err}}, nil // A file that can't be read is no reason to stop.
	}))
}

func (v *SessionFiles) uncounted() (*sessionFile, bool) {
	rows := v.List.Visible()
	if s, ok := v.List.Selected(); ok {
		rows = append([]*sessionFile{s}, rows...)
	}
	for _, s := range rows {
		if _, counted := v.counted[s.ref()]; !counted {
			return s, true
		}
	}
	return nil, false
}

// fresh is how many messages of a session file aren't stored, as far as is known.
func (v *SessionFiles) fresh(s *sessionFile) int { return v.counted[s.ref()].Messages }

func (v *SessionFiles) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: "", Width: 1},
		{Title: "agent", Width: 8, From: 56},
		{Title: "session"},
		{Title: "conversation", Width: 14, From: 90},
		{Title: "state", Width: 13},
		{Title: "new", Width: 7, Right: true},
		{Title: "messages", Width: 8, Right: true, From: 64},
		{Title: "size", Width: 8, Right: true, From: 76},
		{Title: "changed", Width: 8, Right: true},
	}, width)
}

func (v *SessionFiles) row(s *sessionFile, width int, _ bool) string {
	st := v.env.Styles
	n, counted := v.counted[s.ref()]
	known := counted && !s.gone && n.err == nil
	return v.columns(width).Line(func(title string) string {
		switch title {
		case "":
			return views.TextWhen(v.marked[s.path], st.Accent.Render("✓"))
		case "agent":
			return st.Muted.Render(agentName(s))
		case "session":
			before := views.TextWhen(s.archived, "archived ")
			return st.Muted.Render(before) + ui.CutMiddle(ui.Line(s.name()), v.columns(width).Width(title)-len(before))
		case "conversation":
			if !s.found {
				return st.Muted.Render("none yet")
			}
			return ui.LineN(v.env.Name(s.conv), 40)
		case "state":
			return v.state(s)
		case "new":
			if !known || n.Messages == 0 {
				return ""
			}
			return st.Good.Render("+" + ui.Num(int64(n.Messages)))
		case "messages":
			if !known {
				return ""
			}
			return ui.Num(int64(n.Stored + n.Messages))
		case "size":
			return views.TextWhen(!s.gone, ui.Size(s.size))
		}
		return st.Muted.Render(views.Ago(s.at, v.env.Now()))
	})
}

// agentName is the program that wrote a session file.
func agentName(s *sessionFile) string {
	switch s.kind {
	case "":
		return ""
	case transcript.ClaudeCode:
		return "claude"
	}
	return string(s.kind)
}

// state says how much of a session file is stored.
func (v *SessionFiles) state(s *sessionFile) string {
	st := v.env.Styles
	switch n, counted := v.counted[s.ref()]; {
	case s.gone:
		return st.Warn.Render("~ file gone")
	case !counted:
		return st.Faint.Render("counting …")
	case n.err != nil:
		return st.Bad.Render("! unreadable")
	case n.Messages == 0:
		return "stored"
	case n.Stored == 0:
		return "new"
	}
	return "partly stored"
}

func (v *SessionFiles) describe(s *sessionFile, _ views.NoDetail, _ int) string {
	st := v.env.Styles
	var b strings.Builder
	fact := func(name, value string) { b.WriteString(st.Muted.Render(ui.Pad(name, 13)) + ui.Line(value) + "\n") }
	b.WriteString(st.Title.Render(ui.Line(s.name())) + "\n")
	if s.database != "" {
		fact("in", views.ShortenHome(s.database))
	} else {
		fact("in", views.ShortenHome(filepath.Dir(s.path)))
	}
	if s.gone {
		fact("state", "the file is gone; what was read of it is stored")
	} else {
		fact("agent", string(s.kind))
		fact("size", ui.Size(s.size))
		fact("changed", v.env.Stamp(data.Time{Time: s.at, Raw: "x"}))
	}
	fact("session", s.id)
	if s.archived {
		fact("archived", "the host put it aside")
	}
	if s.ended {
		fact("ended", "another session has its key now")
	}
	fact("conversation", v.conversationOf(s))
	b.WriteString("\n" + v.numbers(s))
	if n := len(v.problems); n > 0 {
		b.WriteString("\n" + st.Warn.Render(fmt.Sprintf("~ %s left out", plural.Count(n, "file is", "files are"))) + "\n")
		for _, p := range v.problems[:min(n, 5)] {
			b.WriteString(st.Faint.Render(ui.Line(p.Error())) + "\n")
		}
	}
	return b.String()
}

func (v *SessionFiles) conversationOf(s *sessionFile) string {
	if !s.found {
		return "none yet; importing makes one"
	}
	name := v.env.Name(s.conv) + " #" + views.Itoa(s.conv.ID)
	if !s.conv.Active {
		name += ", archived"
	}
	return name
}

// numbers say what of a session file is stored.
func (v *SessionFiles) numbers(s *sessionFile) string {
	st := v.env.Styles
	n, counted := v.counted[s.ref()]
	var unknown *transcript.UnknownError
	switch {
	case !counted:
		return st.Muted.Render("counting its messages …") + "\n"
	case errors.As(n.err, &unknown):
		return st.Bad.Render("! it is no session file any more") + "\n"
	case n.err != nil:
		return st.Bad.Render("! "+ui.Line(n.err.Error())) + "\n"
	case s.gone:
		return plural.Count(n.Stored, "message is", "messages are") + " stored\n"
	}
	where := "the file"
	if s.database != "" {
		where = "the session"
	}
	out := plural.Count(n.Stored+n.Messages, "message", "messages") + " in " + where + ", " + ui.Num(int64(n.Stored)) + " stored\n"
	if n.Messages > 0 {
		out += st.Good.Render("+ "+ui.Num(int64(n.Messages))+" to import, "+ui.Tokens(n.Tokens)) + st.Muted.Render("   I imports them") + "\n"
	}
	for _, note := range n.Notes {
		out += st.Warn.Render("~ "+ui.Line(note)) + "\n"
	}
	return out
}
