package views

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
	"lcm-tui/ops/undo"
	"lcm-tui/ui"
)

// commands are the places of the program, which the palette offers on every screen.
func (e *Env) commands() []ui.Command {
	place := func(a ui.Action, screen func() ui.Screen) ui.Command {
		return ui.Command{Name: a.Key.Help().Desc, Kind: "Go to", Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: screen()}) }}
	}
	settings := place(keySettings, func() ui.Screen { return NewConfig(e) })
	if e.Settings == nil {
		settings.Why = "no settings are known here"
	}
	model := e.chooseModelAction()
	return []ui.Command{
		{Name: "all conversations", Kind: "Go to", Run: func() tea.Cmd { return ui.Say(ui.HomeMsg{}) }},
		{Name: "search the whole file", Kind: "Go to", Label: keyFind.Key.Help().Key, Word: "search", Run: func() tea.Cmd { return ui.Say(ui.Press("F")) }},
		place(keyHistory, func() ui.Screen { return e.Screens.History(e) }),
		place(keyHealth, func() ui.Screen { return e.Screens.Health(e) }),
		place(keySecrets, func() ui.Screen { return e.Screens.Secrets(e) }),
		place(keySpace, func() ui.Screen { return e.Screens.Space(e) }),
		place(keyTrash, func() ui.Screen { return e.Screens.Trash(e, "") }),
		place(keySessions, func() ui.Screen { return e.Screens.SessionFiles(e) }),
		settings,
		{Name: model.Key.Help().Desc, Kind: "Model", Why: whyOff(model.Action), Run: model.run},
		{Name: keyBackup.Key.Help().Desc, Kind: "File", Run: e.askBackup},
		e.databasesCommand(),
		e.diffCommand(),
		e.reclaimCommand(),
		{Name: "open the file again", Kind: "File", Why: textWhen(!e.CanReopen, "it goes away with this program"), Run: reopen},
	}
}

// databasesCommand shows the databases of this machine.
func (e *Env) databasesCommand() ui.Command {
	return ui.Command{
		Name: keyDatabases.Key.Help().Desc, Kind: "File", Label: ":db", Word: "db", Why: textWhen(e.Databases == nil, onlyDatabase),
		Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: NewDatabases(e)}) },
	}
}

// onlyDatabase is why no other database can be opened.
const onlyDatabase = "this program was started for one database only"

// reopen ends the screens and opens the database again.
func reopen() tea.Cmd { return ui.Say(ui.RestartMsg{}) }

// whyOff is why an action is off, or empty.
func whyOff(a ui.Action) string {
	if a.Key.Enabled() {
		return ""
	}
	return a.Why
}

// askBackup says where a copy of the file would go and how large it is, and makes it after
// a yes.
func (e *Env) askBackup() tea.Cmd {
	to := e.DB.BackupPath()
	return ui.Say(ui.AskMsg{
		Title: "Back up the database?",
		Text:  "It is copied, " + ui.Size(e.DB.Size()) + ", to " + ui.Line(shortenHome(to)) + ", and the copy is verified.",
		Verb:  "back up", Do: func() tea.Cmd { return backup(e, e, to) },
	})
}

