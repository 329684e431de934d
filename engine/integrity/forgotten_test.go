package integrity_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestStubsAreNoDamage: whatever texts are forgotten, no check finds more than before but
// summaries that can't be written again; what was wrong with a text may be gone with it.
func TestStubsAreNoDamage(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sample", "v0.15.3/rich.db", "hard/tools1.db"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t)
			if name != "sample" {
				if testlength.Short() {
					t.Skip("the sample is enough to find a race")
				}
				path = fixture(t, name)
			}
			before := map[string]bool{}
			for _, f := range check(t, path, integrity.Request{}).Findings {
				before[key(f)] = true
			}
			if ids := testdb.Forget(t, path, "trim(content) <> '' OR message_id IN (SELECT message_id FROM message_parts)"); len(ids) < 50 {
				t.Fatalf("%d messages", len(ids))
			}
			for _, f := range check(t, path, integrity.Request{}).Findings {
				if !before[key(f)] && f.Fault != integrity.ForgottenUnderMarked {
					t.Errorf("found after forgetting: %+v", f)
				}
			}
		})
	}
}

// key returns what makes a finding the same as another.
func key(f integrity.Finding) string {
	return fmt.Sprint(f.Fault, " ", f.Conversation, " ", f.Table, " ", f.Row)
}

// TestForgottenSources: a summary with a mark is named where a text at any depth below it was
// forgotten; one that a model wrote isn't.
func TestForgottenSources(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const leaf, above = "sum_abf4af7a674beccb", "sum_4047233931efe86e"
	under := "message_id IN (SELECT message_id FROM summary_messages WHERE summary_id = '" + leaf + "')"
	mark := func(id string) string {
		return "UPDATE summaries SET content = 'It began.' || char(10) || '[LCM fallback summary; truncated for context management]' WHERE summary_id = '" + id + "'"
	}
	for name, c := range map[string]struct {
		marked, forget string
		want           []string
	}{
		"the leaf":              {leaf, under, []string{leaf}},
		"a summary above":       {above, under, []string{above}},
		"nothing forgotten":     {leaf, "0", nil},
		"another leaf's source": {leaf, "NOT " + under, nil},
		"no mark":               {"none", under, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := altered(t, mark(c.marked))
			testdb.Forget(t, path, c.forget)
			got := rowsOf(check(t, path, integrity.Request{Faults: []integrity.FaultID{integrity.ForgottenUnderMarked}}), integrity.ForgottenUnderMarked)
			if !slices.Equal(got, c.want) {
				t.Errorf("found %v, want %v", got, c.want)
			}
		})
	}
}

// TestFilesBeside: a log that is larger than the database, and backups that others may read.
func TestFilesBeside(t *testing.T) {
	t.Parallel()
	path := broken(t)
	folder := filepath.Dir(path)
	wanted := integrity.Request{Faults: []integrity.FaultID{integrity.LogLargerThanFile, integrity.BackupReadable}}
	for name, mode := range map[string]os.FileMode{
		"lcm.db.lcm-tui-20260101T000000Z.bak": 0o600, "lcm.db.rotate-latest.bak": 0o644, "lcm.db.group.bak": 0o640, "other.db.bak": 0o644, "lcm.db.note": 0o644,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(folder, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{filepath.Join(folder, "lcm.db.group.bak"), filepath.Join(folder, "lcm.db.rotate-latest.bak")}
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	d := check(t, path, wanted)
	if got := rowsOf(d, integrity.BackupReadable); !slices.Equal(got, want) {
		t.Errorf("backups %v, want %v", got, want)
	}
	if got := rowsOf(d, integrity.LogLargerThanFile); got != nil {
		t.Errorf("a log without one: %v", got)
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := rowsOf(check(t, path, wanted), integrity.BackupReadable); got != nil {
		t.Errorf("in a private folder: %v", got)
	}
	growLog(t, path)
	if got := rowsOf(check(t, path, wanted), integrity.LogLargerThanFile); !slices.Equal(got, []string{path + "-wal"}) {
		t.Errorf("the log: %v", got)
	}
}

// growLog leaves a write-ahead log larger than the file, as a host does that was killed.
func growLog(t *testing.T, path string) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	steps := []string{"PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0"}
	for _, s := range append(steps, slices.Repeat([]string{"UPDATE message_parts SET metadata = metadata || ' '"}, 20)...) {
		if err := h.Script(s); err != nil {
			t.Fatal(err)
		}
	}
	kept := map[string][]byte{}
	for _, p := range []string{path, path + "-wal"} {
		if kept[p], err = os.ReadFile(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	for p, b := range kept {
		if err := os.WriteFile(p, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if len(kept[path]) >= len(kept[path+"-wal"]) {
		t.Fatalf("the log has %d bytes, the file %d", len(kept[path+"-wal"]), len(kept[path]))
	}
}

// TestTrashOfARecord: it is missing where no file is at its path nor in the trash folder beside
// the database, unless the record was undone.
func TestTrashOfARecord(t *testing.T) {
	t.Parallel()
	path := broken(t, "unrestorable-record")
	missing := func(when string, want bool) {
		t.Helper()
		if got := rowsOf(check(t, path, integrity.Request{Faults: []integrity.FaultID{integrity.TrashMissing}}), integrity.TrashMissing); (len(got) == 1) != want {
			t.Errorf("%s: found %v", when, got)
		}
	}
	missing("nowhere", true)
	folder := path + ".lcm-tui-trash"
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "20260106T100000Z-text.db")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	missing("beside the database", false)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	missing("deleted", true)
	alter(t, path, "UPDATE lcm_tui_undo SET undone_at = '2026-01-07T10:00:00.000Z'")
	missing("undone", false)
}

// TestUnreferencedStubs: a stub that neither the context nor a summary names isn't put into the
// context again.
func TestUnreferencedStubs(t *testing.T) {
	t.Parallel()
	path := altered(t, "DELETE FROM context_items WHERE message_id = 45")
	r := integrity.Request{Conversation: 1, Faults: []integrity.FaultID{integrity.MessageUnreferenced}}
	if got := rowsOf(check(t, path, r), integrity.MessageUnreferenced); len(got) != 1 {
		t.Fatalf("before: %v", got)
	}
	testdb.Forget(t, path, "message_id = 45")
	if got := rowsOf(check(t, path, r), integrity.MessageUnreferenced); got != nil {
		t.Errorf("found %v", got)
	}
}
