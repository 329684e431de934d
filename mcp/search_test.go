package mcp_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/promoted"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/mcp"
)

// withEntries returns a database with promoted memory.
func withEntries(t *testing.T) (path string) {
	t.Helper()
	path = testdb.Sample(t, fakehost.Head)
	h := testdb.OpenHost(t, path)
	testdb.Must(t, h.Exec(promoted.Schema))
	testdb.Must(t, h.Exec(`INSERT INTO promoted (id, content, tags, project_id, created_at, archived_at) VALUES
		('mem_a', 'The pool size is twenty-four.
# not a heading', '["decision"]', 'p', '2026-01-01 00:00:00', NULL),
		('mem_b', 'The mirror lags.', '["fix"]', '', '2026-01-02 00:00:00', NULL), ('mem_c', 'The pool was six.', '[]', 'p', '2026-01-03 00:00:00', 'now')`))
	testdb.Must(t, h.Close())
	return path
}

// TestSearchHasTwoLists: promoted entries with any word, and what was said with all of them. What is archived is in
// neither, and with tags only entries are.
func TestSearchHasTwoLists(t *testing.T) {
	t.Parallel()
	c := connect(t, options(withEntries(t)), handshakeVersion, "claude-code")
	for name, q := range map[string]struct {
		arguments  map[string]any
		has, lacks string
	}{
		"both":     {map[string]any{"query": "pool"}, "- [mem_a] (decision, 2026-01-01 00:00 UTC): The pool size is twenty-four.\n  # not a heading\n", "mem_c"},
		"episodic": {map[string]any{"query": "pool", "layers": []string{"episodic"}}, "## LCM Grep Results", "mem_a"},
		"semantic": {map[string]any{"query": "pool", "layers": []string{"semantic"}}, "mem_a", "## LCM Grep Results"},
		"tags":     {map[string]any{"query": "mirror pool", "tags": []string{"fix"}}, "mem_b", "mem_a"},
		"nothing":  {map[string]any{"query": "unheard"}, "No entry has a word of the query.", "mem_"},
	} {
		text, failed := callTool(t, c, "lcm_search", q.arguments)
		if failed || !strings.Contains(text, q.has) || strings.Contains(text, q.lacks) {
			t.Errorf("%s: %v: %s", name, failed, text)
		}
	}
	if text, failed := callTool(t, c, "lcm_search", map[string]any{"query": "x", "layers": []string{"other"}}); !failed || !strings.Contains(text, "episodic") {
		t.Errorf("%v: %s", failed, text)
	}
}

// TestOnlyAServerThatMayStoreOffersIt, and says that the tool writes.
func TestOnlyAServerThatMayStoreOffersIt(t *testing.T) {
	t.Parallel()
	var stored mcp.Entry
	o := options(withEntries(t))
	for _, may := range []bool{false, true} {
		if may {
			o.Store = func(_ context.Context, _ *data.DB, e mcp.Entry) (string, error) {
				stored = e
				if e.Text == "no" {
					return "", errors.New("it is refused")
				}
				return "mem_9", nil
			}
		}
		c := connect(t, o, handshakeVersion, "claude-code")
		tools, err := c.ListTools(t.Context(), nil)
		testdb.Must(t, err)
		offered := false
		for _, tool := range tools.Tools {
			if tool.Name == "lcm_store" {
				offered = true
			}
			if tool.Annotations.ReadOnlyHint == (tool.Name == "lcm_store") {
				t.Errorf("%s: read only: %v", tool.Name, tool.Annotations.ReadOnlyHint)
			}
		}
		if offered != may {
			t.Errorf("offered: %v", offered)
		}
		if !may {
			continue
		}
		text, failed := callTool(t, c, "lcm_store", map[string]any{"text": "we agreed", "tags": []string{"decision"}, "projectPath": "/p"})
		if failed || text != `{"id":"mem_9","stored":true}`+"\n" || stored.Text != "we agreed" || stored.Tags[0] != "decision" || stored.Folder != "/p" {
			t.Errorf("%v: %q, %+v", failed, text, stored)
		}
		if text, failed := callTool(t, c, "lcm_store", map[string]any{"text": "no"}); !failed || !strings.Contains(text, "it is refused") {
			t.Errorf("%v: %s", failed, text)
		}
	}
}
