package mcp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/ask"
)

// TestServerOfAGrant: the tools of a grant are all that there is, its budget is used up over
// calls, and what they returned is noted for the process that made it.
func TestServerOfAGrant(t *testing.T) {
	t.Parallel()
	m := makeMixed(t)
	now := time.Now()
	o := options(m.path)
	o.Grant = ask.NewGrant("0123456789abcdef", "test", func() time.Time { return now }, 1)
	o.Grant.TokenCap = 8
	o.GrantUsage = filepath.Join(t.TempDir(), "usage.json")
	c := connect(t, o, statelessVersion, "claude-code")
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 3 {
		t.Fatalf("%v tools, %v", tools, err)
	}
	if caps := c.InitializeResult().Capabilities; caps.Resources != nil && len(listResources(t, c)) > 0 {
		t.Error("it offers resources")
	}
	text, failed := callTool(t, c, "lcm_expand", map[string]any{"summaryIds": []string{m.own[1]}, "maxDepth": 1})
	if failed || !strings.Contains(text, m.own[0]) {
		t.Errorf("the first call: failed %v: %s", failed, text)
	}
	if b, err := os.ReadFile(o.GrantUsage); err != nil || !strings.Contains(string(b), m.own[1]) {
		t.Errorf("what was returned isn't noted: %v: %s", err, b)
	}
	o.Grant.Consume(100)
	if text, failed = callTool(t, c, "lcm_expand", map[string]any{"summaryIds": []string{m.own[1]}}); !failed || !strings.Contains(text, "budget") {
		t.Errorf("with nothing left: failed %v: %s", failed, text)
	}
	if text, failed = callTool(t, c, "lcm_describe", map[string]any{"id": m.own[1], "expandFile": true}); !failed || !strings.Contains(text, `unknown argument \"expandFile\"`) {
		t.Errorf("an argument that the grant's tools don't take: %s", text)
	}
	now = now.Add(time.Hour)
	if text, failed = callTool(t, c, "lcm_describe", map[string]any{"id": m.own[1]}); !failed || !strings.Contains(text, "expired") {
		t.Errorf("after an hour: failed %v: %s", failed, text)
	}
}
