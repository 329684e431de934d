package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestCommandsOnAnInterruptedWrite: where a host was killed while it wrote, no command
// shows, copies or carries over what it never committed, and each that reads says so.
func TestCommandsOnAnInterruptedWrite(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Sample(t, fakehost.Head)
	const half = "UPDATE messages SET content = 'never committed ' || hex(zeroblob(2000)); UPDATE summaries SET content = 'never committed'"
	if err := faults.Interrupt(path, half); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	other := testdb.Sample(t, fakehost.Head)
	for _, c := range []struct {
		db   string
		args []string
	}{
		{path, []string{"messages", "1"}},
		{path, []string{"summaries", "1", "--json"}},
		{path, []string{"assemble", "1"}},
		{path, []string{"doctor"}},
		{path, []string{"backup", "--to", filepath.Join(folder, "backup.db")}},
		{path, []string{"salvage", path, filepath.Join(folder, "salvaged.db")}},
		{other, []string{"transplant", "--from", path, "2", "1"}},
	} {
		exit, out, errs := run(t, c.db, c.args...)
		if strings.Contains(out, "never committed") {
			t.Errorf("%v shows what was never committed", c.args)
		}
		if output := out + errs; !strings.Contains(output, "journal") || exit != 0 && exit != 5 {
			t.Errorf("%v: exit code %d: %s", c.args, exit, errs)
		}
	}
	for _, name := range []string{"backup.db", "salvaged.db"} {
		if n, err := testdb.Count(filepath.Join(folder, name), "SELECT count(*) FROM messages WHERE content LIKE 'never%'"); err != nil || n != 0 {
			t.Errorf("%s holds %d texts that were never committed, %v", name, n, err)
		}
	}
	exit, _, errs := run(t, path, "repair", "1", "--apply")
	if exit != 1 || !strings.Contains(errs, "journal") {
		t.Errorf("repair --apply: exit code %d: %s", exit, errs)
	}
}
