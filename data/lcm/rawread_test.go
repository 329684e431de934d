package lcm_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestMessageHeaders tell what kind of text a message has without bringing it: a note about a
// compaction, or nothing but what JavaScript takes for white space.
func TestMessageHeaders(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	for _, q := range []string{
		"UPDATE messages SET role = 'system', content = 'LCM compaction leaf pass (normal): 900 -> 410' WHERE message_id = 2",
		"UPDATE messages SET content = ' ' || char(9, 160, 5760, 65279) WHERE message_id IN (3, 4)",
		"DELETE FROM message_parts WHERE message_id = 3",
		"INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal) VALUES ('of4', 4, 's', 'text', 9)",
		"UPDATE messages SET content = char(133), token_count = 'many', transcript_entry_id = 'entry', created_at = 'soon' WHERE message_id = 5",
		"DELETE FROM message_parts WHERE message_id = 5",
	} {
		must(t, h.Exec(q))
	}
	headers, err := lcm.ClassifiedMessageHeaders(t.Context(), db, 1)
	if err != nil || len(headers) != 20 {
		t.Fatalf("%d headers, %v", len(headers), err)
	}
	for _, m := range headers {
		if note, blank := m.ID == 2, m.ID == 3; m.CompactionNote != note || m.Blank != blank {
			t.Errorf("message %d: a note %v, blank %v", m.ID, m.CompactionNote, m.Blank)
		}
	}
	if m := headers[4]; m.Tokens.Valid || m.Tokens.String() != "many" || m.Entry != "entry" || m.CreatedAt.Valid() || m.CreatedAt.Raw != "soon" {
		t.Errorf("what is wrong isn't kept: %+v", m)
	}
	plain, err := lcm.MessageHeaders(t.Context(), db, 1)
	must(t, err)
	for i := range headers {
		headers[i].CompactionNote, headers[i].Blank = false, false
	}
	if diff := cmp.Diff(headers, plain); diff != "" {
		t.Error(diff)
	}
}

