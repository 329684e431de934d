package diff_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/diff"
	"lcm-tui/ops/diff/filepair"
)

// otherIDs gives every conversation, message and part another id, as a writer of its own would.
const otherIDs = `PRAGMA foreign_keys = OFF;
UPDATE conversations SET conversation_id = conversation_id + 100;
UPDATE messages SET message_id = message_id + 5000, conversation_id = conversation_id + 100;
UPDATE message_parts SET message_id = message_id + 5000, part_id = 'x' || part_id, session_id = 'another';
UPDATE summaries SET conversation_id = conversation_id + 100, summary_id = 'sum_x' || summary_id WHERE kind = 'leaf';
UPDATE summaries SET conversation_id = conversation_id + 100 WHERE kind = 'condensed';
UPDATE summary_messages SET message_id = message_id + 5000, summary_id = 'sum_x' || summary_id;
UPDATE summary_parents SET parent_summary_id = 'sum_x' || parent_summary_id WHERE 'sum_x' || parent_summary_id IN (SELECT summary_id FROM summaries);
UPDATE context_items SET summary_id = 'sum_x' || summary_id WHERE 'sum_x' || summary_id IN (SELECT summary_id FROM summaries);
UPDATE context_items SET conversation_id = conversation_id + 100, message_id = message_id + 5000;
UPDATE focus_brief_sources SET summary_id = 'sum_x' || summary_id WHERE 'sum_x' || summary_id IN (SELECT summary_id FROM summaries);
UPDATE large_files SET conversation_id = conversation_id + 100;
UPDATE focus_briefs SET conversation_id = conversation_id + 100;
UPDATE conversation_bootstrap_state SET conversation_id = conversation_id + 100;
UPDATE conversation_compaction_telemetry SET conversation_id = conversation_id + 100;
UPDATE conversation_compaction_maintenance SET conversation_id = conversation_id + 100`

func TestFilesWithOtherIDsAreComparedByMeaning(t *testing.T) {
	t.Parallel()
	before, after := altered(t, fakehost.Head, otherIDs)
	got := compare(t, before, after, diff.Request{})
	if !got.Equal || got.Lineage != filepair.ByMeaning || got.Common != 2 {
		t.Fatalf("%+v %+v", got, got.Conversations)
	}
	before, after = altered(t, fakehost.Head, otherIDs+"; UPDATE messages SET content = 'another', identity_hash = 'another' WHERE message_id = 5002; DELETE FROM context_items WHERE ordinal = 0")
	got = compare(t, before, after, diff.Request{})
	if len(got.Conversations) != 2 || *got.Conversations[1].BeforeID != 1 || *got.Conversations[1].AfterID != 101 {
		t.Fatalf("%+v", got)
	}
	if c := got.Conversations[1]; c.Messages.Added+c.Messages.Removed+c.Messages.Changed == 0 || c.Context.Removed == 0 {
		t.Errorf("%+v", c)
	}
}

// TestFilesWithoutACommonConversation: every conversation of the one is removed, and of the other added.
func TestFilesWithoutACommonConversation(t *testing.T) {
	t.Parallel()
	before, after := altered(t, fakehost.Head, "UPDATE conversations SET session_id = 'other ' || conversation_id, session_key = NULL, created_at = '2020-01-01 00:00:00'")
	got := compare(t, before, after, diff.Request{})
	counts := map[diff.Status]int{}
	for _, c := range got.Conversations {
		counts[c.Status]++
	}
	if got.Common != 0 || counts[diff.Added] != 2 || counts[diff.Removed] != 2 || len(counts) != 2 {
		t.Errorf("%d common, %v", got.Common, counts)
	}
}

