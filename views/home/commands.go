package home

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/sorting"
	"lcm-tui/ops"
	"lcm-tui/ops/redo"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ops/undo"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// commands returns the places of the program, which the palette offers on every screen.
func commands(e *views.Env) []ui.Command {
	place := func(word string, a ui.Action, screen func() ui.Screen) ui.Command {
		return ui.Command{Name: a.Key.Help().Desc, Kind: "Go to", Word: word, Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: screen(), Once: true}) }}
	}
	settings := place("config", views.KeySettings, func() ui.Screen { return NewConfig(e) })
	if e.Settings == nil {
		settings.Why = "no settings are known here"
	}
	model := e.ChooseModelAction()
	return append([]ui.Command{
		{Name: "all conversations", Kind: "Go to", Word: "conversations", Run: func() tea.Cmd { return ui.Say(ui.HomeMsg{}) }},
		{Name: "search the whole file", Kind: "Go to", Action: views.KeyFind, Word: "search", Run: func() tea.Cmd { return ui.Say(ui.ActionMsg{Name: views.KeyFind.ID()}) }},
		{Name: "ask a question", Kind: "Go to", Action: views.KeyAsk, Word: "ask", Run: func() tea.Cmd { return ui.Say(ui.ActionMsg{Name: views.KeyAsk.ID()}) }},
		place("history", views.KeyHistory, func() ui.Screen { return e.Screens.History(e) }),
		place("doctor", views.KeyHealth, func() ui.Screen { return e.Screens.Health(e) }),
		place("secrets", views.KeySecrets, func() ui.Screen { return e.Screens.Secrets(e) }),
		place("space", views.KeySpace, func() ui.Screen { return e.Screens.Space(e) }),
		place("trash", views.KeyTrash, func() ui.Screen { return e.Screens.Trash(e, "") }),
		place("memory status work follow hook", views.KeyMemory, func() ui.Screen { return e.Screens.Memory(e) }),
		place("entries promoted", views.KeyEntries, func() ui.Screen { return e.Screens.Entries(e) }),
		place("import sessions", views.KeySessions, func() ui.Screen { return e.Screens.SessionFiles(e) }),
		settings,
		{Name: model.Key.Help().Desc, Kind: "Model", Why: whyOff(model.Action), Run: model.Run},
		{Name: keyBackup.Key.Help().Desc, Kind: "File", Word: "backup", Why: whyNoBackup(e.DB), Run: func() tea.Cmd { return askBackup(e) }},
		databasesCommand(e),
		fleetCommand(e),
		diffCommand(e),
		{Name: "make a bug report, without what anyone said", Kind: "File", Word: "bundle report", Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: e.Screens.Bundle(e), Once: true}) }},
		e.ReclaimCommand(false),
		e.ReclaimCommand(true),
		e.SalvageCommand(),
		{Name: "open the file again", Kind: "File", Why: views.TextWhen(!e.CanReopen, "it goes away with this program"), Run: reopen},
		{Name: "undo the last change", Kind: "History", Word: "undo", Why: e.ReadOnly(), Run: func() tea.Cmd { return e.Planned(e, "undo", lastUndo(e)) }},
		{Name: nameRedo, Kind: "History", Word: "redo", Why: e.ReadOnly(), Run: func() tea.Cmd { return e.Planned(e, "redo", lastRedo(e)) }},
	}, commandLines(e.DB.Path())...)
}

// lastUndo returns what finds the operation that undoes the newest change.
func lastUndo(e *views.Env) func(context.Context) (ops.Op, error) {
	return func(ctx context.Context) (ops.Op, error) {
		r, err := change.Last(ctx, e.DB)
		if err != nil {
			return nil, err
		}
		return &undo.Op{Record: r.ID, Check: sessionkey.UndoCheck(e.Locations)}, nil
	}
}

// nameRedo is what the command is called that redoes what was undone last.
const nameRedo = "redo what was undone last"

