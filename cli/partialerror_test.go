package cli_test

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"modernc.org/sqlite"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testlength"
)

// stops are the commands that a rule in their database cancels, by its path.
var stops sync.Map

func init() {
	sqlite.MustRegisterScalarFunction("cancel_command", 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		if cancel, ok := stops.Load(args[0]); ok {
			cancel.(context.CancelFunc)()
		}
		return int64(0), nil
	})
}

// How a command ends early.
const (
	cancelled = "cancel_command('%s') = 0"
	failed    = "0"
)

// stopped is a command that writes, and a file in which it ends early.
type stopped struct {
	args    string
	prepare func(t *testing.T, db string)
	steps   int // Records that it writes when nothing stops it.
	event   string
	lenient bool // A failure costs only a part, and the others go on.
	backup  bool // It makes a backup first, which stays.
	long    bool // It is imported in parts; once is enough.
	before  int  // Records that are there before.
}

// applied are all commands that write rows. Each is stopped at each of its steps.
var applied = map[string]stopped{
	"compact":           {args: "compact 1 --force --apply", steps: 1},
	"compact each pass": {args: "compact 1 --force --each-pass --apply", steps: 2},
	"compact all":       {args: "compact --all --force --apply", steps: 1},
	"rewrite":           {args: "rewrite 1 --all --apply", steps: 1},
	"dissolve":          {args: "dissolve 1 --summary-id SUMMARY --apply", steps: 1},
	"edit":              {args: "edit LEAF --file FOLDER/text.md --apply", steps: 1},
	"transplant":        {args: "transplant 2 1 --apply", steps: 1},
	"repair":            {args: "repair 1 --apply", steps: 1, prepare: broken("context-double")},
	"repair, deleting":  {args: "repair 1 --fault M01 --apply", steps: 1, backup: true, prepare: archived},
	"repair all":        {args: "repair --all --apply", steps: 1, prepare: broken("context-double")},
	"backfill":          {args: "backfill FOLDER/a.jsonl FOLDER/b.jsonl --apply", steps: 2, lenient: true},
	"backfill, compact": {args: "backfill FOLDER/long.jsonl --apply --compact --set contextThreshold=0.01", steps: 3, lenient: true, long: true},
	"undo": {args: "undo", steps: 1, event: "UPDATE", prepare: func(t *testing.T, db string) {
		t.Helper()
		if exit, _, errs := run(t, db, "dissolve", "1", "--summary-id", picked(t, db, 1, "condensed"), "--apply"); exit != 0 {
			t.Fatal(errs)
		}
	}},
	"redo": {args: "redo", steps: 1, before: 1, prepare: func(t *testing.T, db string) {
		t.Helper()
		for _, args := range [][]string{{"dissolve", "1", "--summary-id", picked(t, db, 1, "condensed"), "--apply"}, {"undo"}} {
			if exit, _, errs := run(t, db, args...); exit != 0 {
				t.Fatal(errs)
			}
		}
	}},
}

func broken(fault string) func(*testing.T, string) {
	return func(t *testing.T, db string) {
		t.Helper()
		if err := faults.Break(db, fault); err != nil {
			t.Fatal(err)
		}
	}
}

