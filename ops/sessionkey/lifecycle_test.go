package sessionkey_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
)

// openAlone opens a database that no host has open, at a time.
func openAlone(t *testing.T, path string, now time.Time) *data.DB {
	t.Helper()
	db := testdb.Open(t, path)
	db.Now = func() time.Time { return now }
	testdb.WithoutHost(db)
	return db
}

// applied plans and applies an operation on a file that no host has open, and returns its record.
func applied(t *testing.T, path string, op ops.Op) int64 {
	t.Helper()
	db := openAlone(t, path, time.Now())
	defer func() { must(t, db.Close()) }()
	p, err := op.Plan(t.Context(), db, noReport)
	must(t, err)
	record, err := ops.Apply(t.Context(), db, p)
	must(t, err)
	return record
}

// sessionRows are the rows that a lifecycle writes.
var sessionRows = []string{
	"SELECT conversation_id, session_id, session_key, active, archived_at, title, bootstrapped_at, created_at, updated_at FROM conversations ORDER BY 1",
	"SELECT conversation_id, archive_cause FROM conversations ORDER BY 1",
	"SELECT conversation_id, row_number() OVER (PARTITION BY conversation_id ORDER BY ordinal), item_type, message_id, summary_id, created_at FROM context_items ORDER BY 1, 2",
	"SELECT conversation_id, session_file_path, last_processed_offset, updated_at FROM conversation_bootstrap_state ORDER BY 1",
	"SELECT conversation_id, soft_reset_pruned_at FROM conversation_bootstrap_state ORDER BY 1",
	"SELECT count(*), total(message_id), total(token_count) FROM messages",
	"SELECT count(*), total(token_count) FROM summaries",
}

// rowsOf returns the rows of a file that a lifecycle writes, with the times of now as a word.
func rowsOf(t *testing.T, path string) string {
	t.Helper()
	var b strings.Builder
	for _, query := range sessionRows {
		if lacksColumns(t, path, query) {
			continue
		}
		fmt.Fprintln(&b, strings.Join(testdb.Rows(t, path, query), "\n"))
	}
	return b.String()
}

// lacksColumns reports whether a file is from before what a query reads came.
func lacksColumns(t *testing.T, path, query string) bool {
	t.Helper()
	for word, table := range map[string]string{"archive_cause": "conversations", "updated_at FROM conversation_bootstrap_state": "conversation_bootstrap_state", "soft_reset_pruned_at": "conversation_bootstrap_state"} {
		if !strings.Contains(query, word) {
			continue
		}
		column, _, _ := strings.Cut(word, " ")
		n, err := testdb.Count(path, "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?", table, column)
		must(t, err)
		if n == 0 {
			return true
		}
	}
	return false
}

