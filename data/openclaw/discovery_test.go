package openclaw_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/openclaw"
	"lcm-tui/internal/testlength"
)

// home is a home folder that a test fills. Each file is a minute older than the one before.
type home struct {
	t     *testing.T
	dir   string
	files int
}

func newHome(t *testing.T) *home {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &home{t: t, dir: dir}
}

// path returns a path in the home folder, whose parent is made.
func (h *home) path(name string) string {
	h.t.Helper()
	path := filepath.Join(h.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	return path
}

func (h *home) write(name, content string) {
	h.t.Helper()
	path := h.path(name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		h.t.Fatal(err)
	}
	h.files++
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).Add(-time.Duration(h.files) * time.Minute)
	if err := os.Chtimes(path, at, at); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) discover(r openclaw.Request, env map[string]string) openclaw.Discovery {
	h.t.Helper()
	if r.Env == nil {
		r.Env = func(name string) string {
			if name == "HOME" && env[name] == "" {
				return h.dir
			}
			return env[name]
		}
	}
	return openclaw.Discover(h.t.Context(), r)
}

// list returns what was found: path, program and, in brackets, what else is known.
func (h *home) list(d openclaw.Discovery) (out []string) {
	rel := func(path string) string {
		if r, err := filepath.Rel(h.dir, path); err == nil {
			return filepath.ToSlash(r)
		}
		return path
	}
	for _, db := range d.Databases {
		line := rel(db.Path) + " " + db.Program
		if db.Default {
			line += " (default)"
		}
		if db.Project != "" {
			line += " (of " + rel(db.Project) + ")"
		}
		if !db.Regular {
			line += " (no file)"
		}
		for _, p := range db.SameFile {
			line += " (also " + rel(p) + ")"
		}
		out = append(out, line)
	}
	return out
}

// TestDiscoverFindsThePlacesOfAllPrograms: the default first, the others by their newest write.
func TestDiscoverFindsThePlacesOfAllPrograms(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	work := filepath.Join(h.dir, "src", "api")
	sum := sha256.Sum256([]byte(work))
	h.write(".hermes/profiles/a/b/lcm.db", "x")
	h.write("MyNanoClaw/data/lossless-claw/lcm.db", "x")
	h.write("MyNanoClaw/groups/family/data/lossless-claw/lcm.db", "x")
	h.write("src/data/lossless-claw/lcm.db", "x")
	h.write(".lossless-claude/projects/"+hex.EncodeToString(sum[:])+"/db.sqlite", "x")
	h.write(".lossless-claude/projects/0123/db.sqlite", "x")
	h.write(".lossless-claude/projects/0123/meta.json", `{"cwd":"`+filepath.ToSlash(filepath.Join(h.dir, "web"))+`"}`)
	h.write(".lossless-claude/projects/none/meta.json", `{}`)
	h.write(".pi/agent/extensions/lossless-claw/lcm.db", "x")
	h.write(".openclaw-work/openclaw.json", `{plugins: {entries: {"lossless-claw": {config: {dbPath: "~/elsewhere/work.db", largeFilesDir: "~/blobs"}}}}}`)
	h.write("elsewhere/work.db", "x")
	h.write(".openclaw-work/lcm.db", "x")
	h.write(".openclaw.old/lcm.db", "x")
	h.write(".openclaw/lcm.db", "x")
	h.write("notes/lcm.db", "x") // Nobody's place.
	h.write("src/groups/a/data/lossless-claw/lcm.db", "x")
	got := h.discover(openclaw.Request{WorkDir: work}, nil)
	want := []string{
		".openclaw/lcm.db OpenClaw (default)",
		".hermes/profiles/a/b/lcm.db Hermes",
		"MyNanoClaw/data/lossless-claw/lcm.db NanoClaw (of MyNanoClaw)",
		"MyNanoClaw/groups/family/data/lossless-claw/lcm.db NanoClaw (of MyNanoClaw/groups/family)",
		"src/data/lossless-claw/lcm.db NanoClaw (of src)",
		".lossless-claude/projects/" + hex.EncodeToString(sum[:]) + "/db.sqlite lossless-claude (of src/api)",
		".lossless-claude/projects/0123/db.sqlite lossless-claude (of web)",
		".pi/agent/extensions/lossless-claw/lcm.db Pi",
		"elsewhere/work.db OpenClaw",
		".openclaw-work/lcm.db OpenClaw",
		".openclaw.old/lcm.db OpenClaw",
		"src/groups/a/data/lossless-claw/lcm.db NanoClaw (of src/groups/a)",
	}
	if diff := cmp.Diff(want, h.list(got)); diff != "" {
		t.Error(diff)
	}
	if len(got.Problems) > 0 {
		t.Error(got.Problems)
	}
	counts := map[string]int{}
	for _, s := range got.Searched {
		counts[s.Where] += s.Found
	}
	if diff := cmp.Diff(map[string]int{"state folder": 1, "lcm-tui": 0, "OpenClaw": 3, "Pi": 1, "NanoClaw": 2, "NanoClaw, here and above": 2, "lossless-claude": 2, "Hermes": 1}, counts); diff != "" {
		t.Error(diff)
	}
	for _, db := range got.Databases {
		if strings.HasSuffix(db.Path, "work.db") && (db.StateDir != filepath.Join(h.dir, ".openclaw-work") || db.FilesDir != filepath.Join(h.dir, "blobs")) {
			t.Errorf("%s belongs to the state folder %q, its files lie in %q", db.Path, db.StateDir, db.FilesDir)
		}
		if db.Program == "Pi" && db.FilesDir != filepath.Join(filepath.Dir(db.Path), "lcm-files") {
			t.Errorf("files of %s lie in %q", db.Path, db.FilesDir)
		}
	}
}

