package diff_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/diff"
	"lcm-tui/ops/diff/filepair"
)

// altered opens a sample, and a copy of it that a script changed.
func altered(t *testing.T, level fakehost.Level, script string) (before, after *data.DB) {
	t.Helper()
	path := testdb.Sample(t, level)
	changed := testdb.Copy(t, path)
	if script != "" {
		if err := faults.Alter(changed, script); err != nil {
			t.Fatal(err)
		}
	}
	return testdb.Open(t, path), testdb.Open(t, changed)
}

func compare(t *testing.T, before, after *data.DB, r diff.Request) *diff.Report {
	t.Helper()
	report, err := diff.Compare(t.Context(), before, after, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestACopyIsEqualToItsOriginalAtEveryLevel(t *testing.T) {
	t.Parallel()
	for _, level := range append(fakehost.Levels(), fakehost.Beta) {
		before, after := altered(t, level, "")
		got := compare(t, before, after, diff.Request{Search: true, Own: true})
		if !got.Equal || len(got.Conversations) > 0 || got.Lineage != filepair.ByID || got.Common != 2 {
			t.Errorf("%s: %+v", level, got)
		}
	}
}

func TestAFileIsEqualToItself(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	got := compare(t, testdb.Open(t, path), testdb.Open(t, path), diff.Request{})
	if !got.Equal || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "same file") {
		t.Errorf("%+v", got)
	}
}

// TestWhatChangedIsCounted names for each change of a file what the report says of its
// conversation.
func TestWhatChangedIsCounted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, script string
		want         diff.Conversation // Its counts, status and columns.
	}{
		{
			"a message of another text", "UPDATE messages SET content = content || '.' WHERE message_id = 2",
			diff.Conversation{Status: diff.Changed, Messages: filepair.Counts{Changed: 1}},
		},
		{
			"a message of another text of the same length", "UPDATE messages SET content = replace(content, substr(content, 1, 1), '#') WHERE message_id = 2",
			diff.Conversation{Status: diff.Changed, Messages: filepair.Counts{Changed: 1}},
		},
		{
			"a redacted message", "UPDATE messages SET content = content || '[REDACTED:aws#1]' WHERE message_id = 2",
			diff.Conversation{Status: diff.Changed, Messages: filepair.Counts{Changed: 1, Redacted: 1}},
		},
		{
			"a forgotten message",
			`UPDATE messages SET content = '[LCM Forgotten: user message 1, 2026-01-01, 20 bytes]' WHERE message_id = 1;
			UPDATE message_parts SET text_content = NULL WHERE message_id = 1`,
			diff.Conversation{Status: diff.Changed, Messages: filepair.Counts{Changed: 1, Forgotten: 1}, Parts: filepair.Counts{Changed: 1, Forgotten: 1}},
		},
		{
			"a part without its copy of the text",
			`UPDATE message_parts SET metadata = json_remove(metadata, '$.raw') WHERE part_id = (SELECT min(part_id) FROM message_parts WHERE json_type(metadata, '$.raw') IS NOT NULL)`,
			diff.Conversation{Status: diff.Changed, Parts: filepair.Counts{Changed: 1, Squeezed: 1}},
		},
		{
			"a rewritten summary", "UPDATE summaries SET content = 'another' WHERE summary_id = (SELECT min(summary_id) FROM summaries WHERE conversation_id = 1)",
			diff.Conversation{Status: diff.Changed, Summaries: filepair.Counts{Changed: 1, Rewritten: 1}},
		},
		{
			"a time in its other form", "UPDATE messages SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at)",
			diff.Conversation{},
		},
		{
			"another time", "UPDATE messages SET created_at = datetime(created_at, '+1 second') WHERE message_id = 1",
			diff.Conversation{Status: diff.Changed, Messages: filepair.Counts{Changed: 1}},
		},
		{
			"an archived conversation", "UPDATE conversations SET active = 0, archived_at = '2026-01-01 00:00:00' WHERE conversation_id = 1",
			diff.Conversation{Status: diff.Archived, Columns: []string{"active", "archived_at"}},
		},
		{
			"another key", "UPDATE conversations SET session_key = 'agent:main:other' WHERE conversation_id = 1",
			diff.Conversation{Status: diff.KeyChanged, Columns: []string{"session_key"}},
		},
		{
			"the state of the host", "UPDATE conversation_bootstrap_state SET session_file_path = '' WHERE conversation_id = 1",
			diff.Conversation{Status: diff.Changed, State: filepair.Counts{Changed: 1}, Tables: []diff.Table{{Name: "conversation_bootstrap_state", Counts: filepair.Counts{Changed: 1}}}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			before, after := altered(t, fakehost.Head, c.script)
			got := compare(t, before, after, diff.Request{})
			if c.want.Status == "" {
				if !got.Equal {
					t.Errorf("not equal: %+v", got)
				}
				return
			}
			if len(got.Conversations) != 1 || got.Equal {
				t.Fatalf("%+v", got)
			}
			is := *got.Conversations[0]
			is = diff.Conversation{
				Status: is.Status, Columns: is.Columns, Messages: is.Messages, Parts: is.Parts, Summaries: is.Summaries,
				Links: is.Links, Context: is.Context, Files: is.Files, State: is.State, Tables: is.Tables,
			}
			if d := cmp.Diff(c.want, is, cmp.AllowUnexported(diff.Conversation{})); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestADeletedConversationIsRemovedAndAdded(t *testing.T) {
	t.Parallel()
	const gone = `PRAGMA foreign_keys = OFF; DELETE FROM conversations WHERE conversation_id = 2; DELETE FROM messages WHERE conversation_id = 2`
	before, after := altered(t, fakehost.Head, gone)
	messages := int64(len(testdb.Rows(t, before.Path(), "SELECT 1 FROM messages WHERE conversation_id = 2")))
	removed := compare(t, before, after, diff.Request{}).Conversations[0]
	if removed.Status != diff.Removed || removed.AfterID != nil || removed.Messages.Removed != messages {
		t.Errorf("removed: %+v", removed)
	}
	added := compare(t, after, before, diff.Request{}).Conversations[0]
	if added.Status != diff.Added || added.BeforeID != nil || added.Messages.Added != messages {
		t.Errorf("added: %+v", added)
	}
}