// TestLifecycleOfFixtures: what New, Reset and End write to files of the reference engine are the rows that
// it writes itself, and undo gives the file back byte for byte.
func TestLifecycleOfFixtures(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC().Format(fakehost.Seconds)
	for name, c := range testlength.SomeOf(map[string]struct {
		file string
		op   ops.Op
		want []string // Queries whose result is 1 afterwards.
	}{
		"reset, as conversation 4 of the fixture was": {"v0.15.3/rich.db", &sessionkey.Reset{Conversation: 5}, []string{
			"SELECT count(*) FROM conversations WHERE conversation_id = 5 AND active = 0 AND archive_cause = 'manual-reset' AND archived_at = updated_at AND archived_at >= '" + now + "'",
			`SELECT count(*) FROM conversations n JOIN conversations o ON o.conversation_id = 5 WHERE n.conversation_id = 7 AND n.active = 1 AND n.session_key = o.session_key
				AND n.session_id = o.session_id AND n.archived_at IS NULL AND n.archive_cause IS NULL AND n.title IS NULL AND n.bootstrapped_at IS NULL AND n.created_at = o.archived_at AND n.updated_at = n.created_at`,
			"SELECT count(*) = 37 FROM context_items WHERE conversation_id = 5", "SELECT count(*) = 52 FROM messages WHERE conversation_id = 5",
		}},
		"reset with a transcript and a debt": {"v0.15.3/rich.db", &sessionkey.Reset{Conversation: 6, NextSession: "next"}, []string{
			"SELECT count(*) FROM conversations WHERE conversation_id = 7 AND session_id = 'next' AND session_key = 'agent:ops:main' AND active = 1",
			"SELECT count(*) FROM conversation_bootstrap_state WHERE conversation_id = 6 AND last_processed_offset = 9353",
			"SELECT count(*) = 0 FROM conversation_bootstrap_state WHERE conversation_id = 7",
			"SELECT count(*) FROM conversation_compaction_maintenance WHERE conversation_id = 6 AND pending = 0",
		}},
		"end for a reason": {"v0.15.3/rich.db", &sessionkey.End{Conversation: 1, Reason: "idle"}, []string{
			"SELECT count(*) FROM conversations WHERE conversation_id = 1 AND active = 0 AND archive_cause = 'session-end'",
			"SELECT count(*) FROM conversations WHERE session_key = 'agent:main:main' AND active = 1 AND conversation_id = 7",
		}},
		"end by a reset": {"v0.15.3/rich.db", &sessionkey.End{Conversation: 1, Reason: "reset", NextSession: "n"}, []string{
			"SELECT count(*) FROM conversations WHERE conversation_id = 1 AND active = 0 AND archive_cause = 'manual-reset'",
			"SELECT count(*) FROM conversations WHERE session_key = 'agent:main:main' AND active = 1 AND session_id = 'n'",
		}},
		"end of a deleted session": {"v0.15.3/rich.db", &sessionkey.End{Conversation: 1, Reason: "deleted"}, []string{
			"SELECT count(*) FROM conversations WHERE conversation_id = 1 AND active = 0 AND archive_cause = 'session-deleted'",
			"SELECT count(*) = 0 FROM conversations WHERE session_key = 'agent:main:main' AND active = 1", "SELECT count(*) = 6 FROM conversations",
		}},
		"new, as in legit-after-new": {"v0.15.3/small.db", &sessionkey.New{Conversation: 1, Retain: 2}, []string{
			"SELECT group_concat(summary_id) = 'sum_b4f8213d4eaa430f' FROM context_items WHERE conversation_id = 1", "SELECT count(*) = 1 FROM context_items WHERE conversation_id = 1",
			"SELECT count(*) FROM conversation_bootstrap_state WHERE conversation_id = 1 AND soft_reset_pruned_at = updated_at AND updated_at >= '" + now + "'",
			"SELECT count(*) FROM conversations WHERE conversation_id = 1 AND active = 1 AND updated_at = '2026-01-05 09:00:00'",
			"SELECT count(*) = 73 FROM messages WHERE conversation_id = 1",
		}},
		"new of 1.0 gives the batch up and notes nothing": {"v1.0/rich.db", &sessionkey.New{Conversation: 2, Retain: 1}, []string{
			"SELECT count(*) = 0 FROM context_items WHERE conversation_id = 2",
			"SELECT count(*) = 0 FROM pending_compaction_batches WHERE conversation_id = 2 AND status IN ('planning', 'ready', 'publishing')",
			"SELECT count(*) = 0 FROM pending_summary_nodes WHERE conversation_id = 2 AND (status IN ('planned', 'running', 'ready') OR lease_owner IS NOT NULL)",
		}},
		"new of an upgraded file leaves the old note": {"v1.0/upgraded.db", &sessionkey.New{Conversation: 6, Retain: sessionkey.KeepNone}, []string{
			"SELECT count(*) FROM conversation_bootstrap_state WHERE conversation_id = 6 AND soft_reset_pruned_at IS NULL AND updated_at = '2026-01-07 10:12:37'",
			"SELECT count(*) = 0 FROM context_items WHERE conversation_id = 6",
		}},
		"reset of 1.0 keeps the session and deletes the batch": {"v1.0/rich.db", &sessionkey.Reset{Conversation: 14}, []string{
			"SELECT count(*) = 2 FROM conversations WHERE session_key = 'agent:main:irc:chan:y' AND session_id = '88888888-0000-4000-8000-000000000004'",
			"SELECT count(*) = 0 FROM pending_compaction_batches WHERE conversation_id = 14 AND status IN ('planning', 'ready', 'publishing')",
		}},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Copy(t, testdb.Fixture(t, c.file))
			before := testdb.Dump(t, path)
			record := applied(t, path, c.op)
			for _, query := range c.want {
				if n, err := testdb.Count(path, query); err != nil || n != 1 {
					t.Errorf("%s: %d %v", query, n, err)
				}
			}
			db := openAlone(t, path, time.Now())
			must(t, ops.Undo(t.Context(), db, record))
			must(t, db.Close())
			if after := testdb.Dump(t, path); after != before { // But for batches, which stay stale.
				t.Error("undo doesn't give the file back")
			}
		})
	}
}

