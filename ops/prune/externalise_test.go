package prune_test

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/trash"
)

// TestPayloadsMoveIntoFilesAsHostsDoAndBack: hosts store what they would have stored without it, the
// files have the exact bytes, the doctor finds nothing new, and undo restores every byte.
func TestPayloadsMoveIntoFilesAsHostsDoAndBack(t *testing.T) {
	t.Parallel()
	if testlength.Short() {
		t.Skip("a host is played in one goroutine")
	}
	for _, name := range []string{"hard/tools1.db"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			source := testdb.Fixture(t, name)
			makeOutputsLong(t, source)
			before := testdb.Host(t, source, true)
			after := testdb.Hosted{Path: testdb.Copy(t, source), Sessions: before.Sessions}
			dump, faults := testdb.Dump(t, after.Path), faultsOf(t, after.Path)
			db := open(t, after.Path)
			o := prune.Op{Verb: prune.Payloads, Externalise: true, Selector: everything(), Payload: 2000, FilesFolder: filepath.Join(filepath.Dir(after.Path), "lcm-files")}
			p := plan(t, db, o)
			if p.Set.Rows["messages"] == 0 {
				t.Fatalf("nothing qualifies: %+v", p.RefusedConversations)
			}
			out := apply(t, db, p)
			files := testdb.Rows(t, after.Path, "SELECT storage_uri FROM large_files WHERE storage_uri LIKE '"+o.FilesFolder+"%'")
			count := 0
			for _, c := range p.Set.Conversations {
				count += c.Files
			}
			if len(files) != count {
				t.Errorf("%d files were planned, %d are there", count, len(files))
			}
			for _, path := range files {
				info, err := os.Stat(path)
				if err != nil || info.Mode().Perm() != 0o600 {
					t.Errorf("%s: %v", path, err)
				}
			}
			if again, err := o.Plan(t.Context(), db, quiet); err == nil && !again.Empty() {
				t.Errorf("it plans %v again", again.Set.Rows)
			}
			testdb.SameForHost(t, before, after)
			for id, n := range faultsOf(t, after.Path) {
				if n > faults[id] && id != integrity.FileUnreferenced {
					t.Errorf("the doctor finds %s %d times instead of %d", id, n, faults[id])
				}
			}
			if err := ops.Undo(t.Context(), db, out.Record); err != nil {
				t.Fatal(err)
			}
			if testdb.Dump(t, after.Path) != dump {
				t.Error("undo didn't restore every byte")
			}
			for _, path := range files {
				if isThere(path) {
					t.Errorf("%s is left", path)
				}
			}
		})
	}
}

// TestMediaThatOnlyAPartHasArePayloads: the content of a message doesn't have the image beside it.
func TestMediaThatOnlyAPartHasArePayloads(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head, "inline-media")
	exec(t, path, "UPDATE conversations SET active = 0, archived_at = '2026-01-01 00:00:00'")
	exec(t, path, "DELETE FROM context_items WHERE message_id = 8")
	before, db := testdb.Dump(t, path), open(t, path)
	for _, o := range []prune.Op{
		{Verb: prune.Payloads, Selector: everything(), Payload: prune.DefaultPayload},
		{Verb: prune.Payloads, Selector: everything(), Payload: prune.DefaultPayload, Externalise: true, FilesFolder: filepath.Join(filepath.Dir(path), "lcm-files")},
	} {
		p := plan(t, db, o)
		out := apply(t, db, p)
		if n := faultsOf(t, path)[integrity.MediaInRow]; n != 0 || p.Set.Rows["messages"] != 1 {
			t.Errorf("%d messages were planned, and media are left %d times", p.Set.Rows["messages"], n)
		}
		if o.Externalise {
			is, err := os.ReadFile(testdb.Rows(t, path, "SELECT storage_uri FROM large_files WHERE mime_type = 'image/png' ORDER BY created_at DESC")[0])
			if want, _ := base64.StdEncoding.DecodeString(strings.Repeat("iV", 40000)); err != nil || !bytes.Equal(is, want) {
				t.Errorf("the file has %d bytes, %v", len(is), err)
			}
		}
		if err := ops.Undo(t.Context(), db, out.Record); err != nil {
			t.Fatal(err)
		}
		if testdb.Dump(t, path) != before {
			t.Error("undo didn't restore every byte")
		}
	}
}

