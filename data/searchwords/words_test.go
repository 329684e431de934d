package searchwords_test

import (
	"database/sql"
	"strings"
	"testing"
	"unicode"

	_ "modernc.org/sqlite"

	"lcm-tui/data/searchwords"
	"lcm-tui/internal/testlength"
)

// searchTable returns a database with a search table f of one column, content.
func searchTable(t *testing.T, tokenizer string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(t.Context(), "CREATE VIRTUAL TABLE f USING fts5(content, tokenize='"+tokenizer+"')"); err != nil {
		t.Fatal(err)
	}
	return db
}

// TestWordsAreThoseOfSQLite compares the words of texts with every letter, mark, digit and sign with those of a search table.
func TestWordsAreThoseOfSQLite(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	db := searchTable(t, "unicode61")
	if _, err := db.ExecContext(t.Context(), "CREATE VIRTUAL TABLE v USING fts5vocab(f, 'instance')"); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for r := rune(0x80); r < 0x20000; r++ {
		if unicode.IsOneOf([]*unicode.RangeTable{unicode.Hangul, unicode.Han}, r) && r%100 > 0 { // All of them are alike.
			continue
		}
		if unicode.IsOneOf([]*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.S, unicode.P}, r) {
			b.WriteString("a" + string(r) + "b ")
		}
	}
	text := b.String()
	if _, err := db.ExecContext(t.Context(), "INSERT INTO f (content) VALUES (?)", text); err != nil {
		t.Fatal(err)
	}
	rows, err := db.QueryContext(t.Context(), "SELECT term FROM v ORDER BY offset")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	words := searchwords.All(text)
	n := 0
	for ; rows.Next(); n++ {
		var want string
		if err := rows.Scan(&want); err != nil {
			t.Fatal(err)
		}
		if n >= len(words) || words[n] != want {
			t.Fatalf("word %d is %q, want %q", n, words[min(n, len(words)-1)], want)
		}
	}
	if err := rows.Err(); err != nil || n != len(words) || n < 20_000 {
		t.Errorf("SQLite has %d words, and there are %d: %v", n, len(words), err)
	}
}
