package promoted

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"unicode"

	"lcm-tui/data"
)

// Index searches entries. It is made of them when it is needed and stands in memory, so that nothing in the file can
// be out of step with the entries.
type Index struct {
	db      *sql.DB
	entries map[int64]Entry
	next    int64
}

// Hit is an entry that was found. Rank is that of SQLite's bm25: the smaller, the better.
type Hit struct {
	Entry
	Rank float64 `json:"rank"`
}

// NewIndex returns an index of entries. Close frees it.
func NewIndex(ctx context.Context, entries []Entry) (*Index, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("make an index: %w", err)
	}
	db.SetMaxOpenConns(1) // Another connection would be another database.
	x := &Index{db: db, entries: map[int64]Entry{}}
	_, err = db.ExecContext(ctx, "CREATE VIRTUAL TABLE promoted_fts USING fts5(content, tags)")
	for i := range entries {
		if err == nil {
			err = x.Add(ctx, entries[len(entries)-1-i]) // The oldest first, as they were stored.
		}
	}
	if err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("make an index: %w", err)
	}
	return x, nil
}

// Close frees the index.
func (x *Index) Close() { _ = x.db.Close() }

// Add adds an entry.
func (x *Index) Add(ctx context.Context, e Entry) error {
	x.next++
	x.entries[x.next] = e
	_, err := x.db.ExecContext(ctx, "INSERT INTO promoted_fts (rowid, content, tags) VALUES (?, ?, ?)", x.next, spaced(e.Content), spaced(strings.Join(e.Tags, " ")))
	return data.WrapError("memory", "index", err)
}

// Search returns the entries that hold any word of a text, the best first, at most limit; accept says which may be
// found, and nil accepts all. A text without a word finds nothing.
func (x *Index) Search(ctx context.Context, text string, limit int, accept func(Entry) bool) (hits []Hit, err error) {
	hits = []Hit{}
	match := anyWord(text)
	if match == "" {
		return hits, nil
	}
	rows, err := x.db.QueryContext(ctx, "SELECT rowid, rank FROM promoted_fts WHERE promoted_fts MATCH ? ORDER BY rank, rowid", match)
	if err != nil {
		return nil, fmt.Errorf("search promoted memory: %w", err)
	}
	defer rows.Close()
	for rows.Next() && len(hits) < limit {
		var id int64
		var rank float64
		if err := rows.Scan(&id, &rank); err != nil {
			return nil, fmt.Errorf("search promoted memory: %w", err)
		}
		if e := x.entries[id]; accept == nil || accept(e) {
			hits = append(hits, Hit{e, rank})
		}
	}
	return hits, rows.Err()
}

// mostWords is how many words of a text are looked for.
const mostWords = 200

// anyWord returns a query for any word of a text. A run of letters of a script without blanks between words is a
// phrase.
func anyWord(text string) string {
	var words []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_'
	}) {
		if len(words) < mostWords {
			words = append(words, `"`+strings.TrimSpace(spaced(w))+`"`)
		}
	}
	return strings.Join(words, " OR ")
}

// spaced returns a text with blanks around each letter of a script that has none between words: each is then a word
// of its own for the index.
func spaced(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			b.WriteString(" " + string(r) + " ")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
