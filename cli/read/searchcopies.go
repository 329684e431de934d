package read

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/engine/search"
	"lcm-tui/internal/parallel"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// copyHits is the result of a search in the copies of several machines: one list in the order of time, with one limit.
// As text its hits are printed while they are found.
type copyHits struct {
	Total       int        `json:"total"`
	Capped      bool       `json:"capped"` // There are more than Total.
	Hits        []copyHit  `json:"hits"`
	Notes       []string   `json:"notes,omitempty"`
	Suggestions []offer    `json:"suggestions,omitempty"`
	Fleet       []cli.Copy `json:"fleet"`
	cli.WarningList

	f      *searchFlags
	query  search.Query
	sort   search.Sort
	limit  int
	lists  []*hitList // One for each copy: it knows how to print a hit.
	print  *cli.Printer
	advice string
}

// copyHit is a hit in the copy of a machine.
type copyHit struct {
	source string
	search.Hit
}

// MarshalJSON returns the hit as search prints it, with its machine.
func (h copyHit) MarshalJSON() ([]byte, error) {
	hit, err := json.Marshal(h.Hit)
	if err != nil {
		return nil, err
	}
	source, err := json.Marshal(h.source)
	return slices.Concat([]byte(`{"source":`), source, []byte(","), hit[1:]), err
}

// searchCopies searches all copies at the same time. Each search waits until its next hit is wanted.
func (f *searchFlags) searchCopies(ctx context.Context, c *cli.Invocation, q search.Query) (cli.Result, error) {
	out := &copyHits{Hits: []copyHit{}, Fleet: c.Copies, f: f, query: q, sort: search.Sort(f.sort.Value), limit: int(f.limit.Value), advice: q.Advice()}
	if !c.Opts.JSON {
		out.print = c.NewPrinter()
	}
	width := 0
	for _, one := range c.Copies {
		width = max(width, len(one.Source))
		out.lists = append(out.lists, &hitList{zone: f.zone.At, print: out.print, source: one.Source})
	}
	for _, l := range out.lists {
		l.sourceWidth = width
	}
	if err := out.find(ctx); err != nil {
		return nil, err
	}
	c.Exit = cli.ExitOf(out.Fleet)
	if c.Opts.JSON {
		return out, nil
	}
	out.Print(out.print)
	return nil, out.print.Flush()
}

// copiesTime is how long parts of messages and other queries are looked for in all copies.
const copiesTime = 2 * unaskedTime

// find searches each copy and merges what comes, until there are enough hits.
func (r *copyHits) find(ctx context.Context) error {
	parent := ctx
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	streams := make([]*copyStream, len(r.Fleet))
	news, enough, turns := make(chan copyNews), make(chan struct{}), make(chan struct{}, runtime.GOMAXPROCS(0))
	var group parallel.Group
	for i := range r.Fleet {
		if r.Fleet[i].Database == "" {
			continue
		}
		s := &copyStream{sort: r.sort, news: news, enough: enough, wanted: make(chan struct{}), isRunning: true}
		if !r.Fleet[i].IsReplica { // Those wait for their server most of the time.
			s.turns = turns
		}
		streams[i] = s
		group.Go(func() {
			s.err = s.run(ctx, &r.Fleet[i], r)
		})
	}
	r.merge(ctx, streams, news)
	if len(r.Hits) == 0 { // Tool calls, and other queries that find something: only where nothing has the text.
		defer time.AfterFunc(copiesTime, stop).Stop()
		for _, s := range streams {
			if s != nil && s.isEmpty {
				s.isEmpty, s.isUnlimited = false, true
			}
		}
		r.merge(ctx, streams, news)
	}
	close(enough)
	group.Wait()
	r.Total, r.Capped = 0, false
	for i, s := range streams {
		if s == nil {
			continue
		}
		r.Total += s.counted.Total
		r.Capped = r.Capped || s.counted.More || !s.ended
		for _, n := range s.notes {
			if !slices.Contains(r.Notes, n) {
				r.Notes = append(r.Notes, n)
			}
		}
		if s.err != nil && !errors.Is(s.err, context.Canceled) && !errors.Is(s.err, context.DeadlineExceeded) {
			r.Fleet[i].Error, r.Fleet[i].Exit = data.ProblemOf(s.err), cli.ExitFailed
		}
		r.suggest(s.suggested)
	}
	r.Total = max(r.Total, len(r.Hits))
	return parent.Err()
}

