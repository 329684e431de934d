package slice_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/slice"
)

func quiet(int, int, string) {}

// conversations returns the ids of all conversations of a file.
func conversations(t *testing.T, db *data.DB) (ids []int64) {
	t.Helper()
	all, err := lcm.Conversations(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	return ids
}

// write makes a slice in a folder of its own.
func write(t *testing.T, db *data.DB, r slice.Request) slice.Result {
	t.Helper()
	out, err := slice.Write(t.Context(), db, filepath.Join(t.TempDir(), "new.db"), r, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestASliceOfAllConversationsHasAllRows: files of every version, and search tables with them.
func TestASliceOfAllConversationsHasAllRows(t *testing.T) {
	t.Parallel()
	for _, level := range testlength.Some(append(fakehost.Levels(), fakehost.Beta, fakehost.Fork)) {
		path := testdb.Sample(t, level)
		db := testdb.Open(t, path)
		out := write(t, db, slice.Request{Conversations: conversations(t, db), Search: true})
		if before, after := testdb.Dump(t, path), testdb.Dump(t, out.Path); before != after {
			t.Errorf("%s: the slice has other rows", level)
		}
		schema := "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE '%!_fts%' ESCAPE '!' AND name NOT LIKE 'sqlite_%' ORDER BY 1, 2"
		if before, after := testdb.Rows(t, path, schema), testdb.Rows(t, out.Path, schema); !slices.Equal(before, after) {
			t.Errorf("%s: the slice has another schema:\n%q\n%q", level, before, after)
		}
		sequence := "SELECT name, seq FROM sqlite_sequence ORDER BY name"
		if before, after := testdb.Rows(t, path, sequence), testdb.Rows(t, out.Path, sequence); !slices.Equal(before, after) {
			t.Errorf("%s: the counters are %q, not %q", level, after, before)
		}
		testdb.CheckHealthy(t, out.Path, level)
	}
}

// TestASliceAssemblesAsItsSource: conversations of the reference engine's own files, one by one,
// show the model the same context, and have no fault that they didn't have.
func TestASliceAssemblesAsItsSource(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, name := range []string{"v0.15.3/rich.db", "v1.0/rich.db", "v1.0/upgraded-small.db"} {
		path := testdb.Fixture(t, name)
		db := testdb.Open(t, path)
		for _, conv := range conversations(t, db) {
			out := write(t, db, slice.Request{Conversations: []int64{conv}, Lineage: slice.LineageCut, Search: true})
			part := testdb.Open(t, out.Path)
			if got := conversations(t, part); !slices.Equal(got, []int64{conv}) {
				t.Fatalf("%s: the slice of conversation %d has %d", name, conv, got)
			}
			if len(out.Cut) == 0 && out.Dangling > 0 {
				t.Errorf("%s: %d references of conversation %d lead nowhere", name, out.Dangling, conv)
			}
			for _, budget := range []int64{8000, 128000} {
				want, got := assembled(t, db, conv, budget), assembled(t, part, conv, budget)
				if len(out.Cut) == 0 && !reflect.DeepEqual(want, got) {
					t.Errorf("%s: conversation %d shows another context at %d tokens", name, conv, budget)
				}
			}
			if want, got := faultsOf(t, db, conv), faultsOf(t, part, 0); len(out.Cut) == 0 && !isSubset(got, want) {
				t.Errorf("%s: conversation %d has the faults %v in the slice, and %v in its file", name, conv, got, want)
			}
		}
	}
}

func assembled(t *testing.T, db *data.DB, conv, budget int64) assemble.Result {
	t.Helper()
	r, err := assemble.Assemble(t.Context(), db, conv, assemble.Options{Budget: budget, Tail: assemble.Tail{Count: 8}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func faultsOf(t *testing.T, db *data.DB, conv int64) (ids []integrity.FaultID) {
	t.Helper()
	d, err := integrity.Check(t.Context(), db, integrity.Request{Conversation: conv}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range d.Findings {
		ids = append(ids, f.Fault)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func isSubset[T comparable](part, whole []T) bool {
	return !slices.ContainsFunc(part, func(v T) bool { return !slices.Contains(whole, v) })
}

// unknownTables are tables of another program: one that belongs to messages, one to which that
// refers, one that refers to both, and one of which nothing says whose rows they are.
const unknownTables = `
CREATE TABLE label (name TEXT PRIMARY KEY, colour TEXT) WITHOUT ROWID;
CREATE TABLE message_label (message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE, label TEXT REFERENCES label(name), PRIMARY KEY (message_id, label));
CREATE TABLE label_note (id INTEGER PRIMARY KEY, message_id INTEGER, label TEXT, note, FOREIGN KEY (message_id, label) REFERENCES message_label(message_id, label));
CREATE TABLE visit (conversation_id INTEGER, at TEXT);
CREATE TRIGGER visit_added AFTER INSERT ON visit BEGIN UPDATE conversations SET title = 'visited' WHERE conversation_id = new.conversation_id; END;
CREATE VIEW labelled AS SELECT content FROM messages JOIN message_label USING (message_id);
INSERT INTO label VALUES ('important', 'red'), ('later', 'blue'), ('unused', NULL);
INSERT INTO message_label SELECT message_id, CASE conversation_id WHEN 1 THEN 'important' ELSE 'later' END FROM messages;
INSERT INTO label_note SELECT NULL, message_id, label, x'00ff' FROM message_label;
INSERT INTO visit SELECT conversation_id, '2026-01-01' FROM conversations;`

func TestTablesOfOtherProgramsAreCopiedByForeignKey(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	if err := faults.Alter(path, unknownTables); err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	out := write(t, db, slice.Request{Conversations: []int64{1}, Lineage: slice.LineageCut})
	for query, want := range map[string]string{
		"SELECT count(*) - (SELECT count(*) FROM messages) FROM message_label":                           "0",
		"SELECT count(*) - (SELECT count(*) FROM messages) FROM label_note":                              "0",
		"SELECT group_concat(name) FROM label":                                                           "important",
		"SELECT count(*) FROM visit":                                                                     "0",
		"SELECT count(*) FROM labelled JOIN sqlite_master ON name = 'visit_added' WHERE content IS NULL": "0",
		"SELECT count(*) FROM pragma_foreign_key_check":                                                  "0",
	} {
		if got := testdb.Rows(t, out.Path, query); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %s", query, got, want)
		}
	}
	if len(out.LeftOut) != 1 || out.LeftOut[0].Table != "visit" || out.LeftOut[0].Rows == 0 {
		t.Errorf("left out are %+v, want the rows of visit", out.LeftOut)
	}
}

// crossed gives a file a summary of conversation 1 that is made of a message of conversation 2,
// and an item of that message in the context of 1.
const crossed = `
INSERT OR REPLACE INTO summary_messages (summary_id, message_id, ordinal)
	SELECT (SELECT min(summary_id) FROM summaries WHERE conversation_id = 1 AND kind = 'leaf'), min(message_id), 99 FROM messages WHERE conversation_id = 2;
UPDATE context_items SET ordinal = -ordinal WHERE conversation_id = 1 AND ordinal > 0;
UPDATE context_items SET ordinal = 1 - ordinal WHERE conversation_id = 1 AND ordinal < 0;
INSERT INTO context_items (conversation_id, ordinal, item_type, message_id, created_at)
	SELECT 1, 1, 'message', min(message_id), '2026-01-01 00:00:00' FROM messages WHERE conversation_id = 2;`

func TestLinksToOtherConversations(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	before := testdb.Rows(t, path, "SELECT ordinal, message_id, summary_id FROM context_items WHERE conversation_id = 1 ORDER BY 1")
	if err := faults.Alter(path, crossed); err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	seen, err := slice.Look(t.Context(), db, slice.Request{Conversations: []int64{1}, Lineage: slice.LineageTake})
	if err != nil || len(seen.Crossing) != 2 || len(seen.Parts) != 2 || !seen.Parts[1].Added {
		t.Errorf("the survey is %+v, want two links to a conversation that is added: %v", seen, err)
	}
	to := filepath.Join(t.TempDir(), "new.db")
	_, err = slice.Write(t.Context(), db, to, slice.Request{Conversations: []int64{1}}, quiet)
	if err == nil || strings.Count(err.Error(), " to conversation ") != 2 || !strings.Contains(err.Error(), " to conversation 2 (") {
		t.Fatalf("the slice ends with %v, want an error about two links to conversation 2", err)
	}
	if left, _ := filepath.Glob(to + "*"); len(left) > 0 {
		t.Errorf("these files are left: %q", left)
	}
	cut := write(t, db, slice.Request{Conversations: []int64{1}, Lineage: slice.LineageCut})
	if cut.Cut["summary_messages"] != 1 || cut.Cut["context_items"] != 1 || cut.Dangling != 0 {
		t.Errorf("cut are %v and %d references dangle", cut.Cut, cut.Dangling)
	}
	after := testdb.Rows(t, cut.Path, "SELECT ordinal, message_id, summary_id FROM context_items WHERE conversation_id = 1 ORDER BY 1")
	if !slices.Equal(before, after) {
		t.Errorf("the context is %q, want %q", after, before)
	}
	both := write(t, db, slice.Request{Conversations: []int64{1}, Lineage: slice.LineageTake})
	if !slices.Contains(both.Added, 2) || both.Dangling != 0 {
		t.Errorf("added are %d and %d references dangle", both.Added, both.Dangling)
	}
}

func TestASliceForAnotherMachine(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	ids := conversations(t, db)
	from, to := filepath.Join(filepath.Dir(path), "lcm-files"), filepath.Join(t.TempDir(), "files")
	out := write(t, db, slice.Request{Conversations: ids, Detach: true, Archive: true, FilesFrom: from, FilesTo: to})
	for query, want := range map[string]string{
		"SELECT count(*) FROM conversations WHERE active <> 0 OR archived_at IS NULL OR archive_cause IS NULL": "0",
		"SELECT count(*) FROM conversation_bootstrap_state WHERE session_file_path <> ''":                      "0",
		"SELECT count(*) FROM conversation_compaction_maintenance WHERE pending OR running":                    "0",
	} {
		if got := testdb.Rows(t, out.Path, query); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %s", query, got, want)
		}
	}
	for _, uri := range testdb.Rows(t, out.Path, "SELECT storage_uri FROM large_files") {
		uri = strings.Trim(uri, `"`)
		if !strings.HasPrefix(uri, to) && len(out.MissingFiles) == 0 {
			t.Errorf("a large file is named as %s, outside of %s", uri, to)
		}
	}
	if len(out.Files)+len(out.MissingFiles) == 0 {
		t.Error("the sample has no large file")
	}
	for _, f := range out.Files {
		if info, err := os.Stat(f.To); err != nil || info.Size() != f.Bytes {
			t.Errorf("%s: %v", f.To, err)
		}
	}
}

func TestTargetsThatAreRefused(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	request := slice.Request{Conversations: []int64{1}, Lineage: slice.LineageCut}
	for to, want := range map[string]error{path: data.ErrExists, t.TempDir(): data.ErrExists, path + "-wal": data.ErrOwnFile, path + "-journal": data.ErrOwnFile} {
		if _, err := slice.Write(t.Context(), db, to, request, quiet); !errors.Is(err, want) {
			t.Errorf("to %s: %v, want %v", filepath.Base(to), err, want)
		}
	}
	folder := t.TempDir()
	if _, err := slice.Write(t.Context(), db, filepath.Join(folder, "a.db"), slice.Request{Conversations: []int64{4711}}, quiet); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("an unknown conversation: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := slice.Write(ctx, db, filepath.Join(folder, "b.db"), request, func(int, int, string) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled slice: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) > 0 {
		t.Errorf("these files are left: %q", left)
	}
}