// makeOutputsLong makes short outputs of tools long ones, as hosts store them: in the content, the
// part and the block that it was made of.
func makeOutputsLong(t *testing.T, path string) {
	t.Helper()
	long := "' || replace(hex(zeroblob(1500)), '00', 'ab ') || '"
	// The newest 500 numbers stay: with gaps, most messages are older.
	exec(t, path, "UPDATE messages SET seq = -seq; UPDATE messages SET seq = -seq * 20")
	exec(t, path, "CREATE TEMP TABLE chosen AS SELECT m.message_id AS id FROM messages m JOIN message_parts p USING (message_id) WHERE m.role = 'tool' AND p.part_type = 'text' AND p.text_content = m.content AND m.content NOT LIKE '[LCM%' AND trim(m.content) <> '' AND m.message_id % 3 = 0 GROUP BY 1 HAVING count(*) = 1;"+
		strings.ReplaceAll("UPDATE messages SET content = content || 'LONG', identity_hash = NULL WHERE message_id IN (SELECT id FROM chosen);", "LONG", long)+
		"UPDATE message_parts SET metadata = CASE WHEN json_type(metadata, '$.raw.text') IS NOT NULL THEN json_set(metadata, '$.raw.text', (SELECT content FROM messages m WHERE m.message_id = message_parts.message_id)) ELSE metadata END, text_content = (SELECT content FROM messages m WHERE m.message_id = message_parts.message_id) WHERE message_id IN (SELECT id FROM chosen);"+
		"UPDATE messages_fts SET content = (SELECT content FROM messages WHERE message_id = messages_fts.rowid) WHERE rowid IN (SELECT id FROM chosen)")
}

// faultsOf counts what the doctor finds, by fault.
func faultsOf(t *testing.T, path string) map[integrity.FaultID]int {
	t.Helper()
	d, err := integrity.Check(t.Context(), open(t, path), integrity.Request{}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	out := map[integrity.FaultID]int{}
	for _, f := range d.Findings {
		out[f.Fault]++
	}
	return out
}

// TestUndoInACopyLeavesTheFilesOfTheOriginal: the rows of a copied folder name the files of the database that was
// copied, which still needs them.
func TestUndoInACopyLeavesTheFilesOfTheOriginal(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head, "inline-media")
	exec(t, path, "UPDATE conversations SET active = 0, archived_at = '2026-01-01 00:00:00'")
	exec(t, path, "DELETE FROM context_items WHERE message_id = 8")
	db := open(t, path)
	o := prune.Op{Verb: prune.Payloads, Selector: everything(), Payload: prune.DefaultPayload, Externalise: true, FilesFolder: filepath.Join(filepath.Dir(path), "lcm-files")}
	out := apply(t, db, plan(t, db, o))
	file := testdb.Rows(t, path, "SELECT storage_uri FROM large_files WHERE mime_type = 'image/png' ORDER BY created_at DESC")[0]

	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Dir(path))); err != nil {
		t.Fatal(err)
	}
	copied := open(t, filepath.Join(folder, filepath.Base(path)))
	if err := ops.Undo(t.Context(), copied, out.Record); err != nil {
		t.Fatal(err)
	}
	if !isThere(file) {
		t.Error("undo in a copy deleted a file of the original")
	}
	if err := ops.Undo(t.Context(), db, out.Record); err != nil {
		t.Fatal(err)
	}
	if isThere(file) {
		t.Error("undo left the file")
	}
}

// TestFilesThatAStoppedUndoLeavesAreRemovedByTheNextPrune: an undo that was killed after its commit leaves the large files without
// rows, as a prune does that was killed before. The next prune removes them, and so does emptying the trash. A file that a message
// still names stays, and so does one that isn't named after its id.
func TestFilesThatAStoppedUndoLeavesAreRemovedByTheNextPrune(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct {
		undone, emptied, stays, altered bool
	}{
		"the next prune":             {undone: true},
		"the trash is empty":         {undone: true, emptied: true},
		"a message names it":         {stays: true},
		"the trash has another path": {undone: true, stays: true, altered: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, fakehost.Head, "inline-media")
			exec(t, path, "UPDATE conversations SET active = 0, archived_at = '2026-01-01 00:00:00'; DELETE FROM context_items WHERE message_id = 8")
			db := open(t, path)
			o := prune.Op{Verb: prune.Payloads, Selector: everything(), Payload: prune.DefaultPayload, Externalise: true, FilesFolder: filepath.Join(filepath.Dir(path), "lcm-files")}
			out := apply(t, db, plan(t, db, o))
			file := testdb.Rows(t, path, "SELECT storage_uri FROM large_files WHERE mime_type = 'image/png' ORDER BY created_at DESC")[0]
			content, err := os.ReadFile(file)
			testdb.Must(t, err)
			exec(t, path, "DELETE FROM large_files WHERE storage_uri = '"+file+"'")
			if c.undone {
				testdb.Must(t, ops.Undo(t.Context(), db, out.Record))
				testdb.Must(t, os.WriteFile(file, content, 0o600))
			}
			if c.altered { // By whoever can write to the trash.
				other := filepath.Join(filepath.Dir(path), "notes.txt")
				testdb.Must(t, os.Rename(file, other))
				file = other
				kept, err := filepath.Glob(filepath.Join(data.TrashFolder(path), "*.db"))
				testdb.Must(t, err)
				exec(t, kept[0], "UPDATE lcm_tui_replacement SET paths = json_array('"+other+"')")
			}
			if c.emptied {
				files, err := trash.List(t.Context(), db)
				testdb.Must(t, err)
				testdb.Must(t, trash.Empty(t.Context(), db, files))
			} else {
				apply(t, db, plan(t, db, prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Conversations: []int64{2}, Archived: true}}))
			}
			if isThere(file) != c.stays {
				t.Errorf("%s is there: %v", file, isThere(file))
			}
		})
	}
}
