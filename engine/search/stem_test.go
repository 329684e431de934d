package search

import (
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/searchwords"
	"lcm-tui/data/textsearch"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestWordsAreThoseOfTheSearchTable: the words of all texts, reduced to their stems, are exactly
// the words that SQLite's tokenizer put into the search table.
func TestWordsAreThoseOfTheSearchTable(t *testing.T) {
	t.Parallel()
	paths := []string{testdb.Sample(t, "0.15.2")}
	paths = append(paths, testdb.FixtureFiles(t, "v0.15.3/*.db", "hard/*.db")...)
	for _, path := range testlength.Some(paths) {
		compareWords(t, path)
	}
}

func compareWords(t *testing.T, path string) {
	t.Helper()
	ctx := t.Context()
	db := testdb.Open(t, testdb.Copy(t, path))
	ours, indexed := map[string]bool{}, map[string]bool{}
	all, err := lcm.Conversations(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		err := lcm.EachMessage(ctx, db, c.ID, func(m lcm.Message) error {
			for _, w := range searchwords.All(data.IndexText(m.Content)) {
				ours[searchwords.Stem(w)] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	err = textsearch.EachWord(ctx, db, "", func(w textsearch.WordCount) error {
		indexed[w.Word] = true
		return nil
	})
	if err != nil || len(indexed) == 0 {
		t.Fatalf("%s: %d words, %v", path, len(indexed), err)
	}
	for w := range indexed {
		if !ours[w] {
			t.Errorf("%s: SQLite has the word %q", path, w)
		}
	}
	for w := range ours {
		if !indexed[w] {
			t.Errorf("%s: SQLite doesn't have the word %q", path, w)
		}
	}
}

// TestEditDistance counts exchanged neighbours as one slip.
func TestEditDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"index", "index", 0},
		{"indxe", "index", 1},
		{"idnxe", "index", 2},
		{"ledgr", "ledger", 1},
		{"lledger", "ledger", 1},
		{"abcdef", "xyzdef", 3},
		{"", "ab", 2},
	} {
		if got := editDistance([]rune(c.a), []rune(c.b), 2); got != c.want {
			t.Errorf("%q and %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
