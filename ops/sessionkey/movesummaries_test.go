package sessionkey_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
)

// summarized has a host summarize the second conversation of a reset, which lacks nothing of what it was made of.
func (r *reset) summarized(t *testing.T, conv int64) {
	t.Helper()
	h, err := fakehost.Start(r.path, fakehost.Defaults())
	must(t, err)
	h.Config.LeafChunkTokens, h.Config.FreshTailCount, h.Config.LeafMinFanout = 8, 4, 2
	_, err = h.Drain(conv, 100)
	must(t, err)
	h.Config.CondensedTarget, h.Config.LeafChunkTokens = 1, 60
	if c, ok, err := h.ChooseCondensed(conv, 2, true); err != nil || !ok {
		t.Fatalf("nothing is condensed: %v", err)
	} else if _, err := h.Write(c, "what was said until then"); err != nil {
		t.Fatal(err)
	}
	must(t, h.Close())
}

// reachable counts the messages of a conversation that its context or a summary in it has.
const reachable = `WITH RECURSIVE seen (id) AS (SELECT summary_id FROM context_items WHERE conversation_id = 1 AND summary_id IS NOT NULL
	UNION SELECT p.parent_summary_id FROM summary_parents p JOIN seen ON p.summary_id = seen.id)
	SELECT count(*) FROM messages WHERE conversation_id = 1 AND message_id IN (SELECT message_id FROM context_items WHERE conversation_id = 1 UNION SELECT message_id FROM summary_messages WHERE summary_id IN seen)`

// TestSummariesMoveWithTheirMessages: where all that a summary was made of moves, it moves too. Every message can be reached,
// no link leads to another conversation, the doctor finds nothing new, the host stores nothing, and undo restores the file.
func TestSummariesMoveWithTheirMessages(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	r := newReset(t, resetKind{from: 60})
	r.summarized(t, 2)
	summaries := r.number(t, "SELECT count(*) FROM summaries WHERE conversation_id = 2")
	if deep := r.number(t, "SELECT max(depth) FROM summaries"); summaries == "0" || deep == "0" {
		t.Fatalf("the host made %s summaries, of depth %s at most", summaries, deep)
	}
	before, was := r.dump(t), findings(t, r.path)
	db, p, err := planOne(t, r.path, &sessionkey.Move{Conversation: 1, To: 2, Host: r.host})
	must(t, err)
	record, err := ops.Apply(t.Context(), db, p)
	must(t, err)
	for query, want := range map[string]string{
		"SELECT count(*) FROM summaries WHERE conversation_id = 1": summaries,
		reachable: "82",
		"SELECT count(*) FROM summary_messages l JOIN summaries s USING (summary_id) JOIN messages m USING (message_id) WHERE s.conversation_id <> m.conversation_id": "0",
		"SELECT count(*) FROM context_items c JOIN summaries s USING (summary_id) WHERE s.conversation_id <> c.conversation_id":                                       "0",
	} {
		if is := r.number(t, query); is != want {
			t.Errorf("%s: %s, want %s", query, is, want)
		}
	}
	for f := range findings(t, r.path) {
		if !was[strings.Replace(f, "1summaries", "2summaries", 1)] { // What it had found of the summaries goes with them.
			t.Error("the doctor finds", f)
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

	// A summary that a host has made of one that moved, and of another since, keeps it where it is.
	r.path = moved
	h, err := fakehost.Start(r.path, fakehost.Defaults())
	must(t, err)
	at, err := testdb.Count(r.path, "SELECT min(ordinal) FROM context_items WHERE conversation_id = 1 AND summary_id IS NOT NULL")
	must(t, err)
	c, ok, err := h.Choose(1, int64(at), int64(at)+1)
	must(t, err)
	_, err = h.Write(c, "what was said until then")
	must(t, err)
	must(t, h.Close())
	moved = r.dump(t)
	db = testdb.Open(t, r.path)
	testdb.WithoutHost(db)
	if err := ops.Undo(t.Context(), db, record); err == nil || !ok || r.dump(t) != moved {
		t.Errorf("undone after the host summarized what moved: %v", err)
	}
}

// TestMoveWhereNobodyTellsWhoHasTheFileOpen: it is refused, with what can be done instead.
func TestMoveWhereNobodyTellsWhoHasTheFileOpen(t *testing.T) {
	t.Parallel()
	db := openAlone(t, one(t), time.Now())
	db.Holders = func(string) filesystem.Holders { return filesystem.Holders{} }
	_, err := (&sessionkey.Move{Conversation: 2, To: 1}).Plan(t.Context(), db, noReport)
	var refused *sessionkey.RefusedError
	if !errors.As(err, &refused) || refused.Hint() == "" || errors.Is(err, data.ErrInUse) {
		t.Fatal(err)
	}
	const want = "move it on Linux, macOS or FreeBSD, in WAL mode; or lcm-tui transplant 2 1 copies the memory of conversation 2 into the living one"
	if refused.Hint() != want {
		t.Errorf("%s, want %s", refused.Hint(), want)
	}
}
