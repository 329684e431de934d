package sessionkey_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
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

// reset is a session of 82 entries with the conversation 1, which has the first 60 and was archived by a reset, and 2, which
// goes on and has taken entries in again from one on.
type reset struct {
	path    string
	host    sessionkey.Host
	visible []fakehost.VisibleEntry
}

// kinds of resets: how the host stored the second conversation, and from which entry on it has them.
type resetKind struct {
	committed bool // The newest 11 rows have no ids yet.
	from      int
	session   string // Of conversation 1.
}

func newReset(t *testing.T, k resetKind, more ...string) *reset {
	t.Helper()
	r := &reset{path: filepath.Join(t.TempDir(), "lcm.db"), visible: testdb.Entries(82)}
	w, err := fakehost.Create(r.path, fakehost.Beta)
	must(t, err)
	must(t, w.Close())
	h, err := fakehost.Start(r.path, fakehost.Defaults())
	must(t, err)
	if k.session == "" {
		k.session = "s"
	}
	_, err = h.Conversation(fakehost.Conversation{SessionID: k.session, SessionKey: liveKey, Active: true})
	must(t, err)
	r.store(t, h, 1, r.visible[:60], 60)
	must(t, h.Exec("UPDATE conversations SET active = 0, archived_at = datetime('now'), archive_cause = 'session-end' WHERE conversation_id = 1"))
	_, err = h.Conversation(fakehost.Conversation{SessionID: "s", SessionKey: liveKey, Active: true})
	must(t, err)
	ids := 82
	if k.committed {
		ids = 71
	}
	r.store(t, h, 2, r.visible[k.from:], ids-k.from)
	for _, statement := range more {
		must(t, h.Exec(statement))
	}
	must(t, h.Close())
	var events []string
	parent := "null"
	events = append(events, `{"type":"session","version":3,"id":"s","timestamp":"2026-05-01T08:00:00.000Z","cwd":"/"}`)
	for _, e := range r.visible {
		events = append(events, fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":%q,"content":[{"type":"text","text":%q}],"timestamp":%d}}`,
			e.ID, parent, e.At.Format("2006-01-02T15:04:05.000Z"), e.Role, e.Content, e.At.UnixMilli()))
		parent = fmt.Sprintf("%q", e.ID)
	}
	path := testdb.AgentFile(t, 23, testdb.AgentSession{Key: liveKey, ID: "s", Events: events})
	r.host = sessionkey.Host{Folder: filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(path))))}
	return r
}

// store stores entries, the first of them with ids for which the host vouches.
func (r *reset) store(t *testing.T, h *fakehost.Host, conv int64, some []fakehost.VisibleEntry, ids int) {
	t.Helper()
	for i, e := range some {
		m := fakehost.Message{Role: e.Role, Content: e.Content, EventKey: e.EventKey, At: e.At}
		if i < ids {
			m.EntryID = e.ID
		}
		_, err := h.Message(conv, m)
		must(t, err)
	}
	must(t, h.Exec(`INSERT INTO message_transcript_anchor_trust (message_id, conversation_id, transcript_entry_id, trust_state, source, verified_at)
		SELECT message_id, conversation_id, transcript_entry_id, 'verified', 'projection-audit', 'x' FROM messages WHERE transcript_entry_id IS NOT NULL AND conversation_id = ?`, conv))
	must(t, h.Exec("UPDATE conversations SET bootstrapped_at = datetime('now') WHERE conversation_id = ?", conv))
}

// play plays starts, turns and a replay of everything said in a conversation on a copy, and returns what was stored beside the turns.
func (r *reset) play(t *testing.T, conv int64) (out []string) {
	t.Helper()
	h, err := fakehost.Start(testdb.Copy(t, r.path), fakehost.Defaults())
	must(t, err)
	defer h.Close()
	visible := slices.Clone(r.visible)
	start := func(name string) {
		is, err := fakehost.Bootstrap(h, conv, visible)
		must(t, err)
		if is.Archived || is.Frozen || len(is.Imported) > 0 {
			out = append(out, fmt.Sprintf("%s: %+v", name, is))
		}
	}
	start("the first start")
	for i := range 3 {
		next := testdb.NextEntries(visible, fmt.Sprint("turn ", i))
		_, err := fakehost.CommitTurn(h, conv, fmt.Sprint("turn ", i), testdb.MessagesOf(next)...)
		must(t, err)
		visible = append(visible, next...)
		start(fmt.Sprint("the start after turn ", i))
	}
	if n, err := h.Replay(conv, testdb.MessagesOf(visible)); err != nil || n > 0 {
		out = append(out, fmt.Sprintf("a replay stores %d (%v)", n, err))
	}
	return out
}

