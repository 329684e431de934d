package provenance_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/provenance"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// traceAll traces every message of a file.
func traceAll(t *testing.T, db *data.DB) map[int64]*provenance.MessageTrace {
	t.Helper()
	out := map[int64]*provenance.MessageTrace{}
	conversations, err := lcm.Conversations(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range conversations {
		headers, err := lcm.MessageHeaders(t.Context(), db, c.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, h := range headers {
			if i%7 != 0 && len(headers) > 200 {
				continue
			}
			if out[h.ID], err = provenance.TraceMessage(t.Context(), db, h.ID, provenance.Options{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// kinds counts the reasons.
func kinds(traces map[int64]*provenance.MessageTrace) map[provenance.ReasonKind]int {
	out := map[provenance.ReasonKind]int{}
	for _, t := range traces {
		out[t.Reason.Kind]++
	}
	return out
}

// TestEveryMessageOfAHealthyFileIsSomewhere also on the files of the oldest hosts, which have no
// index of the links.
func TestEveryMessageOfAHealthyFileIsSomewhere(t *testing.T) {
	t.Parallel()
	for _, level := range testlength.Some(append(fakehost.Levels(), fakehost.Beta)) {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			db := testdb.Open(t, testdb.Sample(t, level))
			found := kinds(traceAll(t, db))
			if found[provenance.InNothing] > 0 || found[provenance.InContext] == 0 || found[provenance.ThroughSummaries] == 0 {
				t.Errorf("%v", found)
			}
		})
	}
}

func TestPathsLeadFromALeafToTheContext(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	deepest := 0
	for id, trace := range traceAll(t, db) {
		m, err := lcm.ReadMessage(t.Context(), db, id)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range trace.Paths() {
			deepest = max(deepest, len(path))
			if !slices.Contains(m.SummaryIDs, path[0]) {
				t.Errorf("message %d: the path %v doesn't begin at one of its leaves %v", id, path, m.SummaryIDs)
			}
		}
		if trace.Reason.Kind == provenance.ThroughSummaries {
			if steps := trace.Reason.Steps; steps == 0 || trace.Reason.Place == nil || len(trace.Steps()) < steps {
				t.Errorf("message %d: %+v", id, trace.Reason)
			}
		}
	}
	if deepest < 3 {
		t.Errorf("the longest path has %d summaries", deepest)
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	const oldest = "(SELECT message_id FROM messages WHERE conversation_id = 1 ORDER BY seq LIMIT 1)"
	const newest = "(SELECT message_id FROM messages WHERE conversation_id = 1 ORDER BY seq DESC LIMIT 1)"
	for name, c := range map[string]struct {
		message    string
		statements []string
		want       provenance.ReasonKind
		text       string
		budget     int64
	}{
		"nothing holds it": {
			newest, []string{"DELETE FROM context_items WHERE message_id = " + newest}, provenance.InNothing, "neither the context nor any summary", 0,
		},
		"its summaries stand nowhere": {
			oldest, []string{"DELETE FROM context_items WHERE summary_id IS NOT NULL AND conversation_id = 1"}, provenance.InNothing, "none of them stands", 0,
		},
		"/new, noted": {
			oldest, []string{"DELETE FROM context_items WHERE conversation_id = 1", `INSERT OR REPLACE INTO conversation_bootstrap_state
				(conversation_id, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset, soft_reset_pruned_at)
				VALUES (1, '/s.jsonl', 0, 0, 0, '2036-01-01 00:00:00')`}, provenance.Pruned, "pruned by /new", 0,
		},
		"/new, not noted": {
			oldest, []string{
				"DELETE FROM context_items WHERE summary_id IS NOT NULL AND conversation_id = 1",
				"DELETE FROM summary_messages WHERE message_id = " + oldest, "DELETE FROM conversation_bootstrap_state",
			}, provenance.Pruned, "as /new leaves messages", 0,
		},
		"archived": {
			oldest, []string{"DELETE FROM context_items", "UPDATE conversations SET active = 0"}, provenance.Cleared, "archived", 0,
		},
		"a note of the host": {
			newest, []string{
				"DELETE FROM context_items WHERE message_id = " + newest,
				"UPDATE messages SET role = 'system', content = 'LCM compaction leaf pass (normal): 9 -> 3' WHERE message_id = " + newest,
			}, provenance.HostNote, "note of the host", 0,
		},
		"no text": {
			newest, []string{
				"DELETE FROM context_items WHERE message_id = " + newest, "DELETE FROM message_parts",
				"UPDATE messages SET content = ' ' WHERE message_id = " + newest,
			}, provenance.Blank, "no text", 0,
		},
		"the budget":            {oldest, []string{"DELETE FROM focus_briefs"}, provenance.Evicted, "evicted by the budget of 1 token", 1},
		"a budget for all":      {oldest, []string{"DELETE FROM focus_briefs"}, provenance.ThroughSummaries, "the topmost at place", 1_000_000},
		"a focus brief":         {oldest, nil, provenance.BehindBrief, "active focus brief", 1_000_000},
		"the newest of a small": {newest, nil, provenance.InContext, "as itself", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, fakehost.Head)
			h, err := fakehost.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			id := int64(0)
			if rows := testdb.Rows(t, path, "SELECT "+c.message); len(rows) == 1 {
				id = parseID(t, rows[0])
			}
			for _, s := range c.statements {
				if err := h.Exec(s); err != nil {
					t.Fatal(err)
				}
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			trace, err := provenance.TraceMessage(t.Context(), testdb.Open(t, path), id, provenance.Options{Budget: c.budget})
			if err != nil {
				t.Fatal(err)
			}
			if trace.Reason.Kind != c.want || !strings.Contains(trace.Reason.Text(), c.text) {
				t.Errorf("%s: %s", trace.Reason.Kind, trace.Reason.Text())
			}
			if trace.Reason.Kind == provenance.Evicted {
				checkLeastBudget(t, path, id, trace.Reason.Least)
			}
		})
	}
}

// checkLeastBudget checks that a budget shows a message, and one token less doesn't.
func checkLeastBudget(t *testing.T, path string, id, least int64) {
	t.Helper()
	db := testdb.Open(t, path)
	for budget, evicted := range map[int64]bool{least: false, least - 1: true} {
		trace, err := provenance.TraceMessage(t.Context(), db, id, provenance.Options{Budget: budget})
		if err != nil {
			t.Fatal(err)
		}
		if got := trace.Reason.Kind == provenance.Evicted; got != evicted {
			t.Errorf("budget %d: %s", budget, trace.Reason.Text())
		}
	}
}

func parseID(t *testing.T, s string) (id int64) {
	t.Helper()
	for _, c := range strings.Trim(s, "\"' ") {
		if c < '0' || c > '9' {
			t.Fatalf("%q is no id", s)
		}
		id = id*10 + int64(c-'0')
	}
	return id
}

// TestDamagedLinksEnd: cycles, missing rows and links of other conversations are named, and none
// keeps a trace from its end.
func TestDamagedLinksEnd(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, fault := range []string{"cycle", "self-loop", "diamond", "dangling-edges", "cross-conversation", "missing-source-row", "context-missing-summary", "missing-optional-tables"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			db := testdb.Open(t, testdb.Sample(t, fakehost.Head, fault))
			var missing, foreign, cycles, repeated int
			for _, trace := range traceAll(t, db) {
				missing, foreign = missing+len(trace.Missing), foreign+len(trace.Foreign)
				for _, s := range trace.Steps() {
					if s.Cycle {
						cycles++
					}
					if s.Repeated {
						repeated++
					}
				}
				for _, path := range trace.Paths() {
					if slices.Sort(path); len(slices.Compact(path)) != len(path) {
						t.Errorf("a path goes twice through a summary")
					}
				}
			}
			t.Logf("%d missing, %d foreign, %d cycles, %d repeated", missing, foreign, cycles, repeated)
			if (fault == "cycle" || fault == "self-loop") && cycles == 0 || fault == "diamond" && repeated == 0 || fault == "cross-conversation" && foreign == 0 {
				t.Errorf("%d foreign, %d cycles, %d repeated", foreign, cycles, repeated)
			}
		})
	}
}

func TestMessageThatDoesNotExist(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	if _, err := provenance.TraceMessage(t.Context(), db, 1<<40, provenance.Options{}); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("%v", err)
	}
}
