package transplant_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/transplant"
)

// twoBranches returns a source with two leaves and one condensed summary of two more, and an
// empty target, in one file.
func twoBranches(t *testing.T) (path string, leaves []string) {
	t.Helper()
	path = otherConversation(t, fakehost.Head) // 1 is the target.
	host(t, path, func(h *fakehost.Writer) error {
		conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:source", Active: true})
		if err != nil {
			return err
		}
		for _, name := range []string{"alpha", "beta", "gamma", "delta"} {
			var ids []int64
			for _, role := range []string{"user", "assistant"} {
				id, err := h.Message(conv, fakehost.Message{Role: role, Content: name + " said by the " + role})
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			leaf, err := h.Leaf(conv, ids, "the summary of "+name+", which is long enough to be known again")
			if err != nil {
				return err
			}
			leaves = append(leaves, leaf)
		}
		_, err = h.Condense(conv, leaves[:2], "the summary of alpha and beta, which is long enough to be known again")
		return err
	})
	return path, leaves
}

// TestDuplicatesAreSkipped: the rest is copied, and the plan says what it skips.
func TestDuplicatesAreSkipped(t *testing.T) {
	t.Parallel()
	path, leaves := twoBranches(t)
	db := open(t, path)
	apply(t, db, plan(t, db, &transplant.Op{Source: 2, Target: 1, Summaries: leaves[2:3]}))
	p := plan(t, db, &transplant.Op{Source: 2, Target: 1})
	if !strings.Contains(strings.Join(p.Notes, "\n"), "skipped, because the target already has them: "+leaves[2]) {
		t.Errorf("it doesn't say what it skips: %q", p.Notes)
	}
	apply(t, db, p)
	checkNoFaults(t, path)
	if n, err := testdb.Count(path, "SELECT count(*) FROM summaries WHERE conversation_id = 1"); err != nil || n != 5 {
		t.Errorf("the target has %d summaries, %v", n, err)
	}
	_, err := (&transplant.Op{Source: 2, Target: 1}).Plan(t.Context(), db, noReport)
	if !errors.Is(err, ops.ErrNothing) || !strings.Contains(err.Error(), leaves[3]) {
		t.Errorf("twice: %v", err)
	}
}

// TestRowsOfAnUnfinishedTransplantAreNoDuplicates: no context leads to them, so the target is refused until they are undone.
func TestRowsOfAnUnfinishedTransplantAreNoDuplicates(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path, _ := twoBranches(t)
	db := open(t, path)
	db.PartRows = 5
	record := apply(t, db, plan(t, db, &transplant.Op{Source: 2, Target: 1}))
	host(t, path, func(h *fakehost.Writer) error {
		return h.Exec("UPDATE lcm_tui_undo SET title = title || ' (not finished)'")
	})
	_, err := (&transplant.Op{Source: 2, Target: 1}).Plan(t.Context(), db, noReport)
	var unfinished *change.UnfinishedError
	if !errors.As(err, &unfinished) || unfinished.Record != record {
		t.Fatalf("it says %v", err)
	}
	testdb.Must(t, change.Undo(t.Context(), db, record))
	roundTrip(t, path, db, &transplant.Op{Source: 2, Target: 1})
}

// TestSourcesOfAPartlyDuplicatedSummaryAreCopied: the summary would repeat what another one
// in the context says, so its other sources are copied in its place.
func TestSourcesOfAPartlyDuplicatedSummaryAreCopied(t *testing.T) {
	t.Parallel()
	path, leaves := twoBranches(t)
	db := open(t, path)
	apply(t, db, plan(t, db, &transplant.Op{Source: 2, Target: 1, Summaries: leaves[:1]}))
	p := plan(t, db, &transplant.Op{Source: 2, Target: 1})
	if !strings.Contains(strings.Join(p.Warnings, "\n"), "their sources are copied in their place") {
		t.Errorf("it doesn't say what it opens: %q", p.Warnings)
	}
	apply(t, db, p)
	checkNoFaults(t, path)
	summaries, err := testdb.Count(path, "SELECT count(*) FROM context_items WHERE conversation_id = 1 AND summary_id IS NOT NULL")
	if err != nil || summaries != len(leaves) {
		t.Errorf("%d summaries stand in the context, %v", summaries, err)
	}
	_, err = (&transplant.Op{Source: 2, Target: 1}).Plan(t.Context(), db, noReport)
	if !errors.Is(err, ops.ErrNothing) {
		t.Errorf("twice: %v", err)
	}
}

// TestMessagesThatOnlyCallToolsAreSkipped where the target has them, and calls of the same time that differ are copied.
func TestMessagesThatOnlyCallToolsAreSkipped(t *testing.T) {
	t.Parallel()
	path := otherConversation(t, fakehost.Head) // 1 is the target.
	call := func(h *fakehost.Writer, path string) error {
		_, err := h.Message(2, fakehost.Message{Role: "assistant", At: fakehost.Epoch, Parts: []fakehost.Part{{Type: "tool", ToolCallID: "call_" + path, ToolName: "read", ToolInput: `{"path":"` + path + `"}`}}})
		return err
	}
	host(t, path, func(h *fakehost.Writer) error {
		_, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:source", Active: true})
		return errors.Join(err, call(h, "a"))
	})
	db := open(t, path)
	apply(t, db, plan(t, db, &transplant.Op{Source: 2, Target: 1, Messages: true}))
	if _, err := (&transplant.Op{Source: 2, Target: 1, Messages: true}).Plan(t.Context(), db, noReport); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("twice: %v", err)
	}
	host(t, path, func(h *fakehost.Writer) error { return call(h, "b") })
	apply(t, db, plan(t, db, &transplant.Op{Source: 2, Target: 1, Messages: true}))
	if n, err := testdb.Count(path, "SELECT count(*) FROM messages WHERE conversation_id = 1 AND content = ''"); err != nil || n != 2 {
		t.Errorf("the target has %d calls, %v", n, err)
	}
}

