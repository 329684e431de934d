package sessionkey_test

import (
	"errors"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
)

// TestUndoIsAChangeOfTheSession: what the host has by then decides whether it may be done.
func TestUndoIsAChangeOfTheSession(t *testing.T) {
	t.Parallel()
	none := map[string]string{"agent:main:other": "other"}
	for name, c := range testlength.SomeOf(map[string]struct {
		op      func(sessionkey.Host) ops.Op
		before  map[string]string
		after   map[string]string
		refused bool
	}{
		"rename, the host has the new key": {
			func(h sessionkey.Host) ops.Op {
				return &sessionkey.Rename{Conversation: 1, Key: newKey, Host: h}
			}, map[string]string{newKey: "live"}, map[string]string{newKey: "live"}, true,
		},
		"rename, the host went back": {
			func(h sessionkey.Host) ops.Op {
				return &sessionkey.Rename{Conversation: 1, Key: newKey, Host: h}
			}, map[string]string{newKey: "live"}, map[string]string{liveKey: "live"}, false,
		},
		"rename of an archived one": {
			func(h sessionkey.Host) ops.Op {
				return &sessionkey.Rename{Conversation: 2, Key: newKey, Host: h}
			}, none, map[string]string{newKey: "old"}, false,
		},
		"archive, the host still has nothing": {
			func(h sessionkey.Host) ops.Op {
				return &sessionkey.Archive{Conversations: []int64{1}, Host: h}
			}, none, none, false,
		},
		"archive, the key has another session": {
			func(h sessionkey.Host) ops.Op {
				return &sessionkey.Archive{Conversations: []int64{1}, Host: h}
			}, none, map[string]string{liveKey: "next"}, true,
		},
		"unarchive, the host goes on": {
			func(h sessionkey.Host) ops.Op { return &sessionkey.Unarchive{Conversation: 2, Host: h} }, none, map[string]string{oldKey: "old"}, true,
		},
		"unarchive, the host doesn't": {
			func(h sessionkey.Host) ops.Op { return &sessionkey.Unarchive{Conversation: 2, Host: h} }, none, none, false,
		},
	}) {
		path := one(t)
		before := testdb.Dump(t, path)
		db, p, err := planOne(t, path, c.op(hostOf(t, 23, c.before)))
		must(t, err)
		record, err := ops.Apply(t.Context(), db, p)
		must(t, err)
		err = sessionkey.CheckUndo(t.Context(), db, record, hostOf(t, 23, c.after))
		if errors.As(err, new(*sessionkey.RefusedError)) != c.refused || !c.refused && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		must(t, ops.Undo(t.Context(), db, record))
		if testdb.Dump(t, path) != before {
			t.Errorf("%s: undo doesn't restore the file", name)
		}
		must(t, sessionkey.CheckUndo(t.Context(), db, record, sessionkey.Host{})) // It is undone already, which is what to say.
	}
}

// TestOlderFilesGetNothingOfOne: a file of 0.14 and 0.15 keeps its tables, and so a host of 1.0 upgrades it by itself.
func TestOlderFilesGetNothingOfOne(t *testing.T) {
	t.Parallel()
	for _, level := range []fakehost.Level{fakehost.V0_14, fakehost.V0_15, fakehost.Head} {
		for name, op := range testlength.SomeOf(operations()) {
			w := newWorld(t, level)
			if _, ok := op.(*sessionkey.Archive); ok {
				w.silence(t)
			}
			w.apply(t, op)
			of := "('pending_compaction_batches', 'pending_summary_nodes', 'pending_summary_node_messages', 'pending_summary_node_children', 'message_transcript_anchor_trust', 'conversation_transcript_epochs', 'turn_advancements')"
			if n := w.count(t, "SELECT count(*) FROM sqlite_master WHERE name IN "+of); n != 0 {
				t.Errorf("%s: %s made %d tables", level, name, n)
			}
		}
	}
}
