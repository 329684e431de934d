package columntexts_test

import (
	"context"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/columntexts"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// onOneLevel gives a search table an index of which all pieces stand on the first level, and deletes the text of a message
// with a word that no other one has.
const onOneLevel = `INSERT INTO messages_fts (rowid, content) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ROWS)
	SELECT 100000 + i, (WITH RECURSIVE w(j) AS (SELECT 1 UNION ALL SELECT j + 1 FROM w WHERE j < 100) SELECT group_concat(printf('%x', (n.i * 100 + j) * 2654435761), ' ') FROM w) FROM n;
DELETE FROM messages_fts WHERE rowid = 2;
INSERT INTO messages_fts (rowid, content) SELECT message_id, content || ' qqquaggawombat' FROM messages WHERE message_id = 2;
INSERT INTO messages_fts(messages_fts) VALUES ('rebuild');
DELETE FROM messages_fts WHERE rowid = 2;
INSERT INTO messages_fts (rowid, content) SELECT message_id, content FROM messages WHERE message_id = 2`

// emptyLevels is the list of the pieces of an index of one level, in hexadecimal, with three empty levels behind that: so hosts
// leave them that have merged before.
func emptyLevels(t *testing.T, list string) string {
	t.Helper()
	if list[8:10] != "01" {
		t.Fatalf("the index is %s", list)
	}
	return list[:8] + "04" + list[10:] + "000000000000"
}

// TestAMergedIndexHasNoWordOfDeletedTexts: wherever the pieces of the index stand.
func TestAMergedIndexHasNoWordOfDeletedTexts(t *testing.T) {
	t.Parallel()
	for _, rows := range []string{"1", "400"} { // Small ones are made again, others are merged twice.
		t.Run(rows, func(t *testing.T) {
			t.Parallel()
			mergeOneLevel(t, strings.Replace(onOneLevel, "ROWS", rows, 1))
		})
	}
}

// mergeOneLevel merges the index that some statements make, and looks for the word.
func mergeOneLevel(t *testing.T, statements string) {
	t.Helper()
	path := testdb.Sample(t, fakehost.Head)
	w, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Exec(statements); err != nil {
		t.Fatal(err)
	}
	list := emptyLevels(t, testdb.Rows(t, path, "SELECT hex(block) FROM messages_fts_data WHERE id = 10")[0])
	if err := w.Exec("UPDATE messages_fts_data SET block = x'" + list + "' WHERE id = 10"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	rows, begun := testdb.Rows(t, path, "SELECT id, c0 FROM messages_fts_content ORDER BY id"), false
	_, err = change.WriteSet(t.Context(), db, change.SetWrite{Op: "prune", Title: "merge", Detail: []byte("{}"), Write: func(ctx context.Context, turn *change.Turn) (bool, error) {
		done, err := columntexts.Optimize(ctx, turn, data.MessageIndex, !begun)
		begun = true
		return done, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := testdb.Count(path, "SELECT count(*) FROM messages_fts_data WHERE instr(block, CAST('quaggawombat' AS BLOB)) > 0"); err != nil || n > 0 {
		t.Errorf("%d pieces of the index have the word, %v", n, err)
	}
	if now := testdb.Rows(t, path, "SELECT id, c0 FROM messages_fts_content ORDER BY id"); len(now) != len(rows) {
		t.Errorf("the search table has %d rows instead of %d", len(now), len(rows))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
