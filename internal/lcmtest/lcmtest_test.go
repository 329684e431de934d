package lcmtest_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/lcmtest"
)

// levels are all of them.
var levels = append(lcmtest.Levels(), lcmtest.Beta, lcmtest.Fork)

// fresh is a path for a file that is not there yet.
func fresh(t *testing.T) string { return filepath.Join(t.TempDir(), "lcm.db") }

// rows runs a query on a file and gives its rows as text.
func rows(t *testing.T, path, query string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rs, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rs.Close()
	cols, _ := rs.Columns()
	vals, into := make([]any, len(cols)), make([]any, len(cols))
	for i := range vals {
		into[i] = &vals[i]
	}
	var out []string
	for rs.Next() {
		if err := rs.Scan(into...); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(vals...))
	}
	if err := rs.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out
}

// invariants are queries that find nothing in a healthy file; the second group needs
// columns that came with 0.3.0.
var invariants = []string{
	`PRAGMA foreign_key_check`,
	`SELECT conversation_id FROM context_items GROUP BY 1 HAVING MIN(ordinal) <> 0 OR MAX(ordinal) <> COUNT(*) - 1`,
	`SELECT conversation_id FROM messages GROUP BY 1 HAVING MIN(seq) <> 1 OR MAX(seq) <> COUNT(*)`,
	`SELECT summary_id FROM summary_messages GROUP BY 1 HAVING MIN(ordinal) <> 0 OR MAX(ordinal) <> COUNT(*) - 1`,
	`SELECT summary_id FROM summary_parents GROUP BY 1 HAVING MIN(ordinal) <> 0 OR MAX(ordinal) <> COUNT(*) - 1`,
	`SELECT message_id FROM message_parts GROUP BY 1 HAVING MIN(ordinal) <> 0 OR MAX(ordinal) <> COUNT(*) - 1`,
	`SELECT message_id FROM messages WHERE message_id NOT IN (SELECT message_id FROM message_parts)`,
	// coverage: every message but compaction events is in the context or below a summary of it
	`WITH RECURSIVE c(id) AS (SELECT summary_id FROM context_items WHERE summary_id IS NOT NULL
		UNION SELECT parent_summary_id FROM summary_parents p JOIN c ON c.id = p.summary_id)
	SELECT message_id FROM messages WHERE message_id NOT IN (SELECT message_id FROM context_items WHERE message_id IS NOT NULL)
		AND message_id NOT IN (SELECT message_id FROM summary_messages JOIN c ON id = summary_id)
		AND message_id NOT IN (SELECT message_id FROM message_parts WHERE part_type = 'compaction')`,
	`SELECT message_id FROM messages WHERE trim(content) <> '' AND message_id NOT IN (SELECT id FROM messages_fts_docsize)`,
	`SELECT s.summary_id FROM summaries s LEFT JOIN summaries_fts f ON f.summary_id = s.summary_id AND f.content = s.content GROUP BY 1 HAVING COUNT(f.content) <> 1`,
	`SELECT s.summary_id FROM summaries s WHERE s.depth <> CASE kind WHEN 'leaf' THEN 0 ELSE
		(SELECT MAX(p.depth) + 1 FROM summary_parents l JOIN summaries p ON p.summary_id = l.parent_summary_id WHERE l.summary_id = s.summary_id) END`,
	`SELECT part_id FROM message_parts WHERE NOT json_valid(metadata)`,
}

var counters = []string{
	`SELECT summary_id FROM summaries s WHERE kind = 'leaf' AND source_message_token_count <>
		(SELECT SUM(token_count) FROM messages JOIN summary_messages l USING (message_id) WHERE l.summary_id = s.summary_id)`,
	`SELECT s.summary_id FROM summaries s JOIN summary_parents l ON l.summary_id = s.summary_id JOIN summaries p ON p.summary_id = l.parent_summary_id
		GROUP BY 1 HAVING s.descendant_count <> SUM(p.descendant_count + 1) OR s.descendant_token_count <> SUM(p.token_count + p.descendant_token_count)
		OR s.source_message_token_count <> SUM(p.source_message_token_count)
		OR s.earliest_at <> MIN(p.earliest_at) OR s.latest_at <> MAX(p.latest_at)`,
}

// healthy fails the test for every invariant that a file breaks.
func healthy(t *testing.T, path string, level lcmtest.Level) {
	t.Helper()
	if got := rows(t, path, "PRAGMA integrity_check"); len(got) != 1 || got[0] != "ok" {
		t.Errorf("integrity_check: %q", got)
	}
	all := invariants
	if !level.Before(lcmtest.V0_3) {
		all = append(counters, all...)
	}
	for _, q := range all {
		if got := rows(t, path, q); len(got) > 0 {
			t.Errorf("%d rows, first %s, break:\n%s", len(got), got[0], q)
		}
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	for _, level := range levels {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			path := fresh(t)
			h, err := lcmtest.Create(path, level)
			if err != nil {
				t.Fatal(err)
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			healthy(t, path, level)
			st, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if st.Mode().Perm() != 0o600 {
				t.Errorf("mode = %v, want 0600", st.Mode())
			}
			if _, err := lcmtest.Create(path, level); !errors.Is(err, os.ErrExist) {
				t.Errorf("Create on an existing file = %v, want os.ErrExist", err)
			}
		})
	}
	if _, err := lcmtest.Create(fresh(t), "7.7"); err == nil {
		t.Error("Create at an unknown level succeeded")
	}
}

