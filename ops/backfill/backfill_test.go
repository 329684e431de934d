package backfill_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
)

var open = testdb.Open

func noReport(int, int, string) {}

// fresh returns a new database of a level.
func fresh(t *testing.T, level fakehost.Level) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, level)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// file returns a session file with these lines.
func file(t *testing.T, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	write(t, path, lines...)
	return path
}

func write(t *testing.T, path string, lines ...string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// request returns the import of a session file whose large files go to a folder of their
// own.
func request(t *testing.T, path string) *backfill.Op {
	t.Helper()
	return &backfill.Op{Path: path, Keys: &backfill.Keys{}, Files: filepath.Join(t.TempDir(), "files"), Threshold: 25_000}
}

// apply imports step by step and says how many steps it took.
func apply(t *testing.T, db *data.DB, o *backfill.Op) (records []int64, err error) {
	t.Helper()
	defer o.Close()
	for n := 0; ; n++ {
		op, _ := o.Step(n)
		p, err := op.Plan(t.Context(), db, noReport)
		if errors.Is(err, ops.ErrNothing) && n > 0 {
			return records, nil
		}
		if err != nil {
			return records, err
		}
		id, err := ops.Apply(t.Context(), db, p)
		if err != nil {
			return records, err
		}
		records = append(records, id)
	}
}

func mustApply(t *testing.T, db *data.DB, o *backfill.Op) []int64 {
	t.Helper()
	records, err := apply(t, db, o)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func nothing(t *testing.T, db *data.DB, o *backfill.Op) {
	t.Helper()
	if _, err := apply(t, db, o); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("the second import: %v, want nothing to do", err)
	}
}

// query returns what a file answers, a line a row.
func query(t *testing.T, path, q string) string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for rows.Next() {
		vals, at := make([]any, len(columns)), make([]any, len(columns))
		for i := range vals {
			at[i] = &vals[i]
		}
		if err := rows.Scan(at...); err != nil {
			t.Fatal(err)
		}
		for i, v := range vals {
			if v != nil {
				fmt.Fprintf(&out, "%s=%v ", columns[i], v)
			}
		}
		out.WriteString("\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const header = `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/w"}`

// messageLine returns the n-th of a chain of messages.
func messageLine(n int) string {
	parent := "null"
	if n > 1 {
		parent = fmt.Sprintf(`"e%d"`, n-1)
	}
	role := []string{"assistant", "user"}[n%2]
	at := time.Date(2026, 1, 5, 9, 0, n, 0, time.UTC).Format(time.RFC3339)
	return fmt.Sprintf(`{"type":"message","id":"e%d","parentId":%s,"timestamp":%q,"message":{"role":%q,"content":[{"type":"text","text":"message %d"}]}}`, n, parent, at, role, n)
}

// chain returns a session file of n messages.
func chain(n int) []string {
	lines := []string{header}
	for i := range n {
		lines = append(lines, messageLine(i+1))
	}
	return lines
}

// TestAsTheHost: an empty file into which a session file is imported holds what the
// reference engine's does.
func TestAsTheHost(t *testing.T) {
	t.Parallel()
	root := testdb.Fixtures(t)
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	o := request(t, filepath.Join(root, "v0.15.3/sessions-rich/rich-cron.jsonl"))
	o.Agent = "ops"
	mustApply(t, db, o)
	host := filepath.Join(root, "v0.15.3/rich.db")
	for _, q := range []string{
		"SELECT seq, role, content, token_count, identity_hash, openclaw_sender_metadata, transcript_entry_id, created_at, large_content, stable_event_key FROM messages WHERE conversation_id = %d ORDER BY seq",
		"SELECT seq, p.* FROM (SELECT conversation_id, message_id AS m, seq FROM messages) JOIN (SELECT session_id, part_type, ordinal, text_content, is_ignored, is_synthetic, tool_call_id, tool_name, tool_status, tool_input, tool_output, tool_error, metadata, message_id AS n FROM message_parts) p ON n = m WHERE conversation_id = %d ORDER BY seq, ordinal",
		"SELECT ordinal, item_type, seq FROM context_items JOIN messages USING (message_id) WHERE context_items.conversation_id = %d ORDER BY ordinal",
		"SELECT last_seen_size, last_processed_offset, last_processed_entry_hash, session_header_id, last_processed_entry_id, fork_bounded, fork_source_message_count FROM conversation_bootstrap_state WHERE conversation_id = %d",
		"SELECT session_id, active, archived_at, archive_cause, title FROM conversations WHERE conversation_id = %d",
	} {
		strip := func(s string) string { return regexp.MustCompile(` n=\d+`).ReplaceAllString(s, "") }
		want, got := strip(query(t, "/"+strings.TrimPrefix(immutable(t, host), "/"), fmt.Sprintf(q, 6))), strip(query(t, path, fmt.Sprintf(q, 1)))
		if diff := cmp.Diff(want, got); diff != "" || want == "" {
			t.Errorf("%s\n-want +got\n%s", q, diff)
		}
	}
	if got := query(t, path, "SELECT count(*) n FROM messages_fts WHERE messages_fts MATCH 'budget'"); got == "n=0 \n" {
		t.Error("nothing can be found")
	}
}

// immutable returns a private copy of a database.
func immutable(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), filepath.Base(path))
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestAfterTheHost: what the host took in itself, by whatever way, isn't imported
// again.
func TestAfterTheHost(t *testing.T) {
	t.Parallel()
	root := testdb.Fixtures(t)
	for db, session := range map[string]string{
		"v0.15.3/small.db": "v0.15.3/sessions-small/small-main.jsonl",
		"v0.15.3/rich.db":  "v0.15.3/sessions-rich/rich-cron.jsonl",
		"v0.1.0/small.db":  "v0.1.0/sessions-small/small-main.jsonl",
	} {
		o := request(t, filepath.Join(root, session))
		o.Threshold = 400
		nothing(t, open(t, immutable(t, filepath.Join(root, db))), o)
	}
}

// TestLevels: a session file can be imported into a file of any level, only once, and
// undone.
func TestLevels(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range append(fakehost.Levels(), fakehost.Beta, fakehost.Fork) {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			path := fresh(t, level)
			db := open(t, path)
			before, err := testdb.DumpTables(path, "lcm_tui_undo")
			if err != nil {
				t.Fatal(err)
			}
			session := file(t, "s1.jsonl", chain(12)...)
			records := mustApply(t, db, request(t, session))
			nothing(t, db, request(t, session))
			if got := query(t, path, "SELECT count(*) n, max(seq) s, (SELECT count(*) FROM context_items) c FROM messages"); got != "n=12 s=12 c=12 \n" {
				t.Errorf("imported: %s", got)
			}
			write(t, session, chain(15)...)
			records = append(records, mustApply(t, db, request(t, session))...)
			if got := query(t, path, "SELECT group_concat(content) g FROM (SELECT content FROM messages WHERE seq > 12 ORDER BY seq)"); got != "g=message 13,message 14,message 15 \n" {
				t.Errorf("imported later: %s", got)
			}
			for i := len(records) - 1; i >= 0; i-- {
				if err := ops.Undo(t.Context(), db, records[i]); err != nil {
					t.Fatal(err)
				}
			}
			after, err := testdb.DumpTables(path, "lcm_tui_undo")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("undo left something: -want +got\n%s", diff)
			}
		})
	}
}
