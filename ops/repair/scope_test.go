package repair_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// findingsOf returns the findings of a fault in a conversation.
func findingsOf(t *testing.T, path string, conversation int64, fault integrity.FaultID) (out []integrity.Finding) {
	t.Helper()
	for _, f := range check(t, open(t, path)) {
		if f.Conversation == conversation && f.Fault == fault {
			out = append(out, f)
		}
	}
	return out
}

// TestNamesOfFindings: one that isn't there is refused by name, and one that is skipped without
// being there is said to be.
func TestNamesOfFindings(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "context-duplicate", "message-decorated")
	for name, op := range map[string]*repair.Op{
		"M01:99999":   {Conversation: 1, Findings: []string{"M01:99999"}},
		"2/M01:9201":  {Conversation: 1, Findings: []string{"2/M01:9201"}},
		"7/M01:9201":  {All: true, Findings: []string{"7/M01:9201"}},
		"3/M01:9201":  {All: true, Choices: map[string]string{"3/M01:9201": "drop"}},
		"M01:missing": {All: true, Choices: map[string]string{"M01:missing": "drop"}},
	} {
		_, err := op.Plan(t.Context(), open(t, path), noReport)
		if err == nil || !strings.Contains(err.Error(), "the finding "+name+" isn't found") {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := plan(t, path, &repair.Op{Conversation: 1, Skip: map[string]bool{"C03:777": true, "C06": false}})
	warnings := strings.Join(p.Warnings, "\n")
	if !strings.Contains(warnings, "nothing to skip: no C03:777 was found") || strings.Contains(warnings, "C06") {
		t.Error(warnings)
	}
}

// TestAnIDIsAboutOneConversation: the same key elsewhere is another finding.
func TestAnIDIsAboutOneConversation(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	altered(t, path, "INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) "+
		"SELECT conversation_id, 5000, 'message', max(message_id) FROM messages WHERE conversation_id IN (1, 2) GROUP BY conversation_id")
	op := &repair.Op{All: true, Faults: []integrity.FaultID{integrity.ContextItemDuplicate}}
	for skipped, repaired := range map[string]string{"1/C03:5000": "2/C03:5000", "2/C03:5000": "1/C03:5000"} {
		got := states(plan(t, path, op.Without(skipped)))
		if got[skipped] != ops.Skipped || got[repaired] != ops.Included {
			t.Errorf("without %s: %v", skipped, got)
		}
	}
	got := states(plan(t, path, op.Without("C03:5000")))
	if got["1/C03:5000"] != ops.Skipped || got["2/C03:5000"] != ops.Skipped {
		t.Errorf("by key: %v", got)
	}
}

// TestTheScopeOfASummaryLeavesOthers: links and items of other summaries stay as they are.
func TestTheScopeOfASummaryLeavesOthers(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	altered(t, path, "INSERT INTO summary_messages (summary_id, message_id, ordinal) SELECT summary_id, 777000 + rowid, 90 FROM summaries WHERE conversation_id = 1 AND kind = 'leaf'")
	found := findingsOf(t, path, 1, integrity.LinkDangling)
	if len(found) < 2 {
		t.Fatalf("%d dangling links", len(found))
	}
	p := plan(t, path, &repair.Op{Conversation: 1, Summaries: []string{found[0].Row}})
	for id, state := range states(p) {
		if !strings.HasSuffix(id, ":"+found[0].Row) || state != ops.Included {
			t.Errorf("%s is %s", id, state)
		}
	}
	for _, c := range p.Changes {
		if c.Table == "summary_messages" && !strings.Contains(c.Label(), found[0].Row) {
			t.Errorf("%s changes too", c.Label())
		}
	}
}

// TestLinksOfNoConversation are deleted one by one: what is skipped stays.
func TestLinksOfNoConversation(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	altered(t, path, "INSERT INTO summary_messages (summary_id, message_id, ordinal) VALUES ('sum_nowhere', 777001, 0), ('sum_nowhere', 777002, 1)")
	op := &repair.Op{Faults: []integrity.FaultID{integrity.LinkDangling}}
	found := findingsOf(t, path, 0, integrity.LinkDangling)
	if len(found) != 2 {
		t.Fatalf("%+v", found)
	}
	p := plan(t, path, op)
	if len(p.Changes) != 2 {
		t.Errorf("%d links are deleted, want 2", len(p.Changes))
	}
	db := open(t, path)
	was := dump(t, path)
	id, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	if n := ask(t, path, "SELECT count(*) FROM summary_messages WHERE summary_id = 'sum_nowhere'"); n != 0 {
		t.Errorf("%d links are left", n)
	}
	if err := ops.Undo(t.Context(), db, id); err != nil || dump(t, path) != was {
		t.Errorf("undo: %v", err)
	}
}

// TestAMergeOfMessagesThatBothHaveIsRefused: they would be there twice.
func TestAMergeOfMessagesThatBothHaveIsRefused(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "rollover-split")
	altered(t, path, "UPDATE messages SET transcript_entry_id = 'the same' WHERE message_id IN (SELECT max(message_id) FROM messages GROUP BY conversation_id)")
	op := &repair.Op{All: true, Faults: []integrity.FaultID{integrity.HistorySplit}, Choices: map[string]string{"V04": "merge"}}
	_, err := op.Plan(t.Context(), open(t, path), noReport)
	var nothing *repair.NothingError
	if !errors.As(err, &nothing) || !strings.Contains(nothing.Hint(), "1 message is in both") {
		t.Fatalf("%v", err)
	}
	if i := nothing.Items[0]; i.State != ops.Open || i.Choice != "merge" {
		t.Errorf("%+v", i)
	}
}

