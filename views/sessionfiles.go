package views

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/transcript"
	"lcm-tui/ops/backfill"
	"lcm-tui/ui"
)

// SessionFiles is the transcripts on disk beside their conversations: which have what
// isn't stored yet, and which are gone.
type SessionFiles struct {
	pane[sessionFile, noDetail]
	env      *Env
	counted  map[string]survey // By path.
	problems []error
	loaded   bool
}

// survey is what counting a transcript came to.
type survey struct {
	backfill.Survey
	err error
}

var _ ui.Screen = (*SessionFiles)(nil)

// NewSessionFiles is the screen of the transcripts.
func NewSessionFiles(env *Env) *SessionFiles {
	v := &SessionFiles{env: env, counted: map[string]survey{}}
	list := ui.NewList(env.Styles, sessionFile.ref, v.row, func(s sessionFile) string { return s.path + " " + string(s.kind) + " " + s.conv.Name() })
	list.SetSorts(
		ui.Sort[sessionFile]{Name: "age"},
		ui.Sort[sessionFile]{Name: "size", Less: func(a, b sessionFile) bool { return a.size > b.size }},
		ui.Sort[sessionFile]{Name: "new first", Less: func(a, b sessionFile) bool { return v.fresh(a) > v.fresh(b) }},
		ui.Sort[sessionFile]{Name: "path", Less: func(a, b sessionFile) bool { return a.path < b.path }},
	)
	v.pane = newPane(v, env, 0.6, list, sessionFile.ref, v.describe)
	v.layoutColumns, v.afterUpdate = v.columns, v.count
	return v
}

// Title implements ui.Screen.
func (v *SessionFiles) Title() string { return "Sessions" }

// Purpose implements ui.Screen.
func (v *SessionFiles) Purpose() string {
	return "The transcripts that hosts keep on disk, beside the conversations they belong to: what of them isn't stored can be imported."
}

var (
	keyImport       = ui.Act("I", "I", "import")
	keyConversation = ui.Act("c", "c", "conversation")
)

func (v *SessionFiles) actions() []action {
	s, some := v.list.Selected()
	why := v.env.readOnly()
	switch n, counted := v.counted[s.ref()]; {
	case why != "":
	case !some:
		why = "there is no transcript"
	case s.gone:
		why = "the transcript is gone"
	case counted && n.err == nil && n.Messages == 0:
		why = "everything in it is stored"
	}
	return []action{
		v.readAction("there is no transcript"),
		{keyImport.In("Change").InFooter().Off(why == "", why), v.importIt},
		{keyConversation.In("Look").InFooter().Off(some && s.found, "it has no conversation yet"), v.conversation},
	}
}

type (
	sessionFilesMsg sessionFileSearch
	surveyMsg       struct {
		ref string
		survey
	}
)

func (v *SessionFiles) load() tea.Cmd {
	v.counted = map[string]survey{}
	env := v.env
	return env.Jobs.Read(v, "load", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		f, err := findSessionFiles(ctx, env, report)
		return sessionFilesMsg(f), err
	})
}

func (v *SessionFiles) receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case sessionFilesMsg:
		v.loaded, v.problems = true, msg.problems
		v.list.Empty = "no transcripts in " + strings.Join(v.places(), ", ") + "; lcm-tui backfill PATH imports from anywhere"
		v.setRows(msg.sessions)
	case surveyMsg:
		v.counted[msg.ref] = msg.survey
	}
	return nil
}

func (v *SessionFiles) places() (out []string) {
	for _, p := range v.env.Sessions {
		out = append(out, ui.Line(home(p)))
	}
	if out == nil {
		out = []string{"the usual places"}
	}
	return out
}

// request is the import of a transcript.
func (v *SessionFiles) request(path string) *backfill.Op {
	threshold := int64(25_000)
	if set, ok := v.env.knownSettings(); ok {
		threshold = set.LargeFileTokens()
	}
	return &backfill.Op{Path: path, Keys: &backfill.Keys{}, Files: v.env.Files, Threshold: threshold}
}

func (v *SessionFiles) importIt() tea.Cmd {
	s, ok := v.list.Selected()
	if !ok {
		return nil
	}
	v.env.Jobs.Cancel(v, "count")
	return v.env.plan(v, v.request(s.path))
}

func (v *SessionFiles) conversation() tea.Cmd {
	s, ok := v.list.Selected()
	if !ok || !s.found {
		return nil
	}
	return ui.Say(ui.PushMsg{Screen: NewConversation(v.env, s.conv, 0).Tab(tabMessages)})
}

// count counts, in the background, the transcript under the cursor, then those on
// screen, one at a time.
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
		return v.env.Jobs.Quiet(v, "count", read(func(ctx context.Context) (surveyMsg, error) {
			n, _, err := db.CountMessagesAndItems(ctx, s.conv.ID)
			return surveyMsg{s.ref(), survey{Survey: backfill.Survey{Stored: int(n)}, err: err}}, nil
		}))
	}
	op := v.request(s.path)
	return v.env.Jobs.Quiet(v, "count", read(func(ctx context.Context) (surveyMsg, error) {
		n, err := op.Survey(ctx, db, func(int, int, string) {})
		if ctx.Err() != nil {
			return surveyMsg{}, ctx.Err()
		}
		return surveyMsg{s.ref(), survey{n, err}}, nil // A file that can't be read is no reason to stop.
	}))
}

