package search

import (
	"cmp"
	"context"
	"hash/maphash"
	"iter"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/textsearch"
	"lcm-tui/internal/parallel"
	"lcm-tui/internal/sorting"
)

const (
	// The number of hits that are read at once grows from page to page, so that the first ones
	// come soon.
	firstPage = 50
	lastPage  = 400
	// sliceIDs is how many ids are read one by one between two reports of progress.
	sliceIDs = 5000
	// slowIndex is after what time a question to a search table costs too much to be asked for
	// each page again: the beginning of very many words.
	slowIndex = 100 * time.Millisecond

	messageIndex = data.MessageIndex
	summaryIndex = data.SummaryIndex
)

// messages searches the texts of messages.
func (r *run) messages(ctx context.Context) error {
	if r.expression == "" {
		return r.scanMessages(ctx)
	}
	find, note := r.indexedMessages, ""
	if r.replica == nil {
		note = indexProblem(r.db, messageIndex)
	} else {
		find, note = r.replicaMessages, r.replicaProblem
	}
	if note != "" {
		r.note("%s: the texts of messages are read one by one", note)
		return r.scanMessages(ctx)
	}
	err := find(ctx)
	if err != nil && ctx.Err() == nil && !r.out.has(MessageKind) {
		r.note("the search index of messages can't be read: the texts of messages are read one by one")
		return r.scanMessages(ctx)
	}
	return err
}

// indexProblem says why a search table can't be used, or is empty.
func indexProblem(db *data.DB, table string) string {
	s, name := db.Schema(), "messages"
	if table != messageIndex {
		name = "summaries"
	}
	switch {
	case slices.Contains(s.BrokenFTS, table):
		return "the search index of " + name + " is broken"
	case !slices.Contains(s.FTS, table):
		return "the file has no search index of " + name
	}
	return ""
}

// indexedMessages finds messages by the search table. Up to MaxHits of them are put in the
// order of their times before the first is shown; of more, those in ranges with the newest
// times are looked for range by range.
func (r *run) indexedMessages(ctx context.Context) error {
	limits, err := r.conditions.readMessageRange(ctx)
	if err != nil || limits.From > limits.To {
		return err
	}
	if goOn, err := (&firstMessages{run: r}).show(ctx, limits); err != nil || !goOn {
		return err
	}
	start := time.Now()
	ids, err := textsearch.MatchingMessages(ctx, r.db, r.expression, limits, r.oldest(), MaxHits+1)
	if err != nil {
		return err
	}
	isSlow := time.Since(start) > slowIndex
	var times []textsearch.MessageTime // Of those for which the conditions hold.
	if len(ids) <= MaxHits || r.isCertain() {
		if times, err = textsearch.MessageTimes(ctx, r.db, ids, r.conditions.of(MessageKind)); err != nil {
			return err
		}
	}
	if r.isCertain() && (len(ids) <= MaxHits || len(times) > MaxHits) {
		r.out.knows(MessageKind, Counted{min(len(times), MaxHits), len(times) > MaxHits})
	}
	if len(ids) > MaxHits {
		if isSlow {
			return r.scanMessages(ctx)
		}
		return newManyMessages(r, limits).show(ctx)
	}
	sortTimes(times, r.oldest())
	_, err = r.showPages(ctx, unshown(times, r.shown))
	return err
}

// showPages reads messages page by page and reports those that the query finds, in their order.
func (r *run) showPages(ctx context.Context, times []textsearch.MessageTime) (goOn bool, err error) {
	for page := range pagesOf(times) {
		if goOn, err := r.showMessages(ctx, page); err != nil || !goOn {
			return goOn, err
		}
	}
	return true, nil
}

// pagesOf returns messages page by page, each with the time of the next one, or zero behind the last.
func pagesOf(times []textsearch.MessageTime) iter.Seq2[[]textsearch.MessageTime, time.Time] {
	return func(yield func([]textsearch.MessageTime, time.Time) bool) {
		for size := firstPage; len(times) > 0; size = min(size*2, lastPage) {
			page := times[:min(size, len(times))]
			var next time.Time
			if times = times[len(page):]; len(times) > 0 {
				next = times[0].At.Time
			}
			if !yield(page, next) {
				return
			}
		}
	}
}

// isCertain reports whether every message that the search table finds is a hit if the conditions hold for its row: its
// text needn't be read to know that.
func (r *run) isCertain() bool { return !r.recheck && len(r.conditions.checks) == 0 }

