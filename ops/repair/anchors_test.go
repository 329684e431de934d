package repair_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// anchorFaults are those of anchors.
var anchorFaults = integrity.Select(func(f integrity.Fault) bool { return f.ID.Area() == integrity.AnchorArea })

// repairableAnchors are those that a request by name repairs.
var repairableAnchors = slices.DeleteFunc(slices.Clone(anchorFaults), func(id integrity.FaultID) bool { return id == integrity.EpochOfOtherSession })

// withFault returns the findings of some faults.
func withFault(fs []integrity.Finding, ids ...integrity.FaultID) (out []integrity.Finding) {
	for _, f := range fs {
		if slices.Contains(ids, f.Fault) {
			out = append(out, f)
		}
	}
	return out
}

// TestAnchorRoundTrip repairs the faults of anchors in samples with one and with all of them.
func TestAnchorRoundTrip(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	groups := [][]string{}
	var all []string
	for _, name := range faults.NamesAt(fakehost.Beta) {
		if !strings.HasPrefix(name, "pending-") {
			groups, all = append(groups, []string{name}), append(all, name)
		}
	}
	for _, g := range append(groups, all) {
		t.Run(strings.Join(g, "+"), func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Beta, g...)
			o := &repair.Op{All: true, Faults: repairableAnchors}
			if !slices.Contains(g, "entry-unproven") { // Else an anchor that is deleted leaves more to do.
				o.Faults = slices.DeleteFunc(slices.Clone(o.Faults), func(id integrity.FaultID) bool { return id == integrity.EntryWithoutAnchor })
			}
			if slices.ContainsFunc(g, func(name string) bool {
				return strings.HasSuffix(name, "-repeated") || strings.HasSuffix(name, "-two-conversations")
			}) {
				o.Choices = map[string]string{"T09": "drop", "T10": "drop"}
			}
			before, after := roundTrip(t, path, open(t, path), o)
			if len(withFault(before, anchorFaults...)) == 0 {
				t.Error("nothing was found")
			}
			for _, f := range withFault(after, o.Faults...) {
				repeated := f.Fault == integrity.EntryInSeveralConversations || f.Fault == integrity.ArchivedHistoryRepeated
				if !repeated && (f.Fault != integrity.EntryWithoutAnchor || len(g) == 1) || repeated && f.Severity != integrity.Info {
					t.Errorf("still: %s: %s", place(f), f.Detail)
				}
			}
		})
	}
}

// TestAnchorRepairOfTheReference repairs what hosts left in their own files.
func TestAnchorRepairOfTheReference(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, name := range []string{"small", "rich", "upgraded", "upgraded-small", "faults/anchor-of-another-entry"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Fixture(t, "v1.0/"+name+".db")
			db := open(t, path)
			db.Now = func() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) }
			o := &repair.Op{All: true, Faults: slices.DeleteFunc(slices.Clone(repairableAnchors), func(id integrity.FaultID) bool { return id == integrity.EntryWithoutAnchor })}
			was := dump(t, path)
			p := apply(t, db, o)
			d, err := integrity.Check(t.Context(), db, integrity.Request{Faults: append(slices.Clone(o.Faults), "C09", "L01", "C06", "L10")}, noReport)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range d.AtLeast(integrity.Warn).Findings {
				t.Errorf("still: %s: %s", place(f), f.Detail)
			}
			if q, err := o.Plan(t.Context(), db, noReport); !errors.Is(err, ops.ErrNothing) {
				t.Errorf("planned again: %v, %s", err, q.Title)
			}
			records, err := change.History(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			if err := ops.Undo(t.Context(), db, records[0].ID); err != nil {
				t.Fatal(err)
			}
			if got := dump(t, path); got != was {
				t.Errorf("%s undone:\n%s", p.Title, cmp.Diff(was, got))
			}
		})
	}
}

// apply repairs a file and returns the plan.
func apply(t *testing.T, db *data.DB, o *repair.Op) ops.Plan {
	t.Helper()
	p, err := o.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTurnStoredAgain: the first row gets the entry and the trust row of the second, which goes
// although the conversation goes on.
func TestTurnStoredAgain(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Beta, "turn-again")
	apply(t, open(t, path), &repair.Op{All: true, Faults: []integrity.FaultID{integrity.TurnStoredAgain}})
	for query, want := range map[string]string{
		"SELECT message_id || ' ' || transcript_entry_id FROM messages WHERE transcript_entry_id IS NOT NULL ORDER BY 1":                                  "[50 entry-50 7 entry-7]",
		"SELECT message_id || ' ' || transcript_entry_id || ' ' || trust_state || ' ' || source FROM message_transcript_anchor_trust ORDER BY message_id": "[7 entry-7 verified transcript-import 50 entry-50 verified transcript-import]",
		"SELECT message_id FROM messages WHERE message_id > 9000":                                                                                         "[]",
		"SELECT message_id FROM context_items WHERE message_id > 9000":                                                                                    "[]",
	} {
		if got := fmt.Sprint(testdb.Rows(t, path, query)); got != want {
			t.Errorf("%s\n%s, want %s", query, got, want)
		}
	}
}

