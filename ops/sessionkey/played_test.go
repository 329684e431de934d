package sessionkey_test

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
)

// contact plays the first contact of a session with a host of 1.0: it goes on in the active conversation of its key, else in
// one of its session that has no key and gets this one, else it begins another.
func contact(t *testing.T, h *fakehost.Host, key, session string, visible []fakehost.VisibleEntry) (conv int64, is fakehost.Bootstrapped) {
	t.Helper()
	err := h.Read([]any{&conv}, "SELECT conversation_id FROM conversations WHERE session_key = ? AND active = 1", key)
	if errors.Is(err, sql.ErrNoRows) {
		if err = h.Read([]any{&conv}, "SELECT conversation_id FROM conversations WHERE session_id = ? AND active = 1 AND session_key IS NULL", session); err == nil {
			err = h.Exec("UPDATE conversations SET session_key = ? WHERE conversation_id = ?", key, conv)
		}
	}
	if errors.Is(err, sql.ErrNoRows) {
		conv, err = h.Conversation(fakehost.Conversation{SessionKey: key, SessionID: session, Active: true})
	}
	must(t, err)
	must(t, h.Exec("UPDATE conversations SET session_id = ? WHERE conversation_id = ?", session, conv))
	is, err = fakehost.Bootstrap(h, conv, visible)
	must(t, err)
	return conv, is
}

// TestWhatHostsDoAfterKeysChanged: after what is allowed, the host stores nothing twice, and what is refused would have it
// store the session again, when it is done by hand.
func TestWhatHostsDoAfterKeysChanged(t *testing.T) {
	t.Parallel()
	const (
		byHand  = "UPDATE conversations SET session_key = '" + newKey + "' WHERE conversation_id = 2"
		archive = "UPDATE conversations SET active = 0, archived_at = datetime('now') WHERE conversation_id = 2"
		swap    = archive + "; UPDATE conversations SET active = 1, archived_at = NULL WHERE conversation_id = 1"
	)
	rename := func(key string) func(sessionkey.Host) ops.Op {
		return func(h sessionkey.Host) ops.Op { return &sessionkey.Rename{Conversation: 2, Key: key, Host: h} }
	}
	for name, c := range testlength.SomeOf(map[string]struct {
		before   string // By hand.
		op       func(sessionkey.Host) ops.Op
		has      map[string]string // Of the host when it is planned.
		forced   string            // What a refused operation would have done.
		key      string            // The next contact, of the session s or of another one.
		session  string
		conv     int64 // In which the host goes on.
		imported int
		archived bool
	}{
		"renamed, the host follows":              {op: rename(newKey), has: map[string]string{newKey: "s"}, key: newKey, conv: 2},
		"renamed, the host stays":                {op: rename(newKey), has: map[string]string{liveKey: "s"}, forced: byHand, key: liveKey, conv: 3, imported: 82},
		"renamed, another session":               {op: rename(newKey), has: map[string]string{newKey: "next"}, key: newKey, session: "next", conv: 2, archived: true},
		"another session without any change":     {key: liveKey, session: "next", conv: 2, archived: true},
		"the key is taken away":                  {op: rename(""), has: map[string]string{liveKey: "s"}, key: liveKey, conv: 2},
		"the key is taken away, another session": {op: rename(""), has: map[string]string{liveKey: "next"}, key: liveKey, session: "next", conv: 3},
		"a living one is archived": {
			op:  func(h sessionkey.Host) ops.Op { return &sessionkey.Archive{Conversations: []int64{2}, Host: h} },
			has: map[string]string{liveKey: "s"}, forced: archive, key: liveKey, conv: 3, imported: 82,
		},
		"a dead one is archived": {
			op:  func(h sessionkey.Host) ops.Op { return &sessionkey.Archive{Conversations: []int64{2}, Host: h} },
			has: map[string]string{"agent:main:x": "x"}, key: "agent:main:x", session: "x", conv: 3,
		},
		"unarchived, its successor is gone": {
			before: "DELETE FROM context_items WHERE conversation_id = 2; DELETE FROM messages WHERE conversation_id = 2; DELETE FROM conversations WHERE conversation_id = 2",
			op:     func(h sessionkey.Host) ops.Op { return &sessionkey.Unarchive{Conversation: 1, Host: h} },
			has:    map[string]string{liveKey: "s"}, key: liveKey, conv: 1, imported: 22,
		},
		"unarchived, its successor has more": {
			before: archive, op: func(h sessionkey.Host) ops.Op { return &sessionkey.Unarchive{Conversation: 1, Host: h} },
			has: map[string]string{liveKey: "s"}, forced: swap, key: liveKey, conv: 1, imported: 22, // These stand in its successor.
		},
		"swapped without rows": {op: func(h sessionkey.Host) ops.Op { return &sessionkey.Unarchive{Conversation: 1, Host: h} }, has: map[string]string{liveKey: "s"}, forced: swap, key: liveKey, conv: 1, imported: 22},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReset(t, resetKind{})
			execAll(t, r.path, c.before)
			if c.op != nil {
				db, p, err := planOne(t, r.path, c.op(hostOf(t, 23, c.has)))
				if c.forced != "" {
					if !errors.As(err, new(*sessionkey.RefusedError)) {
						t.Errorf("it isn't refused: %v", err)
					}
					execAll(t, r.path, c.forced)
				} else {
					must(t, err)
					_, err = ops.Apply(t.Context(), db, p)
					must(t, err)
				}
				must(t, db.Close())
			}
			h, err := fakehost.Start(r.path, fakehost.Defaults())
			must(t, err)
			defer h.Close()
			session, visible := "s", r.visible
			if c.session != "" {
				session, visible = c.session, nil
			}
			conv, is := contact(t, h, c.key, session, visible)
			if conv != c.conv || len(is.Imported) != c.imported || is.Archived != c.archived || is.Frozen {
				t.Errorf("it goes on in conversation %d, stores %d, archived %t, frozen %t", conv, len(is.Imported), is.Archived, is.Frozen)
			}
			if c.archived {
				return
			}
			for i := range 2 { // Restarts.
				if again, is := contact(t, h, c.key, session, visible); again != c.conv || len(is.Imported) > 0 || is.Archived {
					t.Errorf("restart %d: conversation %d, %+v", i, again, is)
				}
			}
		})
	}
}

