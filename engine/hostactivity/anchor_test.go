package hostactivity_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// anchorsOf reads the anchors of a conversation, beside the host's state folder or without one.
func anchorsOf(t *testing.T, db *data.DB, state string, conv int64, session string) *hostactivity.Anchors {
	t.Helper()
	a, err := hostactivity.New(now, state).Anchors(t.Context(), db, hostactivity.Conversation{ID: conv, Session: session})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestAnchorsOfTheReference: what the trust rows of real files say, alone and compared with the transcripts: the host
// vouches for one message whose payload lies in a file, which its next start finds to differ.
func TestAnchorsOfTheReference(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, want := range map[string]map[int64][3]int{
		"rich":     {1: {3, 3}, 2: {79, 78}, 3: {1, 1}, 4: {10, 10}, 5: {}, 6: {29, 29}, 8: {6, 6}, 9: {}},
		"upgraded": {1: {1, 1}, 6: {23, 23, 20}},
	} {
		db := testdb.Open(t, testdb.Fixture(t, "v1.0/"+name+".db"))
		sessions := map[int64]string{}
		err := db.EachRow(t.Context(), "read", "SELECT conversation_id, session_id FROM conversations", nil, func(scan data.RowScanner) error {
			var conv int64
			var session string
			err := scan(&conv, &session)
			sessions[conv] = session
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, state := range []string{"", filepath.Join(testdb.Fixtures(t), "v1.0/state-"+name)} {
			for conv, w := range want {
				a := anchorsOf(t, db, state, conv, sessions[conv])
				if len(a.Rows) != w[i] || a.Distrusted != w[2] || a.Compared != (state != "") {
					t.Errorf("%s, conversation %d, state %q: %d anchors, %d distrusted, compared %t", name, conv, state, len(a.Rows), a.Distrusted, a.Compared)
				}
			}
		}
	}
}

// TestWhatIsNoAnchor: rows that look like one.
func TestWhatIsNoAnchor(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v1.0/rich.db")
	state := filepath.Join(testdb.Fixtures(t), "v1.0/state-rich")
	w, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	db := testdb.Open(t, path)
	count := func() int {
		return len(anchorsOf(t, db, state, 8, "77777777-0000-4000-8000-000000000008").Rows)
	}
	if n := count(); n != 6 {
		t.Fatalf("%d anchors", n)
	}
	const newest = " = (SELECT max(message_id) FROM messages WHERE conversation_id = 8)"
	for i, edit := range []string{
		"UPDATE messages SET content = content || '.' WHERE message_id" + newest, // The host masks its transcript, or another program edits the row.
		"UPDATE message_transcript_anchor_trust SET transcript_entry_id = 'other' WHERE message_id" + newest + " - 1",
		"UPDATE message_transcript_anchor_trust SET conversation_id = 1 WHERE message_id" + newest + " - 2",
		"UPDATE message_transcript_anchor_trust SET trust_state = 'suspect', reason = 'entry id lacks explicit trust' WHERE message_id" + newest + " - 3",
		"DELETE FROM message_transcript_anchor_trust WHERE message_id" + newest + " - 4",
		"UPDATE messages SET transcript_entry_id = NULL WHERE message_id" + newest + " - 5",
	} {
		if err := w.Exec(edit); err != nil {
			t.Fatal(err)
		}
		if n := count(); n != 5-i {
			t.Errorf("after %s: %d anchors", edit, n)
		}
	}
}

// anchored returns anchors of so many bytes at the seqs from 1 on; a negative number is that of a user.
func anchored(t *testing.T, sizes ...int) *hostactivity.Anchors {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, fakehost.Beta)
	if err == nil {
		_, err = w.Conversation(fakehost.Conversation{SessionID: "s", Active: true})
	}
	for i, n := range sizes {
		m := fakehost.Message{Role: "assistant", EntryID: fmt.Sprint("e", i)}
		if n < 0 {
			m.Role, n = "user", -n
		}
		m.Content = string(slices.Repeat([]byte{'a'}, n))
		if n == 0 {
			m.EntryID, m.Content = "", data.ForgottenText("user", int64(i), now, 9, nil)
		}
		if err == nil {
			_, err = w.Message(1, m)
		}
	}
	if err == nil {
		err = w.Exec(`INSERT INTO message_transcript_anchor_trust (message_id, conversation_id, transcript_entry_id, trust_state, source, verified_at)
			SELECT message_id, conversation_id, transcript_entry_id, 'verified', 'x', 'x' FROM messages WHERE transcript_entry_id IS NOT NULL`)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return anchorsOf(t, testdb.Open(t, path), "", 1, "s")
}

// keptOf returns the mileposts before a seq, in order.
func keptOf(a *hostactivity.Anchors, before int64) (out []int64) {
	for id := range a.Mileposts(before) {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// TestMileposts: of 32 anchors in a row the shortest stays, a user's where it isn't long; no two that
// stay are farther apart than 32 rows.
func TestMileposts(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	sizes := slices.Repeat([]int{3000, 50, -60, 90}, 40)
	a := anchored(t, sizes...)
	if got := keptOf(a, 150); !slices.Equal(got, []int64{1, 3, 35, 67, 99, 131}) {
		t.Errorf("users' texts: %v", got)
	}
	long := slices.Clone(sizes)
	for i := range long {
		if long[i] < 0 {
			long[i] = -2049
		}
	}
	if got := keptOf(anchored(t, long...), 150); !slices.Equal(got, []int64{1, 2, 34, 66, 98, 130}) {
		t.Errorf("long texts of users: %v", got)
	}
	apart := slices.Repeat([]int{100}, 70)
	apart[0], apart[63] = 10, 10 // The shortest of two groups are far apart.
	if got := keptOf(anchored(t, apart...), 69); len(got) < 3 || largestStep(got) > 33 {
		t.Errorf("far apart: %v", got)
	}
	if n := a.Newest(); len(n) != 3 || n[0].Seq != 158 {
		t.Errorf("the newest are %+v", n)
	}
	if n := anchored(t).Newest(); len(n) > 0 {
		t.Errorf("nothing is an anchor, and yet these are: %+v", n)
	}
}

// TestMilepostsStayWhenPrunedAgain: what was pruned before counts, and so no milepost goes.
func TestMilepostsStayWhenPrunedAgain(t *testing.T) {
	t.Parallel()
	sizes := slices.Repeat([]int{3000, 50, -60, 90}, 40)
	first := keptOf(anchored(t, sizes...), 150)
	for i := range sizes[:149] {
		if !slices.Contains(first, int64(i)+1) {
			sizes[i] = 0
		}
	}
	if again := keptOf(anchored(t, sizes...), 150); !slices.Equal(again, first) {
		t.Errorf("%v and then %v", first, again)
	}
}

func largestStep(ids []int64) (most int64) {
	for i := range ids[1:] {
		most = max(most, ids[i+1]-ids[i])
	}
	return most
}
