package losses

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// Double is a summary in a context whose messages all stand in the context without it too: a
// host had begun to make it before this program wrote, and put it in front of the items that
// got other ordinals by that write.
type Double struct {
	Record       int64 // Of the write, or of its undo.
	Conversation int64
	Summary      string
	Messages     int // Below it.
}

func (d *Double) Error() string {
	return fmt.Sprintf("the host ended a compaction that began before record %d: the context of conversation %d has its summary %s beside the same messages",
		d.Record, d.Conversation, d.Summary)
}

// ScreenHint says how the context becomes simple again.
func (d *Double) ScreenHint() string {
	return "nothing is lost: repair the conversation to take the summary out of the context"
}

// Hint says how the context becomes simple again.
func (d *Double) Hint() string {
	return fmt.Sprintf("nothing is lost: lcm-tui repair %d --fault C12 takes the summary out of the context", d.Conversation)
}

// FindDoubles finds the summaries that hosts put into contexts beside the same messages after this
// program's writes; with a time only after those since then.
func FindDoubles(ctx context.Context, db *data.DB, since time.Time) (out []*Double, err error) {
	writes, err := change.WatchedWrites(ctx, db, since)
	if err != nil {
		return nil, err
	}
	f := &doubleFinder{db: db, places: map[int64]*contextReach{}, known: map[string]bool{}}
	for _, w := range writes {
		for _, conv := range slices.Sorted(maps.Keys(w.Reachable)) {
			found, err := f.find(ctx, w, conv)
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
	}
	return out, nil
}

// Errors returns the losses and the doubles since a time, as errors.
func Errors(ctx context.Context, db *data.DB, since time.Time) (out []error, err error) {
	lost, err := Find(ctx, db, since)
	for _, l := range lost {
		out = append(out, l)
	}
	if err != nil {
		return out, err
	}
	doubles, err := FindDoubles(ctx, db, since)
	for _, d := range doubles {
		out = append(out, d)
	}
	return out, err
}

// doubleFinder looks for doubles, the newest write first.
type doubleFinder struct {
	db     *data.DB
	places map[int64]*contextReach // By conversation.
	known  map[string]bool         // Summaries that were judged.
}

// contextReach is what the items of a context reach.
type contextReach struct {
	messages map[string][]int64 // Below each summary of the context.
	places   map[int64]int      // From how many items a message is reached.
}

func (f *doubleFinder) find(ctx context.Context, w change.WatchedWrite, conv int64) (out []*Double, err error) {
	summaries, err := hostSummaries(ctx, f.db, conv, w.At.Time, w.At.Add(Watch))
	if err != nil {
		return nil, err
	}
	for _, id := range summaries {
		if f.known[id] {
			continue
		}
		f.known[id] = true
		r := f.places[conv]
		if r == nil {
			if r, err = readContextReach(ctx, f.db, conv); err != nil {
				return nil, err
			}
			f.places[conv] = r
		}
		if n := len(r.messages[id]); n > 0 && r.remove(id) {
			out = append(out, &Double{Record: w.Record, Conversation: conv, Summary: id, Messages: n})
		}
	}
	return out, nil
}

// remove takes a summary out of what is reached, where all its messages are reached without it.
func (r *contextReach) remove(summary string) bool {
	for _, id := range r.messages[summary] {
		if r.places[id] < 2 {
			return false
		}
	}
	for _, id := range r.messages[summary] {
		r.places[id]--
	}
	return true
}

const reachSQL = `WITH RECURSIVE below(top, id) AS (
	SELECT DISTINCT ci.summary_id, ci.summary_id FROM context_items ci WHERE ci.conversation_id = ?1 AND ci.summary_id IS NOT NULL
	UNION
	SELECT below.top, p.parent_summary_id FROM below CROSS JOIN summary_parents p ON p.summary_id = below.id)
	SELECT DISTINCT below.top, m.message_id FROM below CROSS JOIN summary_messages l ON l.summary_id = below.id
		CROSS JOIN messages m ON m.message_id = l.message_id WHERE m.conversation_id = ?1
	UNION ALL SELECT DISTINCT NULL, message_id FROM context_items WHERE conversation_id = ?1 AND message_id IS NOT NULL`

// readContextReach reads what the items of a context reach.
func readContextReach(ctx context.Context, db *data.DB, conv int64) (*contextReach, error) {
	r := &contextReach{map[string][]int64{}, map[int64]int{}}
	err := data.Each(ctx, db, "read coverage", reachSQL, []any{conv}, func(scan data.RowScanner) error {
		var top data.Text
		var id data.Integer
		err := scan(&top, &id)
		r.places[int64(id)]++
		if top != "" {
			r.messages[string(top)] = append(r.messages[string(top)], int64(id))
		}
		return err
	})
	return r, err
}
