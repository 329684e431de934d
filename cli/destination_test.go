package cli_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// hostFolder is a folder with a database and every kind of file that belongs to it or to its host.
type hostFolder struct {
	folder, db string
	// files are the paths that no new file may get, by what they are. Some have no file yet.
	files map[string]string
}

// writeFile writes a file and its folder.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// newHostFolder makes the folder. A host has the database open, so that there is a -wal.
func newHostFolder(t *testing.T) hostFolder {
	t.Helper()
	db := testdb.Sample(t, fakehost.Head, "stored-secret")
	f := hostFolder{folder: filepath.Dir(db), db: db}
	if exit, out, errs := run(t, db, "backup"); exit != 0 {
		t.Fatalf("exit %d: %s%s", exit, out, errs)
	}
	if exit, out, errs := run(t, db, "prune", "conversations", "--archived", "--apply"); exit != 0 {
		t.Fatalf("exit %d: %s%s", exit, out, errs)
	}
	state := filepath.Join(f.folder, ".openclaw")
	elsewhere := filepath.Join(f.folder, "elsewhere")
	f.files = map[string]string{
		"database": db, "wal": db + "-wal", "shm": db + "-shm", "journal": db + "-journal", "journal in capitals": db + "-JOURNAL",
		"large file":            filepath.Join(f.folder, "lcm-files", "1", "file_00000000000000aa.txt"),
		"new large file":        filepath.Join(state, "lcm-files", "1", "new.txt"),
		"named large file":      filepath.Join(elsewhere, "large.txt"),
		"transcript":            filepath.Join(state, "agents", "main", "sessions", "one.jsonl"),
		"named transcript":      filepath.Join(elsewhere, "session.jsonl"),
		"configuration":         filepath.Join(state, "openclaw.json"),
		"new file of the trash": db + ".lcm-tui-trash/new.db",
	}
	for _, what := range []string{"large file", "named large file", "transcript", "named transcript"} {
		writeFile(t, f.files[what], what)
	}
	writeFile(t, f.files["configuration"], "{}")
	h, err := fakehost.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	for _, statement := range []string{
		"INSERT INTO large_files (file_id, conversation_id, storage_uri) VALUES ('file_00000000000000bb', 1, '" + f.files["named large file"] + "')",
		"INSERT OR REPLACE INTO conversation_bootstrap_state (conversation_id, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset) VALUES (1, '" +
			f.files["named transcript"] + "', 1, 1, 1)",
	} {
		if err := h.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	f.add(t, "backup", db+".lcm-tui-*.bak")
	f.add(t, "trash", db+".lcm-tui-trash/*.db")
	f.addLinks(t)
	return f
}

// add adds the only file that a pattern matches.
func (f hostFolder) add(t *testing.T, what, pattern string) {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v", what, found, err)
	}
	f.files[what] = found[0]
}

// addLinks adds links to the files, of both kinds, and the files by the name of a link to their folder.
func (f hostFolder) addLinks(t *testing.T) {
	t.Helper()
	links := filepath.Join(t.TempDir(), "links")
	if err := os.Mkdir(links, 0o700); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(links, "folder")
	if err := os.Symlink(f.folder, folder); err != nil {
		t.Skip(err)
	}
	for what, path := range maps.Clone(f.files) {
		below, err := filepath.Rel(f.folder, path)
		if err != nil {
			t.Fatal(err)
		}
		f.files["linked folder of "+what] = filepath.Join(folder, below)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		hard, soft := filepath.Join(links, "hard "+what), filepath.Join(links, "soft "+what)
		if err := os.Symlink(path, soft); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(path, hard); err != nil {
			t.Fatal(err)
		}
		f.files["hard link to "+what], f.files["link to "+what] = hard, soft
	}
}

