// Package losses finds what hosts did to contexts after this program wrote, because they ended a compaction
// that they had begun before: messages that they lost, and summaries that stand beside their own messages.
// The records of the writes say what could be reached after them.
//
// The package must not write.
package losses

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/sorting"
)

// Watch is how long after a write a compaction that a host had begun before may
// still end.
const Watch = 10 * time.Minute

// Loss is messages that could be reached from a context after a write of this program,
// and can't any more since a host ended a compaction that it had begun before: it deletes
// by ordinals that it chose then.
type Loss struct {
	Record       int64     // Of the write, or of its undo.
	At           data.Time // When that was.
	Conversation int64
	Messages     []int64
	Summary      string // The host's, which came in their place.
}

func (l *Loss) Error() string {
	what := "1 message"
	if n := len(l.Messages); n != 1 {
		what = fmt.Sprintf("%d messages", n)
	}
	return fmt.Sprintf("a compaction of the host that began before record %d took %s out of the context of conversation %d, which no summary covers",
		l.Record, what, l.Conversation)
}

// ScreenHint says how they come back.
func (l *Loss) ScreenHint() string {
	return "they are still in the file: repair the conversation to put them back into the context"
}

// Hint says how they come back.
func (l *Loss) Hint() string {
	return fmt.Sprintf("they are still in the file: lcm-tui repair %d --fault C11 puts them back into the context", l.Conversation)
}

// Find finds the messages that were lost from contexts after this program's writes; with
// a time only after those since then. What /new dropped, what was deleted and what a
// later write of this program took out knowingly isn't lost.
func Find(ctx context.Context, db data.Querier, since time.Time) ([]*Loss, error) {
	writes, err := change.WatchedWrites(ctx, db, since)
	if err != nil {
		return nil, err
	}
	d := &lossFinder{db: db, reachable: map[int64]map[int64]bool{}, done: map[int64]map[int64]bool{}, later: map[int64][]reached{}}
	for _, w := range writes {
		if err := d.find(ctx, w); err != nil {
			return nil, err
		}
	}
	return d.found, nil
}

// lossFinder looks for losses, the newest write first.
type lossFinder struct {
	db        data.Querier
	reachable map[int64]map[int64]bool // By conversation, as it is now.
	done      map[int64]map[int64]bool // Messages that were found, or forgotten by a later write.
	later     map[int64][]reached      // What could be reached after later writes.
	found     []*Loss
}

// reached is what could be reached at a time.
type reached struct {
	at       time.Time
	messages map[int64]bool
}

func (d *lossFinder) find(ctx context.Context, w change.WatchedWrite) error {
	for _, conv := range slices.Sorted(maps.Keys(w.Reachable)) {
		if d.done[conv] == nil {
			d.done[conv] = map[int64]bool{}
		}
		then, err := change.ParseRanges(w.Reachable[conv])
		if err != nil {
			continue // Not what this program wrote.
		}
		lost, err := d.missing(ctx, conv, then)
		if err != nil {
			return err
		}
		if len(lost) > 0 {
			if err := d.judge(ctx, w, conv, then, lost); err != nil {
				return err
			}
		}
		d.later[conv] = append(d.later[conv], reached{w.At.Time, then})
		if gone, err := change.ParseRanges(w.Forgotten[conv]); err == nil {
			maps.Copy(d.done[conv], gone)
		}
	}
	return nil
}

// missing returns those of some messages that exist in a conversation, can't be reached from
// its context, and haven't been accounted for.
func (d *lossFinder) missing(ctx context.Context, conv int64, then map[int64]bool) (lost []int64, err error) {
	now := d.reachable[conv]
	if now == nil {
		now = map[int64]bool{}
		err := data.Each(ctx, d.db, "read coverage", change.CoveredSQL, []any{conv}, func(scan data.RowScanner) error {
			var id data.Integer
			err := scan(&id)
			now[int64(id)] = true
			return err
		})
		if err != nil {
			return nil, err
		}
		d.reachable[conv] = now
	}
	for id := range then {
		if !now[id] && !d.done[conv][id] {
			lost = append(lost, id)
		}
	}
	return messagesOf(ctx, d.db, conv, lost)
}