// TestLifecycleEqualsHost: on files of each level that knows an archive, ours and the host's own /new and /reset
// leave the same rows.
func TestLifecycleEqualsHost(t *testing.T) {
	t.Parallel()
	for _, level := range []fakehost.Level{"0.6.0", "0.12.0", fakehost.Head, fakehost.Beta} {
		for name, c := range testlength.SomeOf(map[string]struct {
			host func(h *fakehost.Host) error
			op   ops.Op
		}{
			"new":               {func(h *fakehost.Host) error { h.Config.RetainDepth = 2; return h.New(1) }, &sessionkey.New{Conversation: 1, Retain: 2}},
			"new from depth 1":  {func(h *fakehost.Host) error { h.Config.RetainDepth = 1; return h.New(1) }, &sessionkey.New{Conversation: 1, Retain: 1}},
			"new keeps all":     {func(h *fakehost.Host) error { h.Config.RetainDepth = -1; return h.New(1) }, &sessionkey.New{Conversation: 1, Retain: sessionkey.KeepAll}},
			"new of depth 0":    {func(h *fakehost.Host) error { h.Config.RetainDepth = 0; return h.New(1) }, &sessionkey.New{Conversation: 1}},
			"new keeps nothing": {func(h *fakehost.Host) error { h.Config.RetainDepth = 1 << 30; return h.New(1) }, &sessionkey.New{Conversation: 1, Retain: sessionkey.KeepNone}},
			"reset":             {func(h *fakehost.Host) error { _, err := h.Reset(1); return err }, &sessionkey.Reset{Conversation: 1}},
		}) {
			t.Run(fmt.Sprintf("%s of %s", name, level), func(t *testing.T) {
				t.Parallel()
				ours := testdb.Sample(t, level)
				theirs := testdb.Copy(t, ours)
				h, err := fakehost.Start(theirs, fakehost.Defaults())
				must(t, err)
				must(t, c.host(h))
				must(t, h.Close())
				applied(t, ours, c.op)
				if got, want := blurTimes(rowsOf(t, ours)), blurTimes(rowsOf(t, theirs)); got != want {
					t.Errorf("ours:\n%s\nthe host's:\n%s", got, want)
				}
			})
		}
	}
}

// blurTimes replaces the times of this run: two programs seldom write in the same second.
func blurTimes(s string) string {
	for back := range 30 {
		s = strings.ReplaceAll(s, time.Now().UTC().Add(-time.Duration(back)*time.Second).Format(fakehost.Seconds), "now")
	}
	return s
}

// TestEndReasons: every reason has what a host does for it.
func TestEndReasons(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	for reason, want := range map[string]struct {
		cause string // Empty where nothing is done.
		next  bool
	}{
		"": {"", false}, " ": {"", false}, "new": {"", false}, "unknown": {"", false}, "restart": {"", false}, "shutdown": {"", false}, " new ": {"", false},
		"deleted": {"session-deleted", false}, "reset": {"manual-reset", true}, "idle": {"session-end", true}, "daily": {"session-end", true},
		"clear": {"session-end", true}, "logout": {"session-end", true}, "compaction": {"session-end", true}, "NEW": {"session-end", true}, "Deleted": {"session-end", true},
	} {
		db := openAlone(t, path, time.Now())
		p, err := (&sessionkey.End{Conversation: 1, Reason: reason}).Plan(t.Context(), db, noReport)
		if want.cause == "" {
			if !errors.Is(err, ops.ErrNothing) {
				t.Errorf("%q: %v", reason, err)
			}
			continue
		}
		must(t, err)
		cause, inserted := "", 0
		for _, c := range p.Changes {
			if c.Table == "conversations" && c.Before == nil {
				inserted++
			} else if c.Table == "conversations" {
				cause = data.CellText(c.After["archive_cause"])
			}
		}
		if cause != want.cause || (inserted == 1) != want.next {
			t.Errorf("%q: cause %q, %d begin", reason, cause, inserted)
		}
	}
}

