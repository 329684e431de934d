package commands_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
)

// TestArchiveRecover: without --apply it shows and writes nothing; with it the prompts are there, marked in a search,
// never compacted, and a second run finds nothing to do. backfill with the file finds them stored, too.
func TestArchiveRecover(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path, history := filepath.Join(home, "lcm.db"), filepath.Join(home, ".claude", "history.jsonl")
	w, err := fakehost.Create(path, fakehost.Head)
	testdb.Must(t, err)
	testdb.Must(t, w.Close())
	if exit, _, errs := testcli.Run(t, path, "archive", "recover"); exit != cli.ExitNothing {
		t.Errorf("without a history: exit %d, %s", exit, errs)
	}
	testdb.Must(t, os.MkdirAll(filepath.Dir(history), 0o700))
	testdb.WriteText(t, history, `{"display":"zebra [Pasted text #1]","pastedContents":{},"timestamp":1795354870388,"project":"/nowhere/p","sessionId":"s1"}
{"display":"\u001b[31mgnu","pastedContents":{},"timestamp":1795354870389,"project":"/nowhere/p","sessionId":"s\u001b2"}
`)
	before := testdb.Dump(t, path)
	got := testcli.Object(t, path, "archive", "recover")
	if got["applied"] != false || got["sessions"] != 1.0 || got["prompts"] != 1.0 || got["pastes_lost"] != 1.0 || testdb.Dump(t, path) != before {
		t.Errorf("the plan: %v", got)
	}
	if exit, _, _ := testcli.Run(t, path, "archive", "recover", "--project", "/nowhere/q"); exit != cli.ExitNothing {
		t.Errorf("of another project: exit %d", exit)
	}
	exit, out, errs := testcli.Run(t, path, "archive", "recover", "--apply")
	if exit != cli.ExitDone || !strings.Contains(out, "recovered 1 prompt of 1 session, as 1 record") || !strings.Contains(out, "1 line of") || strings.Contains(out, "\x1b") {
		t.Errorf("exit %d: %s%s", exit, out, errs)
	}
	after := testdb.Dump(t, path)
	for _, again := range [][]string{{"archive", "recover", "--apply"}, {"backfill", history, "--apply"}, {"compact", "1", "--force", "--provider", "extractive", "--apply"}} {
		if exit, _, errs := testcli.Run(t, path, again...); exit != cli.ExitNothing || testdb.Dump(t, path) != after {
			t.Errorf("%v: exit %d, %s", again, exit, errs)
		}
	}
	if _, out, _ := testcli.Run(t, path, "search", "zebra"); !strings.Contains(out, "(prompts only)") {
		t.Errorf("search: %s", out)
	}
	if exit, out, _ := testcli.Run(t, path, "doctor"); exit != cli.ExitDone {
		t.Errorf("doctor: exit %d, %s", exit, out)
	}
	if exit, _, _ := testcli.Run(t, path, "undo", "--apply"); exit != cli.ExitDone || strings.Contains(testdb.Dump(t, path), "zebra") {
		t.Errorf("undo: exit %d", exit)
	}
}
