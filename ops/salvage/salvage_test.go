package salvage_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/salvage"
)

func salvaged(t *testing.T, from string) (salvage.Result, string) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "new.db")
	was, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	beside, _ := filepath.Glob(from + "-*")
	s, err := salvage.File(t.Context(), from, to, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if is, err := os.ReadFile(from); err != nil || string(is) != string(was) {
		t.Errorf("the damaged file was written to, %v", err)
	}
	if is, _ := filepath.Glob(from + "-*"); !slices.Equal(is, beside) {
		t.Errorf("beside the damaged file were %q, are %q", beside, is)
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the new file: %v, %v", info.Mode(), err)
	}
	if !slices.Equal(s.Integrity, []string{"ok"}) {
		t.Errorf("the new file: %q", s.Integrity)
	}
	return s, to
}

// sampleCache is where the tests' databases come from.
var sampleCache samples.Cache

func noReport(int, int, string) {}

func dumped(t *testing.T, path string) string {
	t.Helper()
	s, err := testdb.DumpTables(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// settled makes one plain file of a database and its -wal.
func settled(t *testing.T, path string) []byte {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode = DELETE"} {
		if err := h.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSalvageOfAHealthyFileLosesNothing: pages read one by one give what SQLite
// reads.
func TestSalvageOfAHealthyFileLosesNothing(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for level, fault := range map[fakehost.Level]string{
		fakehost.V0_1: "", fakehost.V0_6: "bad-values", fakehost.Head: "hostile-text", fakehost.Fork: "huge-cell",
	} {
		path := filepath.Join(t.TempDir(), "lcm.db")
		if err := sampleCache.Sample(path, level); err != nil {
			t.Fatal(err)
		}
		if fault != "" {
			if err := faults.Break(path, fault); err != nil {
				t.Fatal(err)
			}
		}
		s, to := salvaged(t, path)
		if s.Lost() || len(s.Notes) > 0 {
			t.Errorf("%s %s: %+v", level, fault, s)
		}
		if diff := cmp.Diff(rowsOf(dumped(t, path)), rowsOf(dumped(t, to))); diff != "" {
			t.Errorf("%s %s: %s", level, fault, diff)
		}
	}
}

// rowsOf returns the rows of a dump without those of the search tables, which are rebuilt.
func rowsOf(dump string) (out []string) {
	keep := true
	for line := range strings.Lines(dump) {
		if name, ok := strings.CutPrefix(line, "== "); ok {
			keep = !strings.Contains(name, "_fts")
		}
		if keep {
			out = append(out, line)
		}
	}
	return out
}

// noise overwrites a page.
func noise(b []byte, size, page int, r *rand.Rand) {
	for i := range size {
		b[(page-1)*size+i] = byte(r.Uint32())
	}
}

// damaged returns a file of these bytes.
func damaged(t *testing.T, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "damaged.db")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// settledDemo returns a settled database with its rows.
func settledDemo(t *testing.T) (bytes []byte, rows map[string]bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Demo(path, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	bytes, rows = settled(t, path), map[string]bool{}
	for _, row := range rowsOf(dumped(t, path)) {
		rows[row] = true
	}
	return bytes, rows
}

// missing returns how many rows a salvaged file lacks. It has none that weren't there.
func missing(t *testing.T, to string, rows map[string]bool) int {
	t.Helper()
	kept := 0
	for _, row := range rowsOf(dumped(t, to)) {
		if !rows[row] {
			t.Errorf("made up: %.200s", row)
		}
		kept++
	}
	return len(rows) - kept
}

// TestSalvageKeepsWhatDamageLeaves overwrites pages at random with noise. What is lost
// is reported, and a new file is written in any case.
func TestSalvageKeepsWhatDamageLeaves(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	whole, rows := settledDemo(t)
	const size = 4096
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // The same every time.
		b := slices.Clone(whole)
		count := 1 + 5*int(seed)
		for range count {
			noise(b, size, 2+r.IntN(len(b)/size-1), r)
		}
		s, to := salvaged(t, damaged(t, b))
		lost := missing(t, to, rows)
		if lost > 0 && !s.Lost() {
			t.Errorf("seed %d: %d rows are missing and nobody says so", seed, lost)
		}
		if lost > count*len(rows)/20 {
			t.Errorf("seed %d: %d of %d rows are missing after damage to %d pages", seed, lost, len(rows), count)
		}
		db, err := data.Open(t.Context(), to)
		if err != nil {
			t.Fatal(err)
		}
		_ = db.Close()
	}
}

// TestSalvageWithoutWhatPointsAtRows: the page on which the file and its schema
// begin, and those that only lead to others, cost no row.
func TestSalvageWithoutWhatPointsAtRows(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	whole, rows := settledDemo(t)
	const size = 4096
	r := rand.New(rand.NewPCG(7, 7)) //nolint:gosec // The same every time.
	b := slices.Clone(whole)
	noise(b, size, 1, r)
	inner := 0
	for page := 2; page <= len(b)/size; page++ {
		if b[(page-1)*size] == 5 { // An inner page of a table.
			noise(b, size, page, r)
			inner++
		}
	}
	if inner < 3 {
		t.Fatalf("only %d inner pages", inner)
	}
	s, to := salvaged(t, damaged(t, b))
	if lost := missing(t, to, rows); lost > 0 {
		t.Errorf("%d rows are missing: %+v", lost, s)
	}
}

func TestSalvageStopsWhenCancelled(t *testing.T) {
	t.Parallel()
	whole, _ := settledDemo(t)
	path := damaged(t, whole)
	ctx, cancel := context.WithCancel(t.Context())
	to := filepath.Join(filepath.Dir(path), "new.db")
	_, err := salvage.File(ctx, path, to, func(done, _ int, _ string) {
		if done > 1 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left, _ := filepath.Glob(to + "*"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestSalvageOfScatteredDamage: single bytes that are wrong anywhere never stop it.
func TestSalvageOfScatteredDamage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Sample(path, fakehost.V0_6); err != nil {
		t.Fatal(err)
	}
	whole := settled(t, path)
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 2)) //nolint:gosec // The same every time.
		b := slices.Clone(whole)
		for range 20 << (2 * seed) {
			b[100+r.IntN(len(b)-100)] = byte(r.Uint32())
		}
		path := damaged(t, b)
		_, err := salvage.File(t.Context(), path, path+".new", noReport)
		if err != nil && !errors.Is(err, data.ErrDamaged) {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

const salvagerEnv = "LCM_TEST_SALVAGER"

// TestSalvager is no test: it is the program that TestSalvageKilled kills. It stops at a
// step, which it says, and waits.
func TestSalvager(t *testing.T) {
	path, step, ok := strings.Cut(os.Getenv(salvagerEnv), "|")
	if !ok {
		t.Skip("run by TestSalvageKilled")
	}
	_, err := salvage.File(t.Context(), path, path+".new", func(_, _ int, note string) {
		if note == step {
			fmt.Println("\nreached")
			select {}
		}
	})
	t.Fatalf("it was to be killed, and ended: %v", err)
}

// TestSalvageKilled: whenever the program is killed that makes it, no file has the new name
// that isn't whole, and the damaged file is as it was.
func TestSalvageKilled(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	whole, _ := settledDemo(t)
	path := damaged(t, whole)
	for _, step := range []string{"reading messages", "indexing", "checking the new file"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSalvager$") //nolint:noctx // It is killed, which is the point.
		cmd.Env = append(os.Environ(), salvagerEnv+"="+path+"|"+step)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		message := ""
		for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "reached"; {
			message += lines.Text() + "\n"
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if strings.Contains(message, "FAIL") {
			t.Error(message)
		}
		if _, err := os.Stat(path + ".new"); err == nil {
			t.Errorf("%s: the new file has its name", step)
		}
	}
	if b, err := os.ReadFile(path); err != nil || !bytes.Equal(b, whole) {
		t.Errorf("the damaged file was written to, %v", err)
	}
}

func TestSalvageOfFixtures(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	root := testdb.Fixtures(t)
	if s, _ := salvaged(t, testdb.Copy(t, filepath.Join(root, "faults/sqlite-truncated.db"))); !s.Lost() {
		t.Error("half a file, and nothing is missing")
	}
	for _, name := range []string{"v0.15.3/rich.db", "v0.15.3/small.db", "v0.1.0/small.db", "v1.0/small.db", "v1.0/upgraded-small.db", "faults/wal-leftover.db"} {
		_, to := salvaged(t, testdb.Copy(t, filepath.Join(root, name)))
		if diff := cmp.Diff(rowsOf(dumped(t, testdb.Copy(t, filepath.Join(root, name)))), rowsOf(dumped(t, to))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, want := range map[string]error{"faults/empty-file.db": data.ErrEmpty, "faults/not-sqlite.db": data.ErrNotSQLite} {
		to := filepath.Join(t.TempDir(), "new.db")
		if _, err := salvage.File(t.Context(), filepath.Join(root, name), to, noReport); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(to); err == nil {
			t.Errorf("%s: a file was made", name)
		}
	}
}
