package fakehost_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// world is a session of which the host stored 82 entries.
type world struct {
	*fakehost.Host
	t       *testing.T
	visible []fakehost.VisibleEntry
}

// newWorld returns a session. Committed ones were stored while the host ran, with a start after
// the first 70; the other was stored by starts.
func newWorld(t *testing.T, committed bool) *world {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, fakehost.Beta)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = w.Conversation(fakehost.Conversation{SessionID: "s", SessionKey: "agent:main:main", Active: true}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	h, err := fakehost.Start(path, fakehost.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	h.Config.FreshTailCount = 30
	out := &world{h, t, testdb.Entries(82)}
	for i := 0; i < 82; i += 2 {
		if !committed || i == 0 {
			out.start(out.visible[:i+2])
			continue
		}
		if _, err := fakehost.CommitTurn(h, 1, fmt.Sprint("turn", i), testdb.MessagesOf(out.visible[i:i+2])...); err != nil {
			t.Fatal(err)
		}
		if i%10 == 8 && i < 70 {
			out.start(out.visible[:i+2])
		}
	}
	return out
}

// start plays a start and returns what it did.
func (w *world) start(visible []fakehost.VisibleEntry) fakehost.Bootstrapped {
	w.t.Helper()
	out, err := fakehost.Bootstrap(w.Host, 1, visible)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// edit runs statements on the file as another program would.
func (w *world) edit(statements ...string) {
	w.t.Helper()
	for _, s := range statements {
		if err := w.Exec(s); err != nil {
			w.t.Fatal(err)
		}
	}
}

// count returns the number that a query answers with.
func (w *world) count(query string) (n int) {
	w.t.Helper()
	if err := w.Read([]any{&n}, query); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// remove deletes messages and what refers to them.
func remove(where string) []string {
	in := "message_id IN (SELECT message_id FROM messages WHERE " + where + ")"
	return []string{"DELETE FROM context_items WHERE " + in, "DELETE FROM message_parts WHERE " + in, "DELETE FROM messages WHERE " + where}
}

const stubs = "UPDATE messages SET content = '[LCM Forgotten: ' || role || ' message ' || seq || ']' WHERE seq "

// TestStartImports: what a start of a 1.0 host stores after rows were edited, as the real one was
// seen to do. The host is played by the same rules for what tests of operations want.
func TestStartImports(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, c := range []struct {
		name      string
		committed bool
		edits     []string
		first     int // Entries that the next start stores.
		later     int // Those that come after a turn is committed, and the host starts again.
	}{
		{name: "nothing was edited"},
		{name: "nothing was edited in committed rows", committed: true},
		{name: "texts before the newest anchor were replaced", edits: []string{stubs + "<= 46"}},
		{name: "the same of committed rows", committed: true, edits: []string{stubs + "<= 46"}},
		{name: "every row was deleted", edits: remove("1"), first: 82},
		{name: "all rows but the newest were deleted", edits: remove("seq < 82")},
		{name: "the newest rows were deleted", edits: remove("seq > 76"), first: 6},
		{name: "the newest texts were replaced", edits: []string{stubs + "> 74"}, first: 4},
		{name: "the newest texts were replaced, and their event keys are gone", edits: []string{stubs + "> 74", "UPDATE messages SET stable_event_key = NULL WHERE seq > 74"}, first: 8},
		{name: "every text was replaced", edits: []string{stubs + "> 0"}, later: 1},
		{name: "nobody vouches for the entries", committed: true, edits: []string{"DELETE FROM message_transcript_anchor_trust", "UPDATE messages SET stable_event_key = NULL"}, first: 1, later: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.committed)
			w.edit(c.edits...)
			would, err := fakehost.WouldImport(w.Host, 1, w.visible)
			if got := w.start(w.visible); err != nil || !slices.Equal(got.Imported, would.Imported) || got.Archived || len(got.Imported) != c.first {
				t.Errorf("it stores %+v and would have stored %+v (%v), want %d entries", got, would, err, c.first)
			}
			if again := w.start(w.visible); len(again.Imported) > 0 {
				t.Errorf("the next start stores %v", again.Imported)
			}
			next := testdb.Entries(84)
			if _, err := fakehost.CommitTurn(w.Host, 1, "next", testdb.MessagesOf(next[82:])...); err != nil {
				t.Fatal(err)
			}
			if got := w.start(next); len(got.Imported) != c.later {
				t.Errorf("after a turn it stores %v, want %d entries", got.Imported, c.later)
			}
		})
	}
}

// TestAuditTakesEntriesOfOtherTexts: rows whose text was replaced lose their entries, and the host
// notes behind which entry its memory begins.
func TestAuditTakesEntriesOfOtherTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	w.edit(stubs + "<= 46")
	w.start(w.visible)
	if n := w.count("SELECT count(*) FROM messages WHERE transcript_entry_id IS NULL"); n != 46 {
		t.Errorf("%d rows have no entry", n)
	}
	if n := w.count("SELECT count(*) FROM message_transcript_anchor_trust WHERE trust_state = 'suspect' AND reason = 'entry id content mismatch'"); n != 46 {
		t.Errorf("%d rows are distrusted", n)
	}
	if n := w.count("SELECT count(*) FROM conversation_transcript_epochs WHERE migration_mode = 'legacy_prefix' AND frontier_entry_id = 'e80'"); n != 1 {
		t.Error("no epoch begins behind the last entry but one")
	}
}

// TestBranchNeedsAnAnchor: a user goes back to an earlier message. Without a row on that way that
// vouches for an entry the host ends the conversation; with one, what lies between comes back.
func TestBranchNeedsAnAnchor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	branch := append(slices.Clone(w.visible[:30]), testdb.Entries(84)[82:]...)
	if out, err := fakehost.WouldImport(w.Host, 1, branch); err != nil || len(out.Imported) != 2 || out.Archived {
		t.Errorf("with all texts: %+v, %v", out, err)
	}
	w.edit(stubs + "BETWEEN 26 AND 46")
	w.start(w.visible)
	if out, err := fakehost.WouldImport(w.Host, 1, branch); err != nil || len(out.Imported) != 4 || out.Archived {
		t.Errorf("with an anchor before: %+v, %v", out, err) // Two of the user, and the new ones.
	}
	w.edit(stubs + "<= 46")
	w.start(w.visible)
	if out, err := fakehost.WouldImport(w.Host, 1, branch); err != nil || !out.Archived {
		t.Errorf("with no anchor: %+v, %v", out, err)
	}
	w.edit("UPDATE conversations SET bootstrapped_at = NULL")
	if out, err := fakehost.WouldImport(w.Host, 1, branch); err != nil || !out.Frozen {
		t.Errorf("where no start was finished: %+v, %v", out, err)
	}
}

// TestReceiptKeepsATurnOut: a turn that has a receipt isn't stored again, and one of another
// payload is an error.
func TestReceiptKeepsATurnOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	last := testdb.MessagesOf(w.visible[80:])
	if ids, err := fakehost.CommitTurn(w.Host, 1, "turn80", last...); err != nil || len(ids) > 0 {
		t.Errorf("it stores %v, %v", ids, err)
	}
	last[0].Content = "another text"
	if _, err := fakehost.CommitTurn(w.Host, 1, "turn80", last...); err == nil {
		t.Error("another text is no error")
	}
	w.edit("DELETE FROM turn_advancements")
	if ids, err := fakehost.CommitTurn(w.Host, 1, "turn80", last...); err != nil || len(ids) != 2 {
		t.Errorf("without the receipt it stores %v, %v", ids, err)
	}
}