// messagesOf returns those of some messages that exist in a conversation, by seq.
func messagesOf(ctx context.Context, db data.Querier, conv int64, ids []int64) (out []int64, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	wanted := map[int64]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	err = data.Each(ctx, db, "read messages", "SELECT message_id FROM messages WHERE conversation_id = ? ORDER BY seq", []any{conv}, func(scan data.RowScanner) error {
		var id data.Integer
		err := scan(&id)
		if wanted[int64(id)] {
			out = append(out, int64(id))
		}
		return err
	})
	return out, err
}

// judge takes messages for lost where a summary of a host came shortly after the write,
// and before the next write that didn't find them any more, and /new doesn't account for
// them.
func (d *lossFinder) judge(ctx context.Context, w change.WatchedWrite, conv int64, then map[int64]bool, lost []int64) error {
	fresh, err := wasReset(ctx, d.db, conv, w.At.Time, then)
	if err != nil || fresh {
		return err
	}
	byEnd := map[time.Time][]int64{}
	for _, id := range lost {
		end := d.lostBy(conv, id, w.At.Add(Watch))
		byEnd[end] = append(byEnd[end], id)
	}
	ends := slices.Collect(maps.Keys(byEnd))
	sorting.Stable(ends, func(a, b *time.Time) int { return a.Compare(*b) })
	for _, end := range ends {
		summary, err := hostSummary(ctx, d.db, conv, w.At.Time, end)
		if err != nil {
			return err
		}
		if summary == "" {
			continue
		}
		for _, id := range byEnd[end] {
			d.done[conv][id] = true
		}
		d.found = append(d.found, &Loss{Record: w.Record, At: w.At, Conversation: conv, Messages: byEnd[end], Summary: summary})
	}
	return nil
}

// lostBy returns when a message was certainly lost: at the first later write that didn't find
// it, or at the end.
func (d *lossFinder) lostBy(conv, message int64, end time.Time) time.Time {
	for _, r := range d.later[conv] {
		if !r.messages[message] && r.at.Before(end) {
			end = r.at
		}
	}
	return end
}

// wasReset reports whether /new emptied the context since a time. Hosts from 0.14 to 0.15
// note it; elsewhere none of the messages from before stands in the context itself.
func wasReset(ctx context.Context, db data.Querier, conv int64, since time.Time, then map[int64]bool) (bool, error) {
	const table = "conversation_bootstrap_state"
	if db.Schema().Has(table, "soft_reset_pruned_at") {
		var at data.Time
		_, err := data.One(ctx, db, "read /new", "SELECT soft_reset_pruned_at FROM "+table+" WHERE conversation_id = ?", []any{conv}, &at)
		if err != nil || at.Valid() && !at.Before(since.Truncate(time.Second)) {
			return err == nil, err
		}
	}
	kept := false
	err := data.Each(ctx, db, "read context", "SELECT message_id FROM context_items WHERE conversation_id = ? AND message_id IS NOT NULL", []any{conv},
		func(scan data.RowScanner) error {
			var id data.Integer
			err := scan(&id)
			kept = kept || then[int64(id)]
			return err
		})
	return !kept, err
}

// hostSummary returns the first summary that a host made of a conversation from a time to
// another, or empty.
func hostSummary(ctx context.Context, db data.Querier, conv int64, since, end time.Time) (string, error) {
	found, err := hostSummaries(ctx, db, conv, since, end)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}

// hostSummaries returns the summaries that a host made of a conversation from a time to another,
// the oldest first.
func hostSummaries(ctx context.Context, db data.Querier, conv int64, since, end time.Time) (out []string, err error) {
	const query = `SELECT summary_id FROM summaries WHERE conversation_id = ? AND julianday(created_at) BETWEEN julianday(?) AND julianday(?) ORDER BY created_at, rowid`
	from, to := data.FormatTime(since), data.FormatTime(end)
	candidates, err := data.Collect(ctx, db, "read summaries", query, []any{conv, from, to}, func(scan data.RowScanner, id *data.Text) error { return scan(id) })
	if err != nil || len(candidates) == 0 {
		return nil, err
	}
	ours, err := change.InsertedSummaries(ctx, db, since.Add(-time.Minute))
	for _, c := range candidates {
		if !ours[string(c)] {
			out = append(out, string(c))
		}
	}
	return out, err
}