// suggest adds queries that find something in a copy to those of the others.
func (r *copyHits) suggest(more []offer) {
	for _, o := range more {
		at := slices.IndexFunc(r.Suggestions, func(known offer) bool { return known.Query == o.Query })
		if at < 0 {
			r.Suggestions = append(r.Suggestions, o)
			continue
		}
		r.Suggestions[at].Total += o.Total
		r.Suggestions[at].Capped = r.Suggestions[at].Capped || o.Capped
	}
}

// merge takes the next hit again and again from the copy that has it, and lets those go on that may have it.
func (r *copyHits) merge(ctx context.Context, streams []*copyStream, news <-chan copyNews) {
	for len(r.Hits) < r.limit {
		at := -1
		for i, s := range streams {
			if s != nil && len(s.queue) > 0 && (at < 0 || isBefore(r.sort, &s.queue[0], &streams[at].queue[0])) {
				at = i
			}
		}
		waits := false
		for _, s := range streams {
			if s != nil && len(s.queue) == 0 && !s.isDone && !s.isEmpty && (at < 0 || !s.isBehind(&streams[at].queue[0])) {
				waits = true
				s.goOn(ctx)
			}
		}
		switch {
		case waits:
			select {
			case n := <-news:
				s := n.of
				s.queue, s.reached, s.isDone, s.isEmpty, s.isRunning = n.hits, n.reached, n.isDone, n.isEmpty, false
			case <-ctx.Done():
				return
			}
		case at < 0:
			return
		default:
			r.take(at, streams[at])
		}
	}
}

// take adds the next hit of a copy to the list.
func (r *copyHits) take(at int, s *copyStream) {
	hit := s.queue[0]
	s.queue = s.queue[1:]
	for len(s.queue) > 0 && hit.Fold(&s.queue[0]) { // Neighbours with the same text are one.
		s.queue = s.queue[1:]
	}
	r.Hits = append(r.Hits, copyHit{r.Fleet[at].Source, hit})
	if r.print != nil {
		r.lists[at].PromptsOnly = s.promptsOnly
		r.print.Line(r.lists[at].line(&hit))
		_ = r.print.Flush() // The printer keeps the error.
	}
}

// isBefore reports whether a hit comes before another one in the order of the list.
func isBefore(sort search.Sort, a, b *search.Hit) bool {
	if sort == search.Oldest {
		return a.At.Time.Before(b.At.Time)
	}
	return a.At.Time.After(b.At.Time)
}

// copyNews is how far the search in a copy came. Then it waits until its next hit is wanted.
type copyNews struct {
	of      *copyStream
	hits    []search.Hit
	reached time.Time // What it finds next stands behind this; zero where that isn't known.
	isDone  bool      // It finds nothing more.
	isEmpty bool      // No message has the text: it finds more only in what wasn't asked for.
}

// copyStream is the search in one copy.
type copyStream struct {
	sort   search.Sort
	news   chan<- copyNews
	wanted chan struct{}   // Its next hit is wanted.
	enough <-chan struct{} // Closed when no more hits are wanted.
	turns  chan struct{}   // Has room for those that may search at the same time; nil for all.

	// What came of it.
	queue     []search.Hit // That aren't listed yet.
	reached   time.Time
	isDone    bool
	isEmpty   bool
	isRunning bool
	// isUnlimited says that it waits for no turn: what is read has a limit of time.
	isUnlimited bool

	// What follows is written by the search until it ends.
	hasTurn     bool
	promptsOnly []int64
	counted     search.Counted
	scans       bool // It reads texts one by one.
	ended       bool // All was searched.
	notes       []string
	suggested   []offer
	err         error
}

// goOn lets a search go on that waits.
func (s *copyStream) goOn(ctx context.Context) {
	if s.isRunning {
		return
	}
	select {
	case s.wanted <- struct{}{}:
		s.isRunning = true
	case <-ctx.Done():
	}
}

// isBehind reports whether all that the search finds from now on comes after a hit.
func (s *copyStream) isBehind(h *search.Hit) bool {
	return !s.reached.IsZero() && h.At.Valid() && isBefore(s.sort, h, &search.Hit{At: data.Time{Time: s.reached}})
}

