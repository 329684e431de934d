package search_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lcm-tui/engine/search"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestWhatIsKeptFindsTheSame: also after somebody wrote to the file, and in another file.
func TestWhatIsKeptFindsTheSame(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v0.15.3/rich.db")
	db, other := testdb.Open(t, path), testdb.Open(t, testdb.Fixture(t, "v1.0/rich.db"))
	var kept search.Kept
	compare := func(when string) {
		t.Helper()
		for _, query := range []string{"/ledger/", "/the/ kind:message", "/newest0message/"} {
			for _, of := range []struct {
				name string
				kept *search.Kept
			}{{"first", &kept}, {"again", &kept}} {
				var got [2][]*search.Hit
				for i, k := range []*search.Kept{nil, of.kept} {
					results := search.NewResults(search.Newest)
					err := search.Run(t.Context(), db, search.Parse(query, search.ParseOptions{}), search.Options{Kept: k}, func(e search.Event) { results.Add(e) })
					if err != nil {
						t.Fatal(err)
					}
					got[i] = results.Rows()
				}
				if diff := cmp.Diff(got[0], got[1], cmpopts.IgnoreUnexported(search.Hit{})); diff != "" {
					t.Errorf("%s, %s %s: it finds something else:\n%s", query, of.name, when, diff)
				}
				if len(got[1]) == 0 && (when != "at first" || query != "/newest0message/") {
					t.Errorf("%s, %s %s: nothing was found", query, of.name, when)
				}
			}
		}
	}
	if err := kept.Read(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	compare("at first")
	execute(t, path, `INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at)
		VALUES (900000, 1, 900000, 'user', 'newest0message the ledger', 1, '2031-01-01 00:00:00')`)
	compare("after a write")
}
