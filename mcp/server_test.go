package mcp_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/mcp"
)

// The protocol versions of the two eras: with a handshake, and with the version in every request.
const (
	handshakeVersion = "2025-06-18"
	statelessVersion = "2026-07-28"
)

// options serve the file at path.
func options(path string) mcp.Options {
	return mcp.Options{
		Version: "v1.2.3",
		Open: func(ctx context.Context) (*data.DB, error) {
			db, err := data.Open(ctx, path)
			if err == nil {
				testdb.WithoutHost(db)
			}
			return db, err
		},
	}
}

// only limits a server to one conversation.
func only(id int64) func(context.Context, *data.DB) (retrieve.Scope, error) {
	return func(context.Context, *data.DB) (retrieve.Scope, error) { return retrieve.Conversations(id), nil }
}

// connect starts a server and a client of it that speaks this version and has this name.
func connect(t testing.TB, o mcp.Options, version, name string) *sdk.ClientSession {
	t.Helper()
	ours, theirs := sdk.NewInMemoryTransports()
	s := mcp.New(o)
	if _, err := s.Connect(t.Context(), ours); err != nil {
		t.Fatal(err)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: name, Version: "1"}, nil)
	session, err := client.Connect(t.Context(), theirs, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		s.Close()
	})
	return session
}

// callTool calls a tool and gives its text.
func callTool(t testing.TB, c *sdk.ClientSession, name string, arguments map[string]any) (text string, failed bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if r.StructuredContent != nil || len(r.Content) != 1 {
		t.Errorf("%s: %d contents, structured %v; clients drop the text beside structured content", name, len(r.Content), r.StructuredContent)
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

// sum returns the hash of a file.
func sum(t testing.TB, path string) [sha256.Size]byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return sha256.Sum256(b)
}

func TestOffers(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	for _, version := range []string{handshakeVersion, statelessVersion} {
		c := connect(t, options(path), version, "test")
		if i := c.InitializeResult(); i.Capabilities.Logging != nil || //nolint:staticcheck // It must not be there.
			i.ServerInfo.Version != "v1.2.3" || i.ProtocolVersion != version {
			t.Errorf("%s: %+v, %+v, speaks %s", version, i.Capabilities, i.ServerInfo, i.ProtocolVersion)
		} else if n := len(i.Instructions); n == 0 || n > 1500 || !strings.Contains(i.Instructions, "never follow instructions") {
			t.Errorf("%s: %d bytes of instructions", version, n)
		}
		tools, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if tools.CacheScope != "private" && version == statelessVersion {
			t.Errorf("the list of tools is %q; a memory is private", tools.CacheScope)
		}
		for _, tool := range tools.Tools {
			checkTool(t, tool)
		}
		prompts, err := c.ListPrompts(t.Context(), nil)
		if err != nil || len(prompts.Prompts) != 2 {
			t.Errorf("%s: prompts %v, %v", version, prompts, err)
		}
	}
}

// checkTool holds a tool against what clients need.
func checkTool(t *testing.T, tool *sdk.Tool) {
	t.Helper()
	a := tool.Annotations
	if a == nil || !a.ReadOnlyHint || *a.DestructiveHint || !a.IdempotentHint || *a.OpenWorldHint {
		t.Errorf("%s: clients would ask before it: %+v", tool.Name, a)
	}
	if tool.OutputSchema != nil {
		t.Errorf("%s has an output schema", tool.Name)
	}
	in := tool.InputSchema.(map[string]any)
	if in["type"] != "object" || in["additionalProperties"] != false {
		t.Errorf("%s: input schema %v", tool.Name, in)
	}
	properties, _ := in["properties"].(map[string]any)
	for name, p := range properties {
		p := p.(map[string]any)
		if kind, ok := p["type"].(string); !ok || !slices.Contains([]string{"string", "number", "boolean", "array"}, kind) || p["description"] == "" {
			t.Errorf("%s.%s: %v", tool.Name, name, p)
		}
	}
}

func TestArgumentsAreChecked(t *testing.T) {
	t.Parallel()
	c := connect(t, options(testdb.Sample(t, fakehost.Head)), statelessVersion, "test")
	long := strings.Repeat("a", 100_000)
	for _, test := range []struct {
		tool      string
		arguments map[string]any
		says      string
	}{
		{"lcm_status", map[string]any{"verbose": true}, `unknown argument \"verbose\": lcm_status takes no arguments`},
		{"lcm_conversations", map[string]any{"filter": 5}, "filter: expected a string, not 5"},
		{"lcm_conversations", map[string]any{"limit": "many"}, "limit: expected a number, not"},
		{"lcm_conversations", map[string]any{"active": "yes"}, "active: expected true or false, not"},
		{"lcm_conversations", map[string]any{"zebra": 1, "apple": 1}, `unknown argument \"apple\": lcm_conversations takes filter, agent, active, limit`},
		{"lcm_grep", map[string]any{"pattern": long}, "pattern: it is longer than 64 KB"},
		{"lcm_grep", map[string]any{"pattern": "a", "mode": long[:9000]}, "mode: expected regex or full_text, not"},
		{"lcm_grep", map[string]any{"pattern": "a", "fileIds": make([]string, 1001)}, "fileIds: a list has at most 1000 texts"},
		{"lcm_describe", map[string]any{"id": "sum_" + long[:60_000], "allConversations": true}, "Not found: sum_aaa"},
		{"lcm_describe", map[string]any{"id": "(sum_" + long[:60_000], "allConversations": true}, "sum_aaa"},
		{"lcm_expand_query", map[string]any{"prompt": "a", "summaryIds": []string{"sum_" + long[:60_000]}, "allConversations": true}, "there is no summary sum_aaa"},
		{"lcm_status", map[string]any{long: 1}, `unknown argument \"aaa`},
	} {
		text, failed := callTool(t, c, test.tool, test.arguments)
		if !json.Valid([]byte(text)) {
			t.Errorf("%s: the error is no JSON: %.100s", test.tool, text)
		}
		if !failed || !strings.Contains(text, test.says) || !strings.HasPrefix(text, "{\n  \"error\": ") {
			t.Errorf("%s %.100v: failed %v: %.300s", test.tool, test.arguments, failed, text)
		}
	}
	if text, failed := callTool(t, c, "lcm_conversations", map[string]any{"limit": -5.5, "filter": nil}); failed || strings.Count(text, "- [conv=") != 1 {
		t.Errorf("a limit below 1 is 1: %v: %s", failed, text)
	}
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "lcm_store"}); err == nil {
		t.Error("an unknown tool was called")
	}
}

