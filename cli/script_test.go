package cli_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

func TestScripts(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files: testlength.Some(scripts),
		Setup: func(e *testscript.Env) error {
			e.Values[contextKey{}] = t
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("TZ", "UTC")
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, ".cache"))
			e.Setenv("LCM_DATABASE_PATH", filepath.Join(e.WorkDir, "lcm.db"))
			e.Setenv("ESC", "\x1b|\u009b|\u202e")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"lcm-tui": func(ts *testscript.TestScript, neg bool, args []string) { lcmTUI(ts, neg, 0, args) },
			"exits":   exits,
			"sample":  sample,
			"break":   damage,
			"demo":    copyDemo,
			"dump":    dump,
			"pick":    pick,
			"json":    isJSON,
			"spoil":   spoil,
			"oneline": oneLine,
			"age":     age,
			"entries": entries,
			"session": session,
		},
	})
}

// lcmTUI runs the program in this process: lcm-tui ARGS…
func lcmTUI(ts *testscript.TestScript, neg bool, want int, args []string) {
	got := cli.Main(ts.Value(contextKey{}).(testing.TB).Context(), args, cli.System{
		In: strings.NewReader(""), Out: ts.Stdout(), Err: ts.Stderr(), Env: ts.Getenv, WorkDir: ts.MkAbs("."), Version: "v1.2.3",
	}, commands.Rooms...)
	if (got == want) == neg {
		ts.Fatalf("exit code %d, wanted %d", got, want)
	}
}

type contextKey struct{}

// entries makes a database of lossless-claude with two entries of promoted memory, one of them archived: entries PATH
func entries(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(writeEntries(ts.Value(contextKey{}).(testing.TB).Context(), ts.MkAbs(args[0])))
}

// writeEntries makes a database of lossless-claude with two entries.
func writeEntries(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, `CREATE TABLE conversations (conversation_id INTEGER PRIMARY KEY, session_id TEXT NOT NULL, title TEXT, created_at TEXT, updated_at TEXT);
		CREATE TABLE messages (message_id INTEGER PRIMARY KEY, conversation_id INTEGER, seq INTEGER, role TEXT, content TEXT, token_count INTEGER, created_at TEXT);
		CREATE TABLE summaries (summary_id TEXT PRIMARY KEY, conversation_id INTEGER, kind TEXT, depth INTEGER, content TEXT, token_count INTEGER, created_at TEXT);
		CREATE TABLE context_items (conversation_id INTEGER, ordinal INTEGER, item_type TEXT, message_id INTEGER, summary_id TEXT);
		CREATE TABLE promoted (id TEXT PRIMARY KEY, content TEXT NOT NULL, tags TEXT DEFAULT '[]', source_summary_id TEXT, project_id TEXT NOT NULL, session_id TEXT,
			depth INTEGER DEFAULT 0, confidence REAL DEFAULT 1, created_at TEXT, archived_at TEXT);
		INSERT INTO promoted VALUES ('11111111-2222-3333-4444-555555555555', 'Deploys go out on Tuesdays.', '["decision"]', 'sum_x', 'f00d', 's1', 2, 0.75, '2026-01-05 09:00:00', NULL),
			('11111111-2222-3333-4444-666666666666', 'The old login was password: hunter2', '[]', NULL, 'f00d', NULL, 0, 1, '2026-01-04 09:00:00', '2026-01-06 09:00:00')`)
	return err
}

// exits runs the program and wants an exit code: exits CODE ARGS…
func exits(ts *testscript.TestScript, neg bool, args []string) {
	code, err := strconv.Atoi(args[0])
	ts.Check(err)
	lcmTUI(ts, neg, code, args[1:])
}

// sample writes a small file: sample LEVEL FILE
func sample(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(sampleCache.Sample(ts.MkAbs(args[1]), fakehost.Level(args[0])))
}