// sortTimes puts messages in the order of their times.
func sortTimes(times []textsearch.MessageTime, oldest bool) {
	slices.SortFunc(times, func(a, b textsearch.MessageTime) int {
		if a.At.Valid() != b.At.Valid() {
			return boolOrder(!a.At.Valid(), !b.At.Valid())
		}
		c := cmp.Or(b.At.Compare(a.At.Time), cmp.Compare(b.ID, a.ID))
		if oldest {
			return -c
		}
		return c
	})
}

// showMessages reads messages and reports those that the query finds, in their order.
func (r *run) showMessages(ctx context.Context, page []textsearch.MessageTime) (goOn bool, err error) {
	hits, err := r.messageHits(ctx, page)
	if err != nil {
		return false, err
	}
	return r.out.found(MessageKind, hits), nil
}

// messageHits reads messages and returns those that the query finds, in their order.
func (r *run) messageHits(ctx context.Context, page []textsearch.MessageTime) ([]Hit, error) {
	place := map[int64]int{}
	var ids []int64
	for i, m := range page {
		place[m.ID] = i
		ids = append(ids, m.ID)
	}
	rows, err := textsearch.Messages(ctx, r.db, ids, nil, textsearch.MaxTextBytes)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b textsearch.MessageRow) int { return place[a.ID] - place[b.ID] })
	hits := make([]Hit, 0, len(rows))
	for i := range rows {
		h, ok, err := r.messageHit(ctx, &rows[i])
		if err != nil {
			return nil, err
		}
		if ok && r.conditions.allows(&h) {
			hits = append(hits, h)
		}
	}
	return hits, nil
}

// matchingTimes returns the first messages of a range that the search table finds, by id, and the times of those that the filters let
// pass, in the order of hits.
func matchingTimes(ctx context.Context, r *run, in textsearch.IDRange, most int) (ids []int64, times []textsearch.MessageTime, err error) {
	ids, err = textsearch.MatchingMessages(ctx, r.db, r.expression, in, r.oldest(), most)
	if err != nil {
		return nil, nil, err
	}
	times, err = textsearch.MessageTimes(ctx, r.db, ids, r.conditions.of(MessageKind))
	sortTimes(times, r.oldest())
	return ids, times, err
}

var digestSeed = maphash.MakeSeed()

// messageHit returns the hit that a message is, if the query finds its text.
func (r *run) messageHit(ctx context.Context, m *textsearch.MessageRow) (h Hit, ok bool, err error) {
	isCut := int64(len(m.Text)) < m.Bytes // What is excluded may stand in the rest.
	if r.recheck && (!r.query.Matches(m.Text) || isCut && len(r.query.Excluded) > 0) {
		if !isCut {
			return h, false, nil
		}
		whole, err := textsearch.Messages(ctx, r.db, []int64{m.ID}, nil, data.WholeText)
		if err != nil || len(whole) == 0 || !r.query.Matches(whole[0].Text) {
			return h, false, err
		}
	}
	h = Hit{Kind: MessageKind, Conversation: m.Conversation, Message: m.ID, Seq: m.Seq, Role: m.Role, At: m.At, InContext: m.InContext}
	r.query.describe(&h, m.Text, m.Bytes)
	return h, true, nil
}

// describe adds the snippet of a text to its hit.
func (q Query) describe(h *Hit, text string, bytes int64) {
	shown := data.StartOfText(text, textsearch.MaxTextBytes)
	spans := q.Highlight(shown)
	h.Snippet, h.Spans = Snippet(shown, spans)
	h.Matches, h.Copies, h.bytes, h.digest = len(spans), 1, bytes, maphash.String(digestSeed, shown)
}

// scanMessages reads the texts of messages one by one, in the order of time.
func (r *run) scanMessages(ctx context.Context) error {
	return r.scan(ctx, MessageKind, func(slice textsearch.IDRange, add func(Hit)) (last time.Time, err error) {
		like := r.query.caselessTexts()
		err = textsearch.ScanMessages(ctx, r.db, slice, r.oldest(), r.conditions.of(MessageKind), like, func(m textsearch.MessageRow) error {
			if last = m.At.Time; !r.matches(ctx, m.Text) {
				return ctx.Err()
			}
			h := Hit{Kind: MessageKind, Conversation: m.Conversation, Message: m.ID, Seq: m.Seq, Role: m.Role, At: m.At}
			r.query.describe(&h, m.Text, m.Bytes)
			add(h)
			return ctx.Err()
		})
		return last, err
	})
}

