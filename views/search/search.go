package search

import (
	"context"
	"time"

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

	input    *ui.Input // The query.
	saveTo   *ui.Input // The path of the file that the hits are saved in.
	mode     searchMode
	query    search.Query // As it was typed last.
	results  *search.Results
	rows     []*hitRow
	run      searchRun
	offers   []search.Suggestion // Other queries, where this one found nothing.
	offer    int                 // The chosen one.
	history  queryHistory
	loaded   bool // The history was read.
	names    map[int64]string
	origin   int64 // The conversation from which the search was opened; 0 is none.
	replaces bool  // The next character that is typed begins another query.
	opened   *views.Conversation
	scrolled string // The row whose text was scrolled to its match.
}

// searchMode is how the text of a query is searched, and in which order the hits are listed.
type searchMode struct {
	regexp, matchCase, wholeWord bool
	sort                         search.Sort
}

// searchRun is what is known of the search for the present query.
type searchRun struct {
	stream   *searchStream // Nil where none is running.
	pending  bool          // Nothing came yet: the list is still that of the query before.
	started  time.Time
	elapsed  time.Duration
	progress search.Progress
	notes    []string
	stopped  string // How far it came, where it was stopped.
}

var _ ui.Screen = (*Search)(nil)

// NewSearch returns the screen of the search over the whole file.
func NewSearch(env *views.Env) *Search {
	v := &Search{env: env, names: map[int64]string{}, mode: searchMode{sort: search.Newest}}
	list := ui.NewList(env.Styles, (*hitRow).id, v.row, nil)
	list.Keys.Filter, list.Keys.HalfUp, list.Keys.HalfDown = key.Binding{}, key.Binding{}, key.Binding{}
	v.ListScreen = views.NewListScreen(v, env, 0.56, list, (*hitRow).id, v.describe)
	v.LayoutColumns, v.HeaderLines, v.ReadDetailOf = v.columns, v.headLines, v.readPlace
	list.Divider = v.conversationDivider
	v.input = ui.NewInput(env.Styles, "Find")
	v.saveTo = ui.NewInput(env.Styles, "Save the hits as:")
	v.results = search.NewResults(v.mode.sort)
	v.input.Open("")
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
	cmds := []tea.Cmd{v.loadNames()}
	if path := v.env.Queries; path != "" && !v.loaded {
		cmds = append(cmds, v.env.Jobs.Quiet(v, "history", views.Read(func(context.Context) (historyMsg, error) {
			queries, err := readQueries(path)
			return historyMsg(queries), err
		})))
	}
	return tea.Batch(cmds...)
}

// namesMsg is what the conversations are called, by id.
type namesMsg map[int64]string

func (v *Search) loadNames() tea.Cmd {
	db := v.env.DB
	return v.env.Jobs.Quiet(v, "names", views.Read(func(ctx context.Context) (namesMsg, error) {
		all, err := lcm.Conversations(ctx, db)
		names := namesMsg{}
		for _, c := range all {
			names[c.ID] = ui.Line(views.NameOf(c, ""))
		}
		return names, err
	}))
}

// Receive implements views.ListOwner.
func (v *Search) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case historyMsg:
		v.history.set(msg)
		v.loaded = true
	case namesMsg:
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
		if v.input.Typing() {
			return v.edit(m)
		}
	case tea.KeyPressMsg:
		if v.saveTo.Typing() {
			return v.saveKey(m)
		}
		if v.input.Typing() {
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
func (v *Search) Typing() bool { return v.input.Typing() || v.saveTo.Typing() || v.ListScreen.Typing() }

// Escape implements ui.Escaper.
func (v *Search) Escape() bool {
	if v.TextFocused {
		return v.ListScreen.Escape()
	}
	return v.stop()
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
	if v.showsGuide() || v.listsOffers() {
		v.Width = width
		head := v.headLines(width, height)
		text := v.guide(width)
		if v.listsOffers() {
			text = v.offersText(width)
		}
		return views.JoinLines(append(head, ui.Fit(text, width, max(0, height-len(head)))))
	}
	return v.ListScreen.View(width, height)
}

// showsGuide reports whether the language of queries is explained, because nothing is
// searched.
func (v *Search) showsGuide() bool { return v.query.IsEmpty() }

// listsOffers reports whether other queries are offered, because this one found nothing.
func (v *Search) listsOffers() bool { return v.List.Len() == 0 && len(v.offers) > 0 }
