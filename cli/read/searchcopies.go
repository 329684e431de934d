package read

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	err := out.find(ctx, false)
	if err == nil && len(out.Hits) == 0 { // Tool calls, and other queries that find something: only where nothing has the text.
		var enough context.CancelFunc
		once := ctx
		ctx, enough = context.WithTimeout(ctx, unaskedParts+suggestTime)
		defer enough()
		if err = out.find(ctx, true); once.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			err = nil
		}
	}
	if err != nil {
		return nil, err
	}
	c.Exit = cli.ExitOf(out.Fleet)
	if c.Opts.JSON {
		return out, nil
	}
	out.Print(out.print)
	return nil, out.print.Flush()
}

// suggestTime is how long other queries are looked for in all copies.
const suggestTime = 2 * time.Second

// find searches each copy and merges what comes, until there are enough hits. everything goes on where a copy has no hit.
func (r *copyHits) find(ctx context.Context, everything bool) error {
	parent := ctx
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	streams := make([]*copyStream, len(r.Fleet))
	var group parallel.Group
	for i := range r.Fleet {
		if r.Fleet[i].Database == "" {
			continue
		}
		s := &copyStream{everything: everything, found: make(chan []search.Hit)}
		streams[i] = s
		group.Go(func() {
			defer close(s.found)
			s.err = s.run(ctx, r.Fleet[i].Database, r)
		})
	}
	r.merge(streams)
	stop()
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

// merge takes the next hit again and again from the copy that has it.
func (r *copyHits) merge(streams []*copyStream) {
	for len(r.Hits) < r.limit {
		at := -1
		for i, s := range streams {
			if h := s.first(); h != nil && (at < 0 || r.isBefore(h, streams[at].first())) {
				at = i
			}
		}
		if at < 0 {
			return
		}
		s := streams[at]
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
}

// isBefore reports whether a hit comes before another one in the order of the list.
func (r *copyHits) isBefore(a, b *search.Hit) bool {
	if r.sort == search.Oldest {
		return a.At.Time.Before(b.At.Time)
	}
	return a.At.Time.After(b.At.Time)
}

// copyStream is the search in one copy.
type copyStream struct {
	everything bool // It goes on where no message and no summary has the text.
	found      chan []search.Hit
	queue      []search.Hit // Of them, those that aren't listed yet.

	// What follows is written by the search until it closes found.
	promptsOnly []int64
	counted     search.Counted
	ended       bool // All was searched.
	notes       []string
	suggested   []offer
	err         error
}

// first returns the next hit, and waits for it; nil is the end.
func (s *copyStream) first() *search.Hit {
	for s != nil && len(s.queue) == 0 {
		hits, more := <-s.found
		if !more {
			return nil
		}
		s.queue = hits
	}
	if s == nil {
		return nil
	}
	return &s.queue[0]
}

// run searches a copy. It waits while nobody takes its hits.
func (s *copyStream) run(ctx context.Context, path string, r *copyHits) (err error) {
	db, err := data.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	o := search.Options{Sort: r.sort, Ordered: true, UnaskedParts: unaskedParts}
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
	nothing := false
	err = search.Run(ctx, db, r.query, o, func(e search.Event) {
		switch e := e.(type) {
		case search.Found:
			select {
			case s.found <- slices.Clone(e.Hits):
			case <-ctx.Done():
			}
		case search.Counted:
			s.counted = e
			if nothing = e.Total == 0 && !e.More && !s.everything; nothing {
				stop()
			}
		case search.Noted:
			s.notes = append(s.notes, e.Text)
		case search.Suggested:
			s.suggested = append(s.suggested, offer{e.Reason, e.Query, e.Count, e.More})
		}
	})
	if nothing {
		err = nil
	}
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
		if c.Error != "" {
			p.Line(ui.Line(c.Source) + ": " + ui.Line(c.Error))
		}
	}
}