// TestFreshConversationsStay: where nothing was said, neither a reset nor an end changes anything; a deleted
// session is archived all the same.
func TestFreshConversationsStay(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	applied(t, path, &sessionkey.Reset{Conversation: 1})
	fresh := testdb.Rows(t, path, "SELECT max(conversation_id) FROM conversations")
	var id int64
	_, err := fmt.Sscan(fresh[0], &id)
	must(t, err)
	db := openAlone(t, path, time.Now())
	for _, op := range []ops.Op{&sessionkey.Reset{Conversation: id}, &sessionkey.End{Conversation: id, Reason: "idle"}, &sessionkey.New{Conversation: id, Retain: 2}} {
		if _, err := op.Plan(t.Context(), db, noReport); !errors.Is(err, ops.ErrNothing) {
			t.Errorf("%s: %v", op.Name(), err)
		}
	}
	if _, err := (&sessionkey.End{Conversation: id, Reason: "deleted"}).Plan(t.Context(), db, noReport); err != nil {
		t.Error(err)
	}
	testdb.Execute(t, path, fmt.Sprintf("UPDATE conversations SET bootstrapped_at = datetime('now') WHERE conversation_id = %d", id))
	if _, err := (&sessionkey.Reset{Conversation: id}).Plan(t.Context(), db, noReport); err != nil {
		t.Errorf("one that is bootstrapped isn't fresh: %v", err)
	}
}

// TestResetOfKeyWithoutConversation: a key all of whose conversations are archived gets another one of its
// newest session; an unknown one only of a session that is named.
func TestResetOfKeyWithoutConversation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, fakehost.Head)
	must(t, w.host.Close())
	for _, c := range []struct {
		op  sessionkey.Reset
		why string // Empty where it is done.
	}{
		{sessionkey.Reset{Key: liveKey}, "conversation 1 is active"},
		{sessionkey.Reset{Key: "agent:main:unknown"}, "its session isn't known"},
		{sessionkey.Reset{Key: " agent:main:x", NextSession: "s"}, "begins or ends with a blank"},
		{sessionkey.Reset{NextSession: "s"}, "no conversation can have this key"},
		{sessionkey.Reset{Key: oldKey}, ""},
		{sessionkey.Reset{Key: "agent:main:unknown", NextSession: "first"}, ""},
	} {
		db := openAlone(t, w.path, time.Now())
		p, err := c.op.Plan(t.Context(), db, noReport)
		if c.why != "" {
			if err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%+v: %v", c.op.Key, err)
			}
			continue
		}
		must(t, err)
		_, err = ops.Apply(t.Context(), db, p)
		must(t, err)
	}
	if n := w.count(t, "SELECT count(*) FROM conversations WHERE (session_key = '"+oldKey+"' AND session_id = 'old' OR session_key = 'agent:main:unknown' AND session_id = 'first') AND active = 1"); n != 2 {
		t.Errorf("%d began", n)
	}
}

// TestLifecycleRefusals: each file and conversation on which a host would do something else, with the reason.
func TestLifecycleRefusals(t *testing.T) {
	t.Parallel()
	var ignored, stateless settings.SessionFilter
	ignored.Ignore("ignoreSessionPatterns", "agent:main:*")
	stateless.Stateless("statelessSessionPatterns", "agent:*:main")
	none := func(*testing.T, *world) {}
	for name, c := range testlength.SomeOf(map[string]struct {
		level   fakehost.Level
		prepare func(*testing.T, *world)
		how     sessionkey.Lifecycle
		held    string // The process that has the file open.
		conv    int64
		why     string
		nothing bool
	}{
		"archived":           {fakehost.Head, none, sessionkey.Lifecycle{}, "", 2, "is archived", false},
		"before 0.6":         {"0.5.0", nil, sessionkey.Lifecycle{}, "", 1, "from before lossless-claw kept", false},
		"two of a key":       {fakehost.Head, twoOfKey, sessionkey.Lifecycle{}, "", 1, "conversation 2 is active under the same key", false},
		"a host has it open": {fakehost.Head, none, sessionkey.Lifecycle{}, "node (process 7)", 1, "node (process 7) has the file open", false},
		"ignored":            {fakehost.Head, none, sessionkey.Lifecycle{Filter: ignored}, "", 1, "the pattern agent:main:* of ignoreSessionPatterns", true},
		"stateless":          {fakehost.Head, none, sessionkey.Lifecycle{Filter: stateless}, "", 1, "the pattern agent:*:main of statelessSessionPatterns", true},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, c.level)
			if c.prepare != nil {
				w := newWorld(t, c.level)
				c.prepare(t, w)
				path = w.path
			}
			db := openAlone(t, path, time.Now())
			if c.held != "" {
				db.Holders = func(string) filesystem.Holders { return filesystem.Holders{Names: []string{c.held}, Known: true} }
			}
			for _, op := range []ops.Op{
				&sessionkey.New{Conversation: c.conv, Retain: 2, Lifecycle: c.how}, &sessionkey.Reset{Conversation: c.conv, Lifecycle: c.how},
				&sessionkey.End{Conversation: c.conv, Reason: "deleted", Lifecycle: c.how}, &sessionkey.End{Conversation: c.conv, Reason: "idle", Lifecycle: c.how},
			} {
				_, err := op.Plan(t.Context(), db, noReport)
				var refused *sessionkey.RefusedError
				if err == nil || !strings.Contains(err.Error(), c.why) || errors.Is(err, ops.ErrNothing) != c.nothing || errors.As(err, &refused) == c.nothing {
					t.Errorf("%s: %v", op.Name(), err)
				}
			}
		})
	}
}