// archived breaks a long conversation that won't go on, so that rows may be deleted.
func archived(t *testing.T, db string) {
	t.Helper()
	broken("message-double")(t, db)
	h, err := fakehost.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	err = h.Tx(func(h *fakehost.Writer) error {
		for i := range 600 {
			if _, err := h.Message(1, fakehost.Message{Role: "user", Content: fmt.Sprintf("number %d of those that follow", i)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	if err := faults.Alter(db, "UPDATE conversations SET active = 0, archived_at = '2026-01-02T00:00:00.000Z', updated_at = '2026-01-02 00:00:00' WHERE conversation_id = 1"); err != nil {
		t.Fatal(err)
	}
}

// TestWhatAStoppedCommandSays: it reports what is written, on standard output,
// in JSON, in the error and by the exit code.
func TestWhatAStoppedCommandSays(t *testing.T) {
	t.Parallel()
	n := 0
	for name, c := range applied {
		for step := range c.steps + 1 {
			for manner, how := range map[string]string{"cancelled": cancelled, "failed": failed} {
				for _, format := range []string{" --json", ""} {
					if c.long && format == "" || step == c.steps && (manner == "failed" || format == "") {
						continue // Nothing stops it: once is enough.
					}
					if n++; !testlength.Runs(n) {
						continue
					}
					t.Run(fmt.Sprintf("%s/%s at %d%s", name, manner, step+1, format), func(t *testing.T) {
						t.Parallel()
						c.stop(t, step, how, c.args+format)
					})
				}
			}
		}
	}
}

// stop runs the command in a file that stops it when it has so many records, and
// compares what is written with what it says.
func (c stopped) stop(t *testing.T, records int, how, args string) {
	t.Helper()
	db := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Sample(db, "0.15.2"); err != nil {
		t.Fatal(err)
	}
	if c.prepare != nil {
		c.prepare(t, db)
	}
	transcripts(t, filepath.Dir(db), args)
	was := dumped(t, db)
	c.trap(t, db, records, how)
	exit, out, errs := c.run(t, db, args)
	listed := recordsIn(t, out, args)
	there := append([]int64(nil), ids(t, db, c.event)[c.before:]...)
	if diff := cmp.Diff(there, listed); diff != "" {
		t.Errorf("written and told:\n%s%s%s", diff, out, errs)
	}
	c.checkEnd(t, records, how, exit, there, errs)
	if t.Failed() {
		return
	}
	if c.event != "" || c.long {
		return
	}
	undoAll(t, db, there)
	if now := dumped(t, db); now != was {
		t.Errorf("the file isn't what it was:\n%s", cmp.Diff(was, now))
	}
}

// checkEnd compares the exit code and the error.
func (c stopped) checkEnd(t *testing.T, records int, how string, exit int, there []int64, errs string) {
	t.Helper()
	want := 1
	if how == cancelled {
		want = 130
	}
	if records == c.steps || len(there) == c.steps && exit == 0 { // Nothing stopped it, or too late.
		want = 0
	}
	if exit != want {
		t.Errorf("exit code %d, not %d: %s", exit, want, errs)
	}
	nothing := strings.Contains(errs, "nothing was written")
	switch {
	case want == 0:
	case len(there) == 0 && c.backup && !(strings.Contains(errs, "nothing was changed") && strings.Contains(errs, "backup that was made before stays: ")):
		t.Errorf("a backup was made, but it says: %s", errs)
	case len(there) == 0 && how == cancelled && !nothing && !c.backup:
		t.Errorf("nothing is written, but it says: %s", errs)
	case len(there) == 0 && how == failed && !strings.Contains(errs, "breaks a rule of the schema"):
		t.Errorf("the error isn't the failure: %s", errs)
	case len(there) > 0 && (nothing || !c.lenient && !strings.Contains(errs, "written")):
		t.Errorf("%d are written, but it says: %s", len(there), errs)
	}
}

// trap puts a rule into the file that ends the command when it writes the record after so many. A
// trigger would be refused before anything is written.
func (c stopped) trap(t *testing.T, db string, records int, how string) {
	t.Helper()
	const table = `CREATE TABLE IF NOT EXISTS lcm_tui_undo (id INTEGER PRIMARY KEY, op TEXT NOT NULL, title TEXT NOT NULL,
		applied_at TEXT NOT NULL, undone_at TEXT, detail TEXT NOT NULL, changes TEXT NOT NULL, search TEXT NOT NULL);`
	passes := fmt.Sprintf("id <> %d", records+c.before+1)
	if c.event != "" {
		passes = fmt.Sprintf("undone_at IS NULL OR %d > 0", records)
	}
	if strings.Contains(how, "%s") {
		how = fmt.Sprintf(how, db)
	}
	rule := fmt.Sprintf(", CHECK (%s OR %s)", passes, how)
	if err := faults.Alter(db, table+addRule("lcm_tui_undo", rule)); err != nil {
		t.Fatal(err)
	}
}

// addRule adds a rule to the declaration of a table that is there.
func addRule(table, rule string) string {
	return fmt.Sprintf(`PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = rtrim(rtrim(sql), ')') || '%s)' WHERE type = 'table' AND name = '%s';
		PRAGMA writable_schema = RESET;`, strings.ReplaceAll(rule, "'", "''"), table)
}

// run runs the command with a context that the file can cancel.
func (c stopped) run(t *testing.T, db, args string) (exit int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stops.Store(db, cancel)
	defer stops.Delete(db)
	folder := filepath.Dir(db)
	env := map[string]string{
		"LCM_DATABASE_PATH": db, "HOME": folder, "XDG_CACHE_HOME": folder, "LCM_FRESH_TAIL_COUNT": "4", "LCM_LEAF_CHUNK_TOKENS": "200",
		"LCM_SUMMARY_PROVIDER": "extractive", "LCM_SUMMARY_MODEL": "extractive",
	}
	words := strings.Fields(args)
	if slices.Contains([]string{"compact", "rewrite"}, words[0]) || slices.Contains(words, "--compact") {
		words = append(words, "--provider", "extractive")
	}
	for i, w := range words {
		w = strings.ReplaceAll(w, "FOLDER", folder)
		if w == "SUMMARY" {
			w = picked(t, db, 1, "condensed")
		}
		if w == "LEAF" {
			w = picked(t, db, 1, "leaf")
		}
		words[i] = w
	}
	var out, errs bytes.Buffer
	exit = cli.Main(ctx, words, cli.System{
		In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) string { return env[name] },
	}, commands.Rooms...)
	return exit, out.String(), errs.String()
}
