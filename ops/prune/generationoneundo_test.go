package prune_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
)

// TestUndoAfterTheHostWentOn: texts come back with their entries and trust rows, though the host distrusts them by
// then, and the next start vouches for all; where another row has an entry by then, the row stays without.
func TestUndoAfterTheHostWentOn(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newLongSession(t, 640)
	_, record := s.forget(t, prune.Op{})
	s.host(t, func(h *fakehost.Host) error {
		if _, err := fakehost.Bootstrap(h, 1, s.entries); err != nil {
			return err
		}
		next := testdb.NextEntries(s.entries, "went on")
		_, err := fakehost.CommitTurn(h, 1, "went on", fakehost.Message{Role: "user", Content: next[0].Content, At: next[0].At})
		return err
	})
	taken := testdb.Rows(t, s.path, "SELECT message_id FROM messages WHERE content LIKE '[LCM Forgotten: %' ORDER BY seq LIMIT 1")[0]
	exec(t, s.path, "UPDATE messages SET transcript_entry_id = (SELECT 'entry' || (seq - 1) FROM messages WHERE message_id = "+taken+") WHERE seq = (SELECT max(seq) FROM messages)")
	if err := ops.Undo(t.Context(), open(t, s.path), record); err != nil {
		t.Fatal(err)
	}
	if n := rowsOf(t, s.path, forgotten); n > 0 {
		t.Errorf("%d texts are forgotten still", n)
	}
	const without = "SELECT count(*) FROM messages m WHERE NOT EXISTS (SELECT 1 FROM message_transcript_anchor_trust t WHERE t.message_id = m.message_id AND t.transcript_entry_id = m.transcript_entry_id AND t.trust_state = 'verified')"
	if n := rowsOf(t, s.path, without+" AND message_id = "+taken); n != 1 {
		t.Error("the row whose entry another one has names it too")
	}
	if n := rowsOf(t, s.path, without); n != 2 {
		t.Errorf("%d rows have no trusted entry", n)
	}
	s.host(t, func(h *fakehost.Host) error {
		if err := h.Exec("UPDATE messages SET transcript_entry_id = NULL WHERE seq = (SELECT max(seq) FROM messages)"); err != nil {
			return err
		}
		out, err := fakehost.Bootstrap(h, 1, s.entries)
		if len(out.Imported) > 0 || out.Archived {
			t.Errorf("the next start: %+v", out)
		}
		return err
	})
}

// TestUndoGivesRowsThatTheHostDistrustedTheirTrustRowsBack: the host takes the entry off a row that it distrusts, and
// leaves the trust row.
func TestUndoGivesRowsThatTheHostDistrustedTheirTrustRowsBack(t *testing.T) {
	t.Parallel()
	s := newLongSession(t, 640)
	exec(t, s.path, "UPDATE messages SET transcript_entry_id = NULL WHERE seq IN (5, 7)")
	exec(t, s.path, "UPDATE "+data.AnchorTrustTable+" SET trust_state = 'suspect', reason = 'entry id content mismatch' WHERE message_id IN (SELECT message_id FROM messages WHERE transcript_entry_id IS NULL)")
	before := testdb.Dump(t, s.path)
	_, record := s.forget(t, prune.Op{})
	const stubs = "SELECT count(*) FROM messages WHERE seq IN (5, 7) AND content LIKE '[LCM Forgotten: %'"
	if rowsOf(t, s.path, stubs) == 0 {
		t.Fatal("no distrusted row is forgotten")
	}
	if err := ops.Undo(t.Context(), open(t, s.path), record); err != nil {
		t.Fatal(err)
	}
	if testdb.Dump(t, s.path) != before {
		t.Error("undo didn't restore every byte")
	}
}

