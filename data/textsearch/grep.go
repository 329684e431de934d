package textsearch

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"lcm-tui/data"
)

// GrepTable is a table whose texts a grep searches. Of rows that were written in the same second, the one with the lowest rank was first.
type GrepTable struct{ name, id, label, at, rank string }

// The tables of a grep. The time of a summary is that of the newest message below it.
var (
	GrepMessages  = GrepTable{"messages", "message_id", "role", "t.created_at", "t.message_id"}
	GrepSummaries = GrepTable{"summaries", "summary_id", "kind", "coalesce(t.latest_at, t.created_at)", "t.depth"}
)

// GrepFilter says which rows a grep may find. A zero time is no limit.
type GrepFilter struct {
	Scope         Scope
	Since, Before time.Time
	Limit         int
}

// GrepRow is a row that a grep found: Label is the role of a message or the kind of a summary.
type GrepRow struct {
	ID           string
	Conversation int64
	Label        string
	At           data.Time
	Text         string // The whole text, or from a search table its snippet.
	Rank         float64
}

// GrepOrder is the order in which the rows of a search table are found.
type GrepOrder struct {
	Rank bool      // The best first; else the newest first.
	Aged bool      // With Rank: an older row counts less.
	Now  time.Time // With Aged: from when ages are counted.
}

// where returns the condition of the filter on a row t.
func (t GrepTable) where(f GrepFilter) (w where) {
	w.and(f.Scope.Condition("t.conversation_id"))
	if ranges := times(t.at, []TimeRange{{f.Since, f.Before}}); len(ranges[0].sql) > 0 {
		w.anyOf(false, ranges...)
	}
	return w
}

// newestFirst orders rows by their time as text, as hosts do. Of those without a time that can
// be read nobody knows when they were written: they come last. A server gives rows with the same time in
// any order: there that which was written first comes first, as in the table of a file.
func (t GrepTable) newestFirst(db *data.DB) string {
	order := "julianday(" + t.at + ") IS NULL, " + t.at + " DESC"
	if _, isReplica := db.Replica(); isReplica {
		order += ", t.created_at, " + t.rank + ", t." + t.id
	}
	return order
}

// NewestFirst compares two times as newestFirst orders them: as texts, and those last that can't be read.
func NewestFirst(a, b data.Time) int {
	switch {
	case a.Valid() == b.Valid():
		return cmp.Compare(b.Raw, a.Raw)
	case a.Valid():
		return -1
	}
	return 1
}

// GrepQuery is what a search table is asked for.
type GrepQuery struct {
	Index, Expression string
	Like              []string // Each has to be in the text as well, whatever the case of letters of ASCII.
	// Snippet returns the snippet of a long text. Nil leaves it to the search table, whose time grows with the square of what a
	// text has of the words.
	Snippet func(text string) string
}

// Match finds the rows that a search table finds, with snippets. Only with ranks, or where the order needs them, it gives ranks.
func (t GrepTable) Match(ctx context.Context, db *data.DB, q GrepQuery, f GrepFilter, o GrepOrder, ranks bool) ([]GrepRow, error) {
	index := q.Index
	w := t.where(f)
	for _, text := range q.Like {
		w.contains("lower(t.content)", text)
	}
	join, order := "t.summary_id = f.summary_id", t.newestFirst(db)
	if index == data.MessageIndex {
		join = "t.message_id = f.rowid"
	}
	switch {
	case o.Rank && o.Aged:
		w.args = append(w.args, data.FormatTimeMillis(o.Now))
		order = "f.rank / (1 + coalesce(julianday(?) - julianday(" + t.at + "), 0) * 24 * 0.001), " + order
	case o.Rank:
		order = "f.rank, " + order
	}
	query := "SELECT f.rowid, t." + t.id + ", t.conversation_id, t." + t.label + ", " + t.at + " FROM " + index + " f CROSS JOIN " + t.name + " t ON " + join +
		" WHERE f." + index + " MATCH ? AND " + w.String() + " ORDER BY " + order + " LIMIT ?"
	rows, rowids, err := t.readFirst(ctx, db, query, append([]any{q.Expression}, w.args...), f.Limit)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	place := make(map[int64]int, len(rowids))
	for i, id := range rowids {
		place[id] = i
	}
	if err := snippets(ctx, db, q, rowids, func(rowid int64, text string) { rows[place[rowid]].Text = text }); err != nil {
		return nil, err
	}
	if ranks {
		err = eachRank(ctx, db, index, q.Expression, rowids, func(rowid int64, rank float64) { rows[place[rowid]].Rank = rank })
	}
	return rows, err
}

