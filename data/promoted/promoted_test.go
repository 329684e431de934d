package promoted_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/promoted"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// index returns an index of texts, whose ids are a, b, c and so on.
func index(t *testing.T, texts ...string) *promoted.Index {
	t.Helper()
	var entries []promoted.Entry
	for i, text := range texts {
		entries = append(entries, promoted.Entry{ID: string(rune('a' + i)), Content: text, Tags: []string{fmt.Sprint("tag", i)}})
	}
	x, err := promoted.NewIndex(t.Context(), entries)
	testdb.Must(t, err)
	t.Cleanup(x.Close)
	return x
}

// TestSearch: any word of the text, the best first; words of scripts without blanks too, which lossless-claude doesn't
// find; marks of the query language are no query.
func TestSearch(t *testing.T) {
	t.Parallel()
	x := index(t, "deploy from the main branch", "the mirror lags behind the main one, so deploy deploy deploy", "数据库连接池的大小是二十四", "nothing of it", "データベースの接続")
	for query, want := range map[string]string{
		"deploy":               "ba",
		"branch mirror":        "ab",
		"连接池":                  "c",
		"接続":                   "e",
		"大小 branch":            "ca",
		`"deploy" AND NOT -x*`: "ba",
		"tag3":                 "d",
		"(((":                  "",
		"":                     "",
		"unheard":              "",
	} {
		hits, err := x.Search(t.Context(), query, 10, nil)
		var got []string
		for _, h := range hits {
			got = append(got, h.ID)
		}
		if len(got) == 2 && want != "ba" && want != "" {
			slices.Sort(got) // Their ranks are close.
			want = strings.Join(slices.Sorted(slices.Values(strings.Split(want, ""))), "")
		}
		if err != nil || strings.Join(got, "") != want {
			t.Errorf("%q: %q, want %q, %v", query, got, want, err)
		}
	}
	hits, err := x.Search(t.Context(), "deploy", 1, func(e promoted.Entry) bool { return e.ID == "a" })
	if err != nil || len(hits) != 1 || hits[0].ID != "a" || hits[0].Rank >= 0 {
		t.Errorf("%+v, %v", hits, err)
	}
}

// TestAFileWithoutEntriesHasNone, and the table of another program is read as far as it goes.
func TestAFileWithoutEntriesHasNone(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	if all, err := promoted.List(t.Context(), testdb.Open(t, path)); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	h := testdb.OpenHost(t, path)
	testdb.Must(t, h.Exec("CREATE TABLE promoted (id TEXT PRIMARY KEY, content TEXT NOT NULL, tags TEXT, confidence REAL, created_at TEXT, archived_at TEXT)"))
	testdb.Must(t, h.Exec("INSERT INTO promoted VALUES ('u1', 'a text', '[\"decision\"]', 1, '2026-01-01T00:00:00Z', NULL), ('u2', x'00ff', 'no JSON', 'x', 0, 'now')"))
	db := testdb.Open(t, path)
	all, err := promoted.List(t.Context(), db)
	if err != nil || len(all) != 2 || all[0].ID != "u1" || all[0].Confidence != 1 || !all[0].Has([]string{"decision"}) || all[0].IsArchived() || !all[1].IsArchived() {
		t.Errorf("%+v, %v", all, err)
	}
	if !db.Kind().Relative || db.WriteRefusal() == nil {
		t.Errorf("a file of lossless-claude may be written: %+v", db.Kind())
	}
}

// TestOurTableIsNoOther: a file with it is still the host's, and may be written.
func TestOurTableIsNoOther(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	testdb.Must(t, testdb.OpenHost(t, path).Exec(promoted.Schema))
	if db := testdb.Open(t, path); db.Kind().Relative || db.WriteRefusal() != nil {
		t.Errorf("%+v, %v", db.Kind(), db.WriteRefusal())
	}
	e := promoted.Entry{ID: "mem_1", Content: "x", Project: "p", CreatedAt: data.CellTime("2026-01-01 00:00:00")}
	if row := e.Row(); row["archived_at"] != nil || row["tags"] != "[]" || row["session_id"] != nil {
		t.Errorf("%+v", row)
	}
	for id, want := range map[string]int{"mem_1": 1, "mem_": 2, "": 0, "x": 0} {
		if got := promoted.Find([]promoted.Entry{{ID: "mem_12"}, {ID: "mem_1"}}, id); len(got) != want {
			t.Errorf("%q: %d", id, len(got))
		}
	}
}

// TestEntriesStandInTheOrderOfTheirTimes, whichever program wrote them: as SQLite writes a time, or with a T. One without a time
// is the oldest.
func TestEntriesStandInTheOrderOfTheirTimes(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	h := testdb.OpenHost(t, path)
	testdb.Must(t, h.Exec(promoted.Schema))
	for id, at := range map[string]string{"b": "2026-01-02T09:00:00.000Z", "a": "2026-01-02 10:00:00", "c": "2026-01-02 08:00:00", "d": "2026-01-01T23:00:00Z", "e": "soon"} {
		testdb.Must(t, h.Exec("INSERT INTO promoted (id, content, project_id, created_at) VALUES (?, 'text', 'p', ?)", id, at))
	}
	testdb.Must(t, h.Close())
	all, err := promoted.List(t.Context(), testdb.Open(t, path))
	testdb.Must(t, err)
	order := ""
	for _, e := range all {
		order += e.ID
	}
	if order != "abcde" {
		t.Errorf("%s", order)
	}
}
