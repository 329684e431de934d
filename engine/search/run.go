package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/searchwords"
	"lcm-tui/data/textsearch"
	"lcm-tui/internal/parallel"
)

// Options say how a search is done.
type Options struct {
	Sort Sort // Empty is Newest.
	// Ordered holds hits of one kind back until those of other kinds that stand before them are
	// found. Texts that are read one by one come in the order of ids within a conversation whose
	// times don't rise with its ids. Without it hits come as soon as they are known, and Results
	// puts them in order.
	Ordered bool
	// Conversations are those that are searched, or nil for all.
	Conversations []int64
	// UnaskedTime is how long parts of messages are read where the query doesn't ask for them and
	// no message has the text, and how long each other query is tried where nothing has it; 0: to the end. No search table has
	// parts, and some of the other queries read every text.
	UnaskedTime time.Duration
	// Unasked says whether more is wanted where no message has the text: parts that the query doesn't ask for, and, if nothing is
	// found in them either, other queries. It may take its time; nil: it is wanted.
	Unasked func() bool
	// Kept is what earlier searches of the file have left; nil: nothing.
	Kept *Kept
	// Runs are ranges of all messages in which times rise with ids, of a file that nobody writes; nil: they aren't known.
	// With them the first hits of many come before these are counted.
	Runs []textsearch.TimeRun
	// FilesFolder is the folder with the contents of large files; without it only their names
	// and descriptions are searched.
	FilesFolder string
	// Whole finds every hit: it reads all texts, so that it needs no search table, also parts of
	// messages, and ends at no number of hits.
	Whole bool
}

