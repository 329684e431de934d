package repair_test

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// grow makes a conversation whose summaries are a random forest.
func grow(t *testing.T, path string, r *rand.Rand) {
	t.Helper()
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true})
	if err != nil {
		t.Fatal(err)
	}
	var row []string
	for leaf := range 4 + r.IntN(6) {
		var ids []int64
		for i := range 2 + r.IntN(4) {
			id, err := h.Message(conv, fakehost.Message{Role: "user", Content: fmt.Sprintf("what was said as %d of %d", i, leaf)})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		id, err := h.Leaf(conv, ids, fmt.Sprintf("summary of stretch %d", leaf), fakehost.SummaryOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if row = append(row, id); len(row) >= 2+r.IntN(3) {
			up, err := h.Condense(conv, row, fmt.Sprintf("summary of %d others up to %d", len(row), leaf))
			if err != nil {
				t.Fatal(err)
			}
			row = []string{up}
			if r.IntN(2) == 0 {
				row = nil
			}
		}
	}
	for i := range 3 + r.IntN(4) {
		if _, err := h.Message(conv, fakehost.Message{Role: "assistant", Content: fmt.Sprintf("the newest %d", i)}); err != nil {
			t.Fatal(err)
		}
	}
}

// damages returns statements that damage links, items and rows at random.
func damages(r *rand.Rand) []string {
	pick := func(column, table string) string {
		return fmt.Sprintf("(SELECT %s FROM %s WHERE %s IS NOT NULL ORDER BY 1 LIMIT 1 OFFSET %d %% max(1, (SELECT count(%s) FROM %s)))",
			column, table, column, r.IntN(1000), column, table)
	}
	summary, other, message := pick("summary_id", "summaries"), pick("summary_id", "summaries"), pick("message_id", "messages")
	place := pick("ordinal", "context_items")
	return []string{
		"UPDATE OR IGNORE context_items SET ordinal = -ordinal - 100 WHERE ordinal = (SELECT max(ordinal) FROM context_items)",
		"INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) SELECT 1, coalesce(max(ordinal), 0) + 1, 'message', " + message + " FROM context_items",
		"INSERT INTO context_items (conversation_id, ordinal, item_type, summary_id) SELECT 1, coalesce(max(ordinal), 0) + 1, 'summary', " + summary + " FROM context_items",
		"UPDATE context_items SET summary_id = 'sum_gone' WHERE ordinal = " + place + " AND summary_id IS NOT NULL",
		"UPDATE context_items SET message_id = 9999 WHERE ordinal = " + place + " AND message_id IS NOT NULL",
		"DELETE FROM context_items WHERE ordinal = " + place,
		"INSERT OR IGNORE INTO summary_parents VALUES (" + summary + ", " + other + ", 7)",
		"INSERT OR IGNORE INTO summary_parents VALUES (" + summary + ", 'sum_gone', 9)",
		"INSERT OR IGNORE INTO summary_messages VALUES (" + summary + ", 9999, 9)",
		"INSERT OR IGNORE INTO summary_messages VALUES (" + summary + ", " + message + ", 11)",
		"DELETE FROM summaries WHERE summary_id = " + summary,
		"UPDATE summaries SET depth = 9, kind = 'leaf' WHERE summary_id = " + summary,
		"UPDATE summaries SET descendant_token_count = 3, earliest_at = NULL WHERE summary_id = " + summary,
		"UPDATE messages SET token_count = -1 WHERE message_id = " + message,
		"DELETE FROM messages_fts WHERE rowid = " + message,
		"DELETE FROM context_items",
	}
}

// damage damages links, items and rows at random.
func damage(t *testing.T, path string, r *rand.Rand) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Exec("PRAGMA foreign_keys = OFF"); err != nil {
		t.Fatal(err)
	}
	for range 1 + r.IntN(5) {
		ways := damages(r)
		if err := h.Exec(ways[r.IntN(len(ways))]); err != nil {
			t.Fatal(err)
		}
	}
}

const reachedSQL = `WITH RECURSIVE below(id) AS (
	SELECT s.summary_id FROM context_items c JOIN summaries s USING (summary_id)
	UNION SELECT s.summary_id FROM below JOIN summary_parents p ON p.summary_id = below.id JOIN summaries s ON s.summary_id = p.parent_summary_id)
	SELECT count(*) FROM messages WHERE message_id IN (SELECT message_id FROM context_items
		UNION SELECT l.message_id FROM below JOIN summary_messages l ON l.summary_id = below.id)`

