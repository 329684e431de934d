package programs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// Claude is Anthropic's own program, which goes by its own login.
type Claude struct {
	Path, Model string // An empty model is the program's own choice.
}

// claudeLogin are the variables that hold the program's own login.
var claudeLogin = []string{"CLAUDE_CODE_OAUTH_TOKEN"}

// plainTextPrompt is the system prompt of an agent's program where there are no other
// instructions: its own are those of an agent.
const plainTextPrompt = "You summarize. Follow the user's instructions exactly and answer in plain text only. Use no tools."

// claudeReply is what the program prints with --output-format json.
type claudeReply struct {
	Type       string  `json:"type"`
	Subtype    string  `json:"subtype"`
	IsError    bool    `json:"is_error"`
	Result     *string `json:"result"`
	StopReason *string `json:"stop_reason"`
	Cost       float64 `json:"total_cost_usd"`
	Usage      struct {
		In      model.Tokens `json:"input_tokens"`
		Written model.Tokens `json:"cache_creation_input_tokens"`
		Read    model.Tokens `json:"cache_read_input_tokens"`
		Out     model.Tokens `json:"output_tokens"`
	} `json:"usage"`
}

// Summarize runs the program once.
func (c Claude) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	out, _, err := runAgent(ctx, agentRun{provider: model.Claude, program: c.Path, in: r.Prompt, keep: claudeLogin, args: func(string) []string {
		return c.withModel("--print", "--input-format", "text", "--output-format", "json", "--max-turns", "1", "--no-session-persistence",
			"--system-prompt", cmp.Or(r.System, plainTextPrompt))
	}})
	if err != nil {
		return summarize.Reply{}, err
	}
	return readClaude(out)
}

// withModel adds the model to arguments, if one is named.
func (c Claude) withModel(args ...string) []string {
	if c.Model != "" {
		args = append(args, "--model", c.Model)
	}
	return args
}

// mostCost is more dollars than any call costs.
const mostCost = 1e4

// readClaude takes the program's JSON, or the text of one that prints just that.
func readClaude(out string) (summarize.Reply, error) {
	var kind struct{ Type string }
	if json.Unmarshal([]byte(out), &kind) != nil || kind.Type != "result" {
		return summarize.Reply{Text: out}, nil
	}
	var reply claudeReply
	if err := json.Unmarshal([]byte(out), &reply); err != nil {
		return summarize.Reply{}, &model.Error{Kind: model.KindMalformed, Provider: model.Claude, Message: model.Shorten(err.Error())}
	}
	got := summarize.Reply{
		InputTokens: int64(reply.Usage.In + reply.Usage.Written + reply.Usage.Read), OutputTokens: int64(reply.Usage.Out),
	}
	if reply.Cost > 0 && reply.Cost < mostCost {
		got.Cost, got.Priced = reply.Cost, true
	}
	message := ""
	if reply.Result != nil {
		message = *reply.Result
	}
	switch {
	case reply.IsError || reply.Subtype != "" && reply.Subtype != "success":
		e := &model.Error{Kind: model.KindCommand, Provider: model.Claude, Message: model.Shorten(strings.TrimSpace(reply.Subtype + " " + message))}
		return got, asLoginError(e)
	case reply.StopReason != nil:
		got.Text = message
		return got, model.CheckStop(model.Claude, *reply.StopReason, message, false)
	}
	got.Text = message
	return got, nil
}

// Run runs Claude Code with our server only: no tools of its own, no settings, hooks,
// skills or other servers of the user, and no stored session.
func (c Claude) Run(ctx context.Context, q model.ProgramRequest) (string, error) {
	const config = "mcp.json"
	servers, err := json.Marshal(map[string]any{"mcpServers": map[string]any{serverName: map[string]any{
		"type": "stdio", "command": q.Server[0], "args": q.Server[1:], "env": map[string]string{},
	}}})
	if err != nil {
		return "", fmt.Errorf("write the configuration of the server: %w", err)
	}
	allowed := make([]string, len(q.Tools))
	for i, name := range q.Tools {
		allowed[i] = "mcp__" + serverName + "__" + name
	}
	out, _, err := runWithTools(ctx, agentRun{
		provider: model.Claude, program: c.Path, in: q.Prompt, keep: claudeLogin,
		files: map[string]string{config: string(servers)},
		args: func(folder string) []string {
			return c.withModel(
				"--print", "--input-format", "text", "--output-format", "json", "--max-turns", "12", "--system-prompt", q.System,
				"--mcp-config", filepath.Join(folder, config), "--strict-mcp-config", "--tools", "", "--allowedTools", strings.Join(allowed, ","),
				"--setting-sources", "", "--disable-slash-commands", "--no-session-persistence",
			)
		},
	})
	if err != nil {
		return "", err
	}
	got, err := readClaude(out)
	return got.Text, err
}