func (v *SessionFiles) uncounted() (sessionFile, bool) {
	rows := v.list.Visible()
	if s, ok := v.list.Selected(); ok {
		rows = append([]sessionFile{s}, rows...)
	}
	for _, s := range rows {
		if _, counted := v.counted[s.ref()]; !counted {
			return s, true
		}
	}
	return sessionFile{}, false
}

// fresh is how many messages of a transcript aren't stored, as far as is known.
func (v *SessionFiles) fresh(s sessionFile) int { return v.counted[s.ref()].Messages }

func (v *SessionFiles) columns(width int) layout {
	return lay([]column{
		{title: "", width: 1},
		{title: "kind", width: 8, from: 56},
		{title: "transcript"},
		{title: "conversation", width: 12, from: 68},
		{title: "in file", width: 8, right: true},
		{title: "stored", width: 8, right: true},
		{title: "size", width: 8, right: true, from: 76},
		{title: "when", width: 8, right: true},
	}, width)
}

func (v *SessionFiles) row(s sessionFile, width int, _ bool) string {
	st := v.env.Styles
	n, counted := v.counted[s.ref()]
	return v.columns(width).line(func(title string) string {
		switch title {
		case "":
			return v.mark(s)
		case "kind":
			return st.Muted.Render(kindName(s))
		case "transcript":
			return ui.Line(filepath.Base(s.path))
		case "conversation":
			if !s.found {
				return st.Muted.Render("none yet")
			}
			return ui.Line(s.conv.Name())
		case "in file":
			if !counted || s.gone || n.err != nil {
				return ""
			}
			return ui.Num(int64(n.Stored + n.Messages))
		case "stored":
			if !counted || n.err != nil {
				return ""
			}
			return ui.Num(int64(n.Stored))
		case "size":
			if s.gone {
				return ""
			}
			return ui.Size(s.size)
		}
		return st.Muted.Render(ago(s.at, v.env.Now()))
	})
}

// kindName is whose transcript it is, in a word.
func kindName(s sessionFile) string {
	switch s.kind {
	case "":
		return "gone"
	case transcript.ClaudeCode:
		return "claude"
	}
	return string(s.kind)
}

// mark says at a glance how a transcript stands.
func (v *SessionFiles) mark(s sessionFile) string {
	st := v.env.Styles
	switch n, counted := v.counted[s.ref()]; {
	case s.gone:
		return st.Warn.Render("~")
	case counted && n.err != nil:
		return st.Bad.Render("!")
	case counted && n.Messages > 0:
		return st.Good.Render("+")
	}
	return " "
}

func (v *SessionFiles) describe(s sessionFile, _ *noDetail, _ int) string {
	st := v.env.Styles
	var b strings.Builder
	fact := func(name, value string) { b.WriteString(st.Muted.Render(ui.Pad(name, 13)) + ui.Line(value) + "\n") }
	b.WriteString(st.Title.Render(ui.Line(filepath.Base(s.path))) + "\n")
	fact("in", home(filepath.Dir(s.path)))
	if s.gone {
		fact("state", "the file is gone; what was read of it is stored")
	} else {
		fact("kind", string(s.kind))
		fact("size", ui.Size(s.size))
		fact("changed", v.env.stamp(data.Time{Time: s.at, Raw: "x"}))
	}
	fact("session", s.id)
	if s.archived {
		fact("archived", "the host put it aside")
	}
	fact("conversation", v.conversationOf(s))
	b.WriteString("\n" + v.numbers(s))
	if n := len(v.problems); n > 0 {
		b.WriteString("\n" + st.Warn.Render(fmt.Sprintf("~ %s left out", ui.Count(int64(n), "file is", "files are"))) + "\n")
		for _, p := range v.problems[:min(n, 5)] {
			b.WriteString(st.Faint.Render(ui.Line(p.Error())) + "\n")
		}
	}
	return b.String()
}

func (v *SessionFiles) conversationOf(s sessionFile) string {
	if !s.found {
		return "none yet; importing makes one"
	}
	name := s.conv.Name() + " #" + itoa(s.conv.ID)
	if !s.conv.Active {
		name += ", archived"
	}
	return name
}

// numbers say what of a transcript is stored.
func (v *SessionFiles) numbers(s sessionFile) string {
	st := v.env.Styles
	n, counted := v.counted[s.ref()]
	var unknown *transcript.UnknownError
	switch {
	case !counted:
		return st.Muted.Render("counting its messages …") + "\n"
	case errors.As(n.err, &unknown):
		return st.Bad.Render("! it is no transcript any more") + "\n"
	case n.err != nil:
		return st.Bad.Render("! "+ui.Line(n.err.Error())) + "\n"
	case s.gone:
		return ui.Count(int64(n.Stored), "message is", "messages are") + " stored\n"
	}
	out := ui.Count(int64(n.Stored+n.Messages), "message", "messages") + " in the file, " + ui.Num(int64(n.Stored)) + " stored\n"
	if n.Messages > 0 {
		out += st.Good.Render("+ "+ui.Num(int64(n.Messages))+" to import, "+ui.Tokens(n.Tokens)) + st.Muted.Render("   I imports them") + "\n"
	}
	for _, note := range n.Notes {
		out += st.Warn.Render("~ "+ui.Line(note)) + "\n"
	}
	return out
}