// TestDuplicateMessages: a leaf isn't linked to those that the target's context covers, and is
// linked to the target's own where it doesn't.
func TestDuplicateMessages(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct {
		messages, shown, copied, linked int
	}{
		"none":                 {0, 0, 4, 4},
		"one, out of context":  {1, 0, 3, 4},
		"one, in the context":  {1, 1, 3, 3},
		"most, out of context": {3, 0, 1, 4},
		"most, in the context": {3, 3, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, leaf := overlapping(t, c.messages, c.shown)
			db := open(t, path)
			op := &transplant.Op{Source: 2, Target: 1, Summaries: []string{leaf}}
			if c.copied == 0 {
				if _, err := op.Plan(t.Context(), db, noReport); !errors.Is(err, ops.ErrNothing) || !strings.Contains(err.Error(), leaf) {
					t.Errorf("got %v", err)
				}
				return
			}
			p := roundTrip(t, path, db, op)
			if copied, linked := inserts(p, "messages"), inserts(p, "summary_messages"); copied != c.copied || linked != c.linked {
				t.Errorf("%d messages are copied and %d linked, wanted %d and %d", copied, linked, c.copied, c.linked)
			}
			apply(t, db, plan(t, db, op))
			n, err := testdb.Count(path, `SELECT count(*) FROM summaries s WHERE conversation_id = 1 AND source_message_token_count <>
				(SELECT sum(token_count) FROM summary_messages l JOIN messages m USING (message_id) WHERE l.summary_id = s.summary_id)`)
			if err != nil || n > 0 {
				t.Errorf("the leaf counts other tokens than it is linked to, %v", err)
			}
		})
	}
}

// overlapping returns a leaf of four messages of conversation 2; conversation 1 has the
// first few of them too, and shows some.
func overlapping(t *testing.T, messages, shown int) (path, leaf string) {
	t.Helper()
	path = otherConversation(t, fakehost.Head)
	host(t, path, func(h *fakehost.Writer) error {
		conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:source", Active: true})
		var ids []int64
		for i := 0; i < 4 && err == nil; i++ {
			var id int64
			id, err = h.Message(conv, fakehost.Message{Role: "user", Content: fmt.Sprintf("said to both of them, %d", i)})
			ids = append(ids, id)
		}
		if err == nil {
			leaf, err = h.Leaf(conv, ids, "the summary of what was said to both of them")
		}
		for i := 0; i < messages && err == nil; i++ {
			err = h.Exec(`INSERT INTO messages (conversation_id, seq, role, content, token_count, created_at)
				SELECT 1, 100 + ?, role, content, token_count, created_at FROM messages WHERE message_id = ?`, i, ids[i])
			if err == nil && i < shown {
				err = h.Exec(`INSERT INTO context_items (conversation_id, ordinal, item_type, message_id)
					SELECT 1, 6 + ?, 'message', max(message_id) FROM messages`, i)
			}
			if err == nil {
				err = h.Exec("INSERT INTO messages_fts (rowid, content) SELECT message_id, content FROM messages ORDER BY message_id DESC LIMIT 1")
			}
		}
		return err
	})
	return path, leaf
}

func inserts(p ops.Plan, table string) (n int) {
	for _, c := range p.Changes {
		if c.Table == table && c.Before == nil {
			n++
		}
	}
	return n
}

