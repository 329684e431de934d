package prune_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/engine/ingest"
	"lcm-tui/engine/token"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
)

// withOutputs makes every fifth answer of a session the long output of a tool, as the host stores one.
func (s longSession) withOutputs(t *testing.T) {
	t.Helper()
	rules := ingest.Rules{Estimator: token.Units, Threshold: 1 << 40}
	orNull := func(c data.Stored) any {
		if c.Null {
			return nil
		}
		return c.Text
	}
	s.host(t, func(h *fakehost.Host) error {
		for i := range s.entries {
			if e := &s.entries[i]; e.Role != "user" && i%5 == 4 {
				text := fmt.Sprint("output ", i, strings.Repeat(" ab", 1000))
				m, skip := rules.Store(jstext.Value(fmt.Sprintf(`{"role":"toolResult","toolCallId":"exec_%d","toolName":"exec","isError":false,"content":[{"type":"text","text":%q}]}`, i, text)), "")
				if skip != "" || len(m.Parts) != 1 {
					t.Fatal(skip, m)
				}
				part := m.Parts[0]
				e.Role, e.Content, e.EventKey = m.Role, m.Content, ""
				err := errors.Join(
					h.Exec("UPDATE messages SET role = ?, content = ?, identity_hash = ?, stable_event_key = NULL WHERE seq = ?", m.Role, m.Content, m.Identity, i+1),
					h.Exec("UPDATE message_parts SET part_type = ?, text_content = ?, tool_call_id = ?, tool_name = ?, tool_input = ?, tool_output = ?, metadata = ? WHERE message_id = ?",
						part.Type, orNull(part.Text), orNull(part.ToolCallID), orNull(part.ToolName), orNull(part.ToolInput), orNull(part.ToolOutput), orNull(part.Metadata), i+1),
					h.Exec("UPDATE messages_fts SET content = ? WHERE rowid = ?", m.Content, i+1))
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// TestPayloadsOfOneStayAway: whether they move into files or are forgotten, the host stores what it would have stored; what it
// prepares from them in the context becomes stale, and the ids of entries and the trust rows go.
func TestPayloadsOfOneStayAway(t *testing.T) {
	t.Parallel()
	s := newLongSession(t, 600)
	s.withOutputs(t)
	visible := map[string][]fakehost.VisibleEntry{longID: s.entries}
	for name, o := range testlength.SomeOf(map[string]prune.Op{
		"forgotten":          {Verb: prune.Payloads, Payload: 1000},
		"moved":              {Verb: prune.Payloads, Payload: 1000, Externalise: true},
		"moved, and no user": {Verb: prune.Payloads, Payload: 1000, Externalise: true, KeepUser: true},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Copy(t, s.path)
			was := testdb.Copy(t, path)
			before := testdb.Dump(t, path)
			db := open(t, path)
			o.Selector, o.FilesFolder = everything(), filepath.Join(filepath.Dir(path), "lcm-files")
			p := plan(t, db, o) // The transcript isn't found: the trust rows alone decide.
			out := apply(t, db, p)
			const replaced = "SELECT count(*) FROM messages WHERE (content LIKE '[LCM Tool Output: %' OR content LIKE '[LCM Forgotten: %')"
			n := rowsOf(t, path, replaced)
			if n == 0 || int64(n) != p.Set.Rows["messages"] || rowsOf(t, path, replaced+" AND seq > 100") > 0 || rowsOf(t, path, replaced+" AND transcript_entry_id IS NOT NULL") > 0 {
				t.Errorf("%d messages are others of %v planned", n, p.Set.Rows)
			}
			same(t, was, path, visible)
			if err := ops.Undo(t.Context(), db, out.Record); err != nil || testdb.Dump(t, path) != before {
				t.Errorf("undo gives another file, %v: %.3000s", err, cmp.Diff(strings.Split(before, "\n"), strings.Split(testdb.Dump(t, path), "\n")))
			}
		})
	}
}

// onlyMessages gives a session a context of messages alone, of which a batch can prepare the first.
func (s longSession) onlyMessages(t *testing.T) {
	t.Helper()
	s.host(t, func(h *fakehost.Host) error {
		for _, statement := range []string{
			"DELETE FROM context_items", "DELETE FROM summary_parents", "DELETE FROM summary_messages", "DELETE FROM summaries",
			"INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) SELECT 1, seq - 1, 'message', message_id FROM messages",
			"DELETE FROM pending_compaction_batches",
		} {
			if err := h.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestBatchIsGivenUpInTheSameTransaction: another connection sees the batch active and the texts as they were, or the
// batch stale and the texts moved, and never both. Undo leaves the batch stale.
func TestBatchIsGivenUpInTheSameTransaction(t *testing.T) {
	t.Parallel()
	s := newLongSession(t, 600)
	s.withOutputs(t)
	s.onlyMessages(t)
	s.host(t, func(h *fakehost.Host) error {
		h.Config.LeafChunkTokens = 2000
		_, nodes, ok, err := h.Plan(1)
		if err == nil && ok {
			_, ok, err = h.Claim(nodes[0])
		}
		if !ok {
			t.Error("nothing is prepared")
		}
		return err
	})
	db := open(t, s.path)
	db.PartRows = 5
	p := plan(t, db, prune.Op{Verb: prune.Payloads, Selector: everything(), Payload: 1000, Externalise: true, FilesFolder: filepath.Join(filepath.Dir(s.path), "lcm-files")})
	if p.Set.Rows["messages"] < 6 {
		t.Fatalf("only %v would move", p.Set.Rows)
	}
	stop, looked := make(chan struct{}), 0
	var waiting sync.WaitGroup
	waiting.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			rows := testdb.Rows(t, s.path, `SELECT (SELECT count(*) FROM pending_compaction_batches WHERE status = 'planning') || ' ' ||
				(SELECT count(*) FROM messages WHERE content LIKE '[LCM Tool Output: %')`)
			if looked++; rows[0] != "1 0" && strings.HasPrefix(rows[0], "1") {
				t.Errorf("active batches and moved outputs: %s", rows[0])
			}
		}
	})
	out := apply(t, db, p)
	close(stop)
	waiting.Wait()
	const stale = "SELECT count(*) FROM pending_compaction_batches b WHERE status = 'stale' AND failure_summary LIKE '%lcm-tui%' AND NOT EXISTS (SELECT 1 FROM pending_summary_nodes n WHERE n.batch_id = b.batch_id AND (n.status <> 'stale' OR lease_owner IS NOT NULL))"
	if rowsOf(t, s.path, stale) != 1 || looked == 0 {
		t.Errorf("the batch is no stale one; another connection looked %d times", looked)
	}
	if err := ops.Undo(t.Context(), db, out.Record); err != nil || rowsOf(t, s.path, stale) != 1 {
		t.Errorf("after undo the batch is no stale one, %v", err)
	}
}

// TestHostWritesBetweenTurns: while texts are forgotten in many short turns a host starts and stores turns; nothing
// comes back, every message is there once, and wherever a user goes back to, little does.
func TestHostWritesBetweenTurns(t *testing.T) {
	t.Parallel()
	s := newLongSession(t, 760)
	db := open(t, s.path)
	db.PartRows = 10
	p := plan(t, db, prune.Op{Verb: prune.Text, Selector: selector.Selector{Conversations: []int64{1}}, StateFolder: s.state})
	stop := make(chan struct{})
	shown := s.entries
	var waiting sync.WaitGroup
	waiting.Go(func() {
		s.host(t, func(h *fakehost.Host) error {
			for i := 0; ; i++ {
				select {
				case <-stop:
					_, err := fakehost.Bootstrap(h, 1, shown)
					return err
				default:
				}
				next := testdb.NextEntries(shown, fmt.Sprint("turn ", i))
				if _, err := fakehost.CommitTurn(h, 1, fmt.Sprint("turn", i), testdb.MessagesOf(next)...); err != nil {
					return err
				}
				shown = append(shown[:len(shown):len(shown)], next...)
				if i%3 == 2 {
					if _, err := fakehost.Bootstrap(h, 1, shown); err != nil {
						return err
					}
				}
			}
		})
	})
	_, err := ops.ApplyPlan(t.Context(), db, p)
	close(stop)
	waiting.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if n := rowsOf(t, s.path, "SELECT count(*) FROM messages"); n != len(shown) || rowsOf(t, s.path, forgotten) == 0 {
		t.Errorf("%d messages are stored of %d", n, len(shown))
	}
	s.branches(t, 32)
	if n := rowsOf(t, s.path, "SELECT count(*) FROM "+data.EpochTable); n > 1 {
		t.Errorf("%d epochs", n)
	}
}
