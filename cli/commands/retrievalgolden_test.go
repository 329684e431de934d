package commands_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestTextsOfAgentTools: describe and expand print, byte for byte, what the reference engine's
// agent tools answered about a conversation, and a line end.
func TestTextsOfAgentTools(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, path := range testdb.FixtureFiles(t, filepath.Join("*", "*.goldens", "tools.json")) {
		var calls []struct {
			Tool   string
			Params map[string]any
			Result struct {
				Content []struct{ Text string }
				Details map[string]any
			}
		}
		b, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(b, &calls)
		}
		if err != nil {
			t.Fatal(err)
		}
		db := testdb.Copy(t, strings.TrimSuffix(filepath.Dir(path), ".goldens")+".db")
		for _, c := range calls {
			args := toolCommand(c.Tool, c.Params)
			if _, refused := c.Result.Details["error"]; args == nil || refused {
				continue
			}
			if exit, out, errs := testcli.Run(t, db, args...); exit != 0 || out != c.Result.Content[0].Text+"\n" {
				t.Errorf("%s: lcm-tui %v: exit code %d\n%s%s", path, args, exit, out, errs)
			}
		}
	}
}

// toolCommand returns the command that asks what a call of a tool asked, or nil for another tool.
func toolCommand(tool string, params map[string]any) (args []string) {
	switch tool {
	case "lcm_describe":
		args = []string{"describe", params["id"].(string)}
	case "lcm_expand":
		args = []string{"expand"}
		for _, id := range params["summaryIds"].([]any) {
			args = append(args, id.(string))
		}
	default:
		return nil
	}
	for _, p := range []struct{ param, flag string }{{"tokenCap", "--token-cap"}, {"maxDepth", "--depth"}, {"conversationId", "--conversation"}} {
		if v, ok := params[p.param]; ok {
			b, _ := json.Marshal(v) // A number.
			args = append(args, p.flag, string(b))
		}
	}
	if params["includeMessages"] == true {
		args = append(args, "--messages")
	}
	switch {
	case params["allConversations"] == true:
		return append(args, "--all")
	case params["conversationId"] == nil:
		return append(args, "--conversation", "1")
	}
	return args
}
