package search

import (
	"cmp"
	"context"
	"hash/maphash"
	"math"
	"slices"

	sqlsearch "lcm-tui/data/search"
)

// The number of hits that are read at once grows from page to page, so that the first ones
// come soon.
const (
	firstPage = 50
	lastPage  = 400
)

// indexedMessages finds messages by the search table.
func (r *run) indexedMessages(ctx context.Context) error {
	if r.expression == "" {
		return nil
	}
	everything := sqlsearch.IDRange{From: math.MinInt64, To: math.MaxInt64}
	ids, err := sqlsearch.MatchingMessages(ctx, r.db, r.expression, everything, r.oldest(), MaxHits+1)
	if err != nil {
		return err
	}
	more := len(ids) > MaxHits
	ids = ids[:min(len(ids), MaxHits)]
	r.out.send(Counted{Total: len(ids), More: more})
	times, err := sqlsearch.MessageTimes(ctx, r.db, ids, r.conditions)
	if err != nil {
		return err
	}
	slices.SortFunc(times, func(a, b sqlsearch.MessageTime) int {
		c := cmp.Or(b.At.Compare(a.At.Time), cmp.Compare(b.ID, a.ID))
		if r.oldest() {
			return -c
		}
		return c
	})
	for page := firstPage; len(times) > 0; page = min(page*2, lastPage) {
		n := min(page, len(times))
		if err := r.showMessages(ctx, times[:n]); err != nil {
			return err
		}
		times = times[n:]
	}
	return nil
}

// showMessages reads messages and reports those that the query finds, in their order.
func (r *run) showMessages(ctx context.Context, page []sqlsearch.MessageTime) error {
	place := map[int64]int{}
	var ids []int64
	for i, m := range page {
		place[m.ID] = i
		ids = append(ids, m.ID)
	}
	rows, err := sqlsearch.Messages(ctx, r.db, ids, nil, sqlsearch.MaxTextBytes)
	if err != nil {
		return err
	}
	slices.SortFunc(rows, func(a, b sqlsearch.MessageRow) int { return place[a.ID] - place[b.ID] })
	var hits []Hit
	for i := range rows {
		if h, ok := r.messageHit(&rows[i]); ok {
			hits = append(hits, h)
		}
	}
	r.out.send(Found{hits})
	return nil
}

var digestSeed = maphash.MakeSeed()

// messageHit is the hit that a message is, if the query finds its text.
func (r *run) messageHit(m *sqlsearch.MessageRow) (Hit, bool) {
	if r.recheck && !r.query.Matches(m.Text) {
		return Hit{}, false
	}
	h := Hit{Kind: MessageKind, Conversation: m.Conversation, Message: m.ID, Seq: m.Seq, Role: m.Role, At: m.At, InContext: m.InContext}
	r.describe(&h, m.Text, m.Bytes)
	return h, true
}

// describe adds the snippet of a text to its hit.
func (r *run) describe(h *Hit, text string, bytes int64) {
	spans := r.query.Highlight(text)
	h.Snippet, h.Spans = Snippet(text, spans)
	h.Matches, h.Copies, h.bytes, h.digest = len(spans), 1, bytes, maphash.String(digestSeed, text)
}