func execAll(t *testing.T, path, statements string) {
	t.Helper()
	if statements == "" {
		return
	}
	h, err := fakehost.Start(path, fakehost.Defaults())
	must(t, err)
	must(t, h.Script(statements))
	must(t, h.Close())
}

// TestOtherConversationsAreAsBefore: on the reference, an operation on one conversation changes nothing of what a host does with
// all others, nor with this one.
func TestOtherConversationsAreAsBefore(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	before := testdb.Fixture(t, "v1.0/rich.db")
	host := hostOf(t, 23, map[string]string{"agent:main:webchat:moved": "77777777-0000-4000-8000-000000000004", "agent:main:other": "other"})
	visible := testdb.Visible(t, fmt.Sprint(testdb.Fixtures(t), "/v1.0/state-rich"))
	for _, op := range []ops.Op{
		&sessionkey.Rename{Conversation: 4, Key: "agent:main:webchat:moved", Host: host},
		&sessionkey.Rename{Conversation: 5, Key: "agent:main:slack:older", Host: sessionkey.Host{}},
		&sessionkey.Archive{Conversations: []int64{10}, Host: host},
	} {
		path := testdb.Copy(t, before)
		db, p, err := planOne(t, path, op)
		must(t, err)
		_, err = ops.Apply(t.Context(), db, p)
		must(t, err)
		must(t, db.Close())
		for _, d := range testdb.AnchoredDifferences(t, before, path, visible) {
			t.Errorf("%s: %s", op.Name(), d)
		}
	}
}