// scan reads texts slice by slice, in the order of time. read adds the hits of a slice in
// their order, and says when its last message was written.
func (r *run) scan(ctx context.Context, k Kind, read func(slice textsearch.IDRange, add func(Hit)) (time.Time, error)) error {
	w, err := r.readMessageRanges(ctx)
	if err != nil {
		return err
	}
	for p := w.next(); p != nil; p = w.next() {
		if err := w.skip(ctx, r.db, p); err != nil {
			return err
		}
		if p.done {
			continue
		}
		var hits []Hit
		last, err := read(w.slice(p, sliceIDs), func(h Hit) { hits = append(hits, h) })
		if err != nil {
			return err
		}
		p.passed(last)
		if hits, err = r.inPlace(ctx, hits); err != nil {
			return err
		}
		if err := r.describeTextless(ctx, hits); err != nil {
			return err
		}
		sorting.Stable(hits, func(a, b *Hit) int { return compareHits(r.Sort, a, b) })
		if !r.out.merge(k, hits, w.nextHit()) {
			return nil
		}
		r.out.progress(k, w.at(), w.done/w.total)
		if k == PartKind && r.endsParts(w) {
			return nil
		}
	}
	return nil
}

// endsParts reports whether parts were read for long enough, and says what is left.
func (r *run) endsParts(w *messageRanges) bool {
	if r.partsUntil.IsZero() || time.Now().Before(r.partsUntil) || w.next() == nil {
		return false
	}
	first := "newest"
	if r.oldest() {
		first = "oldest"
	}
	r.note("no message has the text; of tool calls, results and reasoning only the %s %d %% were searched, for %s: add kind:part to search all",
		first, int(100*w.done/w.total), r.UnaskedTime)
	return true
}

// inPlace notes which hits are in the context, and leaves those out that the checks don't let
// pass.
func (r *run) inPlace(ctx context.Context, hits []Hit) ([]Hit, error) {
	if len(hits) == 0 {
		return nil, nil
	}
	var conversations, ids []int64
	for _, h := range hits {
		conversations, ids = append(conversations, h.Conversation), append(ids, h.Message)
	}
	present, err := textsearch.ContextMessages(ctx, r.db, conversations, ids)
	if err != nil {
		return nil, err
	}
	for i := range hits {
		hits[i].InContext = present[hits[i].Message]
	}
	return slices.DeleteFunc(hits, func(h Hit) bool { return !r.conditions.allows(&h) }), nil
}

// describeTextless gives messages without a text, which only filters find, a snippet of their calls and answers.
func (r *run) describeTextless(ctx context.Context, hits []Hit) error {
	var ids []int64
	for i := range hits {
		if h := &hits[i]; h.Kind == MessageKind && h.Snippet == "" {
			ids = append(ids, h.Message)
		}
	}
	parts, err := lcm.PartsOf(ctx, r.db, ids, snippetBytes)
	for i := range hits {
		if h := &hits[i]; h.Kind == MessageKind && h.Snippet == "" {
			m := lcm.Message{Parts: parts[h.Message]}
			h.Snippet, _ = Snippet(m.Opening(), nil)
			h.digest = maphash.String(digestSeed, h.Snippet)
		}
	}
	return err
}

// caselessTexts returns texts that stand as they are in everything that the query finds, in scripts
// without upper and lower case but for ASCII.
func (q Query) caselessTexts() (out []string) {
	for _, g := range q.Groups {
		if len(g) != 1 || g[0].Kind == Regexp || isIndexable(g[0].Text) {
			continue
		}
		text := g[0].Text
		if caseless := strings.IndexFunc(text, hasOtherCase) < 0 && !strings.Contains(text, "\x00"); caseless {
			out = append(out, text)
		}
	}
	return out
}

// matches reports whether the query finds a text. A very long one isn't waited for once the
// context ended. A panic comes to the caller.
func (r *run) matches(ctx context.Context, text string) bool {
	if len(text) <= textsearch.MaxTextBytes {
		return r.query.Matches(text)
	}
	matches := false
	ended := make(chan error, 1)
	go func() {
		ended <- parallel.Call(func() error {
			matches = r.query.matches(ctx, text)
			return nil
		})
	}()
	select {
	case err := <-ended:
		if err != nil {
			panic(err)
		}
		return matches
	case <-ctx.Done():
		return false
	}
}
