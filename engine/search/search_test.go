package search_test

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/search"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// everyKind makes a query look into every kind of row.
const everyKind = " kind:message,summary,part,file,focus"

// execute runs statements on a file, as another program.
func execute(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
}

// queries find something in the sample, or nothing, in every way of searching.
var queries = []string{
	"ledger", "LEDGER", "inventories", "mysql postgres", `"Ids are kept"`, "ident*", "led* -mysql", "rounding OR schema", "-ledger step",
	"台帳", "二重書き込み", "検証", "🎉", "ledger 台帳", "/[Ss]tep \\d/", "/round.*half/", "nothingatall", "0.01 EUR", "`internal/ledger/dual.go`", "fx_2019",
}

// scanned returns the ids of the messages and summaries of a file whose texts a query matches, found by
// reading all of them.
func scanned(t *testing.T, db *data.DB, q search.Query) (out []string) {
	t.Helper()
	all, err := lcm.Conversations(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		err := lcm.EachMessage(t.Context(), db, c.ID, func(m lcm.Message) error {
			if q.Matches(data.IndexText(m.Content)) {
				out = append(out, "message "+search.Hit{Kind: search.MessageKind, Message: m.ID}.ID())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		summaries, err := lcm.Summaries(t.Context(), db, c.ID, data.WholeText)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range summaries {
			if q.Matches(s.Content) {
				out = append(out, "summary "+s.ID)
			}
		}
	}
	slices.Sort(out)
	return out
}

// unfolded returns the ids of all hits, also of those that stand behind another one with the same
// text.
func unfolded(t *testing.T, db *data.DB, text string, o search.Options) (out, notes []string) {
	t.Helper()
	err := search.Run(t.Context(), db, search.Parse(text, search.ParseOptions{Now: now}), o, func(e search.Event) {
		switch e := e.(type) {
		case search.Found:
			for _, h := range e.Hits {
				out = append(out, string(h.Kind)+" "+h.ID())
			}
		case search.Noted:
			notes = append(notes, e.Text)
		}
	})
	if err != nil {
		t.Fatalf("search %q: %v", text, err)
	}
	slices.Sort(out)
	return out, notes
}

// TestASearchFindsWhatAScanFinds: whichever tables help, the hits are the texts that match.
func TestASearchFindsWhatAScanFinds(t *testing.T) {
	t.Parallel()
	compareWithScan(t, testdb.Sample(t, "0.15.2"), queries)
}

func TestASearchOfAReferenceFileFindsWhatAScanFinds(t *testing.T) {
	t.Parallel()
	compareWithScan(t, testdb.Fixture(t, "v0.15.3/rich.db"), testlength.Some([]string{
		"zoe", "Zoë", "naïve", "tenant_id", "migrat*", "日本語", "缓存键", "缓存", "🐛", "OPS-8*", "/(?i)zoë/", `"next step" -zoe`, "한국어", "the", "a*",
	}))
}

func compareWithScan(t *testing.T, path string, texts []string) {
	t.Helper()
	db := testdb.Open(t, path)
	for _, text := range texts {
		got, _ := unfolded(t, db, text+" kind:message,summary", search.Options{})
		if diff := cmp.Diff(scanned(t, db, search.Parse(text, search.ParseOptions{})), got); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
}

// TestFilesWithoutSearchTables: a file that lacks search tables, or whose tables are broken, has
// the same hits, and a note says that texts are read one by one.
func TestFilesWithoutSearchTables(t *testing.T) {
	t.Parallel()
	whole := testdb.Open(t, testdb.Sample(t, "0.15.2"))
	for _, c := range []struct{ name, statements, note string }{
		{"no tables", "DROP TABLE messages_fts; DROP TABLE summaries_fts; DROP TABLE summaries_fts_cjk", "no search index of messages"},
		{"no trigrams", "DROP TABLE summaries_fts_cjk", ""},
		{"a table without its shadows", "PRAGMA writable_schema=1; DELETE FROM sqlite_master WHERE name IN ('messages_fts_idx','summaries_fts_idx')", "broken"},
		{"no content in the tables", "DELETE FROM messages_fts_data; DELETE FROM summaries_fts_data", "can't be read"},
	} {
		path := testdb.Sample(t, "0.15.2")
		execute(t, path, c.statements)
		db := testdb.Open(t, path)
		for _, text := range queries {
			want, _ := unfolded(t, whole, text+everyKind, search.Options{})
			got, notes := unfolded(t, db, text+everyKind, search.Options{})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %q:\n%s", c.name, text, diff)
			}
			if text == "ledger" && !strings.Contains(strings.Join(notes, "\n"), c.note) {
				t.Errorf("%s: notes %q, want %q", c.name, notes, c.note)
			}
		}
	}
}

// TestFirstGenerationFiles: the oldest files have other columns, and the same texts are found.
func TestFirstGenerationFiles(t *testing.T) {
	t.Parallel()
	for _, level := range []fakehost.Level{"0.1.0", "0.6.0"} {
		db := testdb.Open(t, testdb.Sample(t, level))
		for _, text := range queries {
			got, _ := unfolded(t, db, text+" kind:message,summary", search.Options{})
			if diff := cmp.Diff(scanned(t, db, search.Parse(text, search.ParseOptions{})), got); diff != "" {
				t.Errorf("%s: %q:\n%s", level, text, diff)
			}
		}
	}
}

// TestALongTextIsSearchedWhole: a match behind what is shown of a text is found all the same.
func TestALongTextIsSearchedWhole(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, "0.15.2")
	execute(t, path, "UPDATE messages SET content = replace(hex(zeroblob(300000)), '00', 'a ') || 'zebra at the end' WHERE message_id = 3")
	for _, text := range []string{"/zebra at/", "/ZEBRA AT/", "/zebr. at the end$/"} {
		got, _ := unfolded(t, testdb.Open(t, path), text+" kind:message", search.Options{})
		if text == "/ZEBRA AT/" && len(got) != 0 || text != "/ZEBRA AT/" && !slices.Equal(got, []string{"message msg:3"}) {
			t.Errorf("%s: %q", text, got)
		}
	}
}
