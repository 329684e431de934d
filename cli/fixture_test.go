package cli_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// run, object and answered are what tests of single commands use as well.
var run, object, answered = testcli.Run, testcli.Object, testcli.Answered

// contract is what must be in the JSON of each command: in the object, and in each
// element of its list.
var contract = map[string]struct{ list, fields, each string }{
	"conversations": {"conversations", "", "conversation_id session_id session_key title active messages summaries max_depth context_items context_tokens large_files created_at last_message_at summaries_by_depth agent archived_at pending"},
	"messages":      {"messages", "conversation_id has_older", "message_id seq role content token_count created_at parts in_context summary_ids"},
	"summaries":     {"summaries", "conversation_id", "summary_id kind depth token_count content earliest_at latest_at descendant_count source_summary_ids source_message_ids in_context marker created_at model file_ids"},
	"context":       {"items", "conversation_id tokens budget fresh_tail_ordinal", "ordinal item_type summary_id message_id kind depth role token_count preview"},
	"files":         {"files", "conversation_id", "file_id file_name mime_type byte_size storage_uri"},
	"focus":         {"briefs", "conversation_id", "brief_id status content"},
	"pending":       {"batches", "generation has_pending_tables", "batch_id conversation_id status state nodes publishable outcome reason covered_messages stretches next_claim_node_id"},
	"history":       {"records", "", "id op title applied_at undone_at"},
	"info":          {"looked", "path kind level writable generation upgraded pending_batches pending_states anchors epochs", "where"},
}

func hasFields(t *testing.T, what string, v map[string]any, fields string) {
	t.Helper()
	for _, f := range strings.Fields(fields) {
		if _, ok := v[f]; !ok {
			t.Errorf("%s: no field %s", what, f)
		}
	}
}

// contextHolder checks a command's JSON against the contract and returns it.
func contextHolder(t *testing.T, db, command string, args ...string) map[string]any {
	t.Helper()
	c := contract[command]
	v := object(t, db, append([]string{command}, args...)...)
	hasFields(t, command, v, c.fields)
	elements, ok := v[c.list].([]any)
	if !ok {
		t.Fatalf("%s: %s is no list", command, c.list)
	}
	for _, e := range elements {
		hasFields(t, command, e.(map[string]any), c.each)
	}
	return v
}

func TestFixturesKeepTheContract(t *testing.T) {
	t.Parallel()
	all, n := testdb.Fixtures(t), 0
	err := filepath.WalkDir(all, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".db") {
			if n++; !testlength.Runs(n) {
				return nil
			}
			name, _ := filepath.Rel(all, path)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				keepsContract(t, testdb.Copy(t, path))
			})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func keepsContract(t *testing.T, db string) {
	if exit, out, errs := run(t, db, "info", "--json"); exit == 1 && out == "" {
		if !strings.Contains(errs, db) || !strings.Contains(errs, "  hint: ") {
			t.Errorf("an unreadable file is refused with %q", errs)
		}
		return
	}
	for _, command := range []string{"info", "history", "pending"} {
		contextHolder(t, db, command)
	}
	for _, c := range contextHolder(t, db, "conversations")["conversations"].([]any) {
		id := fmt.Sprint(c.(map[string]any)["conversation_id"])
		for _, command := range []string{"messages", "summaries", "context", "files", "focus"} {
			contextHolder(t, db, command, id)
			if exit, out, errs := run(t, db, command, id); exit == 0 && out == "" || strings.Contains(out+errs, "\x1b") {
				t.Errorf("%s %s prints %q %q", command, id, out, errs)
			}
		}
	}
}

// golden reads an answer of the reference engine, if it gave that one.
func golden(t *testing.T, db, name string, into any) bool {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(strings.TrimSuffix(db, ".db")+".goldens", name))
	if err != nil {
		return false
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
	return true
}

func TestContextIsThatOfTheReference(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	answered(t, func(t *testing.T, path string) {
		var convs []struct {
			Conversation struct {
				ID int64 `json:"conversation_id"`
			} `json:"conversation"`
			Tokens float64 `json:"contextTokenCount"`
			Items  [][]any `json:"items"`
		}
		if !golden(t, path, "context.json", &convs) {
			t.Skip("the reference gave no contexts")
		}
		db := testdb.Copy(t, path)
		for _, want := range convs {
			got := object(t, db, "context", fmt.Sprint(want.Conversation.ID))
			if got["tokens"] != want.Tokens {
				t.Errorf("conversation %d: %v tokens, want %v", want.Conversation.ID, got["tokens"], want.Tokens)
			}
			items := [][]any{}
			for _, e := range got["items"].([]any) {
				i := e.(map[string]any)
				ref := i["summary_id"]
				if ref == nil {
					ref = i["message_id"]
				}
				items = append(items, []any{i["ordinal"], i["item_type"], ref})
			}
			if diff := cmp.Diff(want.Items, items); diff != "" {
				t.Errorf("conversation %d: %s", want.Conversation.ID, diff)
			}
		}
	})
}

func TestMarkersAreThoseOfTheReference(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	answered(t, func(t *testing.T, path string) {
		var doctor struct {
			Stats struct {
				Candidates []struct {
					Conversation int64  `json:"conversationId"`
					Summary      string `json:"summaryId"`
					Marker       string `json:"markerKind"`
				} `json:"candidates"`
			} `json:"stats"`
		}
		if !golden(t, path, "doctor.json", &doctor) {
			t.Skip("the reference had no doctor")
		}
		want, got := map[string]any{}, map[string]any{}
		for _, c := range doctor.Stats.Candidates {
			want[c.Summary] = c.Marker
		}
		db := testdb.Copy(t, path)
		for _, c := range object(t, db, "conversations")["conversations"].([]any) {
			id := fmt.Sprint(c.(map[string]any)["conversation_id"])
			for _, e := range object(t, db, "summaries", id)["summaries"].([]any) {
				if s := e.(map[string]any); s["marker"] != nil {
					got[s["summary_id"].(string)] = s["marker"]
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
