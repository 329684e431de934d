package ask

import (
	"context"
	"errors"
	"strings"

	"lcm-tui/engine/summarize"
)

// Single has a model without tools answer, in one call, from the passages that Evidence quotes.
// The counts of its answers are those of Evidence, and it cites only what was quoted.
type Single struct {
	Model summarize.Model
	// Masker takes secrets out of what the model gets; nil takes none out.
	Masker summarize.Masker
}

// Name implements Navigator.
func (s Single) Name() string { return s.Model.Name() }

// Identity returns all that answers depend on beside the task.
func (s Single) Identity() string {
	if i, ok := s.Model.(summarize.Identified); ok {
		return i.Identity()
	}
	return ""
}

// singlePrompt stands before the question and the passages.
const singlePrompt = "You have no tools. The passages below are all that was found; answer from them only.\n\nQuestion:\n"

// Navigate implements Navigator.
func (s Single) Navigate(ctx context.Context, t Task) (Answer, error) {
	quoted := t
	quoted.MaxTokens = max(t.MaxTokens, t.Tools.Grant.Remaining()) // As much as was read; the model makes it short.
	read, err := readTask(ctx, quoted)
	if err != nil {
		return Answer{}, err
	}
	evidence := read.answer()
	passages := withoutSecrets(s.Masker, strings.TrimSpace(strings.TrimPrefix(evidence.Text, noModel)))
	reply, err := s.Model.Summarize(ctx, summarize.Request{
		System: systemPrompt, Prompt: singlePrompt + withoutSecrets(s.Masker, t.Prompt) + "\n\n" + marked(passages),
		Source: passages, Kind: "answer", Mode: summarize.Normal, Target: int(t.MaxTokens), MaxTokens: int(t.MaxTokens) + extraTokens,
	})
	switch {
	case ctx.Err() != nil:
		return Answer{}, &PhaseError{Phase: PhaseWait, Err: context.Cause(ctx)}
	case err != nil:
		return Answer{}, &PhaseError{Phase: PhaseSpawn, Err: err}
	case strings.TrimSpace(reply.Text) == "":
		return Answer{}, &PhaseError{Phase: PhaseRead, Err: errors.New("the model ended without a reply")}
	}
	answer, err := ReadAnswer(reply.Text, len(t.Seeds))
	if err != nil {
		return Answer{}, &PhaseError{Phase: PhaseParse, Err: err}
	}
	u := &Usage{}
	u.addSeen(evidence.Cited...)
	answer = u.apply(answer)
	answer.Expanded, answer.SourceTokens, answer.Truncated = evidence.Expanded, evidence.SourceTokens, evidence.Truncated
	return answer, nil
}