// tell says what was found, and waits until more is wanted. It reports whether the search goes on. Where no more hits are wanted it goes
// on to where it would tell the next ones, so that those are counted that a search table knows; a search that reads texts one by one
// ends.
func (s *copyStream) tell(ctx context.Context, n copyNews) (goesOn bool) {
	n.of = s
	select {
	case <-s.enough:
		return false
	default:
	}
	s.endTurn()
	defer s.beginTurn()
	select {
	case s.news <- n:
	case <-s.enough:
		return false
	case <-ctx.Done():
		return false
	}
	select {
	case <-s.wanted:
		return true
	case <-s.enough:
		return !s.scans
	case <-ctx.Done():
		return false
	}
}

// beginTurn waits until fewer copies are searched than the machine has processors: they would only take time from each other.
func (s *copyStream) beginTurn() {
	if s.turns != nil && !s.isUnlimited {
		s.turns <- struct{}{}
		s.hasTurn = true
	}
}

func (s *copyStream) endTurn() {
	if s.hasTurn {
		<-s.turns
		s.hasTurn = false
	}
}

// run searches a copy, and says so when nothing more is found: before the file is closed.
func (s *copyStream) run(ctx context.Context, in *cli.Copy, r *copyHits) (err error) {
	s.beginTurn()
	db, err := data.Open(ctx, in.Database)
	if err == nil {
		defer func() { err = errors.Join(err, db.Close()) }()
		err = s.search(ctx, db, in, r)
		for _, w := range db.Warnings() {
			if errors.Is(w, data.ErrDamaged) { // Hits may be missing.
				err = w
			}
		}
	}
	s.endTurn()
	select {
	case s.news <- copyNews{of: s, isDone: true}:
	case <-s.enough:
	case <-ctx.Done():
	}
	return err
}

// search searches a database. It waits while nobody wants its hits.
func (s *copyStream) search(ctx context.Context, db *data.DB, in *cli.Copy, r *copyHits) (err error) {
	o := search.Options{Sort: r.sort, Ordered: true, UnaskedTime: unaskedTime, Runs: in.Runs}
	if r.f.scope.IsSet() {
		scope, err := r.f.scope.ResolveIn(ctx, db)
		if err != nil {
			return err
		}
		if !scope.All() {
			o.Conversations = append([]int64{}, scope.IDs()...)
		}
	}
	if s.promptsOnly, err = promptsOnly(ctx, db); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	tell := func(n copyNews) {
		if !s.tell(ctx, n) {
			stop()
		}
	}
	o.Unasked = func() bool { return s.tell(ctx, copyNews{isEmpty: true}) && s.isUnlimited }
	err = search.Run(ctx, db, r.query, o, func(e search.Event) {
		switch e := e.(type) {
		case search.Found:
			tell(copyNews{hits: slices.Clone(e.Hits)})
		case search.Progress:
			s.scans = true
			if in.Runs != nil && !e.Reached.IsZero() {
				tell(copyNews{reached: e.Reached})
			}
		case search.Counted:
			s.counted = e
		case search.Noted:
			s.notes = append(s.notes, e.Text)
		case search.Suggested:
			s.suggested = append(s.suggested, offer{e.Reason, e.Query, e.Count, e.More})
		}
	})
	s.ended = err == nil
	return err
}

// Print implements cli.Result: what stands below the hits.
func (r *copyHits) Print(p *cli.Printer) {
	copies := 0
	for _, c := range r.Fleet {
		if c.Database != "" && c.Error == "" {
			copies++
		}
	}
	in := " in " + plural.Count(copies, "copy", "copies")
	switch {
	case len(r.Hits) == 0:
		p.Muted("no hits" + in)
		if len(r.Suggestions) == 0 {
			p.Muted(r.advice)
		}
	case r.Capped:
		p.Muted(plural.Count(len(r.Hits), "line", "lines") + " of more than " + plural.Count(r.Total, "hit", "hits") + in)
	default:
		p.Muted(fmt.Sprintf("%s of %s", plural.Count(len(r.Hits), "line", "lines"), plural.Count(r.Total, "hit", "hits")) + in)
	}
	for _, n := range r.Notes {
		p.Muted("note: " + ui.Line(n))
	}
	printOffers(p, r.Suggestions)
	for _, c := range r.Fleet {
		cli.PrintProblem(p, c.Source, c.Error)
	}
}
