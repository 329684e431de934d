package search

import (
	"fmt"
	"slices"
	"time"

	"lcm-tui/engine/search"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// searchRun is what is known of the search for the present query.
type searchRun struct {
	query    search.Query
	order    search.Sort
	local    func(time.Time) time.Time
	stream   *searchStream // Nil where none is running.
	pending  bool          // Nothing came yet: the list is still that of the query before.
	visits   bool          // Enter was pressed for this query: its first hit is visited as soon as it is known.
	started  time.Time
	elapsed  time.Duration
	progress search.Progress
	notes    []string
	stopped  string // How far it came, where it was stopped.
}

// receive takes an event that says how the search goes.
func (r *searchRun) receive(e search.Event) {
	switch e := e.(type) {
	case search.Progress:
		r.progress = e
	case search.Noted:
		if !slices.Contains(r.query.Notes, e.Text) { // Those stand under the query already.
			r.notes = append(r.notes, e.Text)
		}
	}
}

// stop notes that the search was stopped.
func (r *searchRun) stop(now time.Time) {
	r.stream, r.pending = nil, false
	r.stopped = "stopped; " + r.reachText()
	if r.elapsed == 0 {
		r.elapsed = now.Sub(r.started)
	}
}

// emptyText says why the list has no rows.
func (r *searchRun) emptyText() string {
	switch {
	case r.stream != nil:
		return "searching…"
	case r.stopped != "":
		return "nothing found so far: " + r.reachText()
	}
	return "nothing found: " + r.query.Advice()
}

// reachText says how far the search came.
func (r *searchRun) reachText() string {
	if r.progress.Back.IsZero() {
		return "not everything was searched"
	}
	day := r.local(r.progress.Back).Format("2006-01-02 15:04")
	if r.order == search.Oldest {
		return "searched up to " + day
	}
	return "searched back to " + day
}

// stateText returns how far the search is, or how far it came.
func (r *searchRun) stateText() string {
	if r.stream != nil && !r.pending && !r.progress.Back.IsZero() {
		return r.kindText() + r.reachText() + fmt.Sprintf(" (%.0f%%)", 100*r.progress.Done) + " · esc stops"
	}
	return r.stopped
}

// kindText returns what is being read, in front of how far.
func (r *searchRun) kindText() string {
	switch r.progress.Kind {
	case search.PartKind:
		return "tool calls: "
	case search.SummaryKind:
		return "summaries: "
	case search.FileKind:
		return "files: "
	}
	return ""
}

// resultText returns how many of the hits are listed, and how long that took.
func (r *searchRun) resultText(hits *hitList) string {
	switch {
	case r.query.IsEmpty():
		return ""
	case r.pending:
		return "searching…"
	}
	total, more := hits.results.Count()
	if total == 0 && r.stream != nil {
		return "searching…"
	}
	text, listed := hits.countText(), 0
	for _, row := range hits.rows {
		listed += max(1, row.Copies)
	}
	if listed < total {
		text = ui.Num(int64(listed)) + " of " + text
	}
	if total == 1 && !more {
		text += " hit"
	} else {
		text += " hits"
	}
	return fmt.Sprintf("%s · %.2fs", text, r.elapsed.Seconds())
}

// hitList is what was found, and its rows in the list.
type hitList struct {
	results *search.Results
	rows    []*hitRow
}

func newHitList(order search.Sort) hitList { return hitList{results: search.NewResults(order)} }

// update makes the rows. Those that were there stay the same.
func (l *hitList) update() { l.rows = hitRows(l.results.Rows(), l.rows) }

// place returns which of the hits a row is, of how many. A row of equal texts is several hits.
func (l *hitList) place(row int) string {
	first := 1
	for _, r := range l.rows[:row] {
		first += max(1, r.Copies)
	}
	text, last := ui.Num(int64(first)), first+max(1, l.rows[row].Copies)-1
	if last > first {
		text += "–" + ui.Num(int64(last))
	}
	return text + " of " + l.countText()
}

// countText returns how many hits there are.
func (l *hitList) countText() string {
	total, more := l.results.Count()
	return ui.Num(int64(total)) + views.TextWhen(more && total > 0, "+")
}

// waitsToVisit reports whether the first of so many hits isn't known yet when Enter is pressed for it, and notes that it is visited as soon as it
// comes: until then the list is that of the query before.
func (r *searchRun) waitsToVisit(hits int) bool {
	r.visits = r.stream != nil && (r.pending || hits == 0)
	return r.visits
}

// visitsNow reports whether the first of so many hits is waited for and known: no other one comes before it.
func (r *searchRun) visitsNow(hits int) bool {
	inOrder := r.order == search.Newest || r.order == search.Oldest
	if !r.visits || hits == 0 || r.stream != nil && !inOrder {
		return false
	}
	r.visits = false
	return true
}