// TestRawRowsKeepWhatIsWrong: a cell of another type, a NULL and a link to nothing are reported
// from what they would be taken for.
func TestRawRowsKeepWhatIsWrong(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	leaf := finish(t, h, choose(t, h, 0, 3))
	for _, q := range []string{
		"PRAGMA foreign_keys = OFF",
		"UPDATE messages SET content = x'00ff', token_count = 1.5 WHERE message_id = 9",
		"INSERT INTO summary_messages (summary_id, message_id, ordinal) VALUES ('" + leaf + "', 9999, 77)",
		"INSERT INTO context_items (conversation_id, ordinal, item_type, summary_id) VALUES (1, 99, 'summary', 'sum_nowhere')",
		"INSERT INTO conversations (conversation_id, session_id) VALUES (2, 'two')",
		"INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) VALUES (2, 0, 'message', 9)",
		"UPDATE sqlite_sequence SET seq = 3 WHERE name = 'messages'",
	} {
		must(t, h.Exec(q))
	}
	seen := map[int64]lcm.RawMessage{}
	must(t, lcm.EachRawMessage(t.Context(), db, 1, func(m *lcm.RawMessage) error {
		seen[m.ID] = *m
		return nil
	}))
	if m := seen[9]; !m.Content.Blob || m.Content.Text != "\x00\xff" || m.Tokens.Valid || m.Tokens.Value != 1 {
		t.Errorf("message 9: %+v", m)
	}
	if m := seen[10]; m.Content.Blob || m.Content.Null || !m.Tokens.Valid || !m.Indexed {
		t.Errorf("message 10: %+v", m)
	}
	one, err := lcm.ReadRawMessage(t.Context(), db, 9)
	if err != nil || !one.Content.Blob {
		t.Errorf("message 9 alone: %+v, %v", one, err)
	}
	if _, err := lcm.ReadRawMessage(t.Context(), db, 9999); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("a message that isn't there: %v", err)
	}
	links, err := lcm.RawMessageLinks(t.Context(), db, 1)
	must(t, err)
	dangling := slices.DeleteFunc(links, func(l lcm.RawLink) bool { return l.SourceExists })
	if len(dangling) != 1 || dangling[0].Message != 9999 || dangling[0].Owner != 1 || dangling[0].SourceOwner != 0 {
		t.Errorf("links to nothing: %+v", dangling)
	}
	items, err := lcm.RawContext(t.Context(), db, 1)
	must(t, err)
	if last := items[len(items)-1]; !last.Missing || last.Summary != "sum_nowhere" || last.Owner != 0 {
		t.Errorf("the last item: %+v", last)
	}
	if others, err := lcm.RawContext(t.Context(), db, 2); err != nil || len(others) != 1 || others[0].Owner != 1 || others[0].Missing {
		t.Errorf("an item of another conversation's message: %+v, %v", others, err)
	}
	if low, err := data.LowCounters(t.Context(), db); err != nil || low["messages"] != [2]int64{3, 20} || len(low) != 1 {
		t.Errorf("counters: %v, %v", low, err)
	}
	if rows, err := data.DanglingRows(t.Context(), db, "summary_messages", "message_id", "messages", "message_id"); err != nil || len(rows) != 1 || rows[0]["message_id"] != int64(9999) {
		t.Errorf("rows that name nothing: %v, %v", rows, err)
	}
	found, err := data.Violations(t.Context(), db)
	must(t, err)
	var names []string
	for _, v := range found {
		names = append(names, fmt.Sprintf("%s %s of %d to %s", v.Table, strings.Join(v.Key, "/"), v.Conversation, v.Parent))
	}
	slices.Sort(names)
	want := []string{"context_items 1/99 of 1 to summaries", "summary_messages " + leaf + "/9999 of 0 to messages"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

// TestRawRowsOfAFileThatLacksThem: a table or column that isn't there reads as empty, whatever
// the version.
func TestRawRowsOfAFileThatLacksThem(t *testing.T) {
	t.Parallel()
	for _, level := range []fakehost.Level{fakehost.V0_1, fakehost.V0_6, fakehost.Beta} {
		path := sample(t, level)
		for _, drop := range []string{"", "summary_messages", "message_parts", "context_items"} {
			if drop != "" {
				execute(t, path, "PRAGMA foreign_keys = OFF", "DROP TABLE "+drop)
			}
			db := testdb.Open(t, path)
			n := 0
			must(t, lcm.EachRawMessage(t.Context(), db, 1, func(*lcm.RawMessage) error { n++; return nil }))
			must(t, lcm.EachRawPart(t.Context(), db, 1, func(p *lcm.RawPart) error {
				if p.Message == 0 {
					t.Errorf("%s: a part of no message: %+v", level, p)
				}
				return nil
			}))
			must(t, lcm.EachRawSummary(t.Context(), db, 1, func(s *lcm.RawSummary) error {
				if s.ID == "" || s.Condensed() != (s.Kind == lcm.KindCondensed) {
					t.Errorf("%s: %+v", level, s)
				}
				return nil
			}))
			_, links := lcm.RawMessageLinks(t.Context(), db, 1)
			_, items := lcm.RawContext(t.Context(), db, 1)
			_, dangling := lcm.DanglingLinks(t.Context(), db, 0)
			if err := errors.Join(links, items, dangling); err != nil || n == 0 {
				t.Errorf("%s without %q: %d messages, %v", level, drop, n, err)
			}
		}
	}
}

// TestConversationsNamed: a whole key goes before the beginning of others, and a key before a
// session's id.
func TestConversationsNamed(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	for _, c := range []fakehost.Conversation{
		{SessionKey: "agent:main:main:thread", SessionID: "abc", Active: true}, {SessionKey: "agent:other", SessionID: "agent:main", Active: true}, {SessionID: "abcdef", Active: true},
	} {
		_, err := h.Conversation(c)
		must(t, err)
	}
	for name, want := range map[string]string{
		"agent:main:main": "[1]", "agent:main": "[2 1]", "agent:o": "[3]", "abc": "[2]", "abcd": "[4]", "Agent:main": "[]", "%": "[]", "": "[]",
	} {
		found, err := lcm.ConversationsNamed(t.Context(), db, name)
		must(t, err)
		ids := []int64{}
		for _, c := range found {
			ids = append(ids, c.ID)
		}
		if got := fmt.Sprint(ids); got != want {
			t.Errorf("%q stands for %s, want %s", name, got, want)
		}
	}
}

// TestWhatACompactionLeavesUncovered: messages that neither the context nor a summary has.
func TestWhatACompactionLeavesUncovered(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	finish(t, h, choose(t, h, 0, 3))
	if seqs, err := lcm.UncoveredSeqs(t.Context(), db, 1); err != nil || len(seqs) > 0 {
		t.Errorf("after a compaction %v, %v", seqs, err)
	}
	must(t, h.Exec("DELETE FROM context_items WHERE message_id IN (6, 7)"))
	must(t, h.Exec("DELETE FROM summary_messages WHERE message_id = 2"))
	if seqs, err := lcm.UncoveredSeqs(t.Context(), db, 1); err != nil || fmt.Sprint(seqs) != "[2 6 7]" {
		t.Errorf("%v, %v", seqs, err)
	}
	newest, err := lcm.NewestSeqs(t.Context(), db, 1)
	if err != nil || len(newest) != 1 {
		t.Fatal(newest, err)
	}
	for id, seq := range newest {
		if seq != 4 {
			t.Errorf("the newest message under %s is %d", id, seq)
		}
	}
}

// TestNextNumbers: ids of rows that are gone aren't given again.
func TestNextNumbers(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	must(t, h.Exec("DELETE FROM context_items WHERE message_id >= 19"))
	must(t, h.Exec("DELETE FROM message_parts WHERE message_id >= 19"))
	must(t, h.Exec("DELETE FROM messages WHERE message_id >= 19"))
	got, err := lcm.ReadNextNumbers(t.Context(), db, 1)
	if diff := cmp.Diff(lcm.NextNumbers{Seq: 19, Ordinal: 18, Message: 21, Conversation: 2}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if got, err := lcm.ReadNextNumbers(t.Context(), db, 9); err != nil || got.Seq != 1 || got.Ordinal != 0 {
		t.Errorf("of a conversation that isn't there: %+v, %v", got, err)
	}
}

// TestNoNumbersAreLeft: nothing is planned behind the highest id that SQLite can keep.
func TestNoNumbersAreLeft(t *testing.T) {
	t.Parallel()
	for what, statement := range map[string]string{
		"message_id":      "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'messages'",
		"conversation_id": "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'conversations'",
		"seq":             "UPDATE messages SET seq = 9223372036854775807 WHERE message_id = 20",
		"ordinal":         "UPDATE context_items SET ordinal = 9223372036854775806 WHERE message_id = 20",
	} {
		h, db := beside(t, fakehost.Head)
		must(t, h.Exec(statement))
		got, err := lcm.ReadNextNumbers(t.Context(), db, 1)
		if !errors.Is(err, lcm.ErrNoNumbers) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %+v, %v", what, got, err)
		}
	}
}

// TestViolationsBesideAMismatch: a foreign key that refers to a column that is no key keeps
// nobody from finding the rows of other tables that lead nowhere; a warning names the table.
func TestViolationsBesideAMismatch(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Beta)
	execute(t, path, "PRAGMA foreign_keys = OFF",
		"CREATE TABLE renamed AS SELECT * FROM pending_compaction_batches",
		"DROP TABLE pending_compaction_batches",
		"ALTER TABLE renamed RENAME TO pending_compaction_batches",
		"UPDATE summary_messages SET message_id = 9999 WHERE rowid = 1")
	db := testdb.Open(t, path)
	found, err := data.Violations(t.Context(), db)
	must(t, err)
	if len(found) != 1 || found[0].Table != "summary_messages" {
		t.Errorf("rows that lead nowhere: %+v", found)
	}
	var warned []string
	for _, w := range db.Warnings() {
		if errors.Is(w, data.ErrMismatch) {
			warned = append(warned, strings.Fields(w.Error())[3])
		}
	}
	if diff := cmp.Diff([]string{"pending_summary_nodes"}, warned); diff != "" {
		t.Error(diff)
	}
}
