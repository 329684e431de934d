package cli_test

import (
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// writingCommands returns commands that write to a database with the records 1 (applied) and 2 (undone).
func writingCommands(t *testing.T, path string) [][]string {
	t.Helper()
	summary := strings.Trim(testdb.Rows(t, path, "SELECT summary_id FROM summaries WHERE conversation_id = 1 ORDER BY 1 LIMIT 1")[0], "'\"")
	return [][]string{
		{"dissolve", "1", "--summary-id", summary, "--apply", "--force"},
		{"rewrite", "1", "--all", "--provider", "extractive", "--apply"},
		{"compact", "1", "--force", "--provider", "extractive", "--set", "freshTailCount=2", "--set", "leafChunkTokens=100", "--leaf-only", "--apply"},
		{"repair", "--all", "--no-model", "--apply", "--force"},
		{"transplant", "1", "2", "--apply", "--force"},
		{"key", "rename", "1", "agent:main:renamed", "--apply"},
		{"key", "detach", "1", "--apply"},
		{"key", "archive", "1", "--apply"},
		{"prune", "copies", "--older-than", "1d", "--apply"},
		{"prune", "text", "--older-than", "1d", "--uncovered", "--apply"},
		{"prune", "payloads", "--forget", "--at-least", "100B", "--older-than", "1d", "--apply"},
		{"prune", "conversations", "--conv", "2", "--apply"},
		{"prune", "history", "--older-than", "1d", "--apply"},
		{"undo", "1", "--force"},
		{"redo", "2"},
		{"reclaim"},
	}
}

// TestForeignTriggers: no command writes to a file with a trigger of another program, and each that would
// names it. info names it as well.
func TestForeignTriggers(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, table := range []string{"messages", "conversations", "lcm_tui_undo"} {
		path := testdb.Sample(t, fakehost.Head)
		for _, args := range [][]string{{"key", "rename", "1", "agent:main:second", "--apply"}, {"key", "rename", "1", "agent:main:third", "--apply"}, {"undo", "2"}} {
			if exit, _, errs := run(t, path, args...); exit != 0 {
				t.Fatalf("%v: %s", args, errs)
			}
		}
		fired := "CREATE TRIGGER other_program AFTER UPDATE ON " + table + " BEGIN DELETE FROM summary_messages; END"
		h, err := fakehost.Open(path)
		if err == nil {
			err = h.Exec(fired)
		}
		if err != nil || h.Close() != nil {
			t.Fatal(err)
		}
		before := testdb.Dump(t, path)
		named := 0
		for _, args := range writingCommands(t, path) {
			exit, out, errs := run(t, path, args...)
			if exit == 0 || strings.Contains(errs, "panic") {
				t.Errorf("%v: exit code %d: %s%s", args, exit, out, errs)
			}
			if strings.Contains(errs, "other_program on "+table) {
				named++
			} else if exit != 3 {
				t.Errorf("%v doesn't name it: exit code %d: %s", args, exit, errs)
			}
			if testdb.Dump(t, path) != before {
				t.Fatalf("%v wrote", args)
			}
		}
		if named < 10 {
			t.Errorf("%d commands name the trigger", named)
		}
		if _, out, _ := run(t, path, "info"); !strings.Contains(out, "other_program on "+table) {
			t.Errorf("info says %s", out)
		}
	}
}

// TestRestoringABackupWithTriggers is refused, unless it is forced.
func TestRestoringABackupWithTriggers(t *testing.T) {
	t.Parallel()
	path, backup := testdb.Sample(t, fakehost.Head), testdb.Sample(t, fakehost.Head)
	h, err := fakehost.Open(backup)
	if err == nil {
		err = h.Exec("CREATE TRIGGER other_program AFTER INSERT ON lcm_migration_state BEGIN DELETE FROM messages; END")
	}
	if err != nil || h.Close() != nil {
		t.Fatal(err)
	}
	before := testdb.Dump(t, path)
	if exit, _, errs := run(t, path, "restore", backup, "--apply"); exit != 1 || !strings.Contains(errs, "other_program") || testdb.Dump(t, path) != before {
		t.Errorf("exit code %d: %s", exit, errs)
	}
	if exit, out, errs := run(t, path, "restore", backup, "--apply", "--force"); exit != 0 || !strings.Contains(out, "other_program") {
		t.Errorf("forced: exit code %d: %s%s", exit, out, errs)
	}
}
