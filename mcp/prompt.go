package mcp

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"lcm-tui/engine/retrieve"
)

// prompt is a request that a user can choose in a client.
type prompt struct {
	name, title, about      string
	argument, argumentAbout string
	text                    func(value string) string
}

func prompts() []prompt {
	return []prompt{
		{
			"recall", "Recall", "Answer a question from the memory, with the ids of the sources.", "question", "What you want to know.",
			func(question string) string {
				return "Answer this question from the LCM memory: " + question + "\n\n" +
					"Find the rarest words of the question with lcm_grep (allConversations true unless one conversation is meant), look at the summaries and files that it names with lcm_describe, and follow them down with lcm_expand. " +
					"If that is not enough, ask lcm_expand_query. Answer briefly, and cite the id of the message or summary for every fact. Say so if the memory doesn't hold the answer. " + historyWarning
			},
		},
		{
			"what_happened", "What happened", "Report what happened since a time, with the ids of the sources.", "since", "A date or time, such as 2026-01-31, or words such as yesterday.",
			func(since string) string {
				return "Report what happened since " + since + " by the LCM memory.\n\n" +
					"List the conversations with lcm_conversations. For each with newer messages read lcm_recent, and search with lcm_grep, parameter since, for decisions, errors and results. " +
					"Group the report by conversation: what was done, what was decided, what is open. Cite the id of the message or summary for every fact. " + historyWarning
			},
		},
	}
}

// addPrompts offers the prompts.
func (s *Server) addPrompts(server *sdk.Server) {
	for _, p := range prompts() {
		server.AddPrompt(&sdk.Prompt{
			Name: p.name, Title: p.title, Description: p.about,
			Arguments: []*sdk.PromptArgument{{Name: p.argument, Description: p.argumentAbout, Required: true}},
		}, p.handler)
	}
}

func (p prompt) handler(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	value := strings.TrimSpace(retrieve.WithoutControls(r.Params.Arguments[p.argument]))
	if value == "" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the prompt " + p.name + " needs \"" + p.argument + "\""}
	}
	return &sdk.GetPromptResult{
		Description: p.about,
		Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: p.text(value)}}},
	}, nil
}
