package model

import (
	"context"
	"encoding/json"
	"strings"

	"lcm-tui/engine/summarize"
)

// claude asks Anthropic's own program, which goes by its own login.
type claude struct{ program, model string }

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
		In      int64 `json:"input_tokens"`
		Written int64 `json:"cache_creation_input_tokens"`
		Read    int64 `json:"cache_read_input_tokens"`
		Out     int64 `json:"output_tokens"`
	} `json:"usage"`
}

func (c claude) call(ctx context.Context, r summarize.Request) (answer, error) {
	out, _, err := runAgent(ctx, agentRun{provider: Claude, program: c.program, in: r.Prompt, keep: claudeLogin, args: func(string) []string {
		args := []string{"--print", "--input-format", "text", "--output-format", "json", "--max-turns", "1", "--system-prompt", firstNonEmpty(r.System, plainTextPrompt)}
		if c.model != "" {
			args = append(args, "--model", c.model)
		}
		return args
	}})
	if err != nil {
		return answer{}, err
	}
	return readClaude(out)
}

// readClaude takes the program's JSON, or the text of one that prints just that.
func readClaude(out string) (answer, error) {
	var reply claudeReply
	if json.Unmarshal([]byte(out), &reply) != nil || reply.Type != "result" {
		return answer{text: out}, nil
	}
	got := answer{
		in: reply.Usage.In + reply.Usage.Written + reply.Usage.Read, out: reply.Usage.Out,
		cost: reply.Cost, priced: reply.Cost > 0,
	}
	message := ""
	if reply.Result != nil {
		message = *reply.Result
	}
	switch {
	case reply.IsError || reply.Subtype != "" && reply.Subtype != "success":
		e := &Error{Kind: KindCommand, Provider: Claude, Message: shorten(strings.TrimSpace(reply.Subtype + " " + message))}
		return got, asLoginError(e)
	case reply.StopReason != nil:
		got.text = message
		return got, stopError(Claude, *reply.StopReason, message, false)
	}
	got.text = message
	return got, nil
}
