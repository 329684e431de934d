package repair_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

const spare = "sum_ffffffffffffffff"

// Statements that add a leaf that nothing leads to.
const (
	addSpare = "INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, earliest_at, latest_at, created_at, file_ids) " +
		"SELECT '" + spare + "', 1, 'leaf', 0, 'What nobody else has written down of the ledger and its moves.', 15, earliest_at, latest_at, created_at, '[]' " +
		"FROM summaries WHERE conversation_id = 1 AND kind = 'leaf' ORDER BY rowid LIMIT 1"
	covered  = "(SELECT m.message_id FROM summary_messages m JOIN summaries s USING (summary_id) WHERE s.conversation_id = 1 ORDER BY m.message_id LIMIT 1)"
	overOne  = "INSERT INTO summary_messages (summary_id, message_id, ordinal) VALUES ('" + spare + "', " + covered + ", 0)"
	sameText = "UPDATE summaries SET content = (SELECT content FROM summaries WHERE conversation_id = 1 AND kind = 'leaf' AND summary_id <> '" + spare + "' ORDER BY rowid LIMIT 1) WHERE summary_id = '" + spare + "'"
	apart    = "INSERT INTO summary_messages (summary_id, message_id, ordinal) SELECT '" + spare + "', message_id, row_number() OVER (ORDER BY ordinal) - 1 FROM (SELECT message_id, ordinal, row_number() OVER (ORDER BY ordinal) n FROM context_items WHERE conversation_id = 1 AND message_id IS NOT NULL) WHERE n IN (1, 3)"
	unseen   = "DELETE FROM context_items WHERE conversation_id = 1 AND message_id = (SELECT max(message_id) FROM summary_messages WHERE summary_id = '" + spare + "')"
	brief    = "INSERT INTO focus_brief_sources (brief_id, summary_id, role) SELECT brief_id, '" + spare + "', 'source' FROM focus_briefs WHERE conversation_id = 1 LIMIT 1"
	ofItself = "INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES ('" + spare + "', '" + spare + "', 0)"
	dangling = "INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES ('sum_0000000000000000', '" + spare + "', 0)"
)

// TestSummariesAreDeletedByChoice: a summary that nothing leads to is deleted only
// where another has its text, or the user chose it. Then the plan shows its text, says
// so and makes a backup, and undo brings it back.
func TestSummariesAreDeletedByChoice(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	drop := func(fault string) map[string]string { return map[string]string{fault + ":" + spare: "drop"} }
	for name, c := range map[string]struct {
		more    []string
		choices map[string]string
		deleted bool
		left    []string // What is said to be left.
	}{
		"undecided":                         {more: []string{overOne}, left: []string{"(L08:" + spare + "): you have to choose: keep, place or drop", "where you choose drop for L08:" + spare, "would be left without sources"}},
		"another choice":                    {more: []string{overOne}, choices: map[string]string{"L10": "first"}, left: []string{"where you choose drop for L08:" + spare}},
		"kept by choice":                    {more: []string{overOne}, choices: map[string]string{"L08:" + spare: "keep"}, left: []string{"L10"}},
		"chosen":                            {more: []string{overOne}, choices: drop("L08"), deleted: true},
		"chosen for all of its kind":        {more: []string{overOne}, choices: map[string]string{"L08": "drop"}, deleted: true},
		"another has its text":              {more: []string{overOne, sameText}, deleted: true},
		"a brief was made of it":            {more: []string{overOne, brief}, choices: drop("L08"), deleted: true},
		"a lost summary was made of it":     {more: []string{overOne, dangling}, choices: drop("L08"), deleted: true},
		"half finished, undecided":          {more: []string{apart}, left: []string{"(L09:" + spare + "): you have to choose: drop or keep"}},
		"half finished, chosen":             {more: []string{apart}, choices: drop("L09"), deleted: true},
		"half finished, and the last of it": {more: []string{apart, unseen}, choices: drop("L09"), left: []string{"the context would reach fewer messages"}},
		"made of itself":                    {more: []string{apart, ofItself}},
		"made of itself, a duplicate text":  {more: []string{apart, ofItself, sameText}, deleted: true},
		"equal texts, chosen":               {more: []string{overOne, sameText}, choices: map[string]string{"Q07": "drop"}, deleted: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head)
			altered(t, path, append([]string{addSpare}, c.more...)...)
			was, reached := dump(t, path), ask(t, path, reachedSQL)
			db := open(t, path)
			p, err := (&repair.Op{Conversation: 1, Choices: c.choices}).Plan(t.Context(), db, noReport)
			warnings := strings.Join(p.Warnings, "\n")
			var nothing *repair.NothingError
			if errors.As(err, &nothing) {
				warnings, err = strings.Join(nothing.Left, "\n"), nil
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.left {
				if !strings.Contains(warnings, want) {
					t.Errorf("%q isn't said:\n%s", want, warnings)
				}
			}
			shown := slices.ContainsFunc(p.Texts, func(x ops.Text) bool { return x.ID == spare && x.Before != "" && x.After == "" })
			noted := strings.Contains(strings.Join(p.Notes, "\n"), spare+" is deleted")
			gone := slices.ContainsFunc(p.Changes, func(x change.Change) bool { return x.Table == "summaries" && x.After == nil })
			if gone != c.deleted || shown != gone || noted != gone || (p.Backup != "") != gone {
				t.Fatalf("deleted %v, shown %v, noted %v, backup %q; %q", gone, shown, noted, p.Backup, warnings)
			}
			if p.Empty() {
				return
			}
			id, err := ops.Apply(t.Context(), db, p)
			if err != nil {
				t.Fatal(err)
			}
			if n := ask(t, path, "SELECT count(*) FROM summaries WHERE summary_id = '"+spare+"'"); (n == 0) != c.deleted {
				t.Errorf("%d rows are left", n)
			}
			if now := ask(t, path, reachedSQL); now < reached {
				t.Errorf("%d messages are reached, of %d", now, reached)
			}
			if err := ops.Undo(t.Context(), db, id); err != nil {
				t.Fatal(err)
			}
			if dump(t, path) != was {
				t.Error("undo doesn't bring everything back")
			}
		})
	}
}

