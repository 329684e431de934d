package transcripts

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/backfill"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// SessionFiles are the session files on disk beside their conversations: which have what
// isn't stored yet, and which are gone. Several can be marked and imported in one review.
type SessionFiles struct {
	views.ListScreen[*sessionFile, views.NoDetail]
	env       *views.Env
	counted   map[string]survey // By path.
	marked    map[string]bool   // By path.
	problems  []error
	loaded    bool
	following bool // What agents write is imported while this screen is open.
	asked     bool // Whether they may be imported into this database was asked.
}

// survey is what counting the messages of a session file found.
type survey struct {
	backfill.Survey
	err error
}

// leftOut says why nothing of the session file is kept, as the user wants it; empty is that it isn't left out.
func (n survey) leftOut() string {
	var filtered *backfill.FilteredError
	if !errors.As(n.err, &filtered) {
		return ""
	}
	return filtered.Why
}

var _ ui.Screen = (*SessionFiles)(nil)

// NewSessionFiles returns the screen of the session files.
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
	v.LayoutColumns, v.HeaderLines, v.AfterUpdate = v.columns, v.header, v.count
	return v
}

// Title implements ui.Screen.
func (v *SessionFiles) Title() string { return "Session files" }

// Purpose implements ui.Screen.
func (v *SessionFiles) Purpose() string {
	return "The sessions of OpenClaw, Claude Code, Codex and Gemini CLI, in files and in OpenClaw's databases, beside the conversations they belong to. What isn't stored yet can be imported; space marks several for one review."
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
		mark, why = ui.Act("space", "space", "unmark").Named(views.KeyMark.ID()), ""
	}
	return []views.Action{
		v.ReadAction("there is no session file"),
		v.followAction(),
		{Action: mark.In("Change").InFooter().Off(why == "" && !v.TextFocused, views.FirstNonEmpty(why, "the text has the keys")), Run: func() tea.Cmd { return v.mark(s) }},
		{Action: keyMarkAll.In("Change").Off(v.loaded && !v.TextFocused, "the session files are being read"), Run: v.markAll},
		{Action: importKey.In("Change").InFooter().Off(importReason == "", importReason), Run: v.importMarked},
		{Action: views.KeyCompare.In("Look").Off(some && s.found && !s.gone, views.FirstNonEmpty(views.TextWhen(s.gone, "the session file is gone"), "it has no conversation yet")), Run: v.compare},
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
	case counted && n.leftOut() != "":
		return "it is left out: " + n.leftOut()
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
	case followEndedMsg:
		return v.endFollowing(msg.out)
	case ui.FailedMsg:
		v.following = v.following && msg.Name != "follow"
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

// request returns the import of a session file.
func (v *SessionFiles) request(path string) *backfill.Op {
	o := &backfill.Op{Path: path, Keys: &backfill.Keys{}, Files: v.env.Files, Threshold: 25_000, Ignores: v.env.Agents.Ignores}
	if set, ok := v.env.KnownSettings(); ok {
		o.Threshold, o.Filter = set.LargeFileTokens(), set.SessionFilter()
	}
	return o
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

// fresh returns how many messages of a session file aren't stored, as far as is known.
func (v *SessionFiles) fresh(s *sessionFile) int { return v.counted[s.ref()].Messages }
