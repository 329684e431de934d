package prune_test

import (
	"errors"
	"testing"

	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/undo"
)

// TestCopiesComeBackAfterTheirTexts: where texts are in the trash, their copies can't be made again; what comes back from
// the trash has none. So the record of the copies can't be undone before that of the texts.
func TestCopiesComeBackAfterTheirTexts(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	const withCopies = `UPDATE message_parts SET metadata = '{"originalRole":"user","raw":{"type":"text","text":' || json_quote(text_content) || '}}'
		WHERE part_type = 'text' AND message_id IN (SELECT message_id FROM messages WHERE conversation_id = 2)`
	if err := faults.Alter(path, withCopies); err != nil {
		t.Fatal(err)
	}
	before := testdb.Dump(t, path)
	db := open(t, path)
	copies := apply(t, db, plan(t, db, prune.Op{Verb: prune.Copies, Selector: everything()}))
	removed := apply(t, db, plan(t, db, prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Archived: true}}))
	var blocked *change.BlockedError
	if err := ops.Undo(t.Context(), db, copies.Record); !errors.As(err, &blocked) || blocked.By != removed.Record {
		t.Errorf("copies without their texts: %v", err)
	}
	if _, err := (&undo.Op{Record: copies.Record}).Plan(t.Context(), db, quiet); !errors.As(err, &blocked) {
		t.Errorf("a preview of that: %v", err)
	}
	for _, record := range []int64{removed.Record, copies.Record} {
		if err := ops.Undo(t.Context(), db, record); err != nil {
			t.Fatal(err)
		}
	}
	if testdb.Dump(t, path) != before {
		t.Error("the file isn't what it was")
	}
}