// TestDiscoverTakesWhatIsNamedFirst: flag, environment and configuration come before places,
// whatever is newer, and are listed even where no file is.
func TestDiscoverTakesWhatIsNamedFirst(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.write(".pi/agent/extensions/lossless-claw/lcm.db", "x")
	h.write("a.db", "x")
	h.write("b.db", "x")
	h.write("state/lcm.db", "x")
	h.write("state/openclaw.json", `{plugins: {entries: {"lossless-claw": {config: {databasePath: "~/gone.db"}}}}}`)
	in := func(name string) string { return filepath.Join(h.dir, name) }
	pi := ".pi/agent/extensions/lossless-claw/lcm.db Pi"
	for name, c := range map[string]struct {
		named []string
		env   map[string]string
		want  []string
	}{
		"places only": {want: []string{pi + " (default)"}},
		"one flag":    {[]string{in("b.db")}, nil, []string{"b.db  (default)", pi}},
		"several flags": {
			[]string{in("b.db"), in("none.db"), in("a.db"), in("b.db")},
			nil,
			[]string{"b.db  (default)", "none.db  (no file)", "a.db "},
		},
		"the environment": {nil, map[string]string{"LCM_DATABASE_PATH": "~/none.db"}, []string{"none.db  (default) (no file)", pi}},
		"the configuration": {
			nil,
			map[string]string{"OPENCLAW_STATE_DIR": in("state")},
			[]string{"gone.db OpenClaw (default) (no file)", pi, "state/lcm.db OpenClaw"},
		},
	} {
		if diff := cmp.Diff(c.want, h.list(h.discover(openclaw.Request{Named: c.named}, c.env))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestDiscoverListsAFileOnce: links to a file are other paths of it.
func TestDiscoverListsAFileOnce(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	h := newHome(t)
	h.write(".openclaw/lcm.db", "x")
	for link, make := range map[string]func(from, to string) error{".hermes/lcm.db": os.Symlink, ".openclaw-a/lcm.db": os.Link} {
		if err := make(filepath.Join(h.dir, ".openclaw", "lcm.db"), h.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{".openclaw/lcm.db OpenClaw (default) (also .openclaw-a/lcm.db) (also .hermes/lcm.db)"}
	if diff := cmp.Diff(want, h.list(h.discover(openclaw.Request{}, nil))); diff != "" {
		t.Error(diff)
	}
}

// TestDiscoverReportsWhatItCannotSearch: a link that leads to itself, a broken configuration and
// a folder in the place of a file hide nothing else.
func TestDiscoverReportsWhatItCannotSearch(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	h := newHome(t)
	h.write(".openclaw/lcm.db", "x")
	h.write(".openclaw-broken/openclaw.json", "{ plugins: [")
	h.write(".openclaw-empty/lcm.db", "")
	h.path(".openclaw-folder/lcm.db/x")
	h.write(".pi", "a file where a folder is looked for")
	if err := os.Symlink("lcm.db", h.path(".openclaw-loop/lcm.db")); err != nil {
		t.Fatal(err)
	}
	got := h.discover(openclaw.Request{}, nil)
	var problems []string
	for _, p := range got.Problems {
		problems = append(problems, strings.ReplaceAll(p.Error(), h.dir, "~"))
	}
	if len(problems) != 2 || !strings.HasPrefix(problems[0], "look for databases in ~/.openclaw-broken/openclaw.json: ") ||
		!strings.HasPrefix(problems[1], "look for databases in ~/.openclaw-loop/lcm.db: ") {
		t.Errorf("problems: %q", problems)
	}
	if len(got.Databases) != 3 || len(got.Readable()) != 1 {
		t.Errorf("found %q", h.list(got))
	}
}

// TestDiscoverLimitsItsWalk: folders of programs, links to folders and what lies too deep are
// left out, and a tree that is too large is searched in part, which is reported.
func TestDiscoverLimitsItsWalk(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.write("outside/lcm.db", "x")
	h.write(".hermes/1/2/3/4/5/6/lcm.db", "x")
	h.write(".hermes/1/2/3/4/5/6/7/lcm.db", "x")
	h.write(".hermes/node_modules/lcm.db", "x")
	if runtime.GOOS != "windows" {
		if err := os.Symlink(filepath.Join(h.dir, "outside"), h.path(".hermes/link")); err != nil {
			t.Fatal(err)
		}
	}
	got := h.discover(openclaw.Request{}, nil)
	if want := []string{".hermes/1/2/3/4/5/6/lcm.db Hermes (default)"}; cmp.Diff(want, h.list(got)) != "" || len(got.Problems) > 0 {
		t.Errorf("found %q, %v", h.list(got), got.Problems)
	}
	for i := range 50 {
		if err := os.Mkdir(h.path(".hermes/1/"+strconv.Itoa(i+100)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	got = h.discover(openclaw.Request{MaxEntries: 40}, nil)
	if len(got.Databases) != 0 || len(got.Problems) != 1 || !strings.Contains(got.Problems[0].Error(), "more than 40 files and folders") {
		t.Errorf("a large tree: found %q, %v", h.list(got), got.Problems)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h.write(".openclaw/lcm.db", "x")
	cancelled := openclaw.Discover(ctx, openclaw.Request{Env: func(name string) string { return map[string]string{"HOME": h.dir}[name] }})
	if len(cancelled.Databases) != 1 || len(cancelled.Problems) != 1 {
		t.Errorf("cancelled: %q, %v", h.list(cancelled), cancelled.Problems)
	}
}

// TestDiscoverMeasuresTheWAL: size and time are those of the file and its -wal, which lies
// beside the file that a link leads to.
func TestDiscoverMeasuresTheWAL(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.write("store/lcm.db-wal", strings.Repeat("w", 50))
	h.write("store/lcm.db", strings.Repeat("x", 100))
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	if err := os.Symlink(filepath.Join(h.dir, "store", "lcm.db"), h.path(".openclaw/lcm.db")); err != nil {
		t.Fatal(err)
	}
	got := h.discover(openclaw.Request{}, nil).Databases
	wal, err := os.Stat(filepath.Join(h.dir, "store", "lcm.db-wal"))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Bytes != 150 || !got[0].Modified.Equal(wal.ModTime()) {
		t.Errorf("%+v", got)
	}
}

// TestDiscoverFindsManyDatabases: five hundred projects are listed, newest first.
func TestDiscoverFindsManyDatabases(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	h := newHome(t)
	for i := range 500 {
		h.write(fmt.Sprintf(".lossless-claude/projects/p%03d/db.sqlite", i), "x")
	}
	got := h.discover(openclaw.Request{}, nil)
	if len(got.Databases) != 500 || !strings.Contains(got.Databases[499].Path, "p499") {
		t.Errorf("found %d", len(got.Databases))
	}
}
