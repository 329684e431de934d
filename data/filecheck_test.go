package data_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// TestPagesAndSearchTablesAreChecked: what is wrong with the pages comes first, then what is wrong
// with the search tables, together as many lines as are asked for.
func TestPagesAndSearchTablesAreChecked(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	err := faults.Alter(path, "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'message_parts_type_idx'; DELETE FROM messages_fts_data WHERE id > 10; DELETE FROM summaries_fts_data WHERE id > 10")
	if err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	var lines []string
	if err := data.PageCheck(t.Context(), db, 100, func(line string) { lines = append(lines, line) }); err != nil {
		t.Fatal(err)
	}
	wanted := []string{"never used", "messages_fts", "summaries_fts"}
	if len(lines) != len(wanted) {
		t.Fatalf("got %q, want one line each for %q", lines, wanted)
	}
	for i, want := range wanted {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d of %q has no %q", i, lines, want)
		}
	}
	for most := 1; most <= 3; most++ {
		var first []string
		if err := data.PageCheck(t.Context(), db, most, func(line string) { first = append(first, line) }); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(lines[:most], first); diff != "" {
			t.Errorf("of the first %d lines:\n%s", most, diff)
		}
	}
}

// TestASearchTableThatCannotBeOpened is one line of the check, and no reason to end it.
func TestASearchTableThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]string{
		"no texts":        "DROP TABLE messages_fts_content",
		"no settings":     "DROP TABLE messages_fts_config",
		"settings erased": "DELETE FROM messages_fts_config",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, fakehost.Head)
			err := faults.Alter(path, damage+"; DELETE FROM summaries_fts_data WHERE id > 10")
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			if err := data.PageCheck(t.Context(), testdb.Open(t, path), 100, func(line string) { lines = append(lines, line) }); err != nil {
				t.Fatal(err)
			}
			if len(lines) != 2 || !strings.Contains(lines[0], "FTS5 table messages_fts") || !strings.Contains(lines[1], "summaries_fts") {
				t.Errorf("got %q", lines)
			}
		})
	}
}

// TestAnothersTableThatCannotBeOpened may need a tokenizer that only its program has.
func TestAnothersTableThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	err := faults.Alter(path, "CREATE VIRTUAL TABLE notes USING fts5(a); PRAGMA writable_schema = ON; "+
		"UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE notes USING fts5(a, tokenize = ''porter2'')' WHERE name = 'notes'")
	if err != nil {
		t.Fatal(err)
	}
	if err := data.PageCheck(t.Context(), testdb.Open(t, path), 100, func(line string) { t.Error(line) }); err != nil {
		t.Fatal(err)
	}
}