func TestSample(t *testing.T) {
	t.Parallel()
	for _, level := range levels {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			path := fresh(t)
			if err := lcmtest.Sample(path, level); err != nil {
				t.Fatal(err)
			}
			if left, _ := filepath.Glob(path + "-*"); len(left) > 0 {
				t.Errorf("left beside the file: %v", left)
			}
			healthy(t, path, level)
			if got := rows(t, path, "SELECT COUNT(*), MAX(depth) FROM summaries"); got[0] != "9 2" {
				t.Errorf("summaries, depth = %s, want 9 2", got[0])
			}
			if level.Before(lcmtest.V0_6) {
				return
			}
			if got := rows(t, path, "SELECT active FROM conversations WHERE archived_at IS NOT NULL"); len(got) != 1 || got[0] != "0" {
				t.Errorf("archived conversations: %v", got)
			}
		})
	}
}

func TestHost(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	h, err := lcmtest.Create(path, lcmtest.Head)
	if err != nil {
		t.Fatal(err)
	}
	conv, err := h.Conversation(lcmtest.Conversation{SessionKey: "agent:a:main", Active: true})
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for i := range 6 {
		id, err := h.Message(conv, lcmtest.Message{Role: "user", Content: fmt.Sprintf("<%d> is & was 台", i)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if _, err := h.Leaf(conv, []int64{ids[0], ids[2]}, "no"); !errors.Is(err, lcmtest.ErrScattered) {
		t.Errorf("Leaf over a gap = %v, want ErrScattered", err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if h, err = lcmtest.Open(path); err != nil {
		t.Fatal(err)
	}
	first, err := h.Leaf(conv, ids[1:3], "one")
	if err != nil {
		t.Fatal(err)
	}
	second, err := h.Leaf(conv, ids[3:4], "two")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Condense(conv, []string{first, second}, "both"); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("no")
	err = h.Tx(func(h *lcmtest.Host) error {
		if _, err := h.Message(conv, lcmtest.Message{Role: "user", Content: "gone"}); err != nil {
			return err
		}
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("Tx = %v, want its function's error", err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	healthy(t, path, lcmtest.Head)
	want := "0 message 1|1 summary 0|2 message 5|3 message 6"
	got := rows(t, path, "SELECT ordinal || ' ' || item_type || ' ' || COALESCE(message_id, 0) FROM context_items ORDER BY ordinal")
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("context = %s, want %s", s, want)
	}
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		now, old int
	}{{"", 0, 0}, {"a", 1, 1}, {"abcde", 2, 2}, {"台帳", 3, 1}, {"🎉", 2, 1}, {"a🎉", 3, 1}, {"𠀀", 2, 1}} {
		if n, o := lcmtest.Estimate(c.text), lcmtest.EstimateOld(c.text); n != c.now || o != c.old {
			t.Errorf("%q: %d and %d tokens, want %d and %d", c.text, n, o, c.now, c.old)
		}
	}
}

func TestDemo(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 12, 14, 3, 20, 0, time.UTC)
	a := filepath.Join(t.TempDir(), "lcm.db")
	b := filepath.Join(t.TempDir(), "lcm.db")
	for _, p := range []string{a, b} {
		if err := lcmtest.Demo(p, now); err != nil {
			t.Fatal(err)
		}
	}
	healthy(t, a, lcmtest.Head)
	for q, want := range map[string]string{
		"SELECT COUNT(*) BETWEEN 6 AND 9 FROM conversations":                                                          "1",
		"SELECT MAX(depth) FROM summaries":                                                                            "3",
		"SELECT COUNT(*) FROM focus_briefs WHERE status IN ('active', 'superseded')":                                  "2",
		"SELECT COUNT(*) FROM summaries WHERE content LIKE '%' || char(10) || '[Truncated from % tokens]'":            "1",
		"SELECT COUNT(*) FROM summaries WHERE model = 'emergency-fallback'":                                           "1",
		"SELECT COUNT(*) FROM large_files":                                                                            "4",
		"SELECT MAX(created_at) <= '2026-06-12 14:03:20' FROM messages":                                               "1",
		"SELECT COUNT(*) FROM messages WHERE content LIKE '%{%}%' AND content NOT LIKE '%\"%' AND role = 'assistant'": "0",
	} {
		if got := rows(t, a, q); len(got) != 1 || got[0] != want {
			t.Errorf("%s = %v, want %s", q, got, want)
		}
	}
	for _, f := range rows(t, a, "SELECT storage_uri || '|' || byte_size FROM large_files") {
		path, size, _ := strings.Cut(f, "|")
		if st, err := os.Stat(path); err != nil || fmt.Sprint(st.Size()) != size {
			t.Errorf("stored file %s: %v, want %s bytes", path, err, size)
		}
	}
	if x, y := dump(t, a, "large_files"), dump(t, b, "large_files"); x != y {
		t.Error("two demonstrations of one moment differ")
	}
}

func TestBig(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	size := lcmtest.Size{Conversations: 12, Messages: 2_000, Parts: 2_700, Summaries: 120, BodyBytes: 120}
	last := 0
	if err := lcmtest.Big(path, size, func(done, _ int) { last = done }); err != nil {
		t.Fatal(err)
	}
	healthy(t, path, lcmtest.Head)
	if got := rows(t, path, "SELECT COUNT(*) FROM messages")[0]; got != "2000" || last != 2000 {
		t.Errorf("%s messages, %d reported, want 2000", got, last)
	}
	if got := rows(t, path, "SELECT COUNT(*) FROM summaries WHERE conversation_id = 1 AND summary_id IN (SELECT summary_id FROM context_items)")[0]; got != "36" {
		t.Errorf("%s summaries in the first context, want 36", got)
	}
}

// dump is the dump of a file.
func dump(t *testing.T, path string, except ...string) string {
	t.Helper()
	s, err := lcmtest.Dump(path, except...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
