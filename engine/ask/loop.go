package ask

import (
	"context"
	"errors"
	"fmt"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// Loop has a model with tools answer. The counts of its answers are those of the tools, and it
// cites only what they returned.
type Loop struct {
	Model model.ToolModel
	// Masker takes secrets out of what the model gets; nil takes none out.
	Masker summarize.Masker
}

// withoutSecrets returns a text without its secrets.
func withoutSecrets(m summarize.Masker, text string) string {
	if m == nil {
		return text
	}
	text, _ = m.Mask(text)
	return text
}

// How much of a model's work is done for one task.
const (
	maxTurns        = 8
	maxCallsPerTurn = 3
	// extraTokens are for reasoning and for the JSON around an answer.
	extraTokens = 2048
)

// Name implements Navigator.
func (l Loop) Name() string { return l.Model.Name() }

// Identity returns all that answers depend on beside the task.
func (l Loop) Identity() string { return l.Model.Identity() }

// Navigate implements Navigator.
func (l Loop) Navigate(ctx context.Context, t Task) (Answer, error) {
	r := model.ToolRequest{
		System: systemPrompt, Tools: ToolList(), MaxTokens: int(t.MaxTokens) + extraTokens,
		Messages: []model.Exchange{{Role: model.RoleUser, Text: withoutSecrets(l.Masker, t.text())}},
	}
	corrected := false
	for turn := 1; ; turn++ {
		r.NoCalls = turn >= maxTurns
		reply, err := l.Model.CallWithTools(ctx, r)
		if err != nil {
			return Answer{}, turnError(ctx, turn, err)
		}
		r.Messages = append(r.Messages, reply.Message)
		if len(reply.Message.Calls) > 0 && !r.NoCalls {
			next := model.Exchange{Role: model.RoleUser, Results: l.callTools(ctx, t.Tools, reply.Message.Calls)}
			if err := ctx.Err(); err != nil {
				return Answer{}, &PhaseError{Phase: PhaseWait, Err: err}
			}
			if turn == maxTurns-1 {
				next.Text = answerNow
			}
			r.Messages = append(r.Messages, next)
			continue
		}
		if reply.Message.Text == "" {
			return Answer{}, &PhaseError{Phase: PhaseRead, Err: errors.New("the model ended without a reply")}
		}
		answer, err := ReadAnswer(reply.Message.Text, len(t.Seeds))
		if err == nil {
			return t.Tools.Usage.apply(answer), nil
		}
		if corrected || turn >= maxTurns {
			return Answer{}, &PhaseError{Phase: PhaseParse, Err: err}
		}
		corrected = true
		r.Messages = append(r.Messages, model.Exchange{Role: model.RoleUser, Text: jsonOnly})
	}
}

// turnError returns the failure of a call: one before the model answered at all is that of its start.
func turnError(ctx context.Context, turn int, err error) error {
	if ctx.Err() != nil {
		return &PhaseError{Phase: PhaseWait, Err: context.Cause(ctx)}
	}
	if turn == 1 {
		return &PhaseError{Phase: PhaseSpawn, Err: err}
	}
	return &PhaseError{Phase: PhaseWait, Err: err}
}

// callTools calls the tools one after the other. What is more than a turn allows isn't called.
func (l Loop) callTools(ctx context.Context, tools *Tools, calls []model.ToolCall) []model.ToolResult {
	results := make([]model.ToolResult, len(calls))
	for i, c := range calls {
		results[i] = model.ToolResult{CallID: c.ID, IsError: true}
		switch {
		case i >= maxCallsPerTurn:
			results[i].Text = fmt.Sprintf("not called: at most %d calls are made at once", maxCallsPerTurn)
		case ctx.Err() != nil:
			results[i].Text = "not called: the time is over"
		default:
			text, isError := tools.Call(ctx, c.Name, c.Arguments)
			results[i].Text, results[i].IsError = marked(withoutSecrets(l.Masker, text)), isError
		}
	}
	return results
}
