package reading_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lcm-tui/data"
	"lcm-tui/data/textsearch"
	"lcm-tui/engine/search"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testreplica"
)

// hits returns what a query finds, and whether texts were read one by one for it.
func hits(t *testing.T, db *data.DB, query string, o search.Options) (found []search.Hit, notes []string) {
	t.Helper()
	o.Ordered = true
	results := search.NewResults(o.Sort)
	err := search.Run(t.Context(), db, search.Parse(query, search.ParseOptions{Now: db.Now()}), o, func(e search.Event) {
		results.Add(e)
		if n, ok := e.(search.Noted); ok {
			notes = append(notes, n.Text)
		}
	})
	testdb.Must(t, err)
	for _, h := range results.Rows() {
		found = append(found, *h)
	}
	return found, notes
}

// searchable makes a database with texts that are hard to find, on a file.
func searchable(t *testing.T) string {
	t.Helper()
	path := testdb.Sample(t, fakehost.Head)
	h := testdb.OpenHost(t, path)
	filler := strings.Repeat("filler words of the reports, which fill a line each.\n", 2500)
	for _, text := range []string{
		"zanzibar " + filler + "ferries\n" + filler + "mombasa harbour at the end",
		strings.Repeat("same ", 1000) + "lighthouse keeper",
		"naïve Café crème; re-entrant foo_bar.baz@example.com https://example.com/a/b?c=d /usr/local/lib/x.so v1.2.3",
		strings.Repeat("abcdef0123456789", 40) + " longword " + strings.Repeat("é", 300),
		"the and of to, which are no words elsewhere",
		"mixed foo日本語bar and 台帳の差分 with ledgers",
		"it's o'clock; back\\slash 'quoted' \"double\" a:b c*d !e (f) g|h i&j",
		"emoji 🎉🎊 party 👩‍👩‍👧 end",
	} {
		if _, err := h.Message(1, fakehost.Message{Role: "user", Content: text}); err != nil {
			t.Fatal(err)
		}
	}
	testdb.Must(t, h.Close())
	return path
}

// wordQueries ask for words in every way.
var wordQueries = []string{
	"ledger", "LEDGER inventories", "ident*", "led* -mysql", "rounding OR schema", "the", "of", "zanzibar mombasa", "zanzibar -harbour", "ferries -nothing", "filler -zanzibar",
	`"mombasa harbour"`, `"same lighthouse"`, `"same same same"`, `"same keeper"`, "lighthouse", "naive cafe", "re-entrant", "reentrant", "entrant", "foo_bar", "example.com", "/usr/local/lib", "v1.2.3", `"v1 2"`,
	strings.Repeat("abcdef0123456789", 40), strings.Repeat("abcdef0123456789", 20) + "*", strings.Repeat("abcdef0123456789", 39), strings.Repeat("e", 300),
	"o'clock", `back\slash`, "quoted double", "foo*", "日本", "台帳", "ledger 台帳", "party", "🎊", "nothingatall", "ledger role:user", "ledger -kind:summary", "step after:2026-01-05", `"` + strings.Repeat("same ", 40) + `"`,
	`-"filler words" the`, "summar* ledger", "kind:summary ledger", "kind:summary the -ledger", "/[Ss]tep \\d/ ledger",
}

// wordStores open stores with the conversations of a file that have an index of words.
var wordStores = map[string]func(t *testing.T, path string) *data.DB{
	"replica": func(t *testing.T, path string) *data.DB {
		t.Helper()
		return openAddress(t, testreplica.Add(t, testreplica.Server(t), "laptop", path))
	},
	"home": func(t *testing.T, path string) *data.DB {
		t.Helper()
		address := testhome.New(t)
		testhome.Fill(t, address, path)
		return openAddress(t, address)
	},
}

// openAddress opens what an address names until the end of the test.
func openAddress(t *testing.T, address string) *data.DB {
	t.Helper()
	db, err := data.Open(t.Context(), address)
	testdb.Must(t, err)
	t.Cleanup(func() { testdb.Must(t, db.Close()) })
	return db
}

// TestASearchFindsInPostgreSQLWhatItFindsInAFile: the same hits in the same order with the same snippets, and by the index.
func TestASearchFindsInPostgreSQLWhatItFindsInAFile(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, fill := range wordStores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := searchable(t)
			file, store := testdb.Open(t, path), fill(t, path)
			some := 0
			for i, query := range wordQueries {
				for _, o := range []search.Options{{Sort: search.Newest}, {Sort: search.Oldest}} {
					if o.Sort == search.Oldest && i%6 > 0 {
						continue
					}
					want, _ := hits(t, file, query, o)
					got, notes := hits(t, store, query, o)
					if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(search.Hit{})); diff != "" {
						t.Errorf("%.60s, %s: %s", query, o.Sort, diff)
					}
					if strings.Contains(strings.Join(notes, " "), "one by one") {
						t.Errorf("%.60s: %s", query, notes)
					}
					some += len(want)
				}
			}
			if some < 100 {
				t.Errorf("only %d hits were compared", some)
			}
		})
	}
}

// TestWhatIsNotSearchableYetIsReadBesideTheIndex: rows are sent before their words.
func TestWhatIsNotSearchableYetIsReadBesideTheIndex(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	server := testreplica.Server(t)
	path := searchable(t)
	address := testreplica.Add(t, server, "laptop", path)
	testreplica.Execute(t, server, "DELETE FROM lcm.search_docs WHERE message_id > 5 OR kind = 'summary'", "UPDATE lcm.sync_conversations SET search_from = 5")
	replica := openAddress(t, address)
	for _, query := range []string{"ledger", "zanzibar -harbour", "ident*", "kind:summary ledger"} {
		want, _ := hits(t, testdb.Open(t, path), query, search.Options{Sort: search.Newest})
		got, _ := hits(t, replica, query, search.Options{Sort: search.Newest})
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(search.Hit{})); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
}

// TestTheIndexOfOneSourceKnowsNothingOfAnother in the same table.
func TestTheIndexOfOneSourceKnowsNothingOfAnother(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	server := testreplica.Server(t)
	testreplica.Add(t, server, "other", searchable(t))
	replica := openAddress(t, testreplica.Add(t, server, "laptop", testdb.Sample(t, fakehost.Head)))
	r, _ := replica.Replica()
	words := func(word string) data.WordQuery {
		return data.WordQuery{Groups: [][]textsearch.IndexTerm{{{Text: word}}}}
	}
	everything := data.WordRange{From: -1 << 62, To: 1 << 62, Limit: 100}
	for word, isThere := range map[string]bool{"zanzibar": false, "lighthouse": false, "ledger": true} {
		ids, err := r.Words.Messages(t.Context(), words(word), everything, false)
		if err != nil || len(ids) > 0 != isThere {
			t.Errorf("%s: %v, %v", word, ids, err)
		}
	}
}