// number returns what a query counts.
func (r *reset) number(t *testing.T, query string) string {
	t.Helper()
	return testdb.Rows(t, r.path, query)[0]
}

// TestMoveTakesTheRows that only the living conversation has: then a host stores nothing twice, whichever
// way it stored them, and a second move back restores the file but for times of archiving and places.
func TestMoveTakesTheRows(t *testing.T) {
	t.Parallel()
	for name, k := range testlength.SomeOf(map[string]resetKind{
		"all entries, all with ids":      {},
		"all entries, the newest none":   {committed: true},
		"the second half, all with ids":  {from: 41},
		"the second half, the rest none": {committed: true, from: 41},
		"only what came since":           {from: 60},
		"another session":                {session: "before"},
		"another session, no ids":        {session: "before", committed: true},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReset(t, k)
			before := r.dump(t)
			counts := "SELECT (SELECT count(*) FROM messages) || ' ' || (SELECT count(*) FROM context_items) || ' ' || (SELECT count(*) FROM message_transcript_anchor_trust)"
			was := r.number(t, counts)
			if k.from == 0 {
				if d := r.play(t, 2); len(d) > 0 {
					t.Fatalf("the host stores twice before the move: %q", d)
				}
			}
			db, p, err := planOne(t, r.path, &sessionkey.Move{Conversation: 1, To: 2, Host: r.host})
			must(t, err)
			record, err := ops.Apply(t.Context(), db, p)
			must(t, err)
			for query, want := range map[string]string{
				counts: was,
				"SELECT group_concat(conversation_id || session_id || active || (archived_at IS NULL) || (bootstrapped_at IS NOT NULL)) FROM conversations":                                     "1s111,2s001",
				"SELECT count(*) FROM messages m JOIN message_transcript_anchor_trust t USING (message_id) WHERE m.conversation_id <> t.conversation_id":                                        "0",
				"SELECT count(*) FROM messages m JOIN context_items c USING (message_id) WHERE m.conversation_id <> c.conversation_id":                                                          "0",
				"SELECT count(*) FROM (SELECT max(ordinal) + 1 - count(*) AS gap FROM context_items GROUP BY conversation_id) WHERE gap <> 0":                                                   "0",
				"SELECT max(seq) - count(*) FROM messages WHERE conversation_id = 1":                                                                                                            "0",
				"SELECT count(*) FROM messages m WHERE conversation_id = 1 AND EXISTS (SELECT 1 FROM messages o WHERE o.message_id < m.message_id AND o.conversation_id = 1 AND o.seq > m.seq)": "0",
				"SELECT count(*) FROM messages WHERE conversation_id = 2 AND created_at > '2026-05-01 09:00:59'":                                                                                "0",
			} {
				if is := r.number(t, query); is != want {
					t.Errorf("%s: %s, want %s", query, is, want)
				}
			}
			if d := r.play(t, 1); len(d) > 0 {
				t.Errorf("after the move the host stores %q", d)
			}
			moved := testdb.Copy(t, r.path)
			must(t, ops.Undo(t.Context(), db, record))
			must(t, db.Close())
			if r.dump(t) != before {
				t.Error("undo doesn't restore the file")
			}
			if k.from > 0 || k.session != "" {
				return // The first conversation has rows of its own, which would come along.
			}
			r.path = moved
			db, p, err = planOne(t, r.path, &sessionkey.Move{Conversation: 2, To: 1, Host: r.host})
			must(t, err)
			_, err = ops.Apply(t.Context(), db, p)
			must(t, err)
			if is, want := blind(r.dump(t)), blind(before); is != want {
				t.Error("a move back doesn't restore the file")
			}
		})
	}
}

func (r *reset) dump(t *testing.T) string { t.Helper(); return testdb.Dump(t, r.path) }

// archivedAt matches a time of archiving.
var archivedAt = regexp.MustCompile(`archived_at="[^"]*"`)

