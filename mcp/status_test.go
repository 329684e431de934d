package mcp_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/mcp"
)

// TestStatsAndDoctor: the numbers and the findings are tables; a server for one conversation shows nothing of others, nor
// of the machine.
func TestStatsAndDoctor(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	testdb.Execute(t, path, "DELETE FROM context_items WHERE conversation_id = 1 AND item_type = 'message'")
	o := options(path)
	o.Installation = func(context.Context) []mcp.InstallationFinding {
		return []mcp.InstallationFinding{{ID: "I06", Severity: "error", Client: "codex", Text: "a | b", Repair: "c"}}
	}
	c := connect(t, o, statelessVersion, "test")
	text, failed := callTool(t, c, "lcm_stats", map[string]any{"verbose": true})
	if failed || !strings.Contains(text, "| conversations | 2 |") || !strings.Contains(text, "\n| 1 | ") || !strings.Contains(text, "\n| 2 | ") {
		t.Errorf("failed %v: %s", failed, text)
	}
	if text, _ = callTool(t, c, "lcm_stats", nil); strings.Contains(text, "\n| 1 | ") {
		t.Errorf("without verbose: %s", text)
	}
	text, failed = callTool(t, c, "lcm_doctor", nil)
	if failed || !strings.Contains(text, "| 1 |") || !strings.Contains(text, `| I06 | error | codex | a \| b | c |`) {
		t.Errorf("failed %v: %s", failed, text)
	}
	o.Scope = only(2)
	c = connect(t, o, statelessVersion, "test")
	if text, _ = callTool(t, c, "lcm_stats", map[string]any{"verbose": true}); strings.Contains(text, "\n| 1 | ") || !strings.Contains(text, "| conversations | 1 |") {
		t.Errorf("of one conversation: %s", text)
	}
	if text, _ = callTool(t, c, "lcm_doctor", nil); strings.Contains(text, "| 1 |") || strings.Contains(text, "I06") {
		t.Errorf("of one conversation: %s", text)
	}
}

// TestTheHealthIsThatOfTheFile: what a check found in a file isn't said of the one that was put in its place.
func TestTheHealthIsThatOfTheFile(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	testdb.Execute(t, path, "DELETE FROM context_items WHERE conversation_id = 1 AND item_type = 'message'")
	c := connect(t, options(path), statelessVersion, "test")
	if text, _ := callTool(t, c, "lcm_status", nil); !strings.Contains(text, " 1 warn") {
		t.Fatalf("no fault in the damaged file: %s", text)
	}
	move(t, testdb.Sample(t, fakehost.Head), path)
	if text, _ := callTool(t, c, "lcm_status", nil); !strings.Contains(text, " 0 warn") {
		t.Errorf("the faults of the file before: %s", text)
	}
}

// TestTheHealthAfterARepair: of a small file, what was repaired isn't listed for long.
func TestTheHealthAfterARepair(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	testdb.Execute(t, path, "UPDATE summaries SET depth = 7 WHERE depth = 0")
	c := connect(t, options(path), statelessVersion, "test")
	before, _ := callTool(t, c, "lcm_doctor", nil)
	testdb.Execute(t, path, "UPDATE summaries SET depth = 0 WHERE depth = 7")
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if text, _ := callTool(t, c, "lcm_doctor", nil); text != before {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the findings of before: %s", before)
		}
	}
}
