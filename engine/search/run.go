package search

import (
	"context"
	"sync"

	"lcm-tui/data"
	sqlsearch "lcm-tui/data/search"
)

// Options say how a search is done.
type Options struct {
	Sort Sort // Empty is Newest.
	// Ordered holds hits of one kind back until those of other kinds that stand before them are
	// found. Without it hits come as soon as they are known, and Results puts them in order.
	Ordered bool
	// Conversations are those that are searched, or nil for all.
	Conversations []int64
	// FilesFolder is the folder with the contents of large files; without it only their names
	// and descriptions are searched.
	FilesFolder string
}

// Run searches a file and reports what it finds to emit, which is called by one goroutine at a
// time and not after Run returned. It ends when everything was searched, with an error, or with
// the context's error soon after that ends.
func Run(ctx context.Context, db *data.DB, q Query, o Options, emit func(Event)) error {
	if o.Sort == "" {
		o.Sort = Newest
	}
	if q.IsEmpty() {
		emit(Counted{})
		return nil
	}
	r := &run{db: db, query: q, Options: o, out: collector{emit: emit, sort: o.Sort, ordered: o.Ordered}}
	return r.search(ctx)
}

// run is one search.
type run struct {
	db    *data.DB
	query Query
	Options
	out collector

	conditions []sqlsearch.Condition
	expression string // For the search tables; empty if they can't help.
	// recheck says that the search tables may find more than the query asks for.
	recheck bool
}

// collector hands events on, from one goroutine at a time.
type collector struct {
	mu      sync.Mutex
	emit    func(Event)
	sort    Sort
	ordered bool
}

func (c *collector) send(e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.emit(e)
}

func (r *run) oldest() bool { return r.Sort == Oldest }

func (r *run) search(ctx context.Context) error {
	r.plan()
	return r.indexedMessages(ctx)
}

// plan decides what the search tables are asked.
func (r *run) plan() {
	var groups [][]sqlsearch.IndexTerm
	for _, g := range r.query.Groups {
		terms, ok := indexTerms(g)
		if !ok {
			r.recheck = true
			continue
		}
		groups = append(groups, terms)
	}
	excluded, ok := indexTerms(r.query.Excluded)
	r.recheck = r.recheck || !ok || r.query.matchCase || r.query.wholeWord
	r.expression = sqlsearch.IndexExpression(groups, excluded)
}

// indexTerms are terms as the search tables take them; ok is false if one of them can't be
// found there.
func indexTerms(terms []Term) (out []sqlsearch.IndexTerm, ok bool) {
	for _, t := range terms {
		if t.Kind == Regexp || !isIndexable(t.Text) {
			return nil, false
		}
		out = append(out, sqlsearch.IndexTerm{Text: t.Text, Prefix: t.Kind == Prefix})
	}
	return out, true
}
