package change

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/sorting"
)

// coverage is what a record remembers of a write beside a host that may be working: ranges of
// message ids by conversation. A host that began to compact before the write finishes after
// it, and may delete items from the context that it didn't summarize; package losses finds that.
type coverage struct {
	// Reachable are the messages that can be reached from the context after the write.
	Reachable map[int64]string `json:"reachable"`
	// Forgotten are those that the write itself took out of reach.
	Forgotten map[int64]string `json:"forgotten,omitempty"`
}

// coverageKey is the key of the coverage in the detail of a record.
const coverageKey = "coverage"

// FormatRanges writes ids as 3-9,12.
func FormatRanges(ids map[int64]bool) string {
	sorted := slices.Sorted(maps.Keys(ids))
	var b strings.Builder
	for i := 0; i < len(sorted); {
		first := sorted[i]
		last := first
		for i++; i < len(sorted) && sorted[i] == last+1; i++ {
			last++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatInt(first, 10))
		if last > first {
			b.WriteByte('-')
			b.WriteString(strconv.FormatInt(last, 10))
		}
	}
	return b.String()
}

// maxRange bounds what a range of a record may stand for, should it be damaged.
const maxRange = 10_000_000

// ParseRanges reads what FormatRanges wrote.
func ParseRanges(s string) (map[int64]bool, error) {
	ids := map[int64]bool{}
	for r := range strings.SplitSeq(s, ",") {
		if r == "" {
			continue
		}
		from, to := r, r
		if i := strings.Index(r[1:], "-"); i >= 0 { // What stands first is a sign.
			from, to = r[:i+1], r[i+2:]
		}
		first, err := strconv.ParseInt(from, 10, 64)
		last, also := strconv.ParseInt(to, 10, 64)
		if err != nil || also != nil || last < first || uint64(last)-uint64(first) > maxRange {
			return nil, fmt.Errorf("%q is no range of messages", r)
		}
		for n := range uint64(last) - uint64(first) + 1 {
			ids[first+int64(n)] = true
		}
	}
	return ids, nil
}

// coverageWatch remembers which messages can be reached from contexts before a write, to
// compare with those after it.
type coverageWatch struct {
	before map[int64]map[int64]bool // By conversation; nil where nothing can get out of reach.
}

// startWatch begins to watch a write. It returns nil where no item of a context is replaced,
// or where no host has the file open and the batch loses no coverage. It has to be called
// before the changes are made.
func startWatch(ctx context.Context, t *tx, cs []Change, forgets bool) (*coverageWatch, error) {
	return watchFor(ctx, t, cs, forgets || !isAway(t), forgets)
}

// startUndoWatch works as startWatch for an undo, which may put messages out of reach that the
// record brought into it.
func startUndoWatch(ctx context.Context, t *tx, cs []Change) (*coverageWatch, error) {
	return watchFor(ctx, t, cs, !isAway(t), true)
}

func watchFor(ctx context.Context, t *tx, cs []Change, watched, forgets bool) (*coverageWatch, error) {
	if !watched || !t.Schema.Has("context_items") || !t.Schema.Has("summary_messages") || !t.Schema.Has("summary_parents") {
		return nil, nil
	}
	if appends, err := isAppendOnly(ctx, t, cs); err != nil || appends {
		return nil, err
	}
	w := &coverageWatch{map[int64]map[int64]bool{}}
	for _, c := range cs {
		if c.Table == "context_items" {
			w.before[data.CellInteger(c.row()["conversation_id"])] = nil
		}
	}
	for conv := range w.before {
		if !forgets {
			continue
		}
		covered, err := covered(ctx, t, conv)
		if err != nil {
			return nil, err
		}
		w.before[conv] = covered
	}
	return w, nil
}

// saveWatch stores what was watched in a record. The coverage that a record had before it was
// undone no longer holds.
func saveWatch(ctx context.Context, t *tx, w *coverageWatch, record int64) error {
	if w == nil {
		_, err := t.ExecContext(ctx, `UPDATE lcm_tui_undo SET detail = json_remove(detail, '$.coverage')
			WHERE id = ? AND json_valid(detail) AND json_extract(detail, '$.coverage') IS NOT NULL`, record)
		return err
	}
	c := coverage{Reachable: map[int64]string{}, Forgotten: map[int64]string{}}
	for conv, before := range w.before {
		now, err := covered(ctx, t, conv)
		if err != nil {
			return err
		}
		c.Reachable[conv] = FormatRanges(now)
		maps.DeleteFunc(before, func(id int64, _ bool) bool { return now[id] })
		if len(before) > 0 {
			c.Forgotten[conv] = FormatRanges(before)
		}
	}
	b, err := json.Marshal(c)
	if err == nil {
		_, err = t.ExecContext(ctx, `UPDATE lcm_tui_undo SET detail = json_set(CASE WHEN json_valid(detail) THEN detail ELSE '{}' END, '$.coverage', json(?)) WHERE id = ?`,
			string(b), record)
	}
	if err != nil {
		return fmt.Errorf("record coverage: %w", err)
	}
	return nil
}

// WatchedWrite is a write, or its undo, with what could be reached after it.
type WatchedWrite struct {
	Record int64
	At     data.Time
	coverage
}

// maxWatched is how many of the newest records are read.
const maxWatched = 100

// WatchedWrites returns the newest writes since a time that were watched, the newest first.
func WatchedWrites(ctx context.Context, db data.Querier, since time.Time) (out []WatchedWrite, err error) {
	if some, err := data.HasTable(ctx, db, undoTable); err != nil || !some {
		return nil, err
	}
	const query = `SELECT id, coalesce(undone_at, applied_at), json_extract(detail, '$.coverage') FROM lcm_tui_undo
		WHERE coalesce(undone_at, applied_at) >= ? AND json_valid(detail) AND json_extract(detail, '$.coverage') IS NOT NULL ORDER BY id DESC LIMIT ?`
	err = data.Each(ctx, db, "read history", query, []any{data.FormatTimeMillis(since), maxWatched}, func(scan data.RowScanner) error {
		var w WatchedWrite
		var raw data.Text
		if err := scan(&w.Record, &w.At, &raw); err != nil {
			return err
		}
		if json.Unmarshal([]byte(raw), &w.coverage) == nil && w.At.Valid() {
			out = append(out, w)
		}
		return nil
	})
	sorting.Stable(out, func(a, b *WatchedWrite) int { return cmp.Or(b.At.Compare(a.At.Time), cmp.Compare(b.Record, a.Record)) })
	return out, err
}