// TestBothFilesMadeAConversationWithTheSameID: after they were parted both made a conversation, which got
// the same id. These are two.
func TestBothFilesMadeAConversationWithTheSameID(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	other := testdb.Copy(t, path)
	for file, values := range map[string]string{path: "'there', 'agent:b:y', '2026-01-02 00:00:00'", other: "'here', 'agent:a:x', '2026-01-01 00:00:00'"} {
		if err := faults.Alter(file, "INSERT INTO conversations (conversation_id, session_id, session_key, created_at) VALUES (3, "+values+")"); err != nil {
			t.Fatal(err)
		}
	}
	before, after := testdb.Open(t, path), testdb.Open(t, other)
	got := compare(t, before, after, diff.Request{})
	if got.Lineage != filepair.ByID || got.Common != 2 || len(got.Conversations) != 2 || got.Conversations[0].Status != diff.Added || got.Conversations[1].Status != diff.Removed {
		t.Errorf("%+v %+v", got, got.Conversations)
	}
}

// TestWhatAHostWritesMeanwhileIsNotSeen: each file is read as it was when the comparison began.
func TestWhatAHostWritesMeanwhileIsNotSeen(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	other := testdb.Copy(t, path)
	host, err := fakehost.Open(other)
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	if err := host.Exec("PRAGMA journal_mode = WAL"); err != nil {
		t.Fatal(err)
	}
	before, after := testdb.Open(t, path), testdb.Open(t, other)
	c, err := diff.Open(t.Context(), before, after, diff.Request{})
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Exec("UPDATE messages SET content = 'new'"); err != nil {
		t.Fatal(err)
	}
	if r, err := c.Report(t.Context(), nil); err != nil || !r.Equal {
		t.Errorf("%+v, %v", r, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if compare(t, before, after, diff.Request{}).Equal {
		t.Error("the next comparison doesn't see it either")
	}
}

// TestDamageHidesOnlyWhatItHit: where a page of messages can't be read, the other conversations are
// compared, and what wasn't is named.
func TestDamageHidesOnlyWhatItHit(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	broken := testdb.Copy(t, path)
	if err := faults.Alter(broken, "UPDATE messages SET content = 'another' WHERE conversation_id = 2"); err != nil {
		t.Fatal(err)
	}
	page, err := strconv.ParseInt(testdb.Rows(t, broken, "SELECT min(pageno) FROM dbstat WHERE name = 'messages' AND pagetype = 'leaf'")[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(broken, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(make([]byte, 4096), (page-1)*4096); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	got := compare(t, testdb.Open(t, path), testdb.Open(t, broken), diff.Request{})
	if got.Equal || len(got.Unreadable) == 0 || got.Unreadable[0].Table != "messages" || got.Unreadable[0].After != 1 {
		t.Errorf("unreadable: %+v", got.Unreadable)
	}
	for _, c := range got.Conversations {
		if c.ID == 2 && c.Messages.Changed > 0 {
			return
		}
	}
	t.Errorf("conversation 2 isn't compared: %+v", got.Conversations)
}

func TestACutOffFileIsComparedAsFarAsItGoes(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "faults/sqlite-truncated.db")
	got := compare(t, testdb.Open(t, testdb.Sample(t, fakehost.Head)), testdb.Open(t, path), diff.Request{})
	if got.Equal {
		t.Errorf("%+v", got)
	}
	got = compare(t, testdb.Open(t, testdb.Copy(t, path)), testdb.Open(t, path), diff.Request{})
	if got.Equal || len(got.Unreadable) == 0 || len(got.Conversations) > 0 {
		t.Errorf("a copy of it: %+v", got)
	}
	if want := "0 conversations differ, 0 are equal, 2 are equal as far as they can be read"; got.Sum() != want {
		t.Errorf("%q, want %q", got.Sum(), want)
	}
	if lines := got.Uncompared(); len(lines) != 1 || lines[0] != "messages, message_parts, summaries of conversations 1, 2 can't be compared: a file is damaged" {
		t.Errorf("%q", lines)
	}
	one := compare(t, testdb.Open(t, testdb.Copy(t, path)), testdb.Open(t, path), diff.Request{Before: 1})
	if lines := strings.Join(one.Uncompared(), "\n"); !strings.Contains(lines, "of conversation 1 can't") || strings.Contains(lines, "2") || one.Sum() != "0 conversations differ, 0 are equal, 1 is equal as far as it can be read" {
		t.Errorf("of conversation 1: %s; %s", lines, one.Sum())
	}
}