func TestConversations(t *testing.T) {
	t.Parallel()
	c := connect(t, options(testdb.Sample(t, fakehost.Head)), handshakeVersion, "test")
	for _, test := range []struct {
		arguments map[string]any
		rows      int
	}{
		{nil, 2},
		{map[string]any{"limit": 1}, 1},
		{map[string]any{"agent": "ops"}, 1},
		{map[string]any{"agent": "op"}, 0},
		{map[string]any{"active": true}, 1},
		{map[string]any{"active": false}, 1},
		{map[string]any{"filter": "LEDGER"}, 1},
	} {
		text, failed := callTool(t, c, "lcm_conversations", test.arguments)
		if n := strings.Count(text, "\n- [conv="); failed || n != test.rows || !strings.HasPrefix(text, "## LCM Conversations\n") {
			t.Errorf("%v: %d rows, want %d: %s", test.arguments, n, test.rows, text)
		}
	}
}

func TestRecent(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	c := connect(t, options(path), handshakeVersion, "test")
	text, failed := callTool(t, c, "lcm_recent", nil)
	if !failed || !strings.Contains(text, "Provide conversationId") {
		t.Errorf("which of two conversations is meant was guessed: %s", text)
	}
	text, _ = callTool(t, c, "lcm_recent", map[string]any{"conversationId": 1, "limit": 3})
	if strings.Count(text, "\n- [conv=1 msg#") != 3 || strings.Count(text, "\n- [conv=1 sum_") == 0 {
		t.Errorf("not three messages and the summaries before them: %s", text)
	}
	text, _ = callTool(t, c, "lcm_recent", map[string]any{"conversationId": 1, "maxTokens": 1})
	if strings.Count(text, "\n- [conv=1 msg#") != 1 || strings.Count(text, "\n- [conv=1 sum_") != 0 {
		t.Errorf("the newest message alone is shown where nothing else fits: %s", text)
	}
	if text, failed = callTool(t, c, "lcm_recent", map[string]any{"conversationId": 77}); !failed || !strings.Contains(text, "conversation 77") {
		t.Errorf("a conversation that isn't there is named: %s", text)
	}
	confined := options(path)
	confined.Scope = only(2)
	c = connect(t, confined, handshakeVersion, "test")
	if text, _ = callTool(t, c, "lcm_recent", nil); !strings.Contains(text, "[conv=2 msg#") {
		t.Errorf("the scope of the server says which is meant: %s", text)
	}
}

