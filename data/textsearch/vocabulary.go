package textsearch

import (
	"context"

	"lcm-tui/data"
)

// WordCount is a word as a search table knows it, and how many messages have it.
type WordCount struct {
	Word     string
	Messages int64
}

// EachWord calls fn with the words of the search table of messages that begin with a text. They
// are stems: "migrat" for migrate, migrates and migration. It opens a connection of its own,
// because the list of words needs a temporary table.
func EachWord(ctx context.Context, db *data.DB, beginning string, fn func(WordCount) error) (err error) {
	reader, err := db.OpenReader(ctx, "CREATE VIRTUAL TABLE temp.lcm_tui_words USING fts5vocab(main, "+data.MessageIndex+", row)")
	if err != nil {
		return err
	}
	defer reader.Close()
	const query = "SELECT term, doc FROM temp.lcm_tui_words WHERE term >= ? AND term < ?"
	return reader.EachRow(ctx, "read the words of messages", query, []any{beginning, beginning + "\U0010ffff"}, func(scan data.RowScanner) error {
		var w WordCount
		if err := scan((*data.Text)(&w.Word), (*data.Integer)(&w.Messages)); err != nil {
			return err
		}
		return fn(w)
	})
}

// EachRank calls fn with how well each message of a range fits an expression: the greater, the
// better.
func EachRank(ctx context.Context, db *data.DB, expression string, r IDRange, fn func(id int64, rank float64)) error {
	query := "SELECT rowid, -rank FROM " + data.MessageIndex + " WHERE " + data.MessageIndex + " MATCH ? AND rowid BETWEEN ? AND ?"
	return db.EachRow(ctx, "rank messages", query, []any{expression, r.From, r.To}, func(scan data.RowScanner) error {
		var id int64
		var rank float64
		err := scan(&id, &rank)
		fn(id, rank)
		return err
	})
}

// EachSummaryRank works as EachRank for summaries.
func EachSummaryRank(ctx context.Context, db *data.DB, expression string, fn func(id string, rank float64)) error {
	const query = "SELECT summary_id, -rank FROM " + data.SummaryIndex + " WHERE " + data.SummaryIndex + " MATCH ?"
	return db.EachRow(ctx, "rank summaries", query, []any{expression}, func(scan data.RowScanner) error {
		var id data.Text
		var rank float64
		err := scan(&id, &rank)
		fn(string(id), rank)
		return err
	})
}

// SummaryWords returns how many summaries have each of some words, which are stems as the search table has them. A word
// that none has is left out. It opens a connection of its own, as EachWord does.
func SummaryWords(ctx context.Context, db *data.DB, words []string) (counts map[string]int64, err error) {
	reader, err := db.OpenReader(ctx, "CREATE VIRTUAL TABLE temp.lcm_tui_words USING fts5vocab(main, "+data.SummaryIndex+", row)")
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	counts = map[string]int64{}
	for _, word := range words { // A list of words in one statement would read the whole table.
		err := reader.EachRow(ctx, "read the words of summaries", "SELECT doc FROM temp.lcm_tui_words WHERE term = ?", []any{word}, func(scan data.RowScanner) error {
			var n data.Integer
			err := scan(&n)
			counts[word] = int64(n)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// CountSummaries returns how many summaries there are.
func CountSummaries(ctx context.Context, db *data.DB) (n int64, err error) {
	err = db.EachRow(ctx, "count summaries", "SELECT count(*) FROM summaries", nil, func(scan data.RowScanner) error {
		return scan((*data.Integer)(&n))
	})
	return n, err
}