// Run searches a file and reports what it finds to emit, which is called by one goroutine at a
// time and not after Run returned. It ends when everything was searched, with an error, or with
// the context's error soon after that ends.
func Run(ctx context.Context, db *data.DB, q Query, o Options, emit func(Event)) error {
	if o.Sort == "" {
		o.Sort = Newest
	}
	r := newRun(db, q, o)
	r.out = newCollector(ctx, emit, o)
	err := r.search(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// run is one search.
type run struct {
	db    *data.DB
	query Query
	Options
	out *collector

	conditions conditions
	// scannedSummaries says that no search table chose the summaries.
	scannedSummaries bool
	// partsUntil is when the reading of parts ends; zero: at their end.
	partsUntil time.Time
	// isTrial says that the search is for a suggestion: it makes none itself.
	isTrial bool

	expression string                  // For the search tables of words; empty if they can't help.
	words      textsearch.ReplicaWords // The same for the index of a replica.
	// replica is that which is searched, or nil, and replicaProblem says why its index can't be used, or is empty.
	replica        *data.Replica
	replicaProblem string
	// recheck says that the search tables may find more than the query asks for.
	recheck bool
	// shown are the messages that were looked at before all were counted.
	shown map[int64]bool
}

// newRun returns a search that hands on nothing yet.
func newRun(db *data.DB, q Query, o Options) *run {
	r := &run{db: db, query: q, Options: o}
	r.replica, _ = db.Replica()
	r.conditions = conditions{db: db, filters: q.Filters, conversations: o.Conversations, note: r.note}
	return r
}

func (r *run) note(format string, args ...any) { r.out.send(Noted{fmt.Sprintf(format, args...)}) }

func (r *run) oldest() bool { return r.Sort == Oldest }

// stream searches the texts of one kind.
type stream struct {
	kind   Kind
	search func(context.Context) error
}

func (r *run) search(ctx context.Context) error {
	for _, n := range r.query.Notes {
		r.note("%s", n)
	}
	if r.query.IsEmpty() {
		r.out.send(Counted{})
		return nil
	}
	if err := r.conditions.resolve(ctx); err != nil {
		return err
	}
	r.planIndex()
	if err := r.planReplica(ctx); err != nil {
		return err
	}
	first := []stream{{MessageKind, r.messages}}
	second := []stream{{SummaryKind, r.summaries}}
	third := []stream{{FocusKind, r.focusBriefs}, {FileKind, r.files}}
	if r.conditions.wants(PartKind) && r.asksForParts() {
		second = append(second, stream{PartKind, r.parts})
	}
	if err := r.runStreams(ctx, r.wanted(first), r.wanted(second), r.wanted(third)); err != nil {
		return err
	}
	if err := r.unaskedParts(ctx); err != nil {
		return err
	}
	r.out.finish()
	switch {
	case r.isTrial:
		return nil
	case r.out.counted.Total == 0 && r.query.HasText() && r.wantsUnasked():
		return (&suggestions{db: r.db, query: r.query, options: r.Options, out: r.out}).suggest(ctx)
	case r.Sort == Best && r.query.HasText():
		return r.rank(ctx)
	}
	return nil
}

// unaskedParts searches parts of messages that the query doesn't ask for, where no message has the text.
func (r *run) unaskedParts(ctx context.Context) error {
	if r.isTrial || !r.conditions.wants(PartKind) || r.asksForParts() || !r.query.HasText() || r.out.has(MessageKind) || !r.wantsUnasked() {
		return nil
	}
	if r.UnaskedTime > 0 {
		r.partsUntil = time.Now().Add(r.UnaskedTime)
	}
	return r.runStreams(ctx, []stream{{PartKind, r.parts}})
}

// wantsUnasked reports whether more is wanted than the query asks for. It asks once.
func (o *Options) wantsUnasked() bool {
	if o.Unasked != nil {
		wanted := o.Unasked()
		o.Unasked = func() bool { return wanted }
		return wanted
	}
	return true
}

// asksForParts reports whether the user asked for parts of messages. They are searched as well
// where nothing is found in messages, because no search table has them.
func (r *run) asksForParts() bool {
	return r.Whole && r.query.HasText() || slices.ContainsFunc(r.query.Filters, func(f Filter) bool {
		return !f.Not && (f.Name == "tool" || f.Name == "kind" && slices.Contains(f.Values, "part"))
	})
}

// wanted returns the streams that can find something under the filters.
func (r *run) wanted(all []stream) (out []stream) {
	for _, s := range all {
		listsTools := s.kind == MessageKind && !r.query.HasText() && len(r.query.filters("tool")) > 0 // Its parts are listed.
		if r.conditions.wants(s.kind) && !listsTools {
			out = append(out, s)
		}
	}
	return out
}

// runStreams runs lists of streams at the same time, each list one after the other.
func (r *run) runStreams(ctx context.Context, lists ...[]stream) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, list := range lists {
		for _, s := range list {
			r.out.begin(s.kind)
		}
	}
	errs := make([]error, len(lists))
	var group parallel.Group
	for i, list := range lists {
		group.Go(func() {
			for _, s := range list {
				if errs[i] = s.search(ctx); errs[i] != nil {
					cancel()
					return
				}
				r.out.end(s.kind)
			}
		})
	}
	group.Wait()
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	slices.SortStableFunc(errs, func(a, b error) int { // What stopped the others comes first.
		return boolOrder(errors.Is(a, context.Canceled), errors.Is(b, context.Canceled))
	})
	return errors.Join(errs[:min(1, len(errs))]...)
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// planIndex decides what the search tables of words are asked.
func (r *run) planIndex() {
	if r.Whole {
		r.recheck = true
		return
	}
	var groups [][]textsearch.IndexTerm
	for _, g := range r.query.Groups {
		terms, ok := indexTerms(g, r.replica != nil)
		if !ok {
			r.recheck = true
			continue
		}
		groups = append(groups, terms)
	}
	excluded, ok := indexTerms(r.query.Excluded, r.replica != nil)
	r.recheck = r.recheck || !ok || r.query.options.MatchCase || r.query.options.WholeWord
	r.words.WordQuery = data.WordQuery{Groups: groups, Excluded: excluded}
	r.expression = textsearch.IndexExpression(groups, excluded)
}

// indexTerms returns terms as the search tables take them; ok is false if one of them can't be
// found there. The index of a replica also finds characters of writings without blanks.
func indexTerms(terms []Term, isReplica bool) (out []textsearch.IndexTerm, ok bool) {
	for _, t := range terms {
		switch {
		case t.Kind != Regexp && isIndexable(t.Text):
			out = append(out, textsearch.IndexTerm{Text: t.Text, Prefix: t.Kind == Prefix})
		case t.Kind != Regexp && isReplica && len(searchwords.Pairs(t.Text)) > 0:
			out = append(out, textsearch.IndexTerm{Text: t.Text, Part: true})
		default:
			return nil, false
		}
	}
	return out, true
}
