package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"lcm-tui/data/promoted"
	"lcm-tui/engine/ask"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/mcp"
)

// secret stands in every text of the conversation that is outside the scope.
const secret = "nightingale"

// mixed is a database with a conversation 1 inside the scope and a conversation 2 outside, whose
// rows are linked as damage links them: a summary and the context of 1 name rows of 2.
type mixed struct {
	path, files   string
	own, foreign  []string // Ids of summaries and files.
	ownMessages   []int64
	otherMessages []int64
}

func makeMixed(t *testing.T) (m mixed) {
	t.Helper()
	folder := t.TempDir()
	m.path, m.files = filepath.Join(folder, "lcm.db"), filepath.Join(folder, "lcm-files")
	w, err := fakehost.Create(m.path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	exec := func(query string, arguments ...any) { t.Helper(); check(w.Exec(query, arguments...)) }
	for conv, word := range []string{"", "harbour", secret} {
		if conv == 0 {
			continue
		}
		exec("INSERT INTO conversations (conversation_id, session_id, session_key, title, active, created_at) VALUES (?, ?, ?, ?, 1, '2026-01-01 00:00:00')",
			conv, "session-"+word, "agent:"+word+":main", "About "+word)
		var messages []int64
		for i := range 3 {
			id, err := w.Message(int64(conv), fakehost.Message{Role: "user", Content: fmt.Sprintf("common words of %s %d", word, i)})
			check(err)
			messages = append(messages, id)
		}
		leaf, top, file := fmt.Sprintf("sum_leaf%d", conv), fmt.Sprintf("sum_top%d", conv), fmt.Sprintf("file_%d", conv)
		for id, kind := range map[string]string{leaf: "leaf", top: "condensed"} {
			exec("INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, file_ids, created_at) VALUES (?, ?, ?, ?, ?, 5, ?, '2026-01-01 00:00:00')",
				id, conv, kind, map[string]int{"leaf": 0, "condensed": 1}[kind], "common summary of "+word, fmt.Sprintf("[%q]", file))
			exec("INSERT INTO summaries_fts (summary_id, content) VALUES (?, ?)", id, "common summary of "+word)
		}
		for i, message := range messages {
			exec("INSERT INTO summary_messages (summary_id, message_id, ordinal) VALUES (?, ?, ?)", leaf, message, i)
		}
		exec("INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES (?, ?, 0)", top, leaf)
		stored := filepath.Join(m.files, fmt.Sprint(conv), file+".txt")
		check(errors.Join(os.MkdirAll(filepath.Dir(stored), 0o700), os.WriteFile(stored, []byte("common file of "+word+"\n"), 0o600)))
		exec("INSERT INTO large_files (file_id, conversation_id, file_name, mime_type, byte_size, storage_uri, exploration_summary, created_at) VALUES (?, ?, ?, 'text/plain', 30, ?, ?, '2026-01-01 00:00:00')",
			file, conv, word+".txt", stored, "explored "+word)
		exec(promoted.Schema)
		for i, source := range []any{leaf, nil} {
			exec("INSERT INTO promoted (id, content, source_summary_id, project_id, created_at) VALUES (?, ?, ?, ?, '2026-01-01 00:00:00')",
				fmt.Sprintf("mem_%d%d", conv, i), "common entry of "+word, source, fmt.Sprint("project", conv))
		}
		if conv == 1 {
			m.own, m.ownMessages = []string{leaf, top, file}, messages
		} else {
			m.foreign, m.otherMessages = []string{leaf, top, file}, messages
		}
	}
	// What damage does: rows of conversation 1 lead to rows of conversation 2.
	exec("INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES (?, ?, 1)", m.own[1], m.foreign[0])
	exec("INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES (?, ?, 0)", m.foreign[1], m.own[1])
	exec("INSERT INTO summary_messages (summary_id, message_id, ordinal) VALUES (?, ?, 9)", m.own[0], m.otherMessages[0])
	exec("INSERT INTO context_items (conversation_id, ordinal, item_type, message_id, created_at) VALUES (1, 100, 'message', ?, '2026-01-01 00:00:00')", m.otherMessages[1])
	exec("INSERT INTO context_items (conversation_id, ordinal, item_type, summary_id, created_at) VALUES (1, 101, 'summary', ?, '2026-01-01 00:00:00')", m.foreign[1])
	exec("INSERT INTO context_items (conversation_id, ordinal, item_type, summary_id, created_at) VALUES (1, 102, 'summary', ?, '2026-01-01 00:00:00')", m.own[1])
	check(w.Close())
	return m
}

// calls returns all tools with all ids, words and scopes that could reach the other conversation.
func (m mixed) calls() map[string][]map[string]any {
	scopes := []map[string]any{{}, {"allConversations": true}, {"conversationId": 1}, {"conversationId": 2}, {"conversationId": 2, "allConversations": true}, {"conversationId": 0}}
	with := func(arguments map[string]any) (out []map[string]any) {
		for _, scope := range scopes {
			call := map[string]any{}
			for _, from := range []map[string]any{arguments, scope} {
				for name, value := range from {
					call[name] = value
				}
			}
			out = append(out, call)
		}
		return out
	}
	out := map[string][]map[string]any{"lcm_status": {{}}, "lcm_stats": {{}, {"verbose": true}}, "lcm_doctor": {{}}}
	add := func(tool string, calls []map[string]any) { out[tool] = append(out[tool], calls...) }
	for _, id := range append(m.foreign, m.own...) {
		for _, form := range []string{id, "[LCM File: " + id + " | x.txt]", "[LCM Tool Output: " + id + " | 3 bytes]\ntext", "[LCM Raw Payload: " + id + "]"} {
			add("lcm_describe", with(map[string]any{"id": form, "expandFile": true}))
			add("lcm_describe", with(map[string]any{"id": form, "expandFile": true, "startLine": 1, "endLine": 9}))
		}
		add("lcm_expand", with(map[string]any{"summaryIds": []string{id}, "includeMessages": true, "full": true}))
		add("lcm_expand", with(map[string]any{"summaryIds": []string{m.own[0], id}, "maxDepth": 3}))
		add("lcm_expand_query", with(map[string]any{"prompt": "what?", "summaryIds": []string{id}}))
	}
	for _, word := range []string{"common", "summary", "file"} {
		for _, mode := range []string{"regex", "full_text"} {
			for _, scope := range []string{"both", "messages", "summaries", "files"} {
				add("lcm_grep", with(map[string]any{"pattern": word, "mode": mode, "scope": scope, "limit": 200}))
				add("lcm_grep", with(map[string]any{"pattern": word, "mode": mode, "scope": scope, "fileIds": []string{m.foreign[2]}}))
			}
		}
		add("lcm_expand", with(map[string]any{"query": word}))
		add("lcm_expand_query", with(map[string]any{"prompt": "what?", "query": word}))
	}
	for _, layer := range []string{"promoted", "semantic", "episodic"} {
		add("lcm_search", []map[string]any{{"query": "common"}, {"query": "common", "layers": []string{layer}, "limit": 50}, {"query": "entry summary file", "layers": []string{layer}}})
	}
	for _, filter := range []string{"", "about", "session"} {
		add("lcm_conversations", []map[string]any{{"filter": filter, "limit": 200}})
	}
	for _, scope := range scopes {
		if _, ok := scope["allConversations"]; !ok {
			add("lcm_recent", []map[string]any{scope})
		}
	}
	return out
}

// reveals reports whether a text holds something of the other conversation, beside the ids that
// the caller named.
func (m mixed) reveals(text string, arguments map[string]any) bool {
	for _, id := range m.foreign {
		if strings.Contains(fmt.Sprint(arguments), id) {
			text = strings.ReplaceAll(text, id, "")
		}
	}
	signs := append([]string{secret, "mem_2", "conv=2", "Conversation:** 2"}, m.foreign...)
	for _, id := range m.otherMessages {
		signs = append(signs, fmt.Sprintf("msg#%d ", id), fmt.Sprintf("msg#%d]", id), fmt.Sprintf("Message: %d\n", id))
	}
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(text, sign) })
}

