package prune_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/removal"
	"lcm-tui/ops/prune/selector"
)

// stateOf returns the host's state folder of a fixture of 1.0.
func stateOf(t *testing.T, name string) string {
	t.Helper()
	return filepath.Join(testdb.Fixtures(t), "v1.0/state-"+name)
}

// rowsOf counts the rows that a query answers with.
func rowsOf(t *testing.T, path, query string) int {
	t.Helper()
	n, err := testdb.Count(path, query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// same fails where a host of 1.0 would do otherwise after an operation than before.
func same(t *testing.T, before, after string, visible map[string][]fakehost.VisibleEntry) {
	t.Helper()
	for _, difference := range testdb.AnchoredDifferences(t, before, after, visible) {
		t.Error(difference)
	}
}

// TestCopiesGoFromFilesOfOne: those of the reference, and nothing that a model or a host sees changes.
func TestCopiesGoFromFilesOfOne(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v1.0/rich.db")
	was := testdb.Copy(t, path)
	db := open(t, path)
	before, shown := testdb.Dump(t, path), contexts(t, db)
	units := metadataUnits(t, path)
	p := plan(t, db, prune.Op{Verb: prune.Copies, Selector: everything()})
	if p.Set.Rows["message_parts"] != 706 || len(p.RefusedConversations) > 0 {
		t.Errorf("%d parts, refused %+v", p.Set.Rows["message_parts"], p.RefusedConversations)
	}
	out := apply(t, db, p)
	if got := units - metadataUnits(t, path); got != 138_152 {
		t.Errorf("%d units of metadata went", got)
	}
	if contexts(t, db) != shown {
		t.Error("a context is another one now")
	}
	same(t, was, path, testdb.Visible(t, stateOf(t, "rich")))
	if err := ops.Undo(t.Context(), db, out.Record); err != nil || testdb.Dump(t, path) != before {
		t.Errorf("undo gives another file, %v", err)
	}
}

// metadataUnits counts the metadata of all parts in units of UTF-16, in which the reference was measured.
func metadataUnits(t *testing.T, path string) (n int) {
	t.Helper()
	for _, text := range testdb.Rows(t, path, "SELECT metadata FROM message_parts WHERE metadata IS NOT NULL") {
		n += len(utf16.Encode([]rune(text)))
	}
	return n
}

// TestTextsBeforeTheNewestAnchor: without the rule of 500 messages and mileposts these texts of the reference's
// file may go, and the rows keep all by which a host knows them, but their entries.
func TestTextsBeforeTheNewestAnchor(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v1.0/rich.db")
	was := testdb.Copy(t, path)
	db := open(t, path)
	f := removal.Forgetting{Verb: "text", Title: "forget"}
	counts := map[int64]int{}
	for conv, session := range map[int64]string{1: "77777777-0000-4000-8000-000000000001", 3: "77777777-0000-4000-8000-000000000003"} {
		anchors, err := hostactivity.New(db.Now(), stateOf(t, "rich")).Anchors(t.Context(), db, hostactivity.Conversation{ID: conv, Session: session})
		if err != nil || len(anchors.Rows) == 0 {
			t.Fatal(anchors, err)
		}
		newest := anchors.Rows[len(anchors.Rows)-1]
		rule := removal.TextRule{Conversation: conv, Covered: true, Anchors: &removal.AnchorRule{Before: newest.Seq, Newest: []int64{newest.Message}}}
		ids, _, err := removal.Texts(t.Context(), db, rule, nil)
		if err != nil {
			t.Fatal(err)
		}
		counts[conv] = len(ids)
		f.Rules = append(f.Rules, rule)
	}
	if counts[1] != 513 || counts[3] != 82 {
		t.Errorf("these go: %v", counts)
	}
	const kept = "SELECT message_id, seq, role, token_count, identity_hash, stable_event_key, created_at FROM messages ORDER BY 1"
	rows, batches := testdb.Rows(t, path, kept), pendingRows(t, path)
	if _, err := removal.ForgetTexts(t.Context(), db, f, map[string]any{}, quiet); err != nil {
		t.Fatal(err)
	}
	const stubs = "FROM messages m WHERE m.content LIKE '[LCM Forgotten: %'"
	if n := rowsOf(t, path, "SELECT count(*) "+stubs); n != 595 {
		t.Errorf("%d texts are forgotten", n)
	}
	if n := rowsOf(t, path, "SELECT count(*) "+stubs+" AND (m.transcript_entry_id IS NOT NULL OR EXISTS (SELECT 1 FROM message_transcript_anchor_trust t WHERE t.message_id = m.message_id))"); n != 0 {
		t.Errorf("%d of them name entries still", n)
	}
	if !slices.Equal(testdb.Rows(t, path, kept), rows) || !slices.Equal(pendingRows(t, path), batches) {
		t.Error("rows lost what a host knows them by, or a batch changed")
	}
	same(t, was, path, testdb.Visible(t, stateOf(t, "rich")))
}

// pendingRows returns the pending tables.
func pendingRows(t *testing.T, path string) (out []string) {
	t.Helper()
	for _, table := range []string{data.PendingBatchTable, data.PendingNodeTable, data.PendingNodeMessageTable, data.PendingNodeChildTable} {
		out = append(out, testdb.Rows(t, path, "SELECT * FROM "+table+" ORDER BY 1, 2, 3")...)
	}
	return out
}

// longSession is a session of 1.0 with so many messages, all of which the host stored by starts, and summaries over what
// isn't in its fresh tail; its transcript lies in a database of the host.
type longSession struct {
	path, state string
	visible     map[string][]fakehost.VisibleEntry
	entries     []fakehost.VisibleEntry
}

const longID = "11111111-2222-4000-8000-000000000001"

// longFiles are the files of a session, made once for all tests.
type longFiles struct {
	sync.Mutex
	database, transcript []byte
	visible              map[string][]fakehost.VisibleEntry
	entries              []fakehost.VisibleEntry
}

// madeLong has the files by the number of messages.
var madeLong sync.Map

// newLongSession returns one with files of its own.
func newLongSession(t *testing.T, n int) longSession {
	t.Helper()
	found, _ := madeLong.LoadOrStore(n, new(longFiles))
	made := found.(*longFiles)
	made.Lock()
	defer made.Unlock()
	if made.database == nil {
		made.make(t, n)
	}
	s := longSession{path: filepath.Join(t.TempDir(), "lcm.db"), state: t.TempDir(), visible: made.visible, entries: slices.Clone(made.entries)}
	agent := filepath.Join(s.state, "agents", "main", "agent")
	err := errors.Join(os.MkdirAll(agent, 0o700), os.WriteFile(s.path, made.database, 0o600), os.WriteFile(filepath.Join(agent, "openclaw-agent.sqlite"), made.transcript, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// make makes the files. Every fourth text is a user's, and so are those of every tenth answer without
// an event key.
func (f *longFiles) make(t *testing.T, n int) {
	t.Helper()
	s := longSession{path: filepath.Join(t.TempDir(), "lcm.db")}
	events := []string{`{"type":"session","version":3,"id":"` + longID + `"}`}
	parent := "null"
	for i := range n {
		e := fakehost.VisibleEntry{ID: fmt.Sprint("entry", i), Role: "assistant", Content: fmt.Sprint("answer ", i, strings.Repeat(" and more", i%7)), At: time.Date(2026, 5, 1, 8, 0, i*10, 352e6, time.UTC)}
		key := ""
		switch {
		case i%4 == 0:
			e.Role, e.Content = "user", fmt.Sprint("question ", i)
		case i%10 != 0:
			e.EventKey, key = fmt.Sprint("assistant-response:r", i), fmt.Sprintf(`,"responseId":"r%d"`, i)
		}
		s.entries = append(s.entries, e)
		events = append(events, fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":%q,"message":{"role":%q,"content":[{"type":"text","text":%q}]%s}}`,
			e.ID, parent, e.At.Format(time.RFC3339Nano), e.Role, e.Content, key))
		parent = fmt.Sprintf("%q", e.ID)
	}
	file := testdb.AgentFile(t, 23, testdb.AgentSession{Key: "agent:main:main", ID: longID, Events: events, At: s.entries[0].At.UnixMilli()})
	f.visible = testdb.Visible(t, filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(file)))))
	w, err := fakehost.Create(s.path, fakehost.Beta)
	if err == nil {
		_, err = w.Conversation(fakehost.Conversation{SessionID: longID, SessionKey: "agent:main:main", Active: true, At: s.entries[0].At})
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.host(t, func(h *fakehost.Host) error {
		for i := 40; i <= n+39; i += 40 {
			if _, err := fakehost.Bootstrap(h, 1, s.entries[:min(i, n)]); err != nil {
				return err
			}
		}
		h.Config.LeafChunkTokens, h.Config.FreshTailCount = 200, 40
		_, err := h.Drain(1, 100)
		return err
	})
	for id := range f.visible {
		f.visible[id] = slices.Clip(f.visible[id]) // Tests add entries.
	}
	f.entries = s.entries
	database, err := os.ReadFile(s.path)
	transcript, failed := os.ReadFile(file)
	if err = errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	f.database, f.transcript = database, transcript
}

// host runs a host on the session's file.
func (s longSession) host(t *testing.T, fn func(*fakehost.Host) error) {
	t.Helper()
	h, err := fakehost.Start(s.path, fakehost.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if err := fn(h); err != nil {
		t.Error(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
}

// branch returns the entries up to a place, and a turn that goes on from there.
func (s longSession) branch(n int) []fakehost.VisibleEntry {
	return append(slices.Clone(s.entries[:n]), testdb.NextEntries(s.entries, fmt.Sprint("branch ", n))...)
}

// forget plans and applies a prune of texts on the session's file.
func (s longSession) forget(t *testing.T, o prune.Op) (p ops.Plan, record int64) {
	t.Helper()
	db := open(t, s.path)
	o.Verb, o.Selector, o.StateFolder = prune.Text, everything(), s.state
	p = plan(t, db, o)
	if !p.Empty() {
		record = apply(t, db, p).Record
	}
	return p, record
}

const forgotten = "SELECT count(*) FROM messages WHERE content LIKE '[LCM Forgotten: %'"

// TestForgottenTextsOfOneStayAway: after texts were forgotten a host of 1.0 stores what it would have stored, at
// starts and between them; wherever a user goes back to, at most 32 older messages come back, and
// the conversation goes on. Pruned again, nothing more goes. Undo gives everything back.
func TestForgottenTextsOfOneStayAway(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newLongSession(t, 760)
	was := testdb.Copy(t, s.path)
	before := testdb.Dump(t, s.path)
	p, record := s.forget(t, prune.Op{})
	n := rowsOf(t, s.path, forgotten)
	if n < 200 || len(p.RefusedConversations) > 0 || p.Set.Rows["messages"] != int64(n) {
		t.Fatalf("%d texts were forgotten of %v planned, refused %+v", n, p.Set.Rows, p.RefusedConversations)
	}
	if first := rowsOf(t, s.path, forgotten+" AND seq = 1"); first != 0 {
		t.Error("the first message doesn't stay")
	}
	same(t, was, s.path, s.visible)
	s.branches(t, 32)
	if p, _ := s.forget(t, prune.Op{}); !p.Empty() {
		t.Errorf("pruned again, %v would go", p.Set.Rows)
	}
	if err := ops.Undo(t.Context(), open(t, s.path), record); err != nil || testdb.Dump(t, s.path) != before {
		t.Errorf("undo gives another file, %v: %s", err, cmp.Diff(strings.Split(before, "\n"), strings.Split(testdb.Dump(t, s.path), "\n"))[:3000])
	}
}

// branches lets a user go back to every few messages, after a start and with none between.
func (s longSession) branches(t *testing.T, most int) {
	t.Helper()
	step := 9
	if testlength.Short() {
		step = 71
	}
	for _, started := range []bool{false, true} {
		copied := longSession{path: testdb.Copy(t, s.path), entries: s.entries}
		copied.host(t, func(h *fakehost.Host) error {
			if started {
				if _, err := fakehost.Bootstrap(h, 1, s.entries); err != nil {
					return err
				}
			}
			for n := 1; n <= len(s.entries); n += step {
				out, err := fakehost.WouldImport(h, 1, s.branch(n))
				if err != nil {
					return err
				}
				if out.Archived || out.Frozen || len(out.Imported) > most+2 || !slices.Contains(out.Imported, fmt.Sprint("user branch ", n)) {
					t.Errorf("back at %d, started %t: %d entries come, archived %t", n, started, len(out.Imported), out.Archived)
				}
			}
			return nil
		})
	}
}

// TestMessagesOfUsersStay: with it nothing of a user comes back, wherever a user goes back to.
func TestMessagesOfUsersStay(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newLongSession(t, 640)
	s.host(t, func(h *fakehost.Host) error {
		return h.Exec("UPDATE messages SET stable_event_key = 'k' || seq WHERE role <> 'user'") // All that isn't a user's is known.
	})
	for i := range s.entries {
		if s.entries[i].Role != "user" {
			s.entries[i].EventKey = fmt.Sprint("k", i+1)
		}
	}
	s.forget(t, prune.Op{KeepUser: true})
	if n := rowsOf(t, s.path, forgotten); n < 80 || rowsOf(t, s.path, forgotten+" AND role = 'user'") > 0 {
		t.Errorf("%d texts were forgotten, users' among them", n)
	}
	s.branches(t, 0)
}

// TestTextsOfOneThatStay: where no start of the host vouches for what it stored, texts stay.
func TestTextsOfOneThatStay(t *testing.T) {
	t.Parallel()
	s := newLongSession(t, 600)
	const newest = " IN (SELECT message_id FROM messages ORDER BY seq DESC LIMIT "
	for _, c := range testlength.Some([]struct{ name, edit, why string }{
		{"no trust rows", "DELETE FROM message_transcript_anchor_trust", "nobody vouches for the entries of 600 messages (start the host once, and then repair what the doctor calls T12)"},
		{"distrusted", "UPDATE message_transcript_anchor_trust SET trust_state = 'suspect', reason = 'entry id lacks explicit trust' WHERE message_id" + newest + "1)", "T12"},
		{"no entries", "UPDATE messages SET transcript_entry_id = NULL; DELETE FROM message_transcript_anchor_trust", "start it once"},
		{"anchors before the texts alone", "UPDATE messages SET transcript_entry_id = NULL WHERE message_id" + newest + "599); DELETE FROM message_transcript_anchor_trust WHERE message_id" + newest + "599)", "no text qualifies"},
		{"masked transcript", "UPDATE messages SET content = content || '.'", "start it once"},
	}) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Copy(t, s.path)
			for _, e := range strings.Split(c.edit, "; ") {
				exec(t, path, e)
			}
			db := open(t, path)
			for _, verb := range []prune.Verb{prune.Text, prune.Payloads} {
				p := plan(t, db, prune.Op{Verb: verb, Selector: everything(), StateFolder: s.state, Payload: 1})
				want := c.why
				if verb == prune.Payloads {
					want = strings.ReplaceAll(want, "no text", "no payload")
				}
				if !p.Empty() || !strings.Contains(refusal(p, 1), want) {
					t.Errorf("%s: %v, %q, want %q", verb, p.Set.Rows, refusal(p, 1), want)
				}
			}
		})
	}
}

// TestUpgradedFilesWaitForTheRepair: a conversation of which the host distrusts entries isn't pruned; others are.
func TestUpgradedFilesWaitForTheRepair(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v1.0/upgraded.db")
	was := testdb.Copy(t, path)
	db := open(t, path)
	p := plan(t, db, prune.Op{Verb: prune.Text, Selector: everything(), StateFolder: stateOf(t, "upgraded")})
	if why := refusal(p, 6); !strings.Contains(why, "entries of 20 messages") || !strings.Contains(why, "T12") {
		t.Errorf("6: %q", why)
	}
	if refusal(p, 1) != "" || p.Set.Rows["messages"] == 0 {
		t.Errorf("1 is refused: %q", refusal(p, 1))
	}
	apply(t, db, p)
	same(t, was, path, testdb.Visible(t, stateOf(t, "upgraded")))
}

// TestHostThatStartsBetweenTurnsIsSeen: where the rows that vouch for the place of the host are others by
// the time of a turn, the conversation is left.
func TestHostThatStartsBetweenTurnsIsSeen(t *testing.T) {
	t.Parallel()
	s := newLongSession(t, 600)
	db := open(t, s.path)
	p := plan(t, db, prune.Op{Verb: prune.Text, Selector: selector.Selector{Conversations: []int64{1}}, StateFolder: s.state})
	exec(t, s.path, "UPDATE message_transcript_anchor_trust SET trust_state = 'suspect' WHERE message_id IN (SELECT message_id FROM messages ORDER BY seq DESC LIMIT 1)")
	if _, err := ops.ApplyPlan(t.Context(), db, p); err == nil || !strings.Contains(err.Error(), "by which the host finds its place") {
		t.Errorf("it says %v", err)
	}
	if n := rowsOf(t, s.path, forgotten); n > 0 {
		t.Errorf("%d texts were forgotten", n)
	}
}
