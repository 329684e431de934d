package repair_test

import (
	"errors"
	"slices"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// TestASummaryThatLosesItsLinksIsLinkedToWhatIsFree in the same repair: a second one has nothing to do. Where what lay
// below is lost altogether, it gets what that was made of.
func TestASummaryThatLosesItsLinksIsLinkedToWhatIsFree(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const (
		links = "SELECT summary_id || ' ' || parent_summary_id FROM summary_parents ORDER BY 1"
		one   = "(SELECT min(summary_id) FROM summaries WHERE depth = 1)"
	)
	for name, c := range map[string]struct {
		damage, query string
		want          []string // The same as before where it is nil.
	}{
		"a condensed one": {
			damage: "UPDATE summary_parents SET parent_summary_id = 'x' || rowid WHERE summary_id = " + one,
			query:  links,
		},
		"a leaf": {
			damage: "UPDATE summary_messages SET message_id = message_id + 70000 WHERE summary_id = (SELECT min(parent_summary_id) FROM summary_parents WHERE summary_id = " + one + ")",
			query:  "SELECT summary_id || ' ' || message_id FROM summary_messages ORDER BY summary_id, message_id",
		},
		"the deepest one, and what lay below it": {
			damage: "UPDATE summary_parents SET parent_summary_id = 'x' || rowid WHERE summary_id = (SELECT summary_id FROM summaries WHERE depth = 2);" +
				"DELETE FROM summary_parents WHERE summary_id IN (SELECT summary_id FROM summaries WHERE depth = 1); DELETE FROM summaries WHERE depth = 1",
			query: "SELECT depth || ' ' || (SELECT count(*) FROM summary_parents p WHERE p.summary_id = s.summary_id) FROM summaries s WHERE kind = 'condensed'",
			want:  []string{"1 4"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head)
			want := c.want
			if want == nil {
				want = testdb.Rows(t, path, c.query)
			}
			altered(t, path, c.damage)
			db := open(t, path)
			roundTrip(t, path, db, &repair.Op{All: true})
			apply(t, db, &repair.Op{All: true})
			if got := testdb.Rows(t, path, c.query); !slices.Equal(got, want) {
				t.Errorf("there are %q, not %q", got, want)
			}
		})
	}
}

// TestALeafThatASummaryIsLinkedToStaysALeaf as long as nobody decides which links are right: depth, times and sums are
// those of its messages, as the host counts a leaf.
func TestALeafThatASummaryIsLinkedToStaysALeaf(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const (
		numbers = "SELECT concat_ws(' ', summary_id, kind, depth, earliest_at, latest_at, descendant_count, descendant_token_count, source_message_token_count) FROM summaries ORDER BY 1"
		leaves  = "(SELECT summary_id FROM summaries WHERE kind = 'leaf' ORDER BY 1 LIMIT 1 OFFSET "
	)
	for name, damage := range map[string]string{
		"nothing else": "",
		"its depth":    "UPDATE summaries SET depth = 7 WHERE kind = 'leaf'",
		"its times":    "UPDATE summaries SET earliest_at = NULL WHERE kind = 'leaf'",
		"its tokens":   "UPDATE summaries SET source_message_token_count = 7 WHERE kind = 'leaf'",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head)
			want := testdb.Rows(t, path, numbers)
			altered(t, path, "INSERT INTO summary_parents VALUES ("+leaves+"0), "+leaves+"1), 9);"+damage)
			roundTrip(t, path, open(t, path), &repair.Op{All: true})
			apply(t, open(t, path), &repair.Op{All: true})
			if got := testdb.Rows(t, path, numbers); !slices.Equal(got, want) {
				t.Errorf("there are\n%q, not\n%q", got, want)
			}
		})
	}
}

// TestAKindThatNobodyDecidesChangesNoNumbers: a leaf may count more tokens than its messages have, and keeps them.
func TestAKindThatNobodyDecidesChangesNoNumbers(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const leaves = "(SELECT summary_id FROM summaries WHERE kind = 'leaf' ORDER BY 1 LIMIT 1 OFFSET "
	for name, damage := range map[string]string{
		"linked to another": "INSERT INTO summary_parents VALUES (" + leaves + "0), " + leaves + "1), 0)",
		"linked to itself":  "INSERT INTO summary_parents VALUES (" + leaves + "0), " + leaves + "0), 0)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head)
			altered(t, path, damage, "UPDATE summaries SET source_message_token_count = source_message_token_count + 50 WHERE summary_id = "+leaves+"0)")
			op := &repair.Op{All: true, Faults: []integrity.FaultID{integrity.SummaryKindWrong}}
			if p, err := op.Plan(t.Context(), open(t, path), noReport); !errors.Is(err, ops.ErrNothing) {
				t.Errorf("the plan changes %d rows: %v", len(p.Changes), err)
			}
		})
	}
}

// TestWhoRepairsLinksAloneGetsNoOthers: what a summary without sources gets is another repair.
func TestWhoRepairsLinksAloneGetsNoOthers(t *testing.T) {
	t.Parallel()
	const links = "SELECT count(*) FROM summary_parents"
	for name, op := range map[string]*repair.Op{
		"one fault": {All: true, Faults: []integrity.FaultID{integrity.LinkDangling}},
		"all but":   {All: true, Skip: map[string]bool{string(integrity.CondensedWithoutSources): true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head)
			altered(t, path, "UPDATE summary_parents SET parent_summary_id = 'x' || rowid WHERE summary_id = (SELECT min(summary_id) FROM summaries WHERE depth = 1)")
			apply(t, open(t, path), op)
			if got := testdb.Rows(t, path, links); got[0] != "4" {
				t.Errorf("there are %s links, not 4", got[0])
			}
		})
	}
}