// goesOn plays what a host of 1.0 does after an undo: starts, turns with a start after each, and a replay of everything that
// was said. It fails where the host stores anything but the turns, or where a stored text isn't what was said.
func (s longSession) goesOn(t *testing.T) {
	t.Helper()
	was := rowsOf(t, s.path, "SELECT count(*) FROM messages")
	shown := slices.Clone(s.entries)
	s.host(t, func(h *fakehost.Host) error {
		for i := range 3 {
			if out, err := fakehost.Bootstrap(h, 1, shown); err != nil || len(out.Imported) > 0 || out.Archived || out.Frozen {
				t.Errorf("start %d: %+v, %v", i, out, err)
			}
			next := testdb.NextEntries(shown, fmt.Sprint("after the undo ", i))
			if _, err := fakehost.CommitTurn(h, 1, fmt.Sprint("after ", i), testdb.MessagesOf(next)...); err != nil {
				return err
			}
			shown = append(shown, next...)
		}
		if _, err := fakehost.Bootstrap(h, 1, shown); err != nil {
			return err
		}
		n, err := h.Replay(1, testdb.MessagesOf(shown))
		if n > 0 {
			t.Errorf("a replay stores %d messages", n)
		}
		return err
	})
	if n := rowsOf(t, s.path, "SELECT count(*) FROM messages"); n != was+6 {
		t.Errorf("%d messages are stored, want %d", n, was+6)
	}
	texts := testdb.Rows(t, s.path, "SELECT content FROM messages ORDER BY seq")
	for i, e := range shown {
		if i < len(texts) && texts[i] != e.Content {
			t.Fatalf("message %d is %q, and %q was said", i, texts[i], e.Content)
		}
	}
}

// TestTextsThatComeBackWithoutTheirEntries: where only the texts are back, and the host distrusts the rows, it stores nothing
// twice. It is why an entry that another row names by then can stay away from the row that had it.
func TestTextsThatComeBackWithoutTheirEntries(t *testing.T) {
	t.Parallel()
	s := newLongSession(t, 640)
	_, record := s.forget(t, prune.Op{})
	exec(t, s.path, "CREATE TABLE gone AS SELECT message_id FROM messages WHERE content LIKE '[LCM Forgotten: %'")
	if err := ops.Undo(t.Context(), open(t, s.path), record); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"UPDATE messages SET transcript_entry_id = NULL WHERE message_id IN (SELECT message_id FROM gone)",
		"UPDATE " + data.AnchorTrustTable + " SET trust_state = 'suspect', reason = 'entry id content mismatch' WHERE message_id IN (SELECT message_id FROM gone)",
	} {
		exec(t, s.path, statement)
	}
	const without = "SELECT count(*) FROM messages m JOIN " + data.AnchorTrustTable + " t USING (message_id) WHERE m.transcript_entry_id IS NULL AND t.trust_state = 'suspect'"
	if n := rowsOf(t, s.path, without); n < 50 || rowsOf(t, s.path, forgotten) != 0 {
		t.Errorf("%d rows have no entry", n)
	}
	s.goesOn(t)
}

// TestDeletedRowsComeBackBelowTheirSummaries: messages below a summary that a plan deleted come back with their parts, links,
// entries and trust rows after the host went on, and it stores nothing twice.
func TestDeletedRowsComeBackBelowTheirSummaries(t *testing.T) {
	t.Parallel()
	s := newLongSession(t, 640)
	db := open(t, s.path)
	rows := func() (all []string) { // The host vouches for its entries again at each start.
		for _, query := range []string{
			"SELECT * FROM messages ORDER BY message_id", "SELECT * FROM message_parts ORDER BY message_id, ordinal", "SELECT * FROM summary_messages ORDER BY summary_id, ordinal",
			"SELECT message_id, conversation_id, transcript_entry_id, trust_state FROM " + data.AnchorTrustTable + " ORDER BY message_id", "SELECT rowid, * FROM messages_fts ORDER BY rowid",
		} {
			all = append(all, testdb.Rows(t, s.path, query)...)
		}
		return all
	}
	before := rows()
	p := ops.New("repair", "delete messages below a summary")
	for _, id := range testdb.Rows(t, s.path, "SELECT message_id FROM summary_messages ORDER BY message_id LIMIT 12") {
		var message int64
		if _, err := fmt.Sscan(id, &message); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"summary_messages", "message_parts", data.AnchorTrustTable, "messages"} {
			rows, err := data.Images(t.Context(), db, table, data.Row{"message_id": message})
			if err != nil || len(rows) == 0 {
				t.Fatalf("%s of message %d: %d rows, %v", table, message, len(rows), err)
			}
			for _, r := range rows {
				p.Changes = append(p.Changes, change.Delete(db, table, r))
			}
		}
		p.Leaves = append(p.Leaves, message)
	}
	p.Forgets = true
	record, err := ops.Apply(t.Context(), db, p)
	if err != nil || rowsOf(t, s.path, "SELECT count(*) FROM messages") != len(s.entries)-12 {
		t.Fatalf("deleted: %v", err)
	}
	s.host(t, func(h *fakehost.Host) error {
		out, err := fakehost.Bootstrap(h, 1, s.entries)
		if len(out.Imported) > 0 {
			t.Errorf("the host stores %v while they are gone", out.Imported)
		}
		return err
	})
	if err := ops.Undo(t.Context(), db, record); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if after := rows(); !slices.Equal(after, before) {
		t.Errorf("undo gives other rows: %.2000s", cmp.Diff(before, after))
	}
	s.goesOn(t)
}

