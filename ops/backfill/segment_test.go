package backfill_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
)

// resetLine returns a reset behind the n-th message.
func resetLine(n int, reason string) string {
	return fmt.Sprintf(`{"type":"reset","id":"r%d","parentId":"e%d","timestamp":"2026-01-05T10:00:%02d.500Z","reason":%q}`, n, n, n, reason)
}

// conversations returns those of a file with how many messages each has.
func conversations(t *testing.T, path string) string {
	t.Helper()
	return query(t, path, `SELECT conversation_id c, active a, archive_cause cause, archived_at at, c.created_at made,
		(SELECT group_concat(content, ' ') FROM (SELECT substr(content, 9) AS content FROM messages m WHERE m.conversation_id = c.conversation_id ORDER BY seq)) said FROM conversations c ORDER BY 1`)
}

// TestAResetBeginsAConversation: what precedes it belongs to an archived conversation. The
// command /new begins none.
func TestAResetBeginsAConversation(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for reason, want := range map[string]string{
		"reset": "c=1 a=0 cause=manual-reset at=2026-01-05 10:00:03 made=2026-01-05 09:00:00 said=1 2 3 \n" +
			"c=2 a=1 made=2026-01-05 10:00:03 said=4 5 \n",
		"idle": "c=1 a=0 cause=session-end at=2026-01-05 10:00:03 made=2026-01-05 09:00:00 said=1 2 3 \n" +
			"c=2 a=1 made=2026-01-05 10:00:03 said=4 5 \n",
		"daily": "c=1 a=0 cause=session-end at=2026-01-05 10:00:03 made=2026-01-05 09:00:00 said=1 2 3 \n" +
			"c=2 a=1 made=2026-01-05 10:00:03 said=4 5 \n",
		"cron-stale": "c=1 a=0 cause=cron-rotation at=2026-01-05 10:00:03 made=2026-01-05 09:00:00 said=1 2 3 \n" +
			"c=2 a=1 made=2026-01-05 10:00:03 said=4 5 \n",
		"new": "c=1 a=1 made=2026-01-05 09:00:00 said=1 2 3 4 5 \n",
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			lines := slices.Insert(chain(5), 4, resetLine(3, reason))
			path := fresh1_0(t)
			db := open(t, path)
			before := testdb.Dump(t, path)
			mustApply(t, db, request(t, file(t, "s1.jsonl", lines...)))
			nothing(t, db, request(t, file(t, "s1.jsonl", lines...)))
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(conversations(t, path), "\n")); diff != "" {
				t.Errorf("at once: -want +got\n%s", diff)
			}
			for id := int64(2); id > 0; id-- {
				if err := ops.Undo(t.Context(), db, id); err != nil && (reason != "new" || id == 1) {
					t.Fatal(err)
				}
			}
			if after := testdb.Dump(t, path); after != before {
				t.Errorf("undo left something\n%s", cmp.Diff(before, after))
			}

			path = fresh1_0(t)
			db = open(t, path)
			for n := range lines {
				if _, err := apply(t, db, request(t, file(t, "s1.jsonl", lines[:n+1]...))); err != nil && !errors.Is(err, ops.ErrNothing) {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(conversations(t, path), "\n")); diff != "" {
				t.Errorf("line by line: -want +got\n%s", diff)
			}
		})
	}
}

// TestSessionsOfTheHostAreStored: what a host of 1.0 stored is found in its database, whichever of
// a session's conversations has it and whether or not it kept the ids, also where the transcript
// hides secrets.
func TestSessionsOfTheHostAreStored(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"small", "rich", "upgraded-small", "upgraded"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t, testdb.Fixture(t, "v1.0/"+name+".db"))
			for _, path := range testdb.FixtureFiles(t, "v1.0/sessions-"+name+"/*/*.jsonl") {
				o := request(t, path)
				s, err := o.Survey(t.Context(), db, noReport)
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasPrefix(filepath.Base(path), "99999999") { // The host never ran a turn of these.
					if !s.New || s.Messages == 0 {
						t.Errorf("%s: %+v", path, s)
					}
					continue
				}
				if s.Messages != 0 || s.New {
					t.Errorf("%s: %d messages would be added to conversation %d", filepath.Base(path), s.Messages, s.Conversation)
				}
			}
		})
	}
}

// TestResetOfTheHost: an import gives the conversations that the host had before its
// bootstrap stored the archived one's messages again.
func TestResetOfTheHost(t *testing.T) {
	t.Parallel()
	path := fresh1_0(t)
	mustApply(t, open(t, path), request(t, filepath.Join(testdb.Fixtures(t), "v1.0/sessions-rich/main/77777777-0000-4000-8000-000000000005.jsonl")))
	const numbers = "SELECT active a, archive_cause cause, archived_at at, (SELECT count(*) FROM messages m WHERE m.conversation_id = c.conversation_id) n FROM conversations c"
	if got := query(t, path, numbers); got != "a=0 cause=manual-reset at=2026-09-24 17:15:48 n=29 \na=1 n=16 \n" {
		t.Error(got)
	}
	host := testdb.Fixture(t, "v1.0/rich.db")
	const rows = "SELECT m.seq, role, content, token_count, identity_hash, transcript_entry_id, created_at, stable_event_key, message_parts.ordinal, part_type, text_content, tool_call_id, tool_name, tool_input, tool_output, metadata FROM messages m JOIN message_parts USING (message_id) WHERE conversation_id = %d AND m.seq <= 29 ORDER BY m.seq, message_parts.ordinal"
	if diff := cmp.Diff(query(t, host, fmt.Sprintf(rows, 6)), query(t, path, fmt.Sprintf(rows, 1))); diff != "" {
		t.Errorf("the host stored the same entries so: -want +got\n%s", diff)
	}
}