// TestTurnStoredAgainWithADamagedAnchor: one repair of all anchors leaves none of their faults,
// whatever is wrong with the trust row of the message that was stored again.
func TestTurnStoredAgainWithADamagedAnchor(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for damage, fault := range map[string]integrity.FaultID{
		"verified_at = NULL":            integrity.AnchorIncomplete,
		"transcript_entry_id = 'other'": integrity.AnchorEntryWrong,
		"trust_state = 'suspect', reason = 'entry id lacks explicit trust'": integrity.AnchorDistrusted,
	} {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, fakehost.Beta, "turn-again")
			if err := faults.Alter(path, "UPDATE message_transcript_anchor_trust SET "+damage+" WHERE message_id = 9501"); err != nil {
				t.Fatal(err)
			}
			both := []integrity.FaultID{integrity.TurnStoredAgain, fault}
			before, after := roundTrip(t, path, open(t, path), &repair.Op{All: true, Faults: both})
			if len(withFault(before, both...)) < 3 {
				t.Errorf("found: %v", withFault(before, both...))
			}
			for _, f := range withFault(after, both...) {
				t.Errorf("still: %s: %s", place(f), f.Detail)
			}
		})
	}
}

// TestTurnStoredAgainAndKept: what the user keeps by one fault no other fault removes.
func TestTurnStoredAgainAndKept(t *testing.T) {
	t.Parallel()
	for _, choice := range []string{"T01:9501", "M01:9501"} {
		path := testdb.Sample(t, fakehost.Beta, "turn-again")
		o := &repair.Op{All: true, Choices: map[string]string{"M01": "drop", choice: integrity.Keep}}
		apply(t, open(t, path), o)
		if got := fmt.Sprint(testdb.Rows(t, path, "SELECT message_id FROM context_items WHERE message_id > 9000")); got != "[9501]" {
			t.Errorf("%s is kept, and the context holds %s", choice, got)
		}
		if got := fmt.Sprint(testdb.Rows(t, path, "SELECT message_id FROM messages WHERE message_id > 9000")); got != "[9501]" {
			t.Errorf("%s is kept, and the file holds %s", choice, got)
		}
	}
}

// TestTurnOfTwoEntries: of two imported rows that equal one first row only one repeats it; the
// other is an entry of its own, and stays.
func TestTurnOfTwoEntries(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Beta, "turn-again")
	altered(t, path,
		"INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count, created_at, identity_hash, transcript_entry_id) SELECT 9503, 1, 9503, role, content, token_count, created_at, identity_hash, 'entry-51' FROM messages WHERE message_id = 50",
		"INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content, metadata) SELECT 'third-' || part_id, 9503, session_id, part_type, ordinal, text_content, metadata FROM message_parts WHERE message_id = 50",
		"INSERT INTO context_items (conversation_id, ordinal, item_type, message_id, created_at) SELECT 1, 1600, 'message', 9503, created_at FROM messages WHERE message_id = 50",
		"INSERT INTO message_transcript_anchor_trust (message_id, conversation_id, transcript_entry_id, trust_state, source, verified_at) VALUES (9503, 1, 'entry-51', 'verified', 'transcript-import', '2026-01-05T11:00:00.000Z')",
	)
	apply(t, open(t, path), &repair.Op{All: true})
	if got := fmt.Sprint(testdb.Rows(t, path, "SELECT message_id FROM context_items WHERE message_id > 9000")); got != "[9503]" {
		t.Errorf("the context holds %s", got)
	}
	if got := withFault(check(t, open(t, path)), integrity.TurnStoredAgain); len(got) > 0 {
		t.Errorf("still: %+v", got)
	}
}

// TestDistrustedAnchors: one command before the host's next start makes it trust the entries
// of an upgraded file.
func TestDistrustedAnchors(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v1.0/upgraded.db")
	apply(t, open(t, path), &repair.Op{All: true, Faults: []integrity.FaultID{integrity.AnchorDistrusted}})
	for query, want := range map[string]string{
		"SELECT count(*) FROM message_transcript_anchor_trust WHERE trust_state <> 'verified' OR verified_at IS NULL":            "[0]",
		"SELECT count(*) FROM message_transcript_anchor_trust WHERE source = 'lcm-tui'":                                          "[20]",
		"SELECT conversation_id FROM conversation_transcript_epochs ORDER BY 1":                                                  "[1 2 3 5]",
		"SELECT count(*) FROM message_transcript_anchor_trust t JOIN messages m USING (message_id, transcript_entry_id) WHERE 1": "[47]",
	} {
		if got := fmt.Sprint(testdb.Rows(t, path, query)); got != want {
			t.Errorf("%s\n%s, want %s", query, got, want)
		}
	}
}