func TestNoCallLeavesTheScope(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := makeMixed(t)
	before := sum(t, m.path)
	confined := options(m.path)
	confined.Scope, confined.FilesDir = only(1), m.files
	granted := options(m.path)
	granted.FilesDir = m.files
	granted.Grant = ask.NewGrant("0123456789abcdef", "test", time.Now, 1)
	granted.Grant.TokenCap = 1 << 20
	for name, o := range map[string]mcp.Options{"scope": confined, "grant": granted} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connect(t, o, statelessVersion, "claude-code")
			tools, err := c.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			shown := 0
			for _, tool := range tools.Tools {
				calls := m.calls()[tool.Name]
				if len(calls) == 0 {
					t.Errorf("no call of %s is tried", tool.Name)
				}
				for _, arguments := range calls {
					text, failed := callTool(t, c, tool.Name, arguments)
					if m.reveals(text, arguments) {
						t.Errorf("%s %v reveals the other conversation:\n%s", tool.Name, arguments, text)
					}
					if !failed {
						shown++
					}
				}
			}
			if shown == 0 {
				t.Error("no call showed anything")
			}
		})
	}
	t.Run("resources", func(t *testing.T) {
		t.Parallel()
		c := connect(t, confined, handshakeVersion, "claude-code")
		m.readResources(t, c)
	})
	t.Cleanup(func() {
		if sum(t, m.path) != before {
			t.Error("the calls changed the file")
		}
	})
}

