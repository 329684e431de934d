package repair_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// TestNothingThatWasNamedIsIgnored: findings, faults, choices and summaries that aren't
// there are refused by name.
func TestNothingThatWasNamedIsIgnored(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "message-decorated", "context-double")
	db := open(t, path)
	other := ""
	all, err := lcm.Summaries(t.Context(), db, 2, 0)
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	other = all[0].ID
	for name, c := range map[string]struct {
		op   ops.Op
		want string
	}{
		"a finding":                   {&repair.Op{Conversation: 1, Choices: map[string]string{"M01:99999": "drop"}}, "the finding M01:99999"},
		"of another fault":            {&repair.Op{Conversation: 1, Choices: map[string]string{"M02:9201": "drop"}}, "the finding M02:9201"},
		"in the whole file":           {&repair.Op{All: true, Choices: map[string]string{"M01:99999": "drop"}}, "the finding M01:99999"},
		"a choice":                    {&repair.Op{Conversation: 1, Choices: map[string]string{"M01:9201": "perhaps"}}, "M01:9201=perhaps"},
		"a fault":                     {&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.CoveredMessageInContext, "X99"}}, "the fault X99"},
		"a fault of the whole file":   {&repair.Op{All: true, Faults: []integrity.FaultID{"X99"}}, "the fault X99"},
		"a summary":                   {&repair.Op{Conversation: 1, Summaries: []string{"sum_nonexistent"}}, "the summary sum_nonexistent"},
		"another one's":               {&repair.Op{Conversation: 1, Summaries: []string{other}}, "belongs to conversation 2, not 1"},
		"a finding in another's file": {&repair.Op{Conversation: 2, Choices: map[string]string{"M01:9201": "drop"}}, "the finding M01:9201"},
	} {
		p, err := c.op.Plan(t.Context(), db, noReport)
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ops.ErrNothing) {
			t.Errorf("%s: %v, %s", name, err, p.Title)
		}
	}
	p, err := (&repair.Op{Conversation: 1, Choices: map[string]string{"V04": "merge"}}).Plan(t.Context(), db, noReport)
	if err != nil || !strings.Contains(strings.Join(p.Warnings, "\n"), "V04=merge chooses nothing") {
		t.Errorf("a choice for all of a fault: %v, %q", err, p.Warnings)
	}
}

// TestTheScopeOfASummary is all that a check finds of it: of its row, its links, its places,
// also where the summary itself is what's missing.
func TestTheScopeOfASummary(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "context-missing-summary", "dangling-edges", "context-duplicate", "overlap", "counters-drift", "cjk-out-of-sync")
	db := open(t, path)
	of := map[string]map[integrity.FaultID]bool{}
	for _, f := range check(t, db) {
		if f.Conversation != 1 {
			continue
		}
		for id := range strings.FieldsFuncSeq(f.Row+" "+strings.Join(append(f.Rows, f.Summaries...), " ")+" "+f.Detail, func(r rune) bool { return strings.ContainsRune(" ,;:", r) }) {
			if strings.HasPrefix(id, "sum_") {
				if of[id] == nil {
					of[id] = map[integrity.FaultID]bool{}
				}
				of[id][f.Fault] = true
				if !f.Concerns(id) {
					t.Errorf("%s speaks of %s and isn't about it: %s", f.Fault, id, f.Detail)
				}
			}
		}
	}
	if len(of) < 5 {
		t.Fatalf("%v", of)
	}
	for id, faults := range of {
		p, err := (&repair.Op{Conversation: 1, Summaries: []string{id}}).Plan(t.Context(), db, noReport)
		items := p.Items
		var nothing *repair.NothingError
		if errors.As(err, &nothing) {
			items = nothing.Items
		} else if err != nil {
			t.Fatal(err)
		}
		for fault := range faults {
			page, _ := integrity.Lookup(fault)
			if page.Severity.AtLeast(integrity.Error) && !slices.ContainsFunc(items, func(i ops.Item) bool { return i.Kind == string(fault) }) {
				t.Errorf("%s has %s, and no item of its repair is about that: %+v", id, fault, items)
			}
		}
	}
}

// TestAConversationOf1_0IsDeletedWhole, with what hosts prepared for its compaction.
func TestAConversationOf1_0IsDeletedWhole(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v1.0/rich.db")
	const conv = 7
	was := dump(t, path)
	db := open(t, path)
	db.Now = func() time.Time { return time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC) }
	p, err := (&repair.Op{Conversation: conv, Choices: map[string]string{"V06": "delete"}, Faults: []integrity.FaultID{integrity.JobConversation}}).Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	id, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		"SELECT count(*) FROM conversations WHERE conversation_id = 7",
		"SELECT count(*) FROM messages WHERE conversation_id = 7",
		"SELECT count(*) FROM pending_compaction_batches WHERE conversation_id = 7",
		"SELECT count(*) FROM pragma_foreign_key_check",
	} {
		if n := ask(t, path, query); n != 0 {
			t.Errorf("%s: %d", query, n)
		}
	}
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if dump(t, path) != was {
		t.Error("undo doesn't bring everything back")
	}
}