// blind returns a dump without what a move there and back changes: times of archiving.
func blind(dump string) string { return archivedAt.ReplaceAllString(dump, "archived_at=…") }

// TestMovesThatAreRefused: where a host would store the session again, or rows would be torn from their summaries.
func TestMovesThatAreRefused(t *testing.T) {
	t.Parallel()
	const summary = `INSERT INTO summaries (summary_id, conversation_id, kind, content, token_count) VALUES ('sum_x', 2, 'leaf', 'x', 1);
		INSERT INTO summary_messages (summary_id, message_id, ordinal) SELECT 'sum_x', max(message_id), 0 FROM messages WHERE conversation_id = 2`
	const first = ";INSERT INTO summary_messages (summary_id, message_id, ordinal) SELECT 'sum_x', min(message_id), 1 FROM messages WHERE conversation_id = 2"
	const above = `;INSERT INTO summaries (summary_id, conversation_id, kind, content, token_count) VALUES ('sum_y', 2, 'leaf', 'y', 1), ('sum_z', 2, 'condensed', 'z', 1);
		INSERT INTO summary_messages (summary_id, message_id, ordinal) SELECT 'sum_y', min(message_id), 0 FROM messages WHERE conversation_id = 2;
		INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES ('sum_z', 'sum_x', 0), ('sum_z', 'sum_y', 1)`
	const brief = `;INSERT INTO focus_briefs (brief_id, conversation_id, prompt, content, token_count, status) VALUES ('b', 2, 'p', 'c', 1, 'active');
		INSERT INTO focus_brief_sources (brief_id, summary_id, ordinal, role) VALUES ('b', 'sum_x', 0, 'source')`
	for name, c := range testlength.SomeOf(map[string]struct {
		kind   resetKind
		before string
		why    string
	}{
		"no anchor moves":             {resetKind{committed: true, from: 71}, "", "hasn't vouched"},
		"nobody vouches":              {resetKind{}, "DELETE FROM message_transcript_anchor_trust", "hasn't vouched"},
		"the texts are others":        {resetKind{}, "UPDATE messages SET content = content || '.' WHERE conversation_id = 2", "hasn't vouched"},
		"a summary was made of some":  {resetKind{}, summary + first, "summary sum_x of conversation 2 was made of messages that would move, and of others"},
		"a deeper one was":            {resetKind{}, summary + above, "summary sum_z of conversation 2 was made of messages that would move, and of others"},
		"a brief was made of it":      {resetKind{}, summary + brief, "a focus brief of conversation 2 was made of the summary sum_x"},
		"the living one has no key":   {resetKind{}, "UPDATE conversations SET session_key = NULL WHERE conversation_id = 2", "no session key"},
		"it lives itself":             {resetKind{}, "UPDATE conversations SET active = 1, session_key = 'agent:main:other', archived_at = NULL WHERE conversation_id = 1", "active itself"},
		"the other one is archived":   {resetKind{}, "UPDATE conversations SET active = 0 WHERE conversation_id = 2", "archived"},
		"it is the same conversation": {resetKind{}, "", ""},
	}) {
		r := newReset(t, c.kind, strings.Split(c.before, ";")...)
		op := &sessionkey.Move{Conversation: 1, To: 2, Host: r.host}
		if c.why == "" {
			op.To = 1
		}
		_, _, err := planOne(t, r.path, op)
		var refused *sessionkey.RefusedError
		if c.why == "" && errors.Is(err, ops.ErrNothing) {
			continue
		}
		if !errors.As(err, &refused) || !strings.Contains(refused.Why, c.why) || refused.Hint() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMoveWithNothingToMove: an anchor at the end of the session is enough.
func TestMoveWithNothingToMove(t *testing.T) {
	t.Parallel()
	r := newReset(t, resetKind{})
	testdb.Execute(t, r.path, "DELETE FROM context_items WHERE conversation_id = 2", "DELETE FROM messages WHERE conversation_id = 2",
		"UPDATE conversations SET active = 0", "UPDATE conversations SET active = 1 WHERE conversation_id = 1")
	h, err := fakehost.Start(r.path, fakehost.Defaults())
	must(t, err)
	_, err = fakehost.Bootstrap(h, 1, r.visible)
	must(t, err)
	must(t, h.Exec("UPDATE conversations SET active = 0"))
	must(t, h.Exec("UPDATE conversations SET active = 1 WHERE conversation_id = 2"))
	must(t, h.Close())
	db, p, err := planOne(t, r.path, &sessionkey.Move{Conversation: 1, To: 2, Host: r.host})
	must(t, err)
	before := r.dump(t)
	record, err := ops.Apply(t.Context(), db, p)
	must(t, err)
	if d := r.play(t, 1); len(d) > 0 {
		t.Errorf("after the move the host stores %q", d)
	}
	must(t, ops.Undo(t.Context(), db, record))
	if r.dump(t) != before {
		t.Error("undo doesn't restore the file")
	}
}

// TestMoveWantsTheFileAlone, when it is planned, written and undone, and writes nothing otherwise.
func TestMoveWantsTheFileAlone(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	r := newReset(t, resetKind{committed: true})
	op := &sessionkey.Move{Conversation: 1, To: 2, Host: r.host}
	db, p, err := planOne(t, r.path, op)
	must(t, err)
	before := r.dump(t)
	testdb.BesideHost(db)
	if _, err := op.Plan(t.Context(), db, noReport); !errors.As(err, new(*sessionkey.RefusedError)) {
		t.Errorf("planned beside a host: %v", err)
	}
	if _, err := ops.Apply(t.Context(), db, p); !errors.Is(err, data.ErrInUse) || r.dump(t) != before {
		t.Errorf("written beside a host: %v", err)
	}
	testdb.WithoutHost(db)
	record, err := ops.Apply(t.Context(), db, p)
	must(t, err)
	testdb.BesideHost(db)
	if err := ops.Undo(t.Context(), db, record); !errors.Is(err, data.ErrInUse) {
		t.Errorf("undone beside a host: %v", err)
	}
}

// TestUndoOfAMove: a host that only compared what it has is no reason against it; one that has stored
// a row is.
func TestUndoOfAMove(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, stores := range []bool{false, true} {
		r := newReset(t, resetKind{committed: true})
		db, p, err := planOne(t, r.path, &sessionkey.Move{Conversation: 1, To: 2, Host: r.host})
		must(t, err)
		record, err := ops.Apply(t.Context(), db, p)
		must(t, err)
		h, err := fakehost.Start(r.path, fakehost.Defaults())
		must(t, err)
		_, err = fakehost.Bootstrap(h, 1, r.visible)
		must(t, err)
		if stores {
			_, err = fakehost.CommitTurn(h, 1, "turn", fakehost.Message{Role: "user", Content: "and then?"})
			must(t, err)
		}
		must(t, h.Close())
		err = ops.Undo(t.Context(), db, record)
		if stores {
			if !errors.As(err, new(*data.StaleError)) {
				t.Errorf("undone after the host stored a row: %v", err)
			}
			continue
		}
		must(t, err)
		if n := r.number(t, "SELECT count(*) FROM messages m JOIN message_transcript_anchor_trust t USING (message_id) WHERE m.conversation_id <> t.conversation_id"); n != "0" {
			t.Errorf("%s anchors are left behind", n)
		}
		if d := r.play(t, 2); len(d) > 0 {
			t.Errorf("after the undo the host stores %q", d)
		}
	}
}

// TestMoveOnTheReference: of the file that a host wrote, the conversation after a reset gives its place to the one before it.
func TestMoveOnTheReference(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	state := filepath.Join(testdb.Fixtures(t), "v1.0/state-rich")
	path := testdb.Fixture(t, "v1.0/rich.db")
	visible := testdb.Visible(t, state)
	r := &reset{path: path, host: sessionkey.Host{Folder: state}, visible: visible["77777777-0000-4000-8000-000000000005"]}
	before := r.dump(t)
	db, p, err := planOne(t, path, &sessionkey.Move{Conversation: 5, To: 6, Host: r.host})
	must(t, err)
	out, err := ops.ApplyPlan(t.Context(), db, p)
	must(t, err)
	if out.DeletedBatches != 2 {
		t.Errorf("%d batches were deleted", out.DeletedBatches)
	}
	if d := r.play(t, 5); len(d) > 0 {
		t.Errorf("the host stores %q", d)
	}
	must(t, ops.Undo(t.Context(), db, out.Record))
	if r.dump(t) != before {
		t.Error("undo doesn't restore the file")
	}
}
