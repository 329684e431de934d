package dissolve_test

import (
	"slices"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestMissingSourcesOfTheSameMessages: each message comes back once.
func TestMissingSourcesOfTheSameMessages(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	op := first(t, open(t, path))
	sources := "(SELECT parent_summary_id FROM summary_parents WHERE summary_id = '" + op.Summary + "')"
	testdb.Execute(t, path, "PRAGMA foreign_keys = OFF",
		"DELETE FROM summary_messages WHERE summary_id IN "+sources,
		"INSERT INTO summary_messages (summary_id, message_id, ordinal) SELECT s.parent_summary_id, m.message_id, m.seq FROM summary_parents s JOIN messages m ON m.conversation_id = "+
			"(SELECT conversation_id FROM summaries WHERE summary_id = s.summary_id) AND m.seq < 3 WHERE s.summary_id = '"+op.Summary+"'",
		"DELETE FROM summaries WHERE summary_id IN "+sources)
	after := plannedContext(plan(t, open(t, path), op))
	slices.Sort(after)
	if once := slices.Compact(slices.Clone(after)); len(once) != len(after) {
		t.Errorf("some stand there twice: %q", after)
	}
}