// damage makes a fault: break FILE FAULT
func damage(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(faults.Break(ts.MkAbs(args[0]), args[1]))
}

// copyDemo copies the demonstration, without its large files: demo FILE
func copyDemo(ts *testscript.TestScript, _ bool, args []string) {
	path, err := formatValue()
	ts.Check(err)
	b, err := os.ReadFile(path)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o600))
}

// dump writes every row of a file into another: dump FILE TO
func dump(ts *testscript.TestScript, _ bool, args []string) {
	text, err := testdb.DumpTables(ts.MkAbs(args[0]), "lcm_tui_undo")
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}

// pick sets SUMMARY to a condensed summary in the context of a conversation, BEGIN to the beginning of its
// id and LEAF to a leaf: pick FILE CONV
func pick(ts *testscript.TestScript, _ bool, args []string) {
	ctx := ts.Value(contextKey{}).(testing.TB).Context()
	db, err := data.Open(ctx, ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	conv, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	items, err := lcm.Context(ctx, db, conv)
	ts.Check(err)
	for _, i := range items {
		switch i.Kind {
		case lcm.KindCondensed:
			ts.Setenv("SUMMARY", i.Summary)
			ts.Setenv("BEGIN", i.Summary[:len("sum_123456")])
		case lcm.KindLeaf:
			ts.Setenv("LEAF", i.Summary)
		}
	}
	if ts.Getenv("SUMMARY") == "" {
		ts.Fatalf("no condensed summary in the context")
	}
}

// isJSON wants one JSON object on one line of stdout, with these fields: json FIELD…
func isJSON(ts *testscript.TestScript, _ bool, fields []string) {
	out := ts.ReadFile("stdout")
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(out), &object); err != nil {
		ts.Fatalf("stdout is not one JSON object: %v", err)
	}
	if strings.Count(out, "\n") != 1 {
		ts.Fatalf("JSON in a pipe should be one line")
	}
	for _, f := range fields {
		if _, ok := object[f]; !ok {
			ts.Fatalf("no field %s", f)
		}
	}
}

// oneLine wants stderr to be one line: oneline
func oneLine(ts *testscript.TestScript, _ bool, _ []string) {
	if text := ts.ReadFile("stderr"); strings.Count(text, "\n") != 1 {
		ts.Fatalf("stderr should be one line:\n%s", text)
	}
}

// session writes a session of OpenClaw's of so many long messages: session FILE N
func session(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	id := strings.TrimSuffix(filepath.Base(args[0]), ".jsonl")
	lines := []string{fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2026-01-05T09:00:00.000Z","cwd":"/w"}`, id)}
	parent := "null"
	for i := range n {
		role := []string{"user", "assistant"}[i%2]
		text := strings.Repeat(fmt.Sprintf("In step %d the ledger moved one table further to Postgres, and nothing was lost. ", i), 12)
		lines = append(lines, fmt.Sprintf(`{"type":"message","id":"m%d","parentId":%s,"timestamp":"2026-01-05T09:%02d:01.000Z","message":{"role":%q,"content":%q}}`, i, parent, i, role, text))
		parent = fmt.Sprintf(`"m%d"`, i)
	}
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[0])), 0o700))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
}

// age makes a file, or those of a folder, an hour or some days old: age FOLDER [DAYS]
func age(ts *testscript.TestScript, _ bool, args []string) {
	then := time.Now().Add(-time.Hour)
	if len(args) > 1 {
		days, err := strconv.Atoi(args[1])
		ts.Check(err)
		then = time.Now().AddDate(0, 0, -days)
	}
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, then, then))
	}))
}

// spoil overwrites the middle of a file with other bytes: spoil FILE
func spoil(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	b, err := os.ReadFile(path)
	ts.Check(err)
	for i := range b[len(b)/2:] {
		b[len(b)/2+i] = "spoiled "[i%8]
	}
	ts.Check(os.WriteFile(path, bytes.Clone(b), 0o600))
}
