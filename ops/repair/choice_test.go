package repair_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// count returns how many findings of a fault there are, but for those that are milder than the
// fault: the rows explain these, so that they do no damage.
func count(fs []integrity.Finding, fault integrity.FaultID) (n int) {
	page, _ := integrity.Lookup(fault)
	for _, f := range fs {
		if f.Fault == fault && (f.Severity != integrity.Info || page.Severity == integrity.Info) {
			n++
		}
	}
	return n
}

// TestChoices: what the check can't decide is repaired as the user chooses, and is open with
// its choices before.
func TestChoices(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, c := range []struct {
		script string
		fault  integrity.FaultID
		choice string
	}{
		{"message-double", integrity.MessageDuplicate, "drop"},
		{"message-decorated", integrity.MessageDuplicate, "drop"},
		{"message-masked", integrity.MessageDuplicate, "drop"},
		{"message-replay", integrity.MessageRunDuplicate, "drop"},
		{"tool-result-double", integrity.ToolResultDuplicate, "drop"},
		{"cross-conversation", integrity.ContextItemForeign, "drop"},
		{"cross-conversation", integrity.LinkAcrossConversations, "unlink"},
		{"overlap", integrity.MessageInSeveralLeaves, "first"},
		{"diamond", integrity.SummaryInSeveralSummaries, "first"},
		{"double-active-key", integrity.SessionKeyDuplicate, "archive"},
		{"double-active-session", integrity.SessionIDDuplicate, "archive"},
		{"rollover-split", integrity.HistorySplit, "merge"},
		{"transcript-shared", integrity.TranscriptShared, "drop"},
		{"compaction-failing", integrity.CompactionFailing, "clear"},
		{"conversation-empty", integrity.ConversationEmpty, "delete"},
		{"file-unreferenced", integrity.FileUnreferenced, "forget"},
	} {
		t.Run(c.script+" "+string(c.fault)+"="+c.choice, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head, c.script)
			db := open(t, path)
			m := &repair.Op{All: true, FilesDir: files(path), Faults: []integrity.FaultID{c.fault}}
			p, err := m.Plan(t.Context(), db, noReport)
			items := p.Items
			var nothing *repair.NothingError
			if errors.As(err, &nothing) {
				items = nothing.Items
			} else if err != nil {
				t.Fatal(err)
			}
			if err != nil && !slices.ContainsFunc(items, func(i ops.Item) bool { return offers(i, c.fault, c.choice) }) {
				t.Errorf("no item offers %s for %s: %+v", c.choice, c.fault, items)
			}
			before, after := roundTrip(t, path, db, &repair.Op{All: true, Faults: []integrity.FaultID{c.fault}, Choices: map[string]string{string(c.fault): c.choice}})
			if count(before, c.fault) == 0 || count(after, c.fault) >= count(before, c.fault) {
				t.Errorf("%d before, %d after: %v", count(before, c.fault), count(after, c.fault), places(after))
			}
		})
	}
}

// TestAResultStaysAndNotTheNoteThatItIsMissing: the host writes the note where it finds no result, and the result may come later.
func TestAResultStaysAndNotTheNoteThatItIsMissing(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "tool-result-double")
	doubles := testdb.Rows(t, path, `SELECT DISTINCT m.message_id FROM message_parts p JOIN messages m USING (message_id) WHERE m.role = 'tool' AND tool_call_id IN
		(SELECT p.tool_call_id FROM message_parts p JOIN messages m USING (message_id) WHERE m.role = 'tool' GROUP BY 1 HAVING count(DISTINCT m.message_id) > 1) ORDER BY 1`)
	if len(doubles) != 2 {
		t.Fatal(doubles)
	}
	altered(t, path, "UPDATE messages SET content = '[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.' WHERE message_id = "+doubles[0])
	p := plan(t, path, &repair.Op{All: true, Faults: []integrity.FaultID{integrity.ToolResultDuplicate}, Choices: map[string]string{"M04": "drop"}})
	if _, err := ops.Apply(t.Context(), open(t, path), p); err != nil {
		t.Fatal(err)
	}
	if left := testdb.Rows(t, path, "SELECT message_id FROM context_items WHERE message_id IN ("+strings.Join(doubles, ",")+")"); !slices.Equal(left, doubles[1:]) {
		t.Errorf("of %v %v are in the context", doubles, left)
	}
}

