package search

import (
	"context"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/search"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Search is the search over the whole file: a query, the hits that come while it is typed, and
// the place of the hit under the cursor. It stays below the screens to which its hits lead, so
// that they can be walked there and esc comes back to the same row.
type Search struct {
	views.ListScreen[*hitRow, *search.Place]
	env *views.Env

	prompt   queryPrompt
	saveTo   *ui.Input // The path of the file that the hits are saved in.
	mode     searchMode
	query    search.Query // As it was typed last.
	hits     hitList
	run      searchRun
	kept     search.Kept
	offers   offers // Other queries, where this one found nothing.
	history  queryHistory
	loaded   bool // The history was read.
	names    conversationNames
	origin   int64 // The conversation from which the search was opened; 0 is none.
	opened   *views.Conversation
	scrolled string // The row whose text was scrolled to its match.
}

var _ ui.Screen = (*Search)(nil)

// NewSearch returns the screen of the search over the whole file.
func NewSearch(env *views.Env) *Search {
	v := &Search{env: env, mode: searchMode{sort: search.Newest}}
	list := ui.NewList(env.Styles, (*hitRow).id, v.row, nil)
	list.Keys.Filter, list.Keys.HalfUp, list.Keys.HalfDown = key.Binding{}, key.Binding{}, key.Binding{}
	v.ListScreen = views.NewListScreen(v, env, 0.56, list, (*hitRow).id, v.describe)
	v.LayoutColumns, v.HeaderLines, v.ReadDetailOf = hitColumns, v.headLines, placeReader(env)
	list.Divider = func(prev, next *hitRow) string { // Where hits are listed by conversation.
		if v.mode.sort != search.ByConversation || prev.Conversation == next.Conversation {
			return ""
		}
		return env.Styles.Faint.Render("── " + v.names.of(next.Conversation) + " ──")
	}
	v.prompt.Input = ui.NewInput(env.Styles, "Find")
	v.saveTo = ui.NewInput(env.Styles, "Save the hits as:")
	v.hits = newHitList(v.mode.sort)
	v.prompt.Open("")
	return v
}

// Title implements ui.Screen.
func (*Search) Title() string { return "Search" }

// Purpose implements ui.Screen.
func (*Search) Purpose() string {
	return "Everything that was ever said in this file: messages, summaries, calls of tools and their results, files. Hits come while the query is typed."
}

// Init implements ui.Screen.
func (v *Search) Init() tea.Cmd {
	cmd := v.ListScreen.Init()
	if v.run.stream != nil { // It was left before the search had ended.
		return tea.Batch(cmd, v.search())
	}
	return cmd
}

// historyMsg is the queries of the history file.
type historyMsg []string

// Load reads the history of queries and the names of conversations. The hits stay when the file changes: they
// are what was found, and the list must not move under the cursor.
func (v *Search) Load() tea.Cmd {
	db := v.env.DB
	readKept := func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		_ = v.kept.Read(ctx, db) // What fails here fails in the search too, which says so.
		return nil, nil
	}
	cmds := []tea.Cmd{v.env.Jobs.Quiet(v, "names", views.Read(nameReader(v.env))), v.env.Jobs.Quiet(v, "times", readKept)}
	if path := v.env.Queries; path != "" && !v.loaded {
		cmds = append(cmds, v.env.Jobs.Quiet(v, "history", views.Read(func(context.Context) (historyMsg, error) {
			queries, err := readQueries(path)
			return historyMsg(queries), err
		})))
	}
	return tea.Batch(cmds...)
}

// conversationNames is what the conversations are called, by id.
type conversationNames map[int64]string

// nameReader returns what reads the names of all conversations.
func nameReader(e *views.Env) func(context.Context) (conversationNames, error) {
	db := e.DB
	return func(ctx context.Context) (conversationNames, error) {
		all, err := lcm.Conversations(ctx, db)
		names := conversationNames{}
		for _, c := range all {
			names[c.ID] = ui.Line(views.NameOf(c, ""))
			if c.OnlyPrompts() {
				names[c.ID] = "prompts only: " + names[c.ID]
			}
		}
		return names, err
	}
}

// of returns what a conversation is called, or its number.
func (n conversationNames) of(id int64) string {
	if name := n[id]; name != "" {
		return name
	}
	return "#" + views.Itoa(id)
}

// Receive implements views.ListOwner.
func (v *Search) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case historyMsg:
		v.history.set(msg)
		v.loaded = true
	case conversationNames:
		v.names = msg
	case visitHitMsg:
		return v.arrive(msg)
	case searchBatch:
		return v.receiveBatch(msg)
	case ui.ShownMsg:
		v.env.Jobs.Cancel(v, "open")
	case ui.FailedMsg:
		if msg.Name == "search" {
			v.run.stream, v.run.pending = nil, false
		}
	}
	return nil
}

// Update implements ui.Screen.
func (v *Search) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.PasteMsg:
		if v.saveTo.Typing() {
			v.saveTo.Update(m)
			return nil
		}
		if v.prompt.Typing() {
			return v.edit(m)
		}
	case tea.KeyPressMsg:
		if v.saveTo.Typing() {
			return v.saveKey(m)
		}
		if v.prompt.Typing() {
			return tea.Batch(v.typedKey(m), v.ReadDetail())
		}
		if v.listsOffers() {
			if cmd, ok := v.offerKey(m); ok {
				return cmd
			}
		}
	case tea.MouseClickMsg:
		if m.Y == 0 {
			return v.focusInput()
		}
	}
	cmd := v.ListScreen.Update(msg)
	if v.TextFocused { // The text has no search of its own: / edits the query, n goes to the next hit.
		v.Pager.Keys.Search, v.Pager.Keys.Next, v.Pager.Keys.Prev = key.Binding{}, key.Binding{}, key.Binding{}
	}
	return cmd
}

// Typing implements ui.Typer.
func (v *Search) Typing() bool {
	return v.prompt.Typing() || v.saveTo.Typing() || v.ListScreen.Typing()
}

// Escape implements ui.Escaper.
func (v *Search) Escape() bool {
	if v.TextFocused {
		return v.ListScreen.Escape()
	}
	return v.stop()
}

// Position implements ui.Positioner: it counts hits, as the head does.
func (v *Search) Position() string {
	if v.TextFocused || v.List.Len() == 0 {
		return v.ListScreen.Position()
	}
	return v.hits.place(v.List.Index())
}

// Copy implements ui.Copier.
func (v *Search) Copy() string {
	r, ok := v.List.Selected()
	if !ok {
		return ""
	}
	return r.place()
}

// View implements ui.Screen.
func (v *Search) View(width, height int) string {
	if v.query.IsEmpty() || v.listsOffers() {
		v.Width = width
		head := v.headLines(width, height)
		text, from := "", ""
		if v.origin != 0 {
			from = v.names.of(v.origin)
		}
		if v.listsOffers() {
			text = v.offers.text(v.env.Styles, width)
		} else {
			text = guide(v.env.Styles, from, v.history.last(3), width)
		}
		return views.JoinLines(append(head, ui.Fit(text, width, max(0, height-len(head)))))
	}
	return v.ListScreen.View(width, height)
}
