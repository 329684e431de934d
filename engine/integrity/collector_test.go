package integrity_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/testlength"
)

// manyFaults are scripts that damage a file in each scope: rows of one conversation, rows
// that several share, and what belongs to the file.
var manyFaults = []string{
	"context-double", "context-missing-message", "negative-ordinal", "context-disorder", "dangling-edges", "no-sources", "depth-mismatch", "overlap",
	"diamond", "orphan-summary", "link-gaps", "counters-drift", "time-range", "message-replay", "partless", "bad-hash", "tool-unpaired", "undercounted",
	"marker-truncated", "summary-double", "fts-out-of-sync", "transcript-shared", "double-active-key", "rollover-split", "counter-behind",
	"cross-conversation", "note-dangling", "file-unreferenced", "compaction-owed", "compaction-failing", "focus-double", "archived-contradiction", "subagent",
}

// TestStepsFindWhatTheCheckFinds: what is passed on while a check runs is, at its end, the
// diagnosis that it returns.
func TestStepsFindWhatTheCheckFinds(t *testing.T) {
	t.Parallel()
	var live integrity.Collector
	parts := map[int64]int{}
	d := check(t, broken(t, manyFaults...), integrity.Request{OnPart: func(p integrity.Part) {
		parts[p.Conversation]++
		live.Add(p)
	}})
	got, conversations := live.Diagnosis()
	if diff := cmp.Diff(d, got); diff != "" {
		t.Errorf("the steps found something else:\n%s", diff)
	}
	if len(d.Findings) < len(manyFaults) || conversations < 2 || parts[1] != 1 || conversations != len(parts)-1 {
		t.Errorf("%d findings, %d conversations, in parts %v", len(d.Findings), conversations, parts)
	}
}

// TestACheckSaysWhereItStands: each check is named with its number, all of them come, and what reads
// every row of the file comes after the conversations.
func TestACheckSaysWhereItStands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		conversation int64
		want         []string
	}{
		{0, []string{
			"check 1 of 8: the file and what lies beside it", "check 2 of 8: what conversations share", "check 3 of 8: conversations",
			"check 4 of 8: files", "check 5 of 8: references", "check 6 of 8: search tables", "check 7 of 8: secrets", "check 8 of 8: pages",
		}},
		{1, []string{"check 1 of 2: what conversations share", "check 2 of 2: conversations"}},
	} {
		db, err := data.Open(t.Context(), broken(t, manyFaults...))
		if err != nil {
			t.Fatal(err)
		}
		var notes []string
		_, err = integrity.Check(t.Context(), db, integrity.Request{Conversation: c.conversation}, func(_, _ int, note string) {
			if len(notes) == 0 || notes[len(notes)-1] != note {
				notes = append(notes, note)
			}
		})
		if diff := cmp.Diff(c.want, notes); diff != "" || err != nil {
			t.Errorf("of conversation %d: %v\n%s", c.conversation, err, diff)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestStepsFindOnlyWhatIsAskedFor: a fault that isn't asked for isn't passed on either.
func TestStepsFindOnlyWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	var live integrity.Collector
	check(t, broken(t, manyFaults...), integrity.Request{
		Faults: []integrity.FaultID{integrity.LinkDangling}, OnPart: live.Add,
	})
	d, _ := live.Diagnosis()
	if len(d.Findings) == 0 {
		t.Error("nothing was passed on")
	}
	for _, f := range d.Findings {
		if f.Fault != integrity.LinkDangling {
			t.Errorf("%s was passed on", f.Fault)
		}
	}
}

// TestWhatIsKnownIsNotCheckedAgain: findings of single conversations are taken over, and
// the diagnosis is the same as without them.
func TestWhatIsKnownIsNotCheckedAgain(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const one, other = "sum_4047233931efe86e", "sum_690ab324ba5c54f0"
	path := broken(t, manyFaults...)
	alter(t, path, // A cycle that only the two conversations together show.
		"INSERT INTO summary_parents VALUES ('"+one+"', '"+other+"', 9)", "INSERT INTO summary_parents VALUES ('"+other+"', '"+one+"', 0)")
	want := check(t, path, integrity.Request{})
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	conversations, err := lcm.Conversations(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	known := map[int64][]integrity.Finding{}
	for _, c := range conversations {
		known[c.ID] = check(t, path, integrity.Request{Conversation: c.ID}).Findings
	}
	read := 0
	got := check(t, path, integrity.Request{KnownFindings: known, OnPart: func(p integrity.Part) {
		if p.Conversation != 0 && !p.FromKnown {
			read++
		}
	}})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with what is known the check finds something else:\n%s", diff)
	}
	if read > 0 {
		t.Errorf("%d conversations were checked again", read)
	}
}