// readFirst reads the first rows of a query, whose last argument is how many, and their rowids, without messages that
// only repeat what was recalled. To leave these out in the query would look at the parts of every message that it
// matches.
func (t GrepTable) readFirst(ctx context.Context, db *data.DB, query string, args []any, limit int) (rows []GrepRow, rowids []int64, err error) {
	for read := limit; ; read *= 2 {
		rows, rowids = nil, nil
		err = db.EachRow(ctx, "search "+t.name, query, append(slices.Clip(args), read), func(scan data.RowScanner) error {
			var r GrepRow
			var rowid int64
			err := scan(&rowid, (*data.Text)(&r.ID), (*data.Integer)(&r.Conversation), (*data.Text)(&r.Label), &r.At)
			rows, rowids = append(rows, r), append(rowids, rowid)
			return err
		})
		all := len(rows) < read
		if err == nil && t == GrepMessages {
			rows, rowids, err = withoutRecalled(ctx, db, rows, rowids)
		}
		if err != nil || all || len(rows) >= limit {
			limit = min(limit, len(rows))
			return rows[:limit], rowids[:limit], err
		}
	}
}

// longText is how many characters a text has for which GrepQuery.Snippet is called.
const longText = 16 << 10

// snippets reads those of a few rows: each is looked up by itself, which reads less than all rows
// that match.
func snippets(ctx context.Context, db *data.DB, q GrepQuery, rowids []int64, fn func(rowid int64, text string)) error {
	column := "1"
	if q.Index == data.MessageIndex {
		column = "0"
	}
	isLong, w := "0", in("rowid", rowids)
	if q.Snippet != nil {
		isLong = "length(content) > " + strconv.Itoa(longText)
	}
	query := "SELECT rowid, " + isLong + ", CASE WHEN " + isLong + " THEN content ELSE snippet(" + q.Index + ", " + column + ", '', '', '...', 32) END FROM " + q.Index +
		" WHERE " + q.Index + " MATCH ? AND " + w.String()
	return db.EachRow(ctx, "read snippets", query, append([]any{q.Expression}, w.args...), func(scan data.RowScanner) error {
		var rowid int64
		var long bool
		var text string
		err := scan(&rowid, &long, (*data.Text)(&text))
		if long && err == nil {
			text = q.Snippet(text)
		}
		fn(rowid, text)
		return err
	})
}

// eachRank tells the ranks of a few rows in one pass over all that match: by itself each would
// count the matches of the whole table again.
func eachRank(ctx context.Context, db *data.DB, index, expression string, rowids []int64, fn func(rowid int64, rank float64)) error {
	w := in("+rowid", rowids)
	query := "SELECT rowid, rank FROM " + index + " WHERE " + index + " MATCH ? AND " + w.String()
	return db.EachRow(ctx, "rank rows", query, append([]any{expression}, w.args...), func(scan data.RowScanner) error {
		var rowid int64
		var rank float64
		err := scan(&rowid, &rank)
		fn(rowid, rank)
		return err
	})
}

// Like finds the rows that contain, of each group of texts, one or more; the newest come first,
// with their whole texts.
func (t GrepTable) Like(ctx context.Context, db *data.DB, groups [][]string, f GrepFilter) (rows []GrepRow, err error) {
	w := t.where(f)
	for _, group := range groups {
		var ways []where
		for _, text := range group {
			var one where
			one.contains("lower(t.content)", text)
			ways = append(ways, one)
		}
		w.anyOf(false, ways...)
	}
	t.leaveOutRecalled(db.Schema(), &w)
	err = t.each(ctx, db, w, f.Limit, func(r GrepRow) error {
		rows = append(rows, r)
		return nil
	})
	return rows, err
}

// EachNewest calls fn with the newest rows and their whole texts, at most limit of them, until
// fn returns data.ErrEndRows.
func (t GrepTable) EachNewest(ctx context.Context, db *data.DB, f GrepFilter, fn func(GrepRow) error) error {
	w := t.where(f)
	rows, err := t.sizes(ctx, db, w, " ORDER BY "+t.newestFirst(db)+" LIMIT "+strconv.Itoa(f.Limit))
	if err != nil {
		return err
	}
	return t.eachText(ctx, db, rows, fn)
}

// EachOf works as EachNewest for those of some rows, by their ids, that the filter lets pass, without its limit. Of rows with the same time
// that which was written first comes first, as search tables have it.
func (t GrepTable) EachOf(ctx context.Context, db *data.DB, ids []any, f GrepFilter, fn func(GrepRow) error) error {
	var rows []sizedRow
	for chunk := range slices.Chunk(ids, maxMarks) {
		w, these := t.where(f), in("t."+t.id, chunk)
		w.and(these.String(), these.args...)
		found, err := t.sizes(ctx, db, w, "")
		if err != nil {
			return err
		}
		rows = append(rows, found...)
	}
	slices.SortFunc(rows, func(a, b sizedRow) int {
		return cmp.Or(NewestFirst(a.at, b.at), cmp.Compare(a.number, b.number), a.written.Compare(b.written.Time), cmp.Compare(a.rank, b.rank), cmp.Compare(a.text, b.text))
	})
	return t.eachText(ctx, db, rows, fn)
}

