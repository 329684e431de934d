package columntexts_test

import (
	"slices"
	"testing"

	"lcm-tui/data/columntexts"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestTablesOfAnUnknownModule: what stands behind a virtual table that SQLite can't read here is read as other tables are.
func TestTablesOfAnUnknownModule(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	testdb.Execute(t, path,
		"CREATE TABLE notes_content (docid INTEGER PRIMARY KEY, c0title TEXT)", "CREATE TABLE notes_docsize (docid INTEGER PRIMARY KEY, size BLOB)",
		"INSERT INTO notes_content VALUES (1, 'a note')", "PRAGMA writable_schema = ON",
		"INSERT INTO sqlite_master VALUES ('table', 'notes', 'notes', 0, 'CREATE VIRTUAL TABLE notes USING fts4(title)')")
	tables, err := columntexts.Tables(t.Context(), testdb.Open(t, path))
	testdb.Must(t, err)
	i := slices.IndexFunc(tables, func(of *columntexts.Table) bool { return of.Name == "notes_content" })
	if i < 0 || tables[i].Search != "" || !slices.Equal(tables[i].Columns, []string{"c0title"}) {
		t.Errorf("they are %+v", tables)
	}
	if i = slices.IndexFunc(tables, func(of *columntexts.Table) bool { return of.Search == "messages_fts" }); i < 0 || len(tables[i].SearchColumns) == 0 {
		t.Errorf("the search table of messages isn't known: %+v", tables)
	}
}

// TestTablesOfADamagedSearch: a search table that SQLite can't open hides no others, and is known still.
func TestTablesOfADamagedSearch(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]string{"no settings": "DROP TABLE summaries_fts_config", "settings erased": "DELETE FROM summaries_fts_config"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, fakehost.Head)
			testdb.Execute(t, path, damage)
			tables, err := columntexts.Tables(t.Context(), testdb.Open(t, path))
			testdb.Must(t, err)
			for search, want := range map[string][]string{"messages_fts": {"content"}, "summaries_fts": {"summary_id", "content"}} {
				i := slices.IndexFunc(tables, func(of *columntexts.Table) bool { return of.Search == search })
				if i < 0 || !slices.Equal(tables[i].SearchColumns, want) {
					t.Errorf("%s isn't known: %+v", search, tables)
				}
			}
		})
	}
}