// find returns what the palette can only know by reading: the last change, and the
// conversations, messages, summaries, pending batches and files that a query names. It runs in a job.
func (e *Env) find(ctx context.Context, query string) ([]ui.Command, error) {
	out, err := e.lastChange(ctx)
	if query == "" || err != nil {
		return out, err
	}
	for _, find := range []func(context.Context, string) ([]ui.Command, error){
		e.findConversations, e.findMessage, e.findSummaries, e.findPending, e.findFiles, e.findBackups, e.findPlans,
	} {
		found, err := find(ctx, query)
		if err != nil {
			return out, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// lastChange is the command that undoes the newest change that is not undone.
func (e *Env) lastChange(ctx context.Context) ([]ui.Command, error) {
	undoLast := ui.Command{Name: "undo the last change", Kind: "History", Why: e.readOnly()}
	r, err := change.Last(ctx, e.DB)
	switch {
	case errors.Is(err, change.ErrNoRecord):
		undoLast.Why = firstNonEmpty(undoLast.Why, "lcm-tui has changed nothing that is not undone already")
	case err != nil:
		return nil, err
	default:
		undoLast.Name += ": #" + itoa(r.ID) + " " + ui.Line(r.Title)
		undoLast.Run = func() tea.Cmd { return e.plan(e, &undo.Op{Record: r.ID}) }
	}
	redoLast, err := e.lastUndone(ctx)
	return []ui.Command{undoLast, redoLast}, err
}

// lastUndone is the command that redoes the change that was undone last.
func (e *Env) lastUndone(ctx context.Context) (ui.Command, error) {
	c := ui.Command{Name: "redo what was undone last", Kind: "History", Why: e.readOnly()}
	all, err := change.History(ctx, e.DB)
	if err != nil {
		return c, err
	}
	r, err := change.LastUndone(all)
	if err != nil {
		c.Why = firstNonEmpty(c.Why, "nothing is undone that was not redone")
		return c, nil
	}
	c.Name += ": #" + itoa(r.ID) + " " + ui.Line(r.Title)
	if ops.SetVerb(r) != "" {
		c.Why = firstNonEmpty(c.Why, whyNoRedo(true))
		return c, nil
	}
	c.Run = func() tea.Cmd { return e.plan(e, &redo.Op{Record: r.ID}) }
	return c, nil
}

// findConversations finds conversations by id, title or key. A session id, which no list
// shows, is compared only with what looks like one.
func (e *Env) findConversations(ctx context.Context, query string) (out []ui.Command, err error) {
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
		kind := "conversation #" + itoa(c.ID)
		if !c.Active {
			kind += ", archived"
		}
		found := e.openCommand(conversationName(c), kind, c.ID, Target{Tab: tabMessages})
		if found.Found = byID; byID {
			out = slices.Insert(out, 0, found)
		} else if len(out) < maxFound {
			out = append(out, found)
		}
	}
	return out[:min(len(out), maxFound)], nil
}

// conversationName is the title and the key of a conversation, as far as it has them: either
// may be what was typed.
func conversationName(c lcm.Conversation) string {
	if c.Title != "" && c.SessionKey != "" {
		return ui.Line(c.Title + "  " + c.SessionKey)
	}
	return ui.Line(nameOf(c, ""))
}

// findMessage finds a message by its id: #4711 or 4711.
func (e *Env) findMessage(ctx context.Context, query string) ([]ui.Command, error) {
	id, ok := idIn(query)
	if !ok {
		return nil, nil
	}
	m, err := lcm.ReadMessage(ctx, e.DB, id)
	if err != nil {
		return nil, unlessNotFound(err)
	}
	name := "message #" + itoa(id) + ": " + ui.LineN(m.Content, 36)
	return []ui.Command{e.openCommand(name, "conversation #"+itoa(m.Conversation), m.Conversation, Target{Tab: tabMessages, ID: itoa(id), Seq: &m.Seq})}, nil
}

// findSummaries finds summaries by their id or its beginning; a cut id, as lists show it,
// is found by both its ends.
func (e *Env) findSummaries(ctx context.Context, query string) (out []ui.Command, err error) {
	if !strings.HasPrefix(query, "sum_") {
		return nil, nil
	}
	begin, end, _ := strings.Cut(query, "…")
	found, err := lcm.SummariesByPrefix(ctx, e.DB, begin, 1000)
	for _, s := range found {
		if !strings.HasSuffix(s.ID, end) || len(out) == maxFound {
			continue
		}
		out = append(out, e.openCommand(ui.Line(s.ID), "summary d"+itoa(s.Depth)+" of conversation #"+itoa(s.Conversation), s.Conversation, Target{Tab: tabSummaries, ID: s.ID}))
	}
	return out, err
}

// findPending finds pending batches and nodes by their id or its beginning.
func (e *Env) findPending(ctx context.Context, query string) (out []ui.Command, err error) {
	begin, end, _ := strings.Cut(query, "…")
	add := func(id, kind string, conv int64) {
		if strings.HasPrefix(id, begin) && strings.HasSuffix(id, end) && len(out) < maxFound {
			out = append(out, e.openCommand(ui.Line(id), kind+" of conversation #"+itoa(conv), conv, Target{Tab: tabPending, ID: id}))
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
func (e *Env) findFiles(ctx context.Context, query string) (out []ui.Command, err error) {
	if !strings.HasPrefix(query, "file_") {
		return nil, nil
	}
	begin, end, _ := strings.Cut(query, "…")
	all, err := lcm.FileIDs(ctx, e.DB)
	for id, conv := range all {
		if strings.HasPrefix(id, begin) && strings.HasSuffix(id, end) {
			out = append(out, e.openCommand(ui.Line(id), "file of conversation #"+itoa(conv), conv, Target{Tab: tabFiles, ID: id}))
		}
	}
	sorting.Stable(out, func(a, b *ui.Command) int { return strings.Compare(a.Name, b.Name) })
	return out[:min(len(out), maxFound)], err
}

// openCommand opens a conversation at a row.
func (e *Env) openCommand(name, kind string, conv int64, to Target) ui.Command {
	open := func(ctx context.Context) (ui.PushMsg, error) {
		hub, err := e.open(ctx, conv)
		if err != nil {
			return ui.PushMsg{}, err
		}
		screen := hub.Tab(to.Tab)
		hub.GoTo(to) // The tab reads its rows once it is shown.
		return ui.PushMsg{Screen: screen}, nil
	}
	return ui.Command{Name: name, Kind: kind, Found: true, Run: func() tea.Cmd { return e.Jobs.Read(e, "open", read(open)) }}
}

// idIn reads "4711" and "#4711".
func idIn(query string) (int64, bool) {
	id, err := strconv.ParseInt(strings.TrimPrefix(query, "#"), 10, 64)
	return id, err == nil
}

// unlessNotFound is err, or nil where it says that there is no such row.
func unlessNotFound(err error) error {
	if errors.Is(err, data.ErrNotFound) {
		return nil
	}
	return err
}

// backup makes a verified copy of the database, with progress.
func backup(env *Env, owner any, to string) tea.Cmd {
	db := env.DB
	return env.Jobs.Start(owner, "back up", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		r, err := db.BackupNumbered(ctx, to, report)
		if err != nil {
			return nil, err
		}
		return ui.StatusMsg{Text: "backed up and verified: " + ui.Line(shortenHome(r.Path)) + ", " + ui.Size(r.Bytes), Kind: ui.Done}, nil
	})
}

// diffCommand compares the database with another file.
func (e *Env) diffCommand() ui.Command {
	return ui.Command{Name: "compare with another file", Kind: "File", Label: ":diff", Word: "diff", Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: e.Screens.DiffChoice(e)}) }}
}
