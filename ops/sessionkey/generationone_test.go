package sessionkey_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
)

// hostOf makes the state folder of a host of 1.0 whose agent main has these sessions, by key.
func hostOf(t *testing.T, version int, sessions map[string]string) sessionkey.Host {
	t.Helper()
	var all []testdb.AgentSession
	again := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(sessions)) {
		if slices.ContainsFunc(all, func(s testdb.AgentSession) bool { return s.ID == sessions[key] }) {
			again[key] = sessions[key]
			continue
		}
		all = append(all, testdb.AgentSession{Key: key, ID: sessions[key]})
	}
	path := testdb.AgentFile(t, version, all...)
	testdb.ExecAgent(t, path, func(exec func(query string, args ...any)) {
		for key, id := range again {
			table := "session_nodes"
			if version < 14 {
				table = "session_entries"
			}
			exec("INSERT INTO "+table+" VALUES (?, ?, '{}', 1)", key, id)
		}
	})
	return sessionkey.Host{Folder: filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(path))))}
}

// one returns a file of 1.0 with the conversations 1, of the session live, which is active, and 2 of the session
// old, which is archived. Each has a batch that a host prepares.
func one(t *testing.T, more ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Beta)
	must(t, err)
	for i, s := range []struct{ key, id string }{{liveKey, "live"}, {oldKey, "old"}} {
		conv, err := h.Conversation(fakehost.Conversation{SessionKey: s.key, SessionID: s.id, Active: i == 0})
		must(t, err)
		for _, m := range turns(100*i, 4) {
			_, err := h.Message(conv, m)
			must(t, err)
		}
		for _, status := range []string{"planning", "published"} {
			must(t, h.Exec(`INSERT INTO pending_compaction_batches (batch_id, conversation_id, status, source_projection_fingerprint,
				compactable_start_ordinal, compactable_end_ordinal, prompt_version) VALUES (?, ?, ?, 'f', 0, 1, 'v')`, fmt.Sprint(status, conv), conv, status))
		}
	}
	for _, statement := range more {
		must(t, h.Exec(statement))
	}
	must(t, h.Close())
	return path
}

// planOne plans an operation on a file of 1.0.
func planOne(t *testing.T, path string, op ops.Op) (*data.DB, ops.Plan, error) {
	t.Helper()
	db := testdb.Open(t, path)
	testdb.WithoutHost(db)
	p, err := op.Plan(t.Context(), db, noReport)
	return db, p, err
}

// TestSessionsThatTheHostHas: what its databases say decides which keys can be changed on a file of 1.0.
func TestSessionsThatTheHostHas(t *testing.T) {
	t.Parallel()
	sessions := func(all ...string) map[string]string {
		out := map[string]string{"agent:main:other": "other"}
		for i := 0; i < len(all); i += 2 {
			out[all[i]] = all[i+1]
		}
		return out
	}
	rename := func(conv int64, key string) func(sessionkey.Host) ops.Op {
		return func(h sessionkey.Host) ops.Op {
			return &sessionkey.Rename{Conversation: conv, Key: key, Host: h}
		}
	}
	archive := func(h sessionkey.Host) ops.Op {
		return &sessionkey.Archive{Conversations: []int64{1}, Host: h}
	}
	unarchive := func(h sessionkey.Host) ops.Op { return &sessionkey.Unarchive{Conversation: 2, Host: h} }
	const (
		keyless  = "UPDATE conversations SET session_key = NULL WHERE conversation_id = 1"
		together = "UPDATE conversations SET session_id = 'old', active = 0 WHERE conversation_id = 1"
	)
	for name, c := range testlength.SomeOf(map[string]struct {
		op      func(sessionkey.Host) ops.Op
		host    map[string]string
		before  string
		refused string // Why; empty is not.
		warned  string
	}{
		"rename, the host has the new key":              {op: rename(1, newKey), host: sessions(newKey, "live")},
		"rename, the host has the old key":              {op: rename(1, newKey), host: sessions(liveKey, "live"), refused: "still has the session live under the key " + liveKey},
		"rename, the host has both":                     {op: rename(1, newKey), host: sessions(liveKey, "live", newKey, "live"), refused: "still has the session"},
		"rename, the old key has another session":       {op: rename(1, newKey), host: sessions(liveKey, "next"), warned: "archives this conversation"},
		"rename, the new key has another session":       {op: rename(1, newKey), host: sessions(newKey, "next"), warned: "archives this conversation"},
		"rename, the host has neither":                  {op: rename(1, newKey), host: sessions(), warned: "archives this conversation"},
		"rename of an archived one":                     {op: rename(2, newKey), host: sessions(oldKey, "old")},
		"rename of one without key, under another":      {op: rename(1, newKey), host: sessions(liveKey, "live"), before: keyless, refused: "still has the session"},
		"rename of one without key, under this":         {op: rename(1, newKey), host: sessions(newKey, "live"), before: keyless},
		"no key, the host has the old one":              {op: rename(1, ""), host: sessions(liveKey, "live")},
		"no key, the host has it no more":               {op: rename(1, ""), host: sessions(), warned: "stays without one"},
		"archive, the host has the key":                 {op: archive, host: sessions(liveKey, "next"), refused: liveKey},
		"archive, the host has the session":             {op: archive, host: sessions(newKey, "live"), refused: "session live"},
		"archive, the host has neither":                 {op: archive, host: sessions()},
		"unarchive, the host has no session":            {op: unarchive, host: sessions()},
		"unarchive, the host has this session":          {op: unarchive, host: sessions(oldKey, "old")},
		"unarchive, the host has another session":       {op: unarchive, host: sessions(oldKey, "next"), refused: "another session (next)"},
		"unarchive, the session went on elsewhere":      {op: unarchive, host: sessions(oldKey, "old"), before: together + "; UPDATE messages SET created_at = '2099-01-01 00:00:00' WHERE conversation_id = 1", refused: "went on in conversation 1"},
		"unarchive, the session was elsewhere before":   {op: unarchive, host: sessions(oldKey, "old"), before: together + "; UPDATE messages SET created_at = '1999-01-01 00:00:00' WHERE conversation_id = 1"},
		"unarchive, the session is over, elsewhere too": {op: unarchive, host: sessions(), before: together + "; UPDATE messages SET created_at = '2099-01-01 00:00:00' WHERE conversation_id = 1"},
		"detach": {op: func(sessionkey.Host) ops.Op { return &sessionkey.Detach{Conversation: 1} }, host: sessions(), refused: "follow no session file"},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, version := range []int{9, 19, 23} {
				path := one(t, strings.Split(c.before, "; ")...)
				db, p, err := planOne(t, path, c.op(hostOf(t, version, c.host)))
				var refused *sessionkey.RefusedError
				switch {
				case c.refused != "":
					if !errors.As(err, &refused) || !strings.Contains(refused.Why, c.refused) || refused.Hint() == "" || refused.ScreenHint() == "" {
						t.Errorf("schema %d: %v", version, err)
					}
					continue
				case err != nil:
					t.Fatalf("schema %d: %v", version, err)
				}
				warnings := strings.Join(p.Warnings, "\n")
				if c.warned == "" != (warnings == "") || !strings.Contains(warnings, c.warned) {
					t.Errorf("schema %d: warnings %q", version, warnings)
				}
				before := testdb.Dump(t, path)
				record, err := ops.Apply(t.Context(), db, p)
				must(t, err)
				must(t, ops.Undo(t.Context(), db, record))
				if testdb.Dump(t, path) != before {
					t.Errorf("schema %d: undo doesn't restore the file", version)
				}
			}
		})
	}
}