// TestShortTextsAreNoDuplicates: many summaries may say that nothing was left.
func TestShortTextsAreNoDuplicates(t *testing.T) {
	t.Parallel()
	path, leaves := twoBranches(t)
	host(t, path, func(h *fakehost.Writer) error {
		id, err := h.Message(1, fakehost.Message{Role: "user", Content: "cut off", NoContext: true})
		if err != nil {
			return err
		}
		if _, err := h.Leaf(1, []int64{id}, "[Truncated from 0 tokens]", fakehost.SummaryOptions{NoContext: true}); err != nil {
			return err
		}
		return h.Exec("UPDATE summaries SET content = '[Truncated from 0 tokens]' WHERE summary_id = ?", leaves[3])
	})
	db := open(t, path)
	p := plan(t, db, &transplant.Op{Source: 2, Target: 1, Summaries: leaves[3:]})
	if n := inserts(p, "summaries"); n != 1 {
		t.Errorf("%d summaries are copied", n)
	}
}

// TestAppendedMessagesDontMakeThePlanStale: whatever ids and seqs the host gave them.
func TestAppendedMessagesDontMakeThePlanStale(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]struct {
		conv int64
		fakehost.Message
	}{
		"a message":                    {1, fakehost.Message{Role: "user", Content: "in between"}},
		"a message out of the context": {1, fakehost.Message{Role: "user", Content: "in between", NoContext: true}},
		"a message elsewhere":          {2, fakehost.Message{Role: "user", Content: "in between"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, _ := twoBranches(t)
			db := open(t, path)
			p := plan(t, db, &transplant.Op{Source: 2, Target: 1})
			host(t, path, func(h *fakehost.Writer) error {
				_, err := h.Message(m.conv, m.Message)
				return err
			})
			was := dump(t, path)
			id := apply(t, db, p)
			checkNoFaults(t, path)
			if err := ops.Undo(t.Context(), db, id); err != nil {
				t.Fatal(err)
			}
			if got := dump(t, path); got != was {
				t.Error(cmp.Diff(was, got))
			}
		})
	}
}

// TestStaleWhenTheHostWrites: whatever it changes of what was compared.
func TestStaleWhenTheHostWrites(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(*fakehost.Writer) error{
		"a summary": func(h *fakehost.Writer) error {
			return h.Exec(`INSERT INTO summaries (summary_id, conversation_id, kind, content, token_count) VALUES ('sum_x', 1, 'leaf', 'x', 1)`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, _ := twoBranches(t)
			db := open(t, path)
			p := plan(t, db, &transplant.Op{Source: 2, Target: 1})
			host(t, path, write)
			was := dump(t, path)
			var stale *data.StaleError
			if _, err := ops.Apply(t.Context(), db, p); !errors.As(err, &stale) {
				t.Errorf("got %v", err)
			}
			if dump(t, path) != was {
				t.Error("a stale plan wrote")
			}
		})
	}
}

// TestUndoAfterTheHostAppended: what it has appended since stays, and so does the time
// at which it last touched the conversation.
func TestUndoAfterTheHostAppended(t *testing.T) {
	t.Parallel()
	path, _ := twoBranches(t)
	db := open(t, path)
	id := apply(t, db, plan(t, db, &transplant.Op{Source: 2, Target: 1}))
	host(t, path, func(h *fakehost.Writer) error {
		if _, err := h.Message(1, fakehost.Message{Role: "user", Content: "and on"}); err != nil {
			return err
		}
		return h.Exec("UPDATE conversations SET updated_at = '2030-01-01 00:00:00' WHERE conversation_id = 1")
	})
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	checkNoFaults(t, path)
	for query, want := range map[string]int{
		"SELECT count(*) FROM messages WHERE conversation_id = 1":                                             7,
		"SELECT max(seq) FROM messages WHERE conversation_id = 1":                                             7,
		"SELECT count(*) FROM context_items WHERE conversation_id = 1":                                        7,
		"SELECT count(*) FROM summaries WHERE conversation_id = 1":                                            0,
		"SELECT count(*) FROM conversations WHERE conversation_id = 1 AND updated_at = '2030-01-01 00:00:00'": 1,
	} {
		if n, err := testdb.Count(path, query); err != nil || n != want {
			t.Errorf("%s: %d, wanted %d, %v", query, n, want, err)
		}
	}
}

// TestStubsAreCopied: forgotten messages are copied as they are, the plan says how many, and no
// check finds damage in the target.
func TestStubsAreCopied(t *testing.T) {
	t.Parallel()
	path, _ := twoBranches(t)
	testdb.Forget(t, path, "conversation_id = 2 AND seq < 4")
	db := open(t, path)
	p := plan(t, db, &transplant.Op{Source: 2, Target: 1})
	if !strings.Contains(strings.Join(p.Notes, "\n"), "3 copied messages were forgotten in the source: the stubs are copied") {
		t.Errorf("it doesn't say so: %q", p.Notes)
	}
	apply(t, db, p)
	checkNoFaults(t, path, "a message isn't indexed once") // Stubs aren't.
	got := testdb.Rows(t, path, "SELECT count(*) FROM messages WHERE conversation_id = 1 AND content LIKE '[LCM Forgotten: %'")
	if len(got) != 1 || got[0] != "3" {
		t.Errorf("%v stubs", got)
	}
}