// lastRedo returns what finds the operation that redoes what was undone last.
func lastRedo(e *views.Env) func(context.Context) (ops.Op, error) {
	return func(ctx context.Context) (ops.Op, error) {
		all, err := change.History(ctx, e.DB)
		if err != nil {
			return nil, err
		}
		r, err := change.LastUndone(all)
		if err != nil {
			return nil, err
		}
		return &redo.Op{Record: r.ID}, nil
	}
}

// databasesCommand shows the databases of this machine.
func databasesCommand(e *views.Env) ui.Command {
	return ui.Command{
		Name: views.KeyDatabases.Key.Help().Desc, Kind: "File", Label: ":db", Word: "db databases", Why: views.TextWhen(e.Databases == nil, onlyDatabase),
		Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: NewDatabases(e), Once: true}) },
	}
}

// fleetCommand shows the machines of which copies are kept.
func fleetCommand(e *views.Env) ui.Command {
	return ui.Command{
		Name: views.KeyFleet.Key.Help().Desc, Kind: "Go to", Label: ":fleet", Word: "fleet machines", Why: e.WhyNoMachines(),
		Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: e.Screens.Fleet(e), Once: true}) },
	}
}

// onlyDatabase is why no other database can be opened.
const onlyDatabase = "this program was started for one database only"

// reopen ends the screens and opens the database again.
func reopen() tea.Cmd { return ui.Say(ui.RestartMsg{}) }

// whyOff returns why an action is off, or empty.
func whyOff(a ui.Action) string {
	if a.Key.Enabled() {
		return ""
	}
	return a.Why
}

// onServer is a database that may be one of a server.
type onServer interface {
	Replica() (*data.Replica, bool)
	IsHome() bool
}

// whyNoBackup says why there is no file to copy; it is empty for a file.
func whyNoBackup(db onServer) string {
	if db.IsHome() {
		return "conversations live on a server here, and pg_dump makes a backup of its database"
	}
	if _, ok := db.Replica(); ok {
		return "a replica has no file; a backup is made on the machine where the file is"
	}
	return ""
}

// askBackup says where a copy of the file would go and how large it is, and makes it after
// a yes.
func askBackup(e *views.Env) tea.Cmd {
	to := e.DB.BackupPath()
	return ui.Say(ui.AskMsg{
		Title: "Back up the database?",
		Text:  "It is copied, " + ui.Size(e.DB.Size()) + ", to " + ui.Line(views.ShortenHome(to)) + ", and the copy is verified.",
		Verb:  "back up", Do: func() tea.Cmd { return backup(e, e, to) },
	})
}

