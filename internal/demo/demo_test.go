package demo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/demo"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

func TestDemo(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	now := time.Date(2026, 6, 12, 14, 3, 20, 0, time.UTC)
	a := filepath.Join(t.TempDir(), "lcm.db")
	b := filepath.Join(t.TempDir(), "lcm.db")
	for _, p := range []string{a, b} {
		if err := demo.Write(p, now); err != nil {
			t.Fatal(err)
		}
	}
	testdb.CheckHealthy(t, a, fakehost.Head)
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
		if got := testdb.Rows(t, a, q); len(got) != 1 || got[0] != want {
			t.Errorf("%s = %v, want %s", q, got, want)
		}
	}
	for _, f := range testdb.Rows(t, a, "SELECT storage_uri || '|' || byte_size FROM large_files") {
		path, size, _ := strings.Cut(f, "|")
		if st, err := os.Stat(path); err != nil || fmt.Sprint(st.Size()) != size {
			t.Errorf("stored file %s: %v, want %s bytes", path, err, size)
		}
	}
	if x, y := dump(t, a, "large_files"), dump(t, b, "large_files"); x != y {
		t.Error("two demonstrations of one moment differ")
	}
}

// TestDemoOfPendingSummaries is a healthy file of the 1.0 generation: all but one of the
// summaries that its host prepares are ready.
func TestDemoOfPendingSummaries(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := demo.WritePending(path, time.Date(2026, 6, 12, 14, 3, 20, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	testdb.CheckHealthy(t, path, fakehost.Beta)
	got := testdb.Rows(t, path, "SELECT status || ' ' || count(*) FROM pending_summary_nodes GROUP BY status ORDER BY 1")
	if len(got) != 2 || got[0] != "planned 1" || !strings.HasPrefix(got[1], "ready ") {
		t.Errorf("nodes: %q", got)
	}
}

func TestBig(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := filepath.Join(t.TempDir(), "lcm.db")
	size := demo.Size{Conversations: 12, Messages: 2_000, Parts: 2_700, Summaries: 120, BodyBytes: 120}
	last := 0
	if err := demo.WriteLarge(path, size, func(done, _ int) { last = done }); err != nil {
		t.Fatal(err)
	}
	testdb.CheckHealthy(t, path, fakehost.Head)
	if got := testdb.Rows(t, path, "SELECT COUNT(*) FROM messages")[0]; got != "2000" || last != 2000 {
		t.Errorf("%s messages, %d reported, want 2000", got, last)
	}
	if got := testdb.Rows(t, path, "SELECT COUNT(*) FROM summaries WHERE conversation_id = 1 AND summary_id IN (SELECT summary_id FROM context_items)")[0]; got != "36" {
		t.Errorf("%s summaries in the first context, want 36", got)
	}
}

// dump returns the dump of a file.
func dump(t *testing.T, path string, except ...string) string {
	t.Helper()
	s, err := testdb.DumpTables(path, except...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
