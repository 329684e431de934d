package searchwords_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"lcm-tui/data/searchwords"
	"lcm-tui/internal/testlength"
)

// TestSnippetsAreThoseOfSQLite compares snippets of made-up texts with those of a search table.
func TestSnippetsAreThoseOfSQLite(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	db := searchTable(t, "porter unicode61")
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 600 {
		text, phrases := madeUpText(random), [][]string{{"pool"}, {"retri", "queue"}, {"cafe"}}[:1+random.IntN(3)]
		if _, err := db.ExecContext(t.Context(), "INSERT INTO f (rowid, content) VALUES (1, ?)", text); err != nil {
			t.Fatal(err)
		}
		match := `"pools" "retries queue" "café"`
		for range 3 - len(phrases) {
			match = match[:strings.LastIndex(match, ` "`)]
		}
		var want string
		err := db.QueryRowContext(t.Context(), "SELECT snippet(f, 0, '', '', '...', 32) FROM f WHERE f MATCH ?", match).Scan(&want)
		words := searchwords.NewText(text)
		isFound := true
		for _, p := range phrases {
			isFound = isFound && len(words.Find(p)) > 0
		}
		if isFound != (err == nil) {
			t.Fatalf("%s in %q: found %v, SQLite: %v", match, text, isFound, err)
		}
		if isFound {
			found++
			if got := words.Snippet(phrases, 32); got != want {
				t.Fatalf("%s in %q:\n%q, SQLite's is\n%q", match, text, got, want)
			}
		}
		if _, err := db.ExecContext(t.Context(), "DELETE FROM f"); err != nil {
			t.Fatal(err)
		}
	}
	if found < 150 {
		t.Errorf("only %d texts were found", found)
	}
}

// madeUpText returns words with few of those that are looked for.
func madeUpText(random *rand.Rand) string {
	words := []string{"pool", "Pooling", "retry queue", "retried queues", "Café", "cafe", "queue", "retry"}
	others := []string{"and", "the", "worker", "of", "—", "...", "ÄÖÜ", "x1"}
	ends := []string{" ", " ", " ", " ", ". ", ": ", ".\n", ":\t", " . ", ".", ", ", "\r\n", ". \u00a0"}
	var b strings.Builder
	b.WriteString([]string{"", " ", "- ", "("}[random.IntN(4)])
	share := 2 + random.IntN(20)
	for range random.IntN(120) {
		from := others
		if random.IntN(share) == 0 {
			from = words
		}
		b.WriteString(from[random.IntN(len(from))])
		b.WriteString(ends[random.IntN(len(ends))])
	}
	return b.String()
}

// TestSnippetsOfTrigramsAreThoseOfSQLite compares snippets of Chinese and Japanese with those of a search table of trigrams.
func TestSnippetsOfTrigramsAreThoseOfSQLite(t *testing.T) {
	t.Parallel()
	db := searchTable(t, "trigram")
	random := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"数据库", "移行は木曜日", "行は木", "备份", "Pool ", ". ", "終わり。", ": ", " ", "ä", "x", "数", "\n"}
	phrases := [][]string{searchwords.Trigrams("数据库"), searchwords.Trigrams("移行は木"), searchwords.Trigrams("行は木曜")}
	for range 400 {
		var b strings.Builder
		for range random.IntN(60) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		text := b.String() + "数据库" + b.String()
		if _, err := db.ExecContext(t.Context(), "INSERT OR REPLACE INTO f (rowid, content) VALUES (1, ?)", text); err != nil {
			t.Fatal(err)
		}
		var want string
		const query = `SELECT snippet(f, 0, '', '', '...', 32) FROM f WHERE f MATCH '"数据库" AND ("数据库" OR "移行は木" OR "行は木曜")'`
		if err := db.QueryRowContext(t.Context(), query).Scan(&want); err != nil {
			t.Fatal(err)
		}
		if got := searchwords.NewTrigrams(text).Snippet(append(phrases[:1:1], phrases...), 32); got != want {
			t.Fatalf("%q:\n%q, SQLite's is\n%q", text, got, want)
		}
	}
}