// TestUndoBesideALaterBatch: the batch that a prune gave up stays given up, and the one that the host has begun since is given
// up by the undo, whose texts it was made of. The host publishes the next one, and no message is lost.
func TestUndoBesideALaterBatch(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	s := newLongSession(t, 640)
	s.withOutputs(t)
	s.onlyMessages(t)
	prepare := func(finish bool) (batch string) {
		s.host(t, func(h *fakehost.Host) error {
			h.Config.LeafChunkTokens = 2000
			is, nodes, ok, err := h.Plan(1)
			for i, n := range nodes {
				if err != nil || !ok || i > 0 && !finish {
					break
				}
				if n, ok, err = h.Claim(n); err == nil && ok && finish {
					err = h.Finish(n, "What was said until then.")
				}
			}
			if batch = is; !ok {
				t.Error("nothing is prepared")
			}
			return err
		})
		return batch
	}
	first := prepare(false)
	db := open(t, s.path)
	out := apply(t, db, plan(t, db, prune.Op{Verb: prune.Payloads, Selector: everything(), Payload: 1000, Externalise: true, FilesFolder: filepath.Join(filepath.Dir(s.path), "lcm-files")}))
	second := prepare(true)
	if err := ops.Undo(t.Context(), db, out.Record); err != nil {
		t.Fatal(err)
	}
	const active = "SELECT count(*) FROM pending_compaction_batches WHERE status IN ('planning', 'ready', 'publishing')"
	const held = "SELECT count(*) FROM pending_summary_nodes WHERE lease_owner IS NOT NULL"
	if first == second || rowsOf(t, s.path, active) != 0 || rowsOf(t, s.path, held) != 0 {
		t.Errorf("%d batches are active still, %d nodes are leased", rowsOf(t, s.path, active), rowsOf(t, s.path, held))
	}
	s.host(t, func(h *fakehost.Host) error {
		if err := h.Publish(second); err == nil && rowsOf(t, s.path, "SELECT count(*) FROM summaries") > 0 {
			t.Error("the host publishes what it made of other texts")
		}
		return nil
	})
	third := prepare(true)
	s.host(t, func(h *fakehost.Host) error {
		h.Config.LeafChunkTokens = 2000
		return errors.Join(h.Exec("UPDATE pending_compaction_batches SET status = 'ready' WHERE batch_id = ?", third), h.Publish(third))
	})
	const reachable = `SELECT count(DISTINCT message_id) FROM (SELECT message_id FROM context_items WHERE message_id IS NOT NULL
		UNION SELECT m.message_id FROM summary_messages m JOIN context_items c ON c.summary_id = m.summary_id)`
	if n := rowsOf(t, s.path, reachable); n != len(s.entries) || rowsOf(t, s.path, "SELECT count(*) FROM summaries") == 0 {
		t.Errorf("%d of %d messages can be reached; %d summaries", n, len(s.entries), rowsOf(t, s.path, "SELECT count(*) FROM summaries"))
	}
}