// TestRepeatedHistoryAfterARollover: nothing leaves the context without a choice, since the
// later conversation may hold all that the agent knows.
func TestRepeatedHistoryAfterARollover(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v1.0/rich.db")
	altered(t, path, "UPDATE conversations SET archive_cause = 'rollover-fallback' WHERE conversation_id = 5")
	o := &repair.Op{All: true, Faults: []integrity.FaultID{integrity.ArchivedHistoryRepeated}}
	if p, err := o.Plan(t.Context(), open(t, path), noReport); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("planned %s, %v", p.Title, err)
	}
	o.Choices = map[string]string{"T10": "drop"}
	if p := apply(t, open(t, path), o); p.Impact.ItemsBefore-p.Impact.ItemsAfter != 27 {
		t.Errorf("%+v", p.Impact)
	}
	if n := len(testdb.Rows(t, path, "SELECT 1 FROM messages WHERE conversation_id = 6")); n != 45 {
		t.Errorf("%d rows are left of a conversation that goes on", n)
	}
}

// TestRewoundBeginning: where nothing earlier is in the transcript, it may only have lost its
// beginning, and the user chooses.
func TestRewoundBeginning(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Beta, "rewind-in-context")
	altered(t, path, "DELETE FROM message_transcript_anchor_trust WHERE message_id = 42")
	o := &repair.Op{All: true, Faults: []integrity.FaultID{integrity.RewoundMessagesInContext}}
	if p, err := o.Plan(t.Context(), open(t, path), noReport); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("planned %s, %v", p.Title, err)
	}
	o.Choices = map[string]string{"T08": "drop"}
	apply(t, open(t, path), o)
	if got := fmt.Sprint(testdb.Rows(t, path, "SELECT message_id FROM context_items WHERE message_id IN (44, 45)")); got != "[]" {
		t.Errorf("the context still holds %s", got)
	}
}

// TestReceiptsOfAKeyThatGoesOn stay until they are named: a turn that the host sends again
// would be stored twice.
func TestReceiptsOfAKeyThatGoesOn(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Beta, "receipt-dangling")
	altered(t, path, "UPDATE turn_advancements SET session_key = 'agent:main:main' WHERE advancement_key = 'turn-2'")
	if p, err := (&repair.Op{All: true}).Plan(t.Context(), open(t, path), noReport); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("planned %s, %v", p.Title, err)
	}
	apply(t, open(t, path), &repair.Op{All: true, Faults: []integrity.FaultID{integrity.TurnReceiptDangling}})
	if n := len(testdb.Rows(t, path, "SELECT 1 FROM turn_advancements")); n != 0 {
		t.Errorf("%d receipts are left", n)
	}
}

// TestAnchorsOfAnySchema: whichever table or column of anchors is missing or holds values of
// another type, the check and the repair do what they can.
func TestAnchorsOfAnySchema(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	var names []string
	for _, name := range faults.NamesAt(fakehost.Beta) {
		if !strings.HasPrefix(name, "pending-") {
			names = append(names, name)
		}
	}
	schema := open(t, broken(t, fakehost.Beta)).Schema()
	try := func(t *testing.T, statement string) {
		t.Helper()
		path := broken(t, fakehost.Beta, names...)
		altered(t, path, statement)
		was, db := dump(t, path), open(t, path)
		p, err := (&repair.Op{All: true, Faults: anchorFaults, Choices: map[string]string{"T09": "drop", "T10": "drop"}}).Plan(t.Context(), db, noReport)
		var refused *data.Error
		if errors.Is(err, ops.ErrNothing) || errors.As(err, &refused) {
			return
		}
		if err != nil {
			t.Errorf("%s: %v", statement, err)
			return
		}
		record, err := ops.Apply(t.Context(), db, p)
		var invariant *data.InvariantError
		if errors.As(err, &invariant) {
			return
		}
		if err == nil {
			err = ops.Undo(t.Context(), db, record)
		}
		if err != nil || dump(t, path) != was {
			t.Errorf("%s: %v, or undo left other rows", statement, err)
		}
	}
	for _, table := range []string{"message_transcript_anchor_trust", "conversation_transcript_epochs", "turn_advancements"} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			try(t, "DROP TABLE "+table)
			for _, column := range schema.Columns(table) {
				try(t, fmt.Sprintf("ALTER TABLE %s RENAME COLUMN %s TO other_%s", table, column, column))
				if !slices.Contains(schema.Key(table), column) {
					try(t, fmt.Sprintf("PRAGMA ignore_check_constraints = ON; UPDATE %s SET %s = x'00ff'", table, column))
				}
			}
		})
	}
	for _, column := range []string{"identity_hash", "transcript_entry_id", "created_at"} {
		t.Run(column, func(t *testing.T) {
			t.Parallel()
			try(t, fmt.Sprintf("UPDATE OR IGNORE messages SET %s = x'00ff'", column))
		})
	}
}