// TestForeignIDsAreLikeMissingOnes: a call with an id of a conversation that the server doesn't show, or
// that a grant doesn't name, is answered as one with an id that isn't there.
func TestForeignIDsAreLikeMissingOnes(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	m := makeMixed(t)
	confined, granted := options(m.path), options(m.path)
	confined.Scope, confined.FilesDir = only(1), m.files
	granted.Grant = ask.NewGrant("0123456789abcdef", "test", time.Now, 1)
	granted.Grant.TokenCap = 1 << 20
	for name, o := range map[string]mcp.Options{"scope": confined, "grant": granted} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connect(t, o, statelessVersion, "claude-code")
			for _, id := range m.foreign {
				missing := strings.ReplaceAll(id, "2", "9")
				for tool, calls := range m.calls() {
					for _, arguments := range calls {
						asked := fmt.Sprint(arguments)
						if !strings.Contains(asked, id) || name == "grant" && tool == "lcm_expand_query" {
							continue
						}
						text, failed := callTool(t, c, tool, arguments)
						instead, failedToo := callTool(t, c, tool, replaced(arguments, id, missing))
						if failed != failedToo || strings.ReplaceAll(text, id, missing) != instead {
							t.Errorf("%s %s: %s\na missing id: %s", tool, asked, text, instead)
						}
					}
				}
			}
		})
	}
}

// replaced returns the arguments of a call with another id.
func replaced(arguments map[string]any, id, other string) map[string]any {
	out := map[string]any{}
	for name, value := range arguments {
		switch v := value.(type) {
		case string:
			value = strings.ReplaceAll(v, id, other)
		case []string:
			value = strings.Split(strings.ReplaceAll(strings.Join(v, " "), id, other), " ")
		}
		out[name] = value
	}
	return out
}

// readResources reads every address: what is inside is there, what is outside is like what isn't
// there.
func (m mixed) readResources(t *testing.T, c *sdk.ClientSession) {
	t.Helper()
	read := func(uri string) (string, error) {
		r, err := c.ReadResource(context.Background(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			return "", err
		}
		return r.Contents[0].Text, nil
	}
	_, missing := read("lcm://summary/sum_that_is_not_there")
	outside := []string{"lcm://conversation/2", "lcm://conversation/2/context"}
	inside := []string{"lcm://conversations", "lcm://conversation/1", "lcm://conversation/1/context", "lcm://file/" + m.own[2]}
	for _, id := range m.foreign {
		outside = append(outside, "lcm://summary/"+id, "lcm://file/"+id)
	}
	for _, id := range m.otherMessages {
		outside = append(outside, fmt.Sprintf("lcm://message/%d", id))
	}
	for _, id := range m.ownMessages {
		inside = append(inside, fmt.Sprintf("lcm://message/%d", id))
	}
	for _, id := range m.own[:2] {
		inside = append(inside, "lcm://summary/"+id)
	}
	for _, uri := range outside {
		if text, err := read(uri); err == nil || err.Error() != missing.Error() {
			t.Errorf("%s: %v: %s", uri, err, text)
		}
	}
	for _, uri := range inside {
		if text, err := read(uri); err != nil || m.reveals(text, nil) || !strings.Contains(text, "harbour") {
			t.Errorf("%s: %v: %s", uri, err, text)
		}
	}
}