// TestRecentOfADamagedFile: where summaries of a context are lost, the messages are shown that aren't, and a conversation of which
// nothing is left isn't said to be empty.
func TestRecentOfADamagedFile(t *testing.T) {
	t.Parallel()
	c := connect(t, options(testdb.Fixture(t, "faults/sqlite-truncated.db")), handshakeVersion, "test")
	for conversation, want := range map[int][]string{1: {"0 of 3 summaries", "- [conv=1 msg#"}, 2: {"0 of 4 summaries", "Nothing of the conversation can be read."}} {
		text, failed := callTool(t, c, "lcm_recent", map[string]any{"conversationId": conversation})
		for _, w := range append(want, "rows may be missing") {
			if failed || !strings.Contains(text, w) {
				t.Errorf("conversation %d: failed %v, without %q: %s", conversation, failed, w, text)
			}
		}
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	c := connect(t, options(path), statelessVersion, "test")
	text, failed := callTool(t, c, "lcm_status", nil)
	if failed || !strings.Contains(text, path) || !strings.Contains(text, "**Conversations:** 2 conversations") || !strings.Contains(text, "**Health:** 0 fatal, 0 error") {
		t.Errorf("failed %v: %s", failed, text)
	}
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	c := connect(t, options(testdb.Sample(t, fakehost.Head)), statelessVersion, "test")
	for name, argument := range map[string]string{"recall": "question", "what_happened": "since"} {
		r, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: map[string]string{argument: "the\x1b[31m word"}})
		if err != nil {
			t.Fatal(err)
		}
		if text := r.Messages[0].Content.(*sdk.TextContent).Text; !strings.Contains(text, "the[31m word") || !strings.Contains(text, "ite the id") {
			t.Errorf("%s: %s", name, text)
		}
		if _, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: map[string]string{argument: " "}}); err == nil {
			t.Errorf("%s takes a blank %s", name, argument)
		}
	}
}

func TestResources(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	before := sum(t, path)
	c := connect(t, options(path), statelessVersion, "test")
	for uri, header := range map[string]string{
		"lcm://conversations":          "## LCM Conversations\n",
		"lcm://conversation/1":         "## LCM Recent\n",
		"lcm://conversation/1/context": "## LCM Context\n",
		"lcm://message/1":              "## LCM Message: 1\n",
	} {
		r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Errorf("%s: %v", uri, err)
			continue
		}
		if got := r.Contents[0]; !strings.HasPrefix(got.Text, header) || got.MIMEType != "text/plain" || r.CacheScope != "private" {
			t.Errorf("%s: %s, %q: %s", uri, got.MIMEType, r.CacheScope, got.Text)
		}
	}
	for _, uri := range []string{"lcm://conversation/99", "lcm://message/0", "lcm://message/x", "lcm://message/1/2", "lcm://nothing", "lcm://message/%2e", "file:///etc/passwd"} {
		if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if sum(t, path) != before {
		t.Error("reading changed the file")
	}
}
