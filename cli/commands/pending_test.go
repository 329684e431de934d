package commands_test

import (
	"strings"
	"testing"

	"lcm-tui/internal/faults"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestPendingOfAConversation shows its active batch whole, with a picture of the context, and the
// finished ones as a table.
func TestPendingOfAConversation(t *testing.T) {
	t.Parallel()
	exit, out, errs := testcli.Run(t, testdb.Fixture(t, "v1.0/small.db"), "pending", "1", "--fresh-tail", "6")
	if exit != 0 || errs != "" {
		t.Fatal(exit, errs)
	}
	for _, want := range []string{
		"batch pcb_63dc19ef6f1455d4_6c2746efa9a4c37e\n",
		"state          prepared\n",
		"explanation    the host publishes it after a turn, once the context is over its threshold\n",
		"range          ordinals 0–32; the fresh tail begins at 45\n",
		"covers         29 messages in 8 nodes\n",
		"context        =================================............||||||\n",
		"= prepared   . raw   | fresh tail\n",
		"0–3       condensed  d3     ready         2      55",
		"earlier batches\n",
		"pcb_1bfb5847a3dc0c06_ca271a63089c958b  published",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q isn't in\n%s", want, out)
		}
	}
	_, whole, _ := testcli.Run(t, testdb.Fixture(t, "v1.0/small.db"), "pending", "1", "--active", "--include-content")
	if strings.Count(whole, "\nSummary ") != 8 || strings.Contains(whole, "earlier batches") {
		t.Errorf("the texts aren't whole:\n%s", whole)
	}
}

// TestPendingJSON has what the host would do, and texts only where they are asked for.
func TestPendingJSON(t *testing.T) {
	t.Parallel()
	batch := func(db string, args ...string) map[string]any {
		return testcli.Object(t, db, append([]string{"pending", "1", "--active"}, args...)...)["batches"].([]any)[0].(map[string]any)
	}
	small, edited := testdb.Fixture(t, "v1.0/small.db"), testdb.Fixture(t, "v1.0/faults/pending-source-edited.db")
	node := func(b map[string]any) map[string]any { return b["nodes"].([]any)[0].(map[string]any) }
	if b := batch(small); b["publishable"] != true || b["reason"] != nil || b["outcome"] != "publishes" || node(b)["content"] != nil || node(b)["status"] != "ready" {
		t.Errorf("%v", b)
	}
	if b := batch(small, "--include-content"); len(node(b)["content"].(string)) != 218 {
		t.Errorf("%v", node(b))
	}
	if b := batch(small, "--fresh-tail", "64"); b["publishable"] != false || b["reason"] != "pending batch range is no longer compactable" {
		t.Errorf("%v", b)
	}
	if b := batch(edited); b["publishable"] != false || b["reason"] != "source projection fingerprint changed before publish" {
		t.Errorf("%v", b)
	}
	page := testcli.Object(t, small, "pending", "--limit", "1")
	next := testcli.Object(t, small, "pending", "--cursor", page["next_cursor"].(string))
	if len(page["batches"].([]any)) != 1 || len(next["batches"].([]any)) != 3 {
		t.Errorf("%v, then %v", page["next_cursor"], next["batches"])
	}
}

// TestPendingStatesInLists are words beside the conversations, and their numbers in info.
func TestPendingStatesInLists(t *testing.T) {
	t.Parallel()
	rich := testdb.Fixture(t, "v1.0/rich.db")
	got := map[any]any{}
	for _, c := range testcli.Object(t, rich, "conversations")["conversations"].([]any) {
		got[c.(map[string]any)["conversation_id"]] = c.(map[string]any)["pending"]
	}
	for conv, want := range map[float64]any{1: "preparing", 2: "prepared", 4: nil, 5: "ignored", 13: nil, 14: "preparing"} {
		if got[conv] != want {
			t.Errorf("conversation %v is %v, not %v", conv, got[conv], want)
		}
	}
	if _, out, _ := testcli.Run(t, rich, "conversations"); !strings.Contains(out, "prepared") || !strings.Contains(out, "pending") {
		t.Error(out)
	}
	if _, out, _ := testcli.Run(t, rich, "conversations", "show", "5"); !strings.Contains(out, "pending work   ignored\n") {
		t.Error(out)
	}
	if _, out, _ := testcli.Run(t, testdb.Fixture(t, "v0.15.3/small.db"), "conversations"); strings.Contains(out, "pending") {
		t.Error(out)
	}
	info := testcli.Object(t, rich, "info")
	states, batches := info["pending_states"].(map[string]any), info["pending_batches"].(map[string]any)
	if info["generation"] != "1.0 beta" || states["ignored"] != 2.0 || states["prepared"] != 3.0 || batches["planning"] != 9.0 || batches["stale"] != 14.0 {
		t.Errorf("%v %v %v", info["generation"], states, batches)
	}
	_, out, _ := testcli.Run(t, testdb.Fixture(t, "v1.0/upgraded.db"), "info")
	for _, want := range []string{"generation     1.0 beta, upgraded from 0.x\n", "batches        6 published, 2 planning\n", "anchors        27 verified, 20 suspect\n", "epochs         5 legacy_prefix\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q isn't in\n%s", want, out)
		}
	}
	if old := testcli.Object(t, testdb.Fixture(t, "v0.15.3/small.db"), "info"); old["generation"] != "0.x" || old["pending_batches"] != nil {
		t.Errorf("%v", old)
	}
}

// TestPendingOfOddFiles: stored text doesn't steer the terminal, and what isn't there is left out.
func TestPendingOfOddFiles(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, sql := range map[string]string{
		"hostile": `UPDATE pending_summary_nodes SET content = char(27) || '[2J', failure_summary = char(27) || ']0;x', lease_owner = char(155) || 'x', node_id = node_id;
			UPDATE pending_compaction_batches SET failure_summary = char(27) || 'x', model = char(27) || 'y', session_key = char(0x202e)`,
		"other types": `PRAGMA ignore_check_constraints = 1; UPDATE pending_summary_nodes SET status = 7, retry_count = 1.5, token_count = 'many', created_at = 3;
			UPDATE pending_summary_nodes SET kind = x'1b00', ordinal_start = 'x', depth = 'deep' WHERE rowid = 20;
			UPDATE pending_compaction_batches SET status = 'planning', compactable_end_ordinal = 'far', created_at = 'soon', updated_at = x'1b'`,
		"no nodes":      "PRAGMA foreign_keys = 0; DROP TABLE pending_summary_nodes",
		"no links":      "DROP TABLE pending_summary_node_messages; DROP TABLE pending_summary_node_children",
		"no context":    "DROP TABLE context_items",
		"no names":      "ALTER TABLE pending_compaction_batches DROP COLUMN model; ALTER TABLE pending_summary_nodes DROP COLUMN next_attempt_after",
		"huge ordinals": "UPDATE pending_compaction_batches SET compactable_end_ordinal = 9223372036854775807, compactable_start_ordinal = -9223372036854775808",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := testdb.Fixture(t, "v1.0/small.db")
			if err := faults.Alter(db, sql); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"pending"}, {"pending", "1"}, {"pending", "1", "--include-content"}, {"pending", "--json"}} {
				exit, out, errs := testcli.Run(t, db, args...)
				if out == "" || strings.ContainsAny(out+errs, "\x1b\u009b\u202e") || strings.Contains(errs, "panic") || exit > 1 {
					t.Errorf("%q: exit %d, %q %q", args, exit, out, errs)
				}
			}
		})
	}
}
