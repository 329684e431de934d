package search

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"
	"time"

	"lcm-tui/data/textsearch"
	"lcm-tui/internal/sorting"
)

// maxRanked is how many of the best hits are put in order; the others follow by time.
const maxRanked = 1000

// rank reports the best hits of the whole file: those that were found, and older ones among
// more than MaxHits that fit better.
func (r *run) rank(ctx context.Context) error {
	hits := r.out.kept
	ranks := map[hitKey]float64{}
	if r.expression != "" && r.conditions.wants(MessageKind) && r.isRanked(messageIndex) {
		older, err := r.rankMessages(ctx, hits, ranks)
		if err != nil {
			return err
		}
		hits = append(hits, older...)
	}
	if r.expression != "" && r.conditions.wants(SummaryKind) && r.isRanked(summaryIndex) {
		err := textsearch.EachSummaryRank(ctx, r.db, r.expression, func(id string, rank float64) { ranks[hitKey{SummaryKind, id}] = rank })
		if err != nil {
			return err
		}
	}
	for i := range hits {
		h := &hits[i]
		rank, ok := ranks[h.key()]
		if !ok {
			rank = 1 + math.Log1p(float64(h.Matches))
		}
		h.rank = rank * r.weight(h)
	}
	sorting.Stable(hits, func(a, b *Hit) int { return cmp.Or(cmp.Compare(b.rank, a.rank), compareHits(Newest, a, b)) })
	r.out.send(Ranked{hits[:min(len(hits), maxRanked)]})
	return nil
}

// isRanked reports whether a search table says how well a text fits. The index of a replica doesn't.
func (r *run) isRanked(table string) bool {
	_, isReplica := r.db.Replica()
	return !isReplica && indexProblem(r.db, table) == ""
}

// weight returns by how much a hit counts more or less than its text alone: all words near each
// other, what a user wrote and what is a summary count more, what is old counts less.
func (r *run) weight(h *Hit) float64 {
	w := recency(h.At.Time, r.db.Now())
	if r.query.Matches(h.Snippet) {
		w *= 1.2
	}
	if h.Role == "user" || h.Kind == SummaryKind {
		w *= 1.1
	}
	return w
}

// recency returns 1 for what is new and a half for what is half a year old.
func recency(at, now time.Time) float64 {
	if at.IsZero() {
		return recency(now.AddDate(-1, 0, 0), now)
	}
	const halfYear = 180 * 24 * time.Hour
	return 1 / (1 + max(0, float64(now.Sub(at))/float64(halfYear)))
}

// rankMessages adds the ranks of messages, and returns the best of those that weren't found
// among the newest.
func (r *run) rankMessages(ctx context.Context, found []Hit, ranks map[hitKey]float64) ([]Hit, error) {
	limits, err := r.conditions.readMessageRange(ctx)
	if err != nil {
		return nil, err
	}
	runs, err := r.Kept.timeRuns(ctx, r.db)
	if err != nil {
		return nil, err
	}
	isFound := map[int64]bool{}
	for _, h := range found {
		if h.Kind == MessageKind {
			isFound[h.Message] = true
		}
	}
	var best bestMessages
	now := r.db.Now()
	err = textsearch.EachRank(ctx, r.db, r.expression, limits, func(id int64, rank float64) {
		if isFound[id] {
			ranks[hitKey{MessageKind, messageID(id)}] = rank
			return
		}
		best.add(rankedMessage{id, rank, rank * recency(timeOf(runs, id), now)})
	})
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, m := range best {
		ids = append(ids, m.id)
		ranks[hitKey{MessageKind, messageID(m.id)}] = m.rank
	}
	rows, err := textsearch.Messages(ctx, r.db, ids, r.conditions.of(MessageKind), textsearch.MaxTextBytes)
	var hits []Hit
	for i := range rows {
		h, ok, e := r.messageHit(ctx, &rows[i])
		if e != nil {
			return nil, e
		}
		if ok && r.conditions.allows(&h) {
			hits = append(hits, h)
		}
	}
	return hits, err
}

// timeOf returns about when a message was written, from the times at the ends of its range.
func timeOf(runs []textsearch.TimeRun, id int64) time.Time {
	i, _ := slices.BinarySearchFunc(runs, id, func(t textsearch.TimeRun, id int64) int {
		switch {
		case t.To < id:
			return -1
		case t.From > id:
			return 1
		}
		return 0
	})
	if i == len(runs) {
		return time.Time{}
	}
	return runs[i].Last
}

// rankedMessage is a message, its rank, and its rank with its age.
type rankedMessage struct {
	id          int64
	rank, value float64
}

// bestMessages is a heap of the best messages, the worst of them first.
type bestMessages []rankedMessage

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (b bestMessages) Len() int           { return len(b) }
func (b bestMessages) Less(i, j int) bool { return b[i].value < b[j].value }
func (b bestMessages) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

// Push implements heap.Interface.
func (b *bestMessages) Push(x any) { *b = append(*b, x.(rankedMessage)) }

// Pop implements heap.Interface.
func (b *bestMessages) Pop() any {
	last := (*b)[len(*b)-1]
	*b = (*b)[:len(*b)-1]
	return last
}

// add keeps a message if it is among the best.
func (b *bestMessages) add(m rankedMessage) {
	switch {
	case len(*b) < maxRanked:
		heap.Push(b, m)
	case (*b)[0].value < m.value:
		(*b)[0] = m
		heap.Fix(b, 0)
	}
}
