package home_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/home"
	"lcm-tui/engine/retrieve"
	"lcm-tui/engine/search"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testpostgres"
)

// words returns the words of all texts of a home that are searched, as its index has them.
func words(t *testing.T, conn *postgres.Conn) string {
	t.Helper()
	var b strings.Builder
	const query = "SELECT concat_ws(' ', kind, message_id, summary_id, at, piece, pieces, content_tsv) FROM home.search_docs ORDER BY message_id, summary_id, piece"
	if err := conn.Query(t.Context(), "read", query, nil, func(scan postgres.Scanner) error {
		var row string
		err := scan(&row)
		b.WriteString(row + "\n")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// forgetWords makes a home one whose texts aren't searchable, as one is that has just got the index.
const forgetWords = "DELETE FROM home.search_docs; INSERT INTO home.search_gaps SELECT conversation_id, -9223372036854775808 FROM home.conversations"

// checkWords fails unless the index of a home has the words that its texts have now.
func checkWords(t *testing.T, name, address string) {
	t.Helper()
	conn := connect(t, address)
	got := words(t, conn)
	if err := conn.Script(t.Context(), forgetWords); err != nil {
		t.Fatal(err)
	}
	if _, err := home.MakeSearchable(t.Context(), conn, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(words(t, conn), got); diff != "" || got == "" {
		t.Errorf("%s: the words of the index aren't those of the texts: %s", name, diff)
	}
}

// found returns what a search finds, as texts, and its notes.
func found(t *testing.T, db *data.DB, query string) (out, notes []string) {
	t.Helper()
	err := search.Run(t.Context(), db, search.Parse(query, search.ParseOptions{Now: db.Now()}), search.Options{Ordered: true}, func(e search.Event) {
		switch e := e.(type) {
		case search.Found:
			for _, h := range e.Hits {
				out = append(out, fmt.Sprint(h.Kind, h.Message, h.Summary, h.Snippet))
			}
		case search.Noted:
			notes = append(notes, e.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, notes
}

// TestAnOlderHomeIsMadeSearchable: until then texts are read one by one, which finds the same; what others write meanwhile is found, and
// what was made when it ended early isn't made again.
func TestAnOlderHomeIsMadeSearchable(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path, address := testdb.Sample(t, fakehost.Head), testhome.New(t)
	testhome.Fill(t, address, path)
	db, conn := testhome.Open(t, address), connect(t, address)
	const query, isNotWhole = "ledger -nothing", "the search index of the home isn't whole (lcm-tui init completes it)"
	want, notes := found(t, db, query)
	if len(want) == 0 || len(notes) > 0 {
		t.Fatalf("%d hits by the index, %v", len(want), notes)
	}
	if err := conn.Script(t.Context(), forgetWords); err != nil {
		t.Fatal(err)
	}
	if got, notes := found(t, db, query); !cmp.Equal(want, got) || !strings.Contains(fmt.Sprint(notes), isNotWhole) {
		t.Errorf("one by one: %v", cmp.Diff(want, got)+fmt.Sprint(notes))
	}
	scope, err := retrieve.ScopeRequest{AllConversations: true}.Resolve(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	grep, err := retrieve.GrepRequest{Pattern: "ledger", Mode: retrieve.FullText}.Run(t.Context(), db, scope)
	if err != nil || strings.Count(fmt.Sprint(grep.Notes), isNotWhole) != 1 {
		t.Errorf("grep doesn't say it once: %+v, %v", grep, err)
	}
	if _, err := appendMessage(t.Context(), db, 1, "a ledger that was added meanwhile"); err != nil {
		t.Fatal(err)
	}
	for _, whole := range []bool{true, false} {
		done, err := home.MakeSearchable(t.Context(), conn, nil)
		if err != nil || (done.Messages > 0 && done.Summaries > 0 && done.Conversations > 0) != whole {
			t.Errorf("made searchable: %+v, %v", done, err)
		}
	}
	if got, notes := found(t, db, query); len(got) != len(want)+1 || len(notes) > 0 {
		t.Errorf("%d hits after %d, %v", len(got), len(want), notes)
	}
	checkWords(t, "a message that was added meanwhile", address)
}

// TestAProgramOfAnOlderSchemaCantWrite, as one that was started before the home got its index: it would leave texts that aren't found.
func TestAProgramOfAnOlderSchemaCantWrite(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	conn := connect(t, testhome.New(t))
	if err := conn.Script(t.Context(), "INSERT INTO home.batches (batch_key) VALUES ('old')"); err == nil {
		t.Error("a batch without the version of the schema is taken")
	}
}

// hostileTexts are texts of which the words, or the statements with them, could go wrong.
var hostileTexts = []string{
	`'); DROP TABLE home.search_docs; --`, `back\slash 'quoted' "double" \' \\' E'x' $1 $$x$$ a:1,2 b:3A`, "nul\x00byte and \xff\xfe bad bytes", "sign \U0010FFFE.. sign", "日本語の台帳 and emoji 🎉",
	strings.Repeat("x'", 3000), strings.Repeat("same ", 2000) + "end", strings.Repeat("abcdef0123456789", 40), " \n\t ", "", "[LCM File: file_0123456789abcdef]\nUse lcm_describe to read it",
}

// TestHostileTextsAreSearchable: each is stored as it is, and found by its words.
func TestHostileTextsAreSearchable(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := testhome.New(t)
	db := testhome.Open(t, address)
	begun(t, db, 1)
	for _, text := range hostileTexts {
		if _, err := appendMessage(t.Context(), db, 1, text); err != nil {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	checkWords(t, "hostile texts", address)
	for query, n := range map[string]int{"search_docs": 1, "back\\slash": 1, "byte bad": 1, "sign": 1, "台帳": 1, "same end": 1, "quoted -double": 0, "lcm_describe": 0} {
		if hits, notes := found(t, db, query); len(hits) != n || len(notes) > 0 {
			t.Errorf("%s: %d hits, %v", query, len(hits), notes)
		}
	}
}

// TestTextsThatAreRewrittenDeletedAndMovedInTimeAreSearchable by what they are then, each change in the same transaction as its words.
func TestTextsThatAreRewrittenDeletedAndMovedInTimeAreSearchable(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := testhome.New(t)
	db := testhome.Open(t, address)
	begun(t, db, 1)
	for _, text := range []string{"first zeppelin", "second zeppelin", "third zeppelin"} {
		if _, err := appendMessage(t.Context(), db, 1, text); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := data.Images(t.Context(), db, "messages", nil)
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d messages, %v", len(rows), err)
	}
	var b change.Batch
	b.Op, b.Title = "edit", "change texts"
	b.Changes = []change.Change{
		change.Update(db, "messages", rows[0].Pick([]string{"message_id", "content"}), data.Row{"content": "first airship"}),
		change.Update(db, "messages", rows[1].Pick([]string{"message_id", "created_at"}), data.Row{"created_at": "2001-02-03 04:05:06"}),
	}
	id, err := change.Write(t.Context(), db, b)
	if err != nil {
		t.Fatal(err)
	}
	if hits, _ := found(t, db, "zeppelin"); len(hits) != 2 || !strings.Contains(hits[1], "second") {
		t.Errorf("after the change: %q", hits)
	}
	checkWords(t, "changed texts", address)
	if err := change.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if hits, _ := found(t, db, "zeppelin"); len(hits) != 3 {
		t.Errorf("after the undo: %q", hits)
	}
	checkWords(t, "the undo", address)
	if err := connect(t, address).Script(t.Context(), "DELETE FROM home.context_items; DELETE FROM home.messages WHERE message_id = 1"); err != nil {
		t.Fatal(err)
	}
	if hits, _ := found(t, db, "zeppelin"); len(hits) != 2 {
		t.Errorf("after a DELETE in SQL: %q", hits)
	}
	checkWords(t, "the DELETE", address)
}

// TestTwoWritersAndASearch: what each has written is found by its words as soon as it is written.
func TestTwoWritersAndASearch(t *testing.T) {
	t.Parallel()
	address := testhome.New(t)
	begun(t, testhome.Open(t, address), 2)
	const each = 6
	var writers sync.WaitGroup
	for n := range 2 {
		db := testhome.Open(t, address)
		writers.Go(func() {
			for i := range each {
				word := fmt.Sprintf("word%dof%d", i, n)
				if _, err := appendMessage(t.Context(), db, int64(n+1), word+" common"); err != nil {
					t.Error(err)
					return
				}
				if hits, _ := found(t, db, word); len(hits) != 1 {
					t.Errorf("%s: %v", word, hits)
				}
			}
		})
	}
	writers.Wait()
	if hits, _ := found(t, testhome.Open(t, address), "common"); len(hits) != 2*each {
		t.Errorf("%d hits", len(hits))
	}
	checkWords(t, "two writers", address)
}

// TestAHomeGetsItsIndexByInit: a home of the first version is brought up to date with its rows.
func TestAHomeGetsItsIndexByInit(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	address := testpostgres.Empty(t)
	conn := connect(t, address)
	if _, err := home.Initialize(t.Context(), conn, "test"); err != nil {
		t.Fatal(err)
	}
	path := testdb.Sample(t, fakehost.Head)
	testhome.Fill(t, address, path)
	want := words(t, conn)
	const older = `DROP TABLE home.search_docs, home.search_gaps; ALTER TABLE home.batches DROP COLUMN schema_version; DELETE FROM home.schema_version WHERE version > 1`
	if err := conn.Script(t.Context(), older); err != nil {
		t.Fatal(err)
	}
	if _, err := data.Open(t.Context(), address); err == nil {
		t.Error("a home of an older version could be opened")
	}
	done, err := home.Initialize(t.Context(), conn, "test")
	if err != nil || done.From != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if _, err := home.MakeSearchable(t.Context(), conn, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, words(t, conn)); diff != "" || want == "" {
		t.Errorf("the words differ: %s", diff)
	}
}