// sizedRow is a row, and how many bytes its text has.
type sizedRow struct {
	id      any
	number  int64  // The id, where it is one.
	text    string // The same where it is none.
	at      data.Time
	written data.Time
	rank    int64
	size    int64
}

// sizes reads which rows there are.
func (t GrepTable) sizes(ctx context.Context, db *data.DB, w where, order string) (rows []sizedRow, err error) {
	query := "SELECT t." + t.id + ", " + t.at + ", t.created_at, " + t.rank + ", octet_length(t.content) FROM " + t.name + " t WHERE " + w.String() + order
	err = data.Each(ctx, db, "search "+t.name, query, w.args, func(scan data.RowScanner) error {
		var r sizedRow
		err := scan(&r.id, &r.at, &r.written, (*data.Integer)(&r.rank), (*data.Integer)(&r.size))
		if number, ok := r.id.(int64); ok {
			r.number = number
		} else {
			r.text = data.CellText(r.id)
		}
		rows = append(rows, r)
		return err
	})
	return rows, err
}

// eachText calls fn with the texts of rows.
func (t GrepTable) eachText(ctx context.Context, db *data.DB, left []sizedRow, fn func(GrepRow) error) error {
	most := grepPage
	for n := 0; len(left) > 0; left, most = left[n:], min(2*most, mostGrepPage) {
		n = pageOf(left, most)
		rows, err := t.page(ctx, db, left[:n])
		if err != nil {
			return err
		}
		for _, known := range left[:n] {
			r, ok := rows[data.CellText(known.id)]
			if !ok { // It repeats what was recalled, its page is damaged, or it is gone.
				continue
			}
			if err := ctx.Err(); err != nil { // fn may take long.
				return err
			}
			if err := fn(r); err == data.ErrEndRows { //nolint:errorlint // Nobody wraps it.
				return nil
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// page reads some rows with their texts, by their ids.
func (t GrepTable) page(ctx context.Context, db *data.DB, page []sizedRow) (map[string]GrepRow, error) {
	ids := make([]any, len(page))
	for i, r := range page {
		ids[i] = r.id
	}
	rows := map[string]GrepRow{}
	w := in("t."+t.id, ids)
	t.leaveOutRecalled(db.Schema(), &w)
	return rows, t.each(ctx, db, w, len(page), func(r GrepRow) error {
		rows[r.ID] = r
		return nil
	})
}

// grepPage is how many texts are read at once at first, and mostGrepPage how many later: a server takes as long for the statement as for
// some hundred texts. grepBytes is how long they are together, unless one alone is longer.
const (
	grepPage     = 50
	mostGrepPage = 400
	grepBytes    = 4 << 20
)

// pageOf returns of how many of the next rows the texts are read at once.
func pageOf(rows []sizedRow, most int) (n int) {
	total := int64(0)
	for n < min(len(rows), most) {
		if total += rows[n].size; n > 0 && total > grepBytes {
			return n
		}
		n++
	}
	return n
}

func (t GrepTable) each(ctx context.Context, db *data.DB, w where, limit int, fn func(GrepRow) error) error {
	query := strings.Join([]string{
		"SELECT t." + t.id, "t.conversation_id", "t." + t.label, t.at, "t.content FROM " + t.name + " t WHERE " + w.String() +
			" ORDER BY " + t.newestFirst(db) + " LIMIT " + strconv.Itoa(limit),
	}, ", ")
	return data.Each(ctx, db, "search "+t.name, query, w.args, func(scan data.RowScanner) error {
		var r GrepRow
		if err := scan((*data.Text)(&r.ID), (*data.Integer)(&r.Conversation), (*data.Text)(&r.Label), &r.At, (*data.Text)(&r.Text)); err != nil {
			return err
		}
		return fn(r)
	})
}

// Totals returns how many rows the table has, and how many bytes their texts have together.
func (t GrepTable) Totals(ctx context.Context, db *data.DB) (rows, bytes int64, err error) {
	query := "SELECT count(*), coalesce(sum(octet_length(content)), 0) FROM " + t.name
	err = db.EachRow(ctx, "count "+t.name, query, nil, func(scan data.RowScanner) error {
		return scan((*data.Integer)(&rows), (*data.Integer)(&bytes))
	})
	return rows, bytes, err
}