// TestALeftoverThatCanBeFinished is Decided: nothing is to be chosen.
func TestALeftoverThatCanBeFinished(t *testing.T) {
	t.Parallel()
	for together, more := range map[bool]string{false: apart, true: strings.Replace(apart, "n IN (1, 3)", "n IN (1, 2)", 1)} {
		path := broken(t, fakehost.Head)
		altered(t, path, addSpare, more)
		db := open(t, path)
		i := slices.IndexFunc(check(t, db), func(f integrity.Finding) bool { return f.Fault == integrity.CompactionLeftover && f.Row == spare })
		if i < 0 {
			t.Fatal("it isn't found")
		}
		if f := check(t, db)[i]; f.NeedsNoChoice != together {
			t.Errorf("together %v, decided %v", together, f.NeedsNoChoice)
		}
		p, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.CompactionLeftover}}).Plan(t.Context(), db, noReport)
		if done := err == nil && slices.ContainsFunc(p.Contexts[0].After, func(it lcm.ContextItem) bool { return it.Summary == spare }); done != together {
			t.Errorf("together %v, finished %v, %v", together, done, err)
		}
	}
}

// TestADeletedConversationShowsItsSummaries, and takes links along of which the other end
// doesn't exist.
func TestADeletedConversationShowsItsSummaries(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "subagent")
	end(t, path, 1, 0)
	altered(t, path, "INSERT INTO summary_messages (summary_id, message_id, ordinal) VALUES ('sum_nowhere', 5, 0)",
		"INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) SELECT 'sum_nowhere', summary_id, 0 FROM summaries WHERE conversation_id = 1 LIMIT 1",
		"INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) VALUES (4711, 0, 'message', 5)")
	summaries := ask(t, path, "SELECT count(*) FROM summaries WHERE conversation_id = 1")
	db := open(t, path)
	was := dump(t, path)
	p, err := (&repair.Op{Conversation: 1, Choices: map[string]string{"V06": "delete"}, Faults: []integrity.FaultID{integrity.JobConversation}}).Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Texts) != summaries || p.Backup == "" {
		t.Errorf("%d texts of %d summaries, backup %q", len(p.Texts), summaries, p.Backup)
	}
	id, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	if n := ask(t, path, "SELECT count(*) FROM summary_messages WHERE summary_id = 'sum_nowhere'"); n != 0 {
		t.Errorf("%d links are left", n)
	}
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if dump(t, path) != was {
		t.Error("undo doesn't bring everything back")
	}
}

// TestEqualTextsThatAreBothNeeded stay: each stands in the context, or something was made
// of it.
func TestEqualTextsThatAreBothNeeded(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	const used = "(SELECT parent_summary_id FROM summary_parents ORDER BY rowid LIMIT 2)"
	altered(t, path, "UPDATE summaries SET content = 'What both of them say of the ledger, word for word and no other.' WHERE summary_id IN "+used)
	_, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.SummaryDuplicate}, Choices: map[string]string{"Q07": "drop"}}).Plan(t.Context(), open(t, path), noReport)
	var nothing *repair.NothingError
	if !errors.As(err, &nothing) || !strings.Contains(nothing.Hint(), "both are needed") {
		t.Fatalf("%v", err)
	}
}

// TestAPlaceOfAnotherConversationsRow goes where the row is reached at home, and by the
// user's word else.
func TestAPlaceOfAnotherConversationsRow(t *testing.T) {
	t.Parallel()
	const foreign = "(SELECT max(message_id) FROM messages WHERE conversation_id = 2)"
	place := "INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) SELECT 1, max(ordinal) + 1, 'message', " + foreign + " FROM context_items WHERE conversation_id = 1"
	summary := "INSERT INTO context_items (conversation_id, ordinal, item_type, summary_id) SELECT 1, max(ordinal) + 1, 'summary', (SELECT summary_id FROM summaries WHERE conversation_id = 2 LIMIT 1) FROM context_items WHERE conversation_id = 1"
	emptied := "DELETE FROM context_items WHERE conversation_id = 2"
	for name, c := range map[string]struct {
		more    []string
		choices map[string]string
		goes    bool
	}{
		"a message, reached at home": {more: []string{place}, goes: true},
		"a summary, reached at home": {more: []string{summary}, goes: true},
		"nowhere else":               {more: []string{"DELETE FROM summary_messages WHERE message_id = " + foreign, emptied, place}},
		"nowhere else, chosen":       {more: []string{"DELETE FROM summary_messages WHERE message_id = " + foreign, emptied, place}, choices: map[string]string{"C02": "drop"}, goes: true},
		"reached, kept by choice":    {more: []string{place}, choices: map[string]string{"C02": "keep"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head)
			altered(t, path, c.more...)
			p, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.ContextItemForeign}, Choices: c.choices}).Plan(t.Context(), open(t, path), noReport)
			if err != nil && !errors.Is(err, ops.ErrNothing) {
				t.Fatal(err)
			}
			if went := err == nil && len(p.Contexts) == 1 && len(p.Contexts[0].After) == len(p.Contexts[0].Before)-1; went != c.goes {
				t.Errorf("it went %v: %v, %q", went, err, p.Warnings)
			}
		})
	}
}
