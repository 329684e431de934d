package restore_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/restore"
	"lcm-tui/ops/slice"
)

// TestWhatIsNoBackupIsRefused, and nothing is written.
func TestWhatIsNoBackupIsRefused(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	folder := t.TempDir()
	bytes, err := os.ReadFile(p.backup)
	must(t, err)
	made := func(name string, content []byte) string {
		path := filepath.Join(folder, name)
		must(t, os.WriteFile(path, content, 0o600))
		return path
	}
	link := filepath.Join(folder, "link.db")
	must(t, os.Symlink(p.live, link))
	trash := made("trash.db", bytes)
	write(t, trash, "CREATE TABLE lcm_tui_trash (version INTEGER)")
	part := filepath.Join(folder, "slice.db")
	_, err = slice.Write(t.Context(), testdb.Open(t, p.live), part, slice.Request{Conversations: []int64{1}, Search: true, Lineage: slice.LineageCut, Finish: slice.Mark}, noReport)
	must(t, err)
	relative := made("relative.db", bytes)
	write(t, relative, "CREATE TABLE promoted (id INTEGER)")
	lacking := made("lacking.db", bytes)
	write(t, lacking, "DROP TABLE context_items")
	old := testdb.Sample(t, fakehost.V0_12)
	for name, c := range map[string]struct {
		live, backup string
		kind         error
	}{
		"itself":         {p.live, link, restore.ErrSameFile},
		"nothing":        {p.live, filepath.Join(folder, "none"), data.ErrMissing},
		"a folder":       {p.live, folder, data.ErrDirectory},
		"an empty file":  {p.live, made("empty", nil), data.ErrEmpty},
		"encrypted":      {p.live, made("noise", []byte(strings.Repeat("q8", 9000))), data.ErrNotSQLite},
		"cut off":        {p.live, made("cut", bytes[:len(bytes)/2]), data.ErrDamaged},
		"of the trash":   {p.live, trash, restore.ErrNotWhole},
		"a slice":        {p.live, part, restore.ErrNotWhole},
		"of a relative":  {p.live, relative, restore.ErrRelative},
		"without tables": {p.live, lacking, restore.ErrNotWhole},
		"newer":          {old, p.backup, restore.ErrNewer},
	} {
		before := sizes(t, filepath.Dir(c.live))
		if _, err := restored(t, c.live, c.backup, nil); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
		if now := sizes(t, filepath.Dir(c.live)); now != before {
			t.Errorf("%s: written: %s, it was %s", name, now, before)
		}
	}
}

// TestHostsOfGenerationOneHaveNoCheckpoints: they compare messages with their own sessions, also in a file that they took
// over, which has the table still.
func TestHostsOfGenerationOneHaveNoCheckpoints(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	backup := testdb.Fixture(t, "v1.0/upgraded.db")
	live := testdb.Copy(t, backup)
	write(t, live, "UPDATE conversations SET title = 'later'")
	b, err := restore.OpenBackup(t.Context(), backup, live, false, noReport)
	must(t, err)
	t.Cleanup(func() { must(t, b.Close()) })
	if _, err := restore.Plan(t.Context(), b, live, true, noReport); !errors.Is(err, restore.ErrNoCheckpoints) {
		t.Errorf("the plan: %v", err)
	}
	dump := testdb.Dump(t, live)
	if _, err := restore.Apply(t.Context(), restore.Request{Backup: b, Live: live, AtBackup: true, Now: noon}, noReport); !errors.Is(err, restore.ErrNoCheckpoints) {
		t.Errorf("it restores: %v", err)
	}
	checkWhole(t, live, dump)
	p, err := restore.Plan(t.Context(), b, live, false, noReport)
	if err != nil || len(p.Transcripts) > 0 || !slices.ContainsFunc(p.Notes, func(n string) bool { return strings.Contains(n, "openclaw-agent.sqlite") }) {
		t.Errorf("%+v, %q, %v", p.Transcripts, p.Notes, err)
	}
}
