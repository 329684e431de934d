package textsearch

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"lcm-tui/data"
)

// TimeRun is a range of messages in which, as far as the first and last messages of
// conversations tell, times rise with ids.
type TimeRun struct {
	IDRange
	First, Last time.Time // Of its messages; zero where no time is valid.
}

// TimeRuns returns ranges that have all messages, by id. A file that a host wrote alone has one;
// imported and copied conversations have their own, because their new ids have old times.
func TimeRuns(ctx context.Context, db *data.DB) (runs []TimeRun, err error) {
	points, err := endsOfConversations(ctx, db)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(points, func(a, b MessageTime) int { return cmp.Compare(a.ID, b.ID) })
	for _, p := range points {
		runs = addToRuns(runs, p)
	}
	return closeRuns(runs), nil
}

// ExactTimeRuns works as TimeRuns, and reads the time of every message: in each range times rise with ids. It returns nothing
// where there are more than most ranges, or damage hides messages.
func ExactTimeRuns(ctx context.Context, db *data.DB, most int) (runs []TimeRun, err error) {
	whole, err := db.Query(ctx, "read messages", "SELECT m.message_id, m.created_at FROM messages m ORDER BY m.message_id", nil, func(scan data.RowScanner) error {
		var p MessageTime
		if err := scan((*data.Integer)(&p.ID), &p.At); err != nil {
			return err
		}
		if p.At.Valid() {
			runs = addToRuns(runs, p)
		}
		if len(runs) > most {
			return data.ErrEndRows
		}
		return nil
	})
	if err != nil || !whole || len(runs) > most {
		return nil, err
	}
	return closeRuns(runs), nil
}

// addToRuns adds the next message: to the last range, or to a new one where it is older.
func addToRuns(runs []TimeRun, p MessageTime) []TimeRun {
	if n := len(runs); n > 0 && !p.At.Before(runs[n-1].Last) {
		runs[n-1].Last = p.At.Time
		return runs
	}
	return append(runs, TimeRun{IDRange{p.ID, math.MaxInt64}, p.At.Time, p.At.Time})
}

// closeRuns lets each range end where the next one begins.
func closeRuns(runs []TimeRun) []TimeRun {
	if len(runs) == 0 {
		return []TimeRun{{IDRange: IDRange{math.MinInt64, math.MaxInt64}}}
	}
	runs[0].From = math.MinInt64
	for i := range len(runs) - 1 {
		runs[i].To = runs[i+1].From - 1
	}
	return runs
}

// endsOfConversations returns the first and the last message of each conversation.
func endsOfConversations(ctx context.Context, db *data.DB) (out []MessageTime, err error) {
	const end = "(SELECT e.message_id FROM messages e WHERE e.conversation_id = c.conversation_id ORDER BY e.seq "
	const query = "SELECT f.message_id, f.created_at, l.message_id, l.created_at FROM conversations c" +
		" CROSS JOIN messages f ON f.message_id = " + end + "ASC LIMIT 1)" +
		" CROSS JOIN messages l ON l.message_id = " + end + "DESC LIMIT 1)"
	err = data.Each(ctx, db, "read messages", query, nil, func(scan data.RowScanner) error {
		var first, last MessageTime
		err := scan((*data.Integer)(&first.ID), &first.At, (*data.Integer)(&last.ID), &last.At)
		for _, p := range []MessageTime{first, last} {
			if p.At.Valid() {
				out = append(out, p)
			}
		}
		return err
	})
	return out, err
}

// MessageRange has the ids of all messages of these conversations, and of others between
// them; of the whole file where no conversations are given. ok is false where there are none.
func MessageRange(ctx context.Context, db *data.DB, conversations []int64) (r IDRange, ok bool, err error) {
	// PostgreSQL would read all messages in the order of ids until it meets one of them, but for the number.
	query := "SELECT min(m.message_id), max(m.message_id), count(*) FROM messages m WHERE " + Conversations(conversations...).Condition("m.conversation_id")
	if conversations == nil {
		query = "SELECT (SELECT min(m.message_id) FROM messages m), (SELECT max(m.message_id) FROM messages m), 0"
	}
	err = data.Each(ctx, db, "read messages", query, nil, func(scan data.RowScanner) error {
		var from, to, n any
		err := scan(&from, &to, &n)
		lowest, isNumber := from.(int64)
		highest, _ := to.(int64)
		r, ok = IDRange{lowest, highest}, isNumber
		return err
	})
	return r, ok, err
}

// NextMessage returns the highest id of a message in a range, or the lowest if oldest; ok is false
// where there is none.
func NextMessage(ctx context.Context, db *data.DB, r IDRange, oldest bool) (id int64, ok bool, err error) {
	query := "SELECT m.message_id FROM messages m WHERE m.message_id BETWEEN ? AND ? ORDER BY m.message_id " + direction(oldest) + " LIMIT 1"
	err = data.Each(ctx, db, "read messages", query, []any{r.From, r.To}, func(scan data.RowScanner) error {
		ok = true
		return scan((*data.Integer)(&id))
	})
	return id, ok, err
}
