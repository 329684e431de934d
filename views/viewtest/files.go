package viewtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Long makes a conversation of n messages, of which every hundredth says so.
func Long(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := SampleCache.Long(path, n, DemoNow); err != nil {
		t.Fatal(err)
	}
	return path
}

// Wide writes a context of n leaves of so many tokens.
func Wide(t testing.TB, n int, tokens int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true, At: DemoNow})
	if err != nil {
		t.Fatal(err)
	}
	err = h.Tx(func(h *fakehost.Writer) error {
		for i := range n {
			id, at := fmt.Sprintf("sum_%016x", i*7919), DemoNow.Format(time.DateTime)
			if err := h.Row("summaries", map[string]any{
				"summary_id": id, "conversation_id": conv, "kind": lcm.KindLeaf, "depth": 0, "token_count": tokens, "file_ids": "[]",
				"content": strings.Repeat(fmt.Sprintf("summary %d of a long conversation. ", i), 12), "created_at": at,
			}); err != nil {
				return err
			}
			if err := h.Row("context_items", map[string]any{
				"conversation_id": conv, "ordinal": i, "item_type": "summary", "summary_id": id, "created_at": at,
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// BigDAG returns 10,000 nodes, 8 made into one and so on.
func BigDAG(b *testing.B) string {
	var lines []string
	for depth, n := 0, 8750; n >= 1; depth, n = depth+1, n/8 {
		for i := range n {
			line := fmt.Sprintf("%d.%d %d", depth, i, depth)
			for s := 0; depth > 0 && s < 8; s++ {
				line += fmt.Sprintf(" %d.%d", depth-1, i*8+s)
			}
			if n < 8 {
				line += "!"
			}
			lines = append(lines, line)
		}
	}
	return Dag(b, lines...)
}

// BenchEnv returns an environment on a file, without an app.
func BenchEnv(b *testing.B, path string) *views.Env {
	db, err := data.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	styles, jobs := ui.NewStyles(true), ui.NewJobs(b.Context())
	b.Cleanup(func() {
		jobs.Close()
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	env := views.NewEnv(views.Options{DB: db}, jobs, &styles)
	env.Screens, env.Now = Screens, func() time.Time { return DemoNow }
	return env
}

// Dag writes a file with one conversation whose summaries are linked as told: a
// line is a node, its depth and its sources, "A 1 B C", and "!" after it means
// that it stands in the context.
func Dag(t testing.TB, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true, At: DemoNow.Add(-time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Exec("PRAGMA foreign_keys = OFF"); err != nil {
		t.Fatal(err)
	}
	if err := h.Tx(func(h *fakehost.Writer) error { return writeDAG(h, conv, lines) }); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func writeDAG(h *fakehost.Writer, conv int64, lines []string) error {
	ordinal := 0
	for i, line := range lines {
		line, shown := strings.CutSuffix(line, "!")
		f := strings.Fields(line)
		kind := lcm.KindCondensed
		if len(f) == 2 {
			kind = lcm.KindLeaf
		}
		at := DemoNow.Add(time.Duration(i-len(lines)) * time.Minute).Format(time.DateTime)
		err := h.Row("summaries", map[string]any{
			"summary_id": "sum_" + f[0], "conversation_id": conv, "kind": kind, "depth": f[1], "content": "text of " + f[0],
			"token_count": 10 + i, "earliest_at": at, "latest_at": at, "created_at": at, "file_ids": "[]", "model": "m",
		})
		if err != nil {
			return err
		}
		for o, src := range f[2:] {
			row := map[string]any{"summary_id": "sum_" + f[0], "parent_summary_id": "sum_" + src, "ordinal": o}
			if err := h.Row("summary_parents", row); err != nil {
				return err
			}
		}
		if !shown {
			continue
		}
		row := map[string]any{"conversation_id": conv, "ordinal": ordinal, "item_type": "summary", "summary_id": "sum_" + f[0], "created_at": at}
		if err := h.Row("context_items", row); err != nil {
			return err
		}
		ordinal++
	}
	return nil
}

// TwoMessages is a session file.
const TwoMessages = `{"type":"session","version":3,"id":"new-session","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/w"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-05T09:00:01.000Z","message":{"role":"user","content":"one"}}
{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-05T09:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"two"}]}}
`

// changeSome changes a copy of the demonstration in every way that the screen of differences shows.
const changeSome = `UPDATE messages SET content = '[LCM Forgotten: user message 3, 2026-01-05, 60 bytes]' WHERE message_id = 3;
UPDATE messages SET content = content || ' It was said later that this is not so.' WHERE message_id = 4;
UPDATE summaries SET content = replace(content, 'the', 'THE') WHERE summary_id = (SELECT min(summary_id) FROM summaries WHERE conversation_id = 2);
UPDATE context_items SET ordinal = ordinal + 1000 WHERE conversation_id = 2;
UPDATE context_items SET ordinal = ordinal - 999 WHERE conversation_id = 2;
UPDATE conversations SET active = 0 WHERE conversation_id = 3;
INSERT INTO conversations (conversation_id, session_id, session_key, created_at) VALUES (99, 'new', 'agent:main:new', '2026-03-18 11:00:00')`

// ChangedCopy copies the database as a backup and changes the copy. It returns the path.
func (d *Driver) ChangedCopy() string {
	d.T.Helper()
	path := d.Path + ".before.bak"
	content, err := os.ReadFile(d.Path)
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	if err == nil {
		err = faults.Alter(path, changeSome)
	}
	if err == nil {
		err = os.Chtimes(path, DemoNow.Add(-time.Hour), DemoNow.Add(-time.Hour))
	}
	if err != nil {
		d.T.Fatal(err)
	}
	return path
}

// DrivePending opens a file whose host prepares summaries of conversation 1: two leaves and a
// node above them are ready, one leaf is being summarized, one failed twice. A batch before it
// was published, and another one was given up. Conversation 2 has none.
func DrivePending(t *testing.T) *Driver {
	t.Helper()
	return DriveFile(t, PendingFile(t))
}

// PendingFile returns a file of its own for drivePending.
func PendingFile(t *testing.T) (path string) {
	t.Helper()
	content, err := pendingSample()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "lcm.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pendingSample is made once for all tests.
var pendingSample = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "lcm-pending-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "lcm.db")
	if err := samplePending(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func samplePending(path string) error {
	w, err := fakehost.Create(path, fakehost.Beta)
	if err != nil {
		return err
	}
	for _, key := range []string{"agent:main:main", "agent:main:other"} {
		if _, err := w.Conversation(fakehost.Conversation{SessionKey: key, Active: true}); err != nil {
			return err
		}
	}
	for i := range 28 {
		m := fakehost.Message{
			Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("message %d %s", i, strings.Repeat("of many words ", 4)),
			At: DemoNow.Add(time.Duration(i-600) * time.Minute),
		}
		if _, err := w.Message(1, m); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	h, err := fakehost.Start(path, fakehost.Config{FreshTailCount: 6, LeafChunkTokens: 80})
	if err != nil {
		return err
	}
	defer h.Close()
	batch, nodes, _, err := h.Plan(1)
	if err != nil {
		return err
	}
	for i, n := range nodes[:2] {
		if n, _, err = h.Claim(n); err != nil {
			return err
		}
		if err := h.Finish(n, fmt.Sprintf("# Text %d\n\nThe gateway got a retry budget, and **the ledger** moved.", i)); err != nil {
			return err
		}
	}
	return h.Tx(func(*fakehost.Writer) error {
		for _, s := range pendingScript(batch, nodes) {
			if err := h.Exec(s); err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
		return nil
	})
}

// pendingScript returns what happened to a batch after its first two nodes became ready, and to the
// batches before it.
func pendingScript(batch string, nodes []fakehost.Node) []string {
	const planned = "source_fingerprint, source_context_hash, prompt_version, model, created_at"
	return []string{
		fmt.Sprintf(`INSERT INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, depth, status, ordinal_start, ordinal_end, content, token_count, %s)
			SELECT 'psn_above-condensed-d1-0-%d', batch_id, conversation_id, 'condensed', 1, 'ready', 0, %d, 'Both at once.', 4, 'f', NULL, prompt_version, model, created_at
			FROM pending_summary_nodes WHERE node_id = '%s'`, planned, nodes[1].End, nodes[1].End, nodes[0].ID),
		fmt.Sprintf(`INSERT INTO pending_summary_node_children (node_id, ordinal, child_node_id) VALUES ('psn_above-condensed-d1-0-%d', 0, '%s'), ('psn_above-condensed-d1-0-%d', 1, '%s')`,
			nodes[1].End, nodes[0].ID, nodes[1].End, nodes[1].ID),
		fmt.Sprintf(`UPDATE pending_summary_nodes SET status = 'running', lease_owner = 'engine:s1', lease_expires_at = '2026-03-18T12:00:40.000Z' WHERE node_id = '%s'`, nodes[2].ID),
		fmt.Sprintf(`UPDATE pending_summary_nodes SET status = 'failed', retry_count = 2, failure_summary = 'empty pending summary source',
			next_attempt_after = '2026-03-18T12:02:00.000Z' WHERE node_id = '%s'`, nodes[3].ID),
		`INSERT INTO pending_compaction_batches (batch_id, conversation_id, status, source_projection_fingerprint, compactable_start_ordinal,
			compactable_end_ordinal, prompt_version, model, failure_summary, created_at, updated_at, published_at)
			VALUES ('pcb_old_published', 1, 'published', 'f', 0, 9, 'pending-summary-dag:v1', 'fake', NULL, '2026-03-16 08:00:00', '2026-03-16 09:00:00', '2026-03-16T09:00:00.000Z'),
			('pcb_old_stale', 1, 'stale', 'f', 0, 12, 'pending-summary-dag:v1', 'fake', 'source projection fingerprint changed before publish', '2026-03-17 08:00:00', '2026-03-17 09:00:00', NULL)`,
		`INSERT INTO pending_summary_nodes (node_id, batch_id, conversation_id, kind, depth, status, ordinal_start, ordinal_end, content, token_count, ` + planned + `)
			VALUES ('psn_old-leaf-0-9', 'pcb_old_published', 1, 'leaf', 0, 'promoted', 0, 9, NULL, 20, 'f', 'f', 'pending-summary-dag:v1', 'fake', '2026-03-16 08:00:00'),
			('psn_stale-leaf-0-4', 'pcb_old_stale', 1, 'leaf', 0, 'stale', 0, 4, 'A text that was given up.', 9, 'f', 'f', 'pending-summary-dag:v1', 'fake', '2026-03-17 08:00:00'),
			('psn_stale-leaf-5-12', 'pcb_old_stale', 1, 'leaf', 0, 'stale', 5, 12, NULL, NULL, 'f', 'f', 'pending-summary-dag:v1', 'fake', '2026-03-17 08:00:00')`,
		`INSERT INTO pending_summary_node_messages (node_id, message_id, ordinal) VALUES ('psn_stale-leaf-0-4', 3, 0), ('psn_stale-leaf-5-12', 6, 5), ('psn_old-leaf-0-9', 1, 0)`,
		fmt.Sprintf(`UPDATE pending_compaction_batches SET created_at = '2026-03-18 11:40:00', updated_at = '2026-03-18 11:58:00' WHERE batch_id = '%s'`, batch),
		fmt.Sprintf(`UPDATE pending_summary_nodes SET created_at = '2026-03-18 11:40:00', updated_at = '2026-03-18 11:58:00',
			ready_at = CASE WHEN ready_at IS NOT NULL THEN '2026-03-18T11:50:00.000Z' END WHERE batch_id = '%s'`, batch),
	}
}