// find returns what the palette can only know by reading: the last change, and the
// conversations, messages, summaries, pending batches and files that a query names. It runs in a job.
func findByQuery(ctx context.Context, e *views.Env, query string) ([]ui.Command, error) {
	out, err := lastChange(ctx, e)
	if query == "" || err != nil {
		return out, err
	}
	for _, find := range []func(context.Context, *views.Env, string) ([]ui.Command, error){
		findConversations, findMessage, findSummaries, findPending, findFiles, findBackups, views.FindPlans,
	} {
		found, err := find(ctx, e, query)
		if err != nil {
			return out, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// lastChange returns the command that undoes the newest change that is not undone.
func lastChange(ctx context.Context, e *views.Env) ([]ui.Command, error) {
	undoLast := ui.Command{Name: "undo the last change", Kind: "History", Word: "undo", Why: e.ReadOnly()}
	r, err := change.Last(ctx, e.DB)
	switch {
	case errors.Is(err, change.ErrNoRecord):
		undoLast.Why = views.FirstNonEmpty(undoLast.Why, "lcm-tui has changed nothing that is not undone already")
	case err != nil:
		return nil, err
	default:
		undoLast.Name += ": #" + views.Itoa(r.ID) + " " + ui.Line(r.Title)
		undoLast.Run = func() tea.Cmd { return e.Plan(e, &undo.Op{Record: r.ID, Check: sessionkey.UndoCheck(e.Locations)}) }
	}
	redoLast, err := lastUndone(ctx, e)
	return []ui.Command{undoLast, redoLast}, err
}

// lastUndone returns the command that redoes the change that was undone last.
func lastUndone(ctx context.Context, e *views.Env) (ui.Command, error) {
	c := ui.Command{Name: nameRedo, Kind: "History", Word: "redo", Why: e.ReadOnly()}
	all, err := change.History(ctx, e.DB)
	if err != nil {
		return c, err
	}
	r, err := change.LastUndone(all)
	if err != nil {
		c.Why = views.FirstNonEmpty(c.Why, "nothing is undone that was not redone")
		return c, nil
	}
	c.Name += ": #" + views.Itoa(r.ID) + " " + ui.Line(r.Title)
	if why := redo.WhyNot(e.DB, r); why != "" {
		c.Why = views.FirstNonEmpty(c.Why, why)
		return c, nil
	}
	c.Run = func() tea.Cmd { return e.Plan(e, &redo.Op{Record: r.ID}) }
	return c, nil
}

// findConversations finds conversations by id, title or key. A session id, which no list
// shows, is compared only with what looks like one.
func findConversations(ctx context.Context, e *views.Env, query string) (out []ui.Command, err error) {
	all, err := lcm.Conversations(ctx, e.DB)
	if err != nil {
		return nil, err
	}
	id, isID := idIn(query)
	low := strings.ToLower(query)
	for _, c := range all {
		byID := isID && c.ID == id || ui.LooksLikeID(query) && strings.HasPrefix(strings.ToLower(c.SessionID), low)
		if !byID && !strings.Contains(strings.ToLower(c.Title+"\n"+c.SessionKey), low) {
			continue
		}
		kind := "conversation #" + views.Itoa(c.ID)
		if !c.Active {
			kind += ", archived"
		}
		found := openCommand(e, conversationName(c), kind, c.ID, views.Target{Tab: views.TabMessages})
		if found.Found = byID; byID {
			out = slices.Insert(out, 0, found)
		} else if len(out) < views.MaxFound {
			out = append(out, found)
		}
	}
	return out[:min(len(out), views.MaxFound)], nil
}

// conversationName returns the title and the key of a conversation, as far as it has them: either
// may be what was typed.
func conversationName(c lcm.Conversation) string {
	if c.Title != "" && c.SessionKey != "" {
		return ui.Line(c.Title + "  " + c.SessionKey)
	}
	return ui.Line(views.NameOf(c, ""))
}

// findMessage finds a message by its id: #4711 or 4711.
func findMessage(ctx context.Context, e *views.Env, query string) ([]ui.Command, error) {
	id, ok := idIn(query)
	if !ok {
		return nil, nil
	}
	m, err := lcm.ReadMessage(ctx, e.DB, id)
	if err != nil {
		return nil, unlessNotFound(err)
	}
	name := "message #" + views.Itoa(id) + ": " + ui.LineN(m.Content, 36)
	return []ui.Command{openCommand(e, name, "conversation #"+views.Itoa(m.Conversation), m.Conversation, views.Target{Tab: views.TabMessages, ID: views.Itoa(id), Seq: &m.Seq})}, nil
}

// findSummaries finds summaries by their id or its beginning; a cut id, as lists show it,
// is found by both its ends.
func findSummaries(ctx context.Context, e *views.Env, query string) (out []ui.Command, err error) {
	if !strings.HasPrefix(query, "sum_") {
		return nil, nil
	}
	begin, end, _ := strings.Cut(query, "…")
	found, err := lcm.SummariesByPrefix(ctx, e.DB, begin, 1000)
	for _, s := range found {
		if !strings.HasSuffix(s.ID, end) || len(out) == views.MaxFound {
			continue
		}
		out = append(out, openCommand(e, ui.Line(s.ID), "summary d"+views.Itoa(s.Depth)+" of conversation #"+views.Itoa(s.Conversation), s.Conversation, views.Target{Tab: views.TabSummaries, ID: s.ID}))
	}
	return out, err
}

// findPending finds pending batches and nodes by their id or its beginning.
func findPending(ctx context.Context, e *views.Env, query string) (out []ui.Command, err error) {
	begin, end, _ := strings.Cut(query, "…")
	add := func(id, kind string, conv int64) {
		if strings.HasPrefix(id, begin) && strings.HasSuffix(id, end) && len(out) < views.MaxFound {
			out = append(out, openCommand(e, ui.Line(id), kind+" of conversation #"+views.Itoa(conv), conv, views.Target{Tab: views.TabPending, ID: id}))
		}
	}
	switch {
	case strings.HasPrefix(query, "pcb_"):
		batches, err := lcm.PendingBatches(ctx, e.DB, lcm.PendingSelection{})
		for i := range batches {
			add(batches[i].ID, "pending batch", batches[i].Conversation)
		}
		return out, err
	case strings.HasPrefix(query, "psn_"):
		nodes, err := lcm.PendingNodes(ctx, e.DB, lcm.PendingSelection{}, 0)
		for i := range nodes {
			add(nodes[i].ID, "pending node", nodes[i].Conversation)
		}
		return out, err
	}
	return nil, nil
}

// findFiles finds large files by their id or its beginning.
func findFiles(ctx context.Context, e *views.Env, query string) (out []ui.Command, err error) {
	if !strings.HasPrefix(query, "file_") {
		return nil, nil
	}
	begin, end, _ := strings.Cut(query, "…")
	all, err := lcm.FileIDs(ctx, e.DB)
	for id, conv := range all {
		if strings.HasPrefix(id, begin) && strings.HasSuffix(id, end) {
			out = append(out, openCommand(e, ui.Line(id), "file of conversation #"+views.Itoa(conv), conv, views.Target{Tab: views.TabFiles, ID: id}))
		}
	}
	sorting.Stable(out, func(a, b *ui.Command) int { return strings.Compare(a.Name, b.Name) })
	return out[:min(len(out), views.MaxFound)], err
}

// openCommand opens a conversation at a row.
func openCommand(e *views.Env, name, kind string, conv int64, to views.Target) ui.Command {
	open := func(ctx context.Context) (ui.PushMsg, error) {
		hub, err := e.Open(ctx, conv)
		if err != nil {
			return ui.PushMsg{}, err
		}
		screen := hub.Tab(to.Tab)
		hub.GoTo(to) // The tab reads its rows once it is shown.
		return ui.PushMsg{Screen: screen}, nil
	}
	return ui.Command{Name: name, Kind: kind, Found: true, Run: func() tea.Cmd { return e.Jobs.Open(e, "open", views.Read(open)) }}
}

// idIn reads "4711" and "#4711".
func idIn(query string) (int64, bool) {
	id, err := strconv.ParseInt(strings.TrimPrefix(query, "#"), 10, 64)
	return id, err == nil
}

// unlessNotFound returns err, or nil where it says that there is no such row.
func unlessNotFound(err error) error {
	if errors.Is(err, data.ErrNotFound) {
		return nil
	}
	return err
}

// backup makes a verified copy of the database, with progress.
func backup(env *views.Env, owner any, to string) tea.Cmd {
	db := env.DB
	return env.Jobs.Start(owner, "back up", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		r, err := data.BackupNumbered(ctx, db, to, report)
		if err != nil {
			return nil, err
		}
		return ui.StatusMsg{Text: "backed up and verified: " + ui.Line(views.ShortenHome(r.Path)) + ", " + ui.Size(r.Bytes), Kind: ui.Done}, nil
	})
}

// diffCommand compares the database with another file.
func diffCommand(e *views.Env) ui.Command {
	return ui.Command{Name: "compare with another file", Kind: "File", Label: ":diff", Word: "diff", Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: e.Screens.DiffChoice(e)}) }}
}
