package search

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/search"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// edited searches the query that stands in the input now. The search for the one before is
// cancelled.
func (v *Search) edited() tea.Cmd {
	v.prompt.replaces = false
	text := strings.TrimSpace(v.prompt.Value())
	v.query = search.Parse(text, v.mode.options(v.env.Now()))
	return v.search()
}

// search starts the search for the present query, or clears the list where it asks for nothing.
func (v *Search) search() tea.Cmd {
	v.env.Jobs.Cancel(v, "search", "hits")
	v.run = searchRun{query: v.query, order: v.mode.sort, local: v.env.Local}
	if v.query.IsEmpty() {
		v.clear()
		return nil
	}
	stream := newSearchStream()
	v.run.stream, v.run.pending, v.run.started = stream, true, v.env.Now()
	v.List.Empty = v.run.emptyText()
	query, order, find, rest := v.query, v.mode.sort, searchEngine(v), v.env.SearchRest
	return tea.Batch(
		v.env.Jobs.Quiet(v, "search", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
			defer stream.end()
			if err := ui.Sleep(ctx, rest); err != nil {
				return nil, err
			}
			return nil, find(ctx, query, order, stream.put)
		}),
		takeBatch(v, stream),
	)
}

// takeBatch waits for the next batch of a search.
func takeBatch(v *Search, s *searchStream) tea.Cmd {
	return v.env.Jobs.Quiet(v, "hits", views.Read(s.take))
}

// clear empties the list.
func (v *Search) clear() {
	v.hits.results, v.offers = search.NewResults(v.mode.sort), offers{}
	v.showRows()
}

// receiveBatch takes what the search reported, and waits for more.
func (v *Search) receiveBatch(b searchBatch) tea.Cmd {
	if b.stream != v.run.stream {
		return nil
	}
	if v.run.pending {
		v.clear()
		v.run.pending = false
		v.List.Select("")
		v.List.Move(-v.List.Len())
	}
	changed, first := false, v.List.Index() == 0 // Whoever is at the top stays there.
	for _, e := range b.events {
		if s, ok := e.(search.Suggested); ok {
			v.offers.all = append(v.offers.all, s.Suggestion)
		}
		v.run.receive(e)
		changed = v.hits.results.Add(e) || changed
	}
	if changed {
		v.showRows()
		if v.run.elapsed == 0 && v.List.Len() > 0 {
			v.run.elapsed = v.env.Now().Sub(v.run.started)
		}
		if first {
			v.List.Move(-v.List.Len())
		}
	}
	if !b.ended {
		next := takeBatch(v, b.stream)
		if v.run.visitsNow(v.List.Len()) {
			return tea.Batch(v.visit(), next)
		}
		return next
	}
	if v.List.Len() == 0 {
		v.run.elapsed = v.env.Now().Sub(v.run.started)
	}
	v.run.stream = nil
	v.List.Empty = v.run.emptyText()
	if v.run.visitsNow(v.List.Len()) {
		return v.visit()
	}
	return nil
}

// showRows gives the list the hits. Rows that were there stay the same.
func (v *Search) showRows() {
	v.hits.update()
	v.Dirty = true
	v.SetRows(v.hits.rows)
	v.List.Empty = v.run.emptyText()
}

// stop cancels the search that runs and keeps its hits. It reports whether one ran.
func (v *Search) stop() bool {
	if v.run.stream == nil {
		return false
	}
	v.env.Jobs.Cancel(v, "search", "hits")
	v.run.stop(v.env.Now())
	v.List.Empty = v.run.emptyText()
	return true
}

// searchDatabase returns what searches the database of an Env, with what earlier searches have left.
func searchDatabase(e *views.Env, kept *search.Kept) views.SearchFunc {
	db, files := e.DB, e.Files
	return func(ctx context.Context, q search.Query, order search.Sort, emit func(search.Event)) error {
		return search.Run(ctx, db, q, search.Options{Sort: order, FilesFolder: files, Kept: kept}, emit)
	}
}

// recall puts a query of the history into the input.
func (v *Search) recall(query string, ok bool) tea.Cmd {
	if !ok {
		return nil
	}
	v.mode.regexp = false // A regular expression stands between slashes there.
	return v.setQuery(query)
}

// remember adds the present query to the history.
func (v *Search) remember() tea.Cmd {
	query, path := v.query.Text, v.env.Queries
	if v.query.IsEmpty() {
		return nil
	}
	if v.mode.regexp && len(v.query.Filters) == 0 {
		query = "/" + strings.ReplaceAll(query, "/", `\/`) + "/"
	}
	if n := len(v.history.queries); n > 0 && v.history.queries[n-1] == query {
		return nil
	}
	v.history.add(query)
	if path == "" {
		return nil
	}
	return v.env.Jobs.Quiet(v.env, "keep query", func(context.Context, func(int, int, string)) (tea.Msg, error) {
		return nil, writeQuery(path, query)
	})
}

// searchEngine returns what searches the database.
func searchEngine(v *Search) views.SearchFunc {
	if v.env.Searches != nil {
		return v.env.Searches
	}
	return searchDatabase(v.env, &v.kept)
}

// openSearch opens the search over the whole file, with the query of the last time, or returns
// to the one below.
func openSearch(e *views.Env, stack []ui.Screen) tea.Cmd {
	if v, ok := searchBelow(stack); ok {
		v.focusInput()
		return ui.Say(ui.BackToMsg{Screen: v})
	}
	v, ok := e.LastSearch.(*Search)
	if !ok || containsScreen(stack, v) {
		v = NewSearch(e)
		e.LastSearch = v
	}
	v.origin = originOf(stack)
	v.focusInput()
	v.prompt.replaces = v.prompt.Value() != ""
	return ui.Say(ui.PushMsg{Screen: v})
}

// originOf returns the conversation of the top screen; 0 is none.
func originOf(stack []ui.Screen) int64 {
	if t, ok := stack[len(stack)-1].(interface{ ConversationID() int64 }); ok {
		return t.ConversationID()
	}
	return 0
}