// TestSessionsThatAreNotKnown: without the host's databases nothing active changes its session.
func TestSessionsThatAreNotKnown(t *testing.T) {
	t.Parallel()
	broken := hostOf(t, 23, map[string]string{newKey: "live"})
	must(t, os.WriteFile(filepath.Join(broken.Folder, "agents", "main", "agent", "openclaw-agent.sqlite"), []byte("no database"), 0o600))
	elsewhere := hostOf(t, 23, map[string]string{newKey: "live"})
	must(t, os.MkdirAll(filepath.Join(elsewhere.Folder, "agents", "ops", "agent"), 0o700))
	must(t, os.Rename(filepath.Join(elsewhere.Folder, "agents", "main", "agent"), filepath.Join(elsewhere.Folder, "agents", "second")))
	for name, host := range map[string]sessionkey.Host{"no folder": {}, "an empty folder": {Folder: t.TempDir()}, "no database any more": broken, "moved away": elsewhere} {
		path := one(t)
		for op, refused := range map[ops.Op]bool{
			&sessionkey.Rename{Conversation: 1, Key: newKey, Host: host}:         true,
			&sessionkey.Rename{Conversation: 1, Host: host}:                      true,
			&sessionkey.Archive{Conversations: []int64{1}, Host: host}:           true,
			&sessionkey.Unarchive{Conversation: 2, Host: host}:                   true,
			&sessionkey.Rename{Conversation: 2, Key: "agent:main:x", Host: host}: false,
		} {
			if _, _, err := planOne(t, path, op); errors.As(err, new(*sessionkey.RefusedError)) != refused || !refused && err != nil {
				t.Errorf("%s: %s %+v: %v", name, op.Name(), op, err)
			}
		}
	}
}

// TestArchiveDeletesWhatAHostPrepared, finished batches too, and leaves those of others.
func TestArchiveDeletesWhatAHostPrepared(t *testing.T) {
	t.Parallel()
	path := one(t)
	db, p, err := planOne(t, path, &sessionkey.Archive{Conversations: []int64{1}, Host: hostOf(t, 23, map[string]string{"agent:main:other": "other"})})
	must(t, err)
	out, err := ops.ApplyPlan(t.Context(), db, p)
	must(t, err)
	if left := testdb.Rows(t, path, "SELECT batch_id FROM pending_compaction_batches ORDER BY 1"); strings.Join(left, " ") != "planning2 published2" || out.DeletedBatches != 2 {
		t.Errorf("left are %q, %d deleted", left, out.DeletedBatches)
	}
	must(t, ops.Undo(t.Context(), db, out.Record))
	if again := testdb.Rows(t, path, "SELECT batch_id FROM pending_compaction_batches WHERE conversation_id = 1 AND status IN ('planning', 'ready', 'publishing')"); len(again) > 0 {
		t.Errorf("undo made %q active again", again)
	}
}

// TestRenameLeavesTheTimeOfTheConversation: hosts of 1.0 find it by its key alone, and nothing else changes.
func TestRenameLeavesTheTimeOfTheConversation(t *testing.T) {
	t.Parallel()
	path := one(t)
	db, p, err := planOne(t, path, &sessionkey.Rename{Conversation: 1, Key: newKey, Host: hostOf(t, 23, map[string]string{newKey: "live"})})
	must(t, err)
	before := testdb.Dump(t, path)
	_, err = ops.Apply(t.Context(), db, p)
	must(t, err)
	if after := testdb.Dump(t, path); after != strings.Replace(before, liveKey, newKey, 1) {
		t.Error("more than the key changed")
	}
}