// TestAMergeLeavesOtherFindingsOpen, since it makes them another matter, and is undone whole.
func TestAMergeLeavesOtherFindingsOpen(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "rollover-split")
	split := findingsOf(t, path, 1, integrity.HistorySplit)
	if len(split) != 1 {
		t.Fatalf("%+v", split)
	}
	altered(t, path, "UPDATE summaries SET depth = 9 WHERE conversation_id = 1 AND kind = 'leaf'")
	was, db := dump(t, path), open(t, path)
	p := plan(t, path, &repair.Op{Conversation: 1, Choices: map[string]string{"V04": "merge"}})
	if i := item(t, p, integrity.SummaryDepthWrong); i.State != ops.Open || !strings.Contains(i.Reason, "merge comes first") {
		t.Errorf("%+v", i)
	}
	if i := item(t, p, integrity.HistorySplit); i.State != ops.Included || i.Choice != "merge" {
		t.Errorf("%+v", i)
	}
	id, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	var stale *data.StaleError
	if _, err := ops.Apply(t.Context(), db, p); !errors.As(err, &stale) {
		t.Errorf("the same plan again: %v", err)
	}
	if err := ops.Undo(t.Context(), db, id); err != nil || dump(t, path) != was {
		t.Errorf("undo: %v", err)
	}
}

// TestADeletionListsEveryTextThatGoes, and the items of the conversation's other findings.
func TestADeletionListsEveryTextThatGoes(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "subagent")
	end(t, path, 1, 0)
	summaries := ask(t, path, "SELECT count(*) FROM summaries WHERE conversation_id = 1")
	p := plan(t, path, &repair.Op{Conversation: 1, Choices: map[string]string{"V06": "delete"}})
	if len(p.Texts) != summaries {
		t.Errorf("%d texts of %d summaries are shown", len(p.Texts), summaries)
	}
	for _, x := range p.Texts {
		if x.Before == "" || x.After != "" {
			t.Errorf("%s: %q becomes %q", x.ID, x.Before, x.After)
		}
	}
	for _, c := range p.Changes {
		if c.After != nil {
			t.Errorf("%s stays", c.Label())
		}
	}
	if i := item(t, p, integrity.JobConversation); i.State != ops.Included || len(i.Rows) == 0 {
		t.Errorf("%+v", i)
	}
}

// TestEveryFindingCanBeRepairedAlone: what a repair of everything does about a finding, a repair of that finding alone
// does as well, or it says why it can't.
func TestEveryFindingCanBeRepairedAlone(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for group := range slices.Chunk(slices.DeleteFunc(faults.Names(), func(f string) bool { return slices.Contains(alone, f) || f == "huge-cell" }), handful) {
		t.Run(strings.Join(group, "+"), func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head, group...)
			db := open(t, path)
			found := check(t, db)
			preview := func(op repair.Op) []ops.Item {
				op.FilesDir = files(path)
				p, err := op.Preview(t.Context(), db, found)
				if err != nil {
					t.Fatal(err)
				}
				return p.Items
			}
			for _, i := range preview(repair.Op{All: true}) {
				if i.State != ops.Included {
					continue
				}
				single := preview(repair.Op{Conversation: i.Conversation, Findings: []string{i.ID}})
				isElsewhere := i.Kind == string(integrity.ReferenceDangling) // Another finding may have the other end.
				if len(single) == 0 || single[0].State == ops.Open && strings.Contains(single[0].Reason, "another finding") && !isElsewhere {
					t.Errorf("%s: %s; alone: %+v", i.ID, i.Problem, single)
				}
			}
		})
	}
}

// TestTheWholeFileLeavesNoOtherSide: where all of the file is repaired, a finding whose row goes with another one counts as
// repaired. It isn't sent to the repair of the whole file.
func TestTheWholeFileLeavesNoOtherSide(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"dangling-edges", "note-dangling"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head, fault)
			db := open(t, path)
			op := &repair.Op{All: true, FilesDir: files(path)}
			p, err := op.Preview(t.Context(), db, check(t, db))
			if err != nil {
				t.Fatal(err)
			}
			sides := 0
			for _, i := range p.Items {
				if i.Kind == string(integrity.ReferenceDangling) {
					sides++
				}
				if i.State != ops.Included || i.Action == "" || i.Reason != "" {
					t.Errorf("%s: %s %q %q", i.ID, i.State, i.Action, i.Reason)
				}
			}
			if sides == 0 {
				t.Error("the file has no reference that leads nowhere")
			}
		})
	}
}