// twoOfKey makes the fault that two conversations are active under one key.
func twoOfKey(t *testing.T, w *world) {
	t.Helper()
	w.exec(t, "DROP INDEX conversations_active_session_key_idx")
	w.exec(t, "UPDATE conversations SET active = 1, archived_at = NULL, session_key = '"+liveKey+"' WHERE conversation_id = 2")
}

// TestOwnProcessesAreNoHost: this program has files open as a server of tools, and in hooks. --offline is for
// other programs that are no hosts.
func TestOwnProcessesAreNoHost(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := openAlone(t, path, time.Now())
	db.Holders = func(string) filesystem.Holders {
		return filesystem.Holders{Names: []string{"lcm-tui (process 3)"}, Known: true}
	}
	if _, err := (&sessionkey.Reset{Conversation: 1}).Plan(t.Context(), db, noReport); err != nil {
		t.Error(err)
	}
	db.Holders = func(string) filesystem.Holders {
		return filesystem.Holders{Names: []string{"sqlite3 (process 3)"}, Known: true}
	}
	if _, err := (&sessionkey.Reset{Conversation: 1, Lifecycle: sessionkey.Lifecycle{Offline: true}}).Plan(t.Context(), db, noReport); err != nil {
		t.Error(err)
	}
}

// TestDoctorIsSilentAfterLifecycle: on healthy samples of every version with an archive, none of the operations
// leaves anything that the doctor warns of. Where no row notes the time of /new, it notes what left the context.
func TestDoctorIsSilentAfterLifecycle(t *testing.T) {
	t.Parallel()
	for _, level := range []fakehost.Level{"0.6.0", "0.9.0", "0.14.0", fakehost.Head, fakehost.Beta} {
		for _, op := range testlength.Some([]ops.Op{
			&sessionkey.New{Conversation: 1, Retain: 2}, &sessionkey.New{Conversation: 1, Retain: sessionkey.KeepNone}, &sessionkey.New{Conversation: 1, Retain: sessionkey.KeepAll},
			&sessionkey.Reset{Conversation: 1}, &sessionkey.End{Conversation: 1, Reason: "idle"},
		}) {
			t.Run(fmt.Sprintf("%s of %s", op.Name(), level), func(t *testing.T) {
				t.Parallel()
				path := testdb.Sample(t, level)
				was := findings(t, path)
				applied(t, path, op)
				for f := range findings(t, path) {
					if !was[f] {
						t.Error("the doctor finds", f)
					}
				}
			})
		}
	}
}

// findings returns what the doctor finds.
func findings(t *testing.T, path string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	db := openAlone(t, path, time.Now())
	defer func() { must(t, db.Close()) }()
	report, err := integrity.Check(t.Context(), db, integrity.Request{}, noReport)
	must(t, err)
	for _, f := range report.Findings {
		if f.Severity == integrity.Info {
			continue
		}
		out[fmt.Sprint(f.Fault, f.Conversation, f.Table, f.Row, f.Detail)] = true
	}
	return out
}
