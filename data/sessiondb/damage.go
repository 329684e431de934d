package sessiondb

import (
	"cmp"
	"context"
	"slices"
	"time"

	"lcm-tui/internal/sorting"
)

// readRows goes on behind a page of the file that can't be read: it lists the rows that are
// left, and reads each by itself. Those that can't be read are passed on as errors.
func (r *eventReader) readRows(ctx context.Context, cause error, yield func(Event, error) bool) error {
	r.db.warn(r.db.damaged("read the session "+r.session.ID+" of", cause))
	left, err := r.listRows(ctx)
	if err != nil {
		return err
	}
	for _, row := range left {
		if err := r.readRow(ctx, row); err != nil {
			return err
		}
		if err := r.emit(yield); err != nil {
			return err
		}
	}
	return nil
}

// rowPlace is where an event lies in its table.
type rowPlace struct{ seq, rowid int64 }

// listRows lists the rows behind the last that was read: as the index has them, and, since a
// page of that may be damaged, as the table has them from either end.
func (r *eventReader) listRows(ctx context.Context) ([]rowPlace, error) {
	const table = " FROM transcript_events"
	var left []rowPlace
	for _, query := range []string{
		"SELECT seq, rowid" + table + " WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq",
		"SELECT seq, rowid" + table + " NOT INDEXED WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY rowid",
		"SELECT seq, rowid" + table + " NOT INDEXED WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY rowid DESC",
	} {
		err := r.db.each(ctx, query, []any{r.session.ID, r.after, r.session.LastSeq}, func(row []any) {
			left = append(left, rowPlace{asInt(row[0]), asInt(row[1])})
		})
		if err == nil {
			break
		}
		if !isDamage(err) {
			return nil, err
		}
	}
	sorting.Stable(left, func(a, b *rowPlace) int { return cmp.Compare(a.seq, b.seq) })
	return slices.CompactFunc(left, func(a, b rowPlace) bool { return a.seq == b.seq }), nil
}

// readRow makes one row the page.
func (r *eventReader) readRow(ctx context.Context, at rowPlace) error {
	r.page, r.text = r.page[:0], r.text[:0]
	err := r.db.each(ctx, "SELECT "+r.columns()+" FROM transcript_events WHERE rowid = ?", []any{at.rowid}, func(row []any) {
		r.add([5]any(row))
	})
	if err != nil && !isDamage(err) {
		return err
	}
	if len(r.page) == 0 || err != nil {
		r.page = append(r.page[:0], storedEvent{seq: at.seq, err: errDamagedRow})
		r.after = at.seq
	}
	return nil
}

// addReadableEvents counts events in a file with damaged pages: those that can be reached from
// either end of the table, and, where the index is whole, all.
func (db *DB) addReadableEvents(ctx context.Context, l *sessionList, id string) error {
	clause, args := where("session_id", id)
	columns := "rowid, session_id, seq, " + db.eventSize() + ", " + db.tables.column("transcript_events", "created_at")
	for _, s := range l.byID {
		s.Events, s.Bytes, s.LastSeq, s.Newest = 0, 0, -1, time.Time{}
	}
	upTo := int64(-1 << 63) // The row that the first scan read last.
	for _, order := range []string{"ORDER BY rowid", "ORDER BY rowid DESC"} {
		last := upTo
		err := db.each(ctx, "SELECT "+columns+" FROM transcript_events NOT INDEXED"+clause+" "+order, args, func(row []any) {
			if rowid := asInt(row[0]); rowid > last {
				upTo = rowid
				s := l.at(asText(row[1]))
				s.Events, s.Bytes, s.LastSeq = s.Events+1, s.Bytes+asInt(row[3])+1, max(s.LastSeq, asInt(row[2]))
				if at := asTime(row[4]); at.After(s.Newest) {
					s.Newest = at
				}
			}
		})
		if err != nil && !isDamage(err) {
			return err
		}
	}
	err := db.each(ctx, "SELECT session_id, count(*), max(seq) FROM transcript_events"+clause+" GROUP BY session_id", args, func(row []any) {
		s := l.at(asText(row[0]))
		s.Events, s.LastSeq = max(s.Events, asInt(row[1])), max(s.LastSeq, asInt(row[2]))
	})
	if isDamage(err) {
		return nil
	}
	return err
}