// offers reports whether an item waits for a choice of a fault's finding, and has it in words.
func offers(i ops.Item, fault integrity.FaultID, choice string) bool {
	return i.Kind == string(fault) && i.State == ops.Open &&
		slices.ContainsFunc(i.Choices, func(a ops.Alternative) bool { return a.Name == choice && len(a.Words) > len(choice) })
}

// TestGapsAreClosed by every repair: a host of 1.0 stops at them, or pays for each again and
// again.
func TestGapsAreClosed(t *testing.T) {
	t.Parallel()
	for level, want := range map[fakehost.Level]integrity.Severity{fakehost.Head: integrity.Info, fakehost.Beta: integrity.Error} {
		path := broken(t, level, "ordinal-gaps")
		db := open(t, path)
		before, after := roundTrip(t, path, db, &repair.Op{All: true})
		if count(before, "C05") != 1 || count(after, "C05") != 0 {
			t.Errorf("%s: %v, then %v", level, places(before), places(after))
		}
		for _, f := range before {
			if f.Fault == integrity.ContextOrdinalGaps && f.Severity != want {
				t.Errorf("%s: it is %s, want %s", level, f.Severity, want)
			}
		}
	}
}

// TestPlacing: a summary that nothing leads to comes back where it belongs, or stays.
func TestPlacing(t *testing.T) {
	t.Parallel()
	for choice, want := range map[string]int{"place": 1, "keep": 0} {
		path := broken(t, fakehost.Head)
		db := open(t, path)
		items, err := lcm.Context(t.Context(), db, 1)
		if err != nil {
			t.Fatal(err)
		}
		top := items[0].Summary
		h, err := fakehost.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Exec("DELETE FROM context_items WHERE conversation_id = 1 AND ordinal = 0"); err != nil {
			t.Fatal(err)
		}
		_ = h.Close()
		p, err := (&repair.Op{Conversation: 1, Choices: map[string]string{"L08:" + top: choice}}).Plan(t.Context(), open(t, path), noReport)
		if want == 0 {
			if !errors.Is(err, ops.ErrNothing) {
				t.Errorf("%s: %v, %s", choice, err, p.Title)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if after := p.Contexts[0].After; after[0].Summary != top || len(after) != len(items) {
			t.Errorf("%s stands in another place than before", top)
		}
	}
}

// TestDeletingMessagesMakesABackup that holds what is deleted.
func TestDeletingMessagesMakesABackup(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "message-double")
	end(t, path, 1, 600)
	db := open(t, path)
	was := dump(t, path)
	m := &repair.Op{All: true, Choices: map[string]string{"M01": "drop"}}
	p, err := m.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if p.Backup == "" {
		t.Fatal("no backup is planned")
	}
	if _, err := os.Stat(p.Backup); err == nil {
		t.Fatal("planning made a backup")
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	if dump(t, p.Backup) != was {
		t.Error("the backup isn't the file as it was")
	}
	if info, err := os.Stat(p.Backup); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestAMergeComesBeforeOtherRepairs of the conversation that it goes into: both are about
// the same context, so these wait and are said.
func TestAMergeComesBeforeOtherRepairs(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "rollover-split")
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	err = h.Exec(`INSERT INTO context_items (conversation_id, ordinal, item_type, message_id, summary_id)
		SELECT conversation_id, 10000, item_type, message_id, summary_id FROM context_items
		WHERE conversation_id = (SELECT conversation_id FROM conversations WHERE active = 1) ORDER BY ordinal DESC LIMIT 1`)
	if err := errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	o := &repair.Op{All: true, Choices: map[string]string{"V04": "merge"}, Faults: []integrity.FaultID{integrity.ContextItemDuplicate, integrity.HistorySplit}}
	p, err := o.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(p.Warnings, "\n"), "again when this is applied") {
		t.Errorf("not said: %q", p.Warnings)
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	n, err := testdb.Count(path, "SELECT count(*) FROM context_items c JOIN conversations USING (conversation_id) WHERE active = 0")
	if err != nil || n != 0 {
		t.Errorf("%d items weren't merged, %v", n, err)
	}
}

// TestMergeOfASplitConversation: all that the archived one has comes into the live one,
// in the order of time.
func TestMergeOfASplitConversation(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "rollover-split")
	ask := func(query string) int {
		t.Helper()
		n, err := testdb.Count(path, query)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	messages, summaries, files := ask("SELECT count(*) FROM messages"), ask("SELECT count(*) FROM summaries"), ask("SELECT count(*) FROM large_files")
	db := open(t, path)
	p, err := (&repair.Op{All: true, Choices: map[string]string{"V04": "merge"}, Faults: []integrity.FaultID{integrity.HistorySplit}}).Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	if p.Backup == "" {
		t.Error("no backup is planned")
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	live := "(SELECT conversation_id FROM conversations WHERE active = 1)"
	for query, want := range map[string]int{
		"SELECT count(*) FROM messages WHERE conversation_id = " + live:                                        messages,
		"SELECT max(seq) FROM messages WHERE conversation_id = " + live:                                        messages,
		"SELECT count(*) FROM summaries WHERE conversation_id = " + live:                                       summaries,
		"SELECT count(*) FROM large_files WHERE conversation_id = " + live:                                     files,
		"SELECT count(*) FROM context_items WHERE conversation_id <> " + live:                                  0,
		"SELECT max(ordinal) + 1 - count(*) FROM context_items":                                                0,
		"SELECT count(*) FROM messages a JOIN messages b ON b.seq = a.seq + 1 AND b.created_at < a.created_at": 0,
		"SELECT count(*) FROM focus_briefs WHERE conversation_id <> " + live:                                   0,
		`SELECT count(*) FROM focus_briefs b WHERE NOT EXISTS (SELECT 1 FROM messages m
			WHERE m.conversation_id = b.conversation_id AND m.seq = b.covered_message_seq)`: 0,
	} {
		if got := ask(query); got != want {
			t.Errorf("%s: %d, not %d", query, got, want)
		}
	}
}

// TestWhatNewRemovedStaysRemoved: a lost context is built again from what came after the
// user's /new, not from what that removed.
func TestWhatNewRemovedStaysRemoved(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	const since = "2026-01-05 09:54:30"
	for _, q := range []string{
		"UPDATE conversation_bootstrap_state SET soft_reset_pruned_at = '" + since + "'",
		"DELETE FROM context_items WHERE conversation_id = 1",
	} {
		if err := h.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	_ = h.Close()
	db := open(t, path)
	p, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.ContextEmpty}}).Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	after := p.Contexts[0].After
	if len(after) == 0 {
		t.Fatal("nothing came back")
	}
	for _, it := range after {
		if it.At.Time.Format("2006-01-02 15:04:05") <= since {
			t.Errorf("%s of %s came back", it.Ref(), it.At.Raw)
		}
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	if n := count(check(t, open(t, path)), "C09"); n != 0 {
		t.Error("messages are still nowhere")
	}
}

// TestAMessageUnderALeafOfAnotherConversation isn't repaired under a leaf, but with the link between the two.
func TestAMessageUnderALeafOfAnotherConversation(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head)
	altered(t, path, `INSERT INTO summary_messages (summary_id, message_id, ordinal) SELECT
		(SELECT min(summary_id) FROM summaries WHERE kind = 'leaf' AND conversation_id = 1),
		(SELECT min(l.message_id) FROM summary_messages l JOIN summaries USING (summary_id) WHERE conversation_id = 2), 99`)
	shared, linked := []integrity.FaultID{integrity.MessageInSeveralLeaves}, []integrity.FaultID{integrity.LinkAcrossConversations}
	var nothing *repair.NothingError
	if _, err := (&repair.Op{Conversation: 2, Faults: shared}).Plan(t.Context(), open(t, path), noReport); !errors.As(err, &nothing) || !strings.Contains(nothing.Hint(), "between two conversations (L04)") {
		t.Errorf("%v: %+v", err, nothing)
	}
	apply(t, open(t, path), &repair.Op{All: true, Faults: linked})
	nothing = nil
	if _, err := (&repair.Op{All: true, Faults: shared}).Plan(t.Context(), open(t, path), noReport); !errors.As(err, &nothing) || len(nothing.Left) > 0 {
		t.Errorf("after the repair of the link: %v", err)
	}
}