// contents returns the files below a folder with their bytes, but for the shared memory of SQLite and
// the configuration folder, where tokens go.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(path, "-shm") {
			return err
		}
		b, err := os.ReadFile(path)
		out[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// namedFileCommands are the commands that write a file which the user names, each with what must
// stand before the name.
var namedFileCommands = map[string][]string{
	"backup":                {"backup", "--to"},
	"bundle":                {"bundle", "--force", "--to"},
	"bundle with structure": {"bundle", "--with-structure", "1", "--force", "--to"},
	"export":                {"export", "1", "--format", "markdown", "--force", "--to"},
	"export of rows":        {"export", "--all", "--format", "jsonl", "--force", "--to"},
	"export to a folder":    {"export", "--all", "--format", "markdown", "--force", "--to"},
	"slice":                 {"slice", "1", "--to"},
	"salvage":               {"salvage", "DATABASE"},
	"demo":                  {"demo", "--path"},
	"plan":                  {"key", "detach", "1", "--plan-out"},
	"plan of secrets":       {"secrets", "--plan-out"},
	"kept backup":           {"secrets", "--apply", "--irreversible", "--keep-backup"},
	"token":                 {"mcp", "--http", "127.0.0.1:0", "--token-file"},
	"usage":                 {"mcp", "--grant-usage"},
	"prompts":               {"prompts", "export", "--force"},
	"plugin":                {"install", "--apply", "--plugin"},
}

// TestNamedFiles: no command writes a file in the place of one of the database, of its host or of
// what this program keeps for it, whatever name it is given by; each says why, and leaves every
// file as it is.
func TestNamedFiles(t *testing.T) {
	t.Parallel()
	f := newHostFolder(t)
	for i, name := range slices.Sorted(maps.Keys(namedFileCommands)) {
		if !testlength.Runs(i) {
			continue
		}
		before := contents(t, f.folder)
		for what, path := range f.files {
			if strings.Contains(what, "link") && !slices.Contains(namedFileCommands[name], "--force") && name != "usage" {
				continue // Without --force no file is replaced, by whatever name.
			}
			args := slices.Clone(namedFileCommands[name])
			if i := slices.Index(args, "DATABASE"); i >= 0 {
				args[i] = f.db
			}
			exit, out, errs := run(t, f.db, append(args, path)...)
			if exit != 1 || errs == "" {
				t.Errorf("%s to the %s: exit %d: %s%s", name, what, exit, out, errs)
			}
		}
		if after := contents(t, f.folder); !maps.Equal(before, after) {
			t.Fatalf("%s changed files", name)
		}
	}
}

// TestNamedFilesAreWritten: what belongs to no database is written, and what the same command
// made is replaced with --force.
func TestNamedFilesAreWritten(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	db := testdb.Sample(t, fakehost.Head)
	for _, name := range []string{"bundle", "bundle with structure", "export", "export of rows", "export to a folder"} {
		path := filepath.Join(t.TempDir(), "new")
		for range 2 {
			if exit, out, errs := run(t, db, append(slices.Clone(namedFileCommands[name]), path)...); exit != 0 {
				t.Errorf("%s: exit %d: %s%s", name, exit, out, errs)
			}
		}
	}
}

// TestBundleReplacesBundlesOnly: any other file than a bundle stays as it is.
func TestBundleReplacesBundlesOnly(t *testing.T) {
	t.Parallel()
	db, folder := testdb.Sample(t, fakehost.Head), t.TempDir()
	for name, text := range map[string]string{"text": "notes", "empty": "", "empty zip": "PK\x05\x06" + strings.Repeat("\x00", 18)} {
		path := filepath.Join(folder, name)
		writeFile(t, path, text)
		exit, out, errs := run(t, db, "bundle", "--force", "--to", path)
		if b, err := os.ReadFile(path); err != nil || string(b) != text || exit != 1 || !strings.Contains(errs, "no bundle") {
			t.Errorf("%s: exit %d: %s%s, %v", name, exit, out, errs, err)
		}
	}
}

// TestNewDatabasesStandAlone: no new database is written beside what is left of another of its name.
func TestNewDatabasesStandAlone(t *testing.T) {
	t.Parallel()
	db := testdb.Sample(t, fakehost.Head)
	for _, args := range [][]string{{"backup", "--to"}, {"slice", "1", "--to"}, {"salvage", db}, {"demo", "--path"}} {
		for _, suffix := range []string{"-wal", "-journal", "-shm"} {
			path := filepath.Join(t.TempDir(), "new.db")
			writeFile(t, path+suffix, "left")
			if exit, out, errs := run(t, db, append(args, path)...); exit != 1 || !strings.Contains(errs, path+suffix) {
				t.Errorf("%q with a %s: exit %d: %s%s", args, suffix, exit, out, errs)
			}
		}
	}
}