// TestCoverageNeverShrinks: whatever is wrong with a forest of summaries, a repair
// reaches no message less than before, a second one finds nothing, and it is undone
// byte for byte.
func TestCoverageNeverShrinks(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 3)) //nolint:gosec // The same every time.
		path := filepath.Join(t.TempDir(), "lcm.db")
		grow(t, path, r)
		damage(t, path, r)
		reached := func() int {
			n, err := testdb.Count(path, reachedSQL)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		was, before := dump(t, path), reached()
		db := open(t, path)
		m := &repair.Op{All: true}
		p, err := m.Plan(t.Context(), db, noReport)
		if errors.Is(err, ops.ErrNothing) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		id, err := ops.Apply(t.Context(), db, p)
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, p.Title)
			continue
		}
		if after := reached(); after < before {
			t.Errorf("seed %d: %d of %d messages are reached", seed, after, before)
		}
		if q, err := m.Plan(t.Context(), open(t, path), noReport); !errors.Is(err, ops.ErrNothing) {
			t.Errorf("seed %d: %s, then %s (%v)", seed, p.Title, q.Title, err)
		}
		if err := ops.Undo(t.Context(), db, id); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		} else if got := dump(t, path); got != was {
			t.Errorf("seed %d: %s", seed, cmp.Diff(was, got))
		}
	}
}

// TestNumbersOfSummariesThatAreNone become whole numbers, and come back with the undo.
func TestNumbersOfSummariesThatAreNone(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, column := range []string{"depth", "descendant_count", "descendant_token_count", "source_message_token_count"} {
		for _, value := range []string{"''", "'x'", "x'00'", column + " + 0.5"} {
			path := filepath.Join(t.TempDir(), "lcm.db")
			grow(t, path, rand.New(rand.NewPCG(7, 3))) //nolint:gosec // The same every time.
			testdb.Must(t, faults.Alter(path, "UPDATE summaries SET "+column+" = "+value+" WHERE kind = 'leaf' OR depth = 1"))
			was, db := dump(t, path), open(t, path)
			p, err := (&repair.Op{All: true}).Plan(t.Context(), db, noReport)
			if err != nil {
				t.Errorf("%s = %s: %v", column, value, err)
				continue
			}
			id, err := ops.Apply(t.Context(), db, p)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := testdb.Count(path, "SELECT count(*) FROM summaries WHERE typeof("+column+") <> 'integer'"); n > 0 || err != nil {
				t.Errorf("%s = %s: %d rows still have such a value (%v)", column, value, n, err)
			}
			if q, err := (&repair.Op{All: true}).Plan(t.Context(), open(t, path), noReport); !errors.Is(err, ops.ErrNothing) {
				t.Errorf("%s = %s: then %s (%v)", column, value, q.Title, err)
			}
			if err := ops.Undo(t.Context(), db, id); err != nil {
				t.Error(err)
			} else if got := dump(t, path); got != was {
				t.Errorf("%s = %s: %s", column, value, cmp.Diff(was, got))
			}
		}
	}
}

const repairEnv = "LCM_TEST_REPAIR"

// TestRepairing is no test: it is the program that TestKilledWhileRepairing kills.
func TestRepairing(t *testing.T) {
	path := os.Getenv(repairEnv)
	if path == "" {
		t.Skip("run by TestKilledWhileRepairing")
	}
	db := open(t, path)
	for {
		p, err := (&repair.Op{All: true}).Plan(t.Context(), db, noReport)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(aboutToWrite)
		id, err := ops.Apply(t.Context(), db, p)
		if err == nil {
			fmt.Println(aboutToWrite)
			err = ops.Undo(t.Context(), db, id)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// aboutToWrite is what the program says before each write.
const aboutToWrite = "about to write"

// killAtWrite runs the program and kills it at its n-th write.
func killAtWrite(t *testing.T, path string, n int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestRepairing$") //nolint:noctx // It is killed, which is the point.
	cmd.Env = append(os.Environ(), repairEnv+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); n > 0; {
		if !lines.Scan() {
			t.Fatal("it ended before its write")
		}
		if lines.Text() == aboutToWrite {
			n--
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// TestKilledWhileRepairing: a repair is there whole, with its record, or not at all.
func TestKilledWhileRepairing(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "context-double", "dangling-edges", "cycle", "fts-out-of-sync")
	was := dump(t, path)
	for n := range 4 {
		killAtWrite(t, path, n+1)
		db := open(t, path)
		r, err := change.Last(t.Context(), db)
		if err == nil {
			err = change.Undo(t.Context(), db, r.ID)
		}
		if err != nil && !errors.Is(err, change.ErrNoRecord) {
			t.Fatal(err)
		}
		if got := dump(t, path); got != was {
			t.Fatal(cmp.Diff(was, got))
		}
	}
}
