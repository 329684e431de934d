package retrieve

import "lcm-tui/data/jstext"

// ToolError is an answer of an agent tool that says why there is no other.
type ToolError struct {
	Message string
	Advice  string // What to do instead, or empty.
	Reason  Reason
}

// Reason is why a tool gives no other answer.
type Reason uint8

// The reasons.
const (
	BadRequest Reason = iota // The request makes no sense, whatever the file holds.
	NotFound
	OutOfScope // It lies in a conversation that isn't looked into.
)

func (e *ToolError) Error() string { return e.Message }

// Hint says what to do instead.
func (e *ToolError) Hint() string { return e.Advice }

// Text returns the error as the tool's answer: a JSON object.
func (e *ToolError) Text() string {
	text := "{\n  \"error\": " + string(jstext.Quote(e.Message))
	if e.Advice != "" {
		text += ",\n  \"hint\": " + string(jstext.Quote(e.Advice))
	}
	return text + "\n}"
}

// ErrExpandNotDelegated is the reference tool's answer to an agent that isn't a sub-agent.
var ErrExpandNotDelegated = &ToolError{Message: "lcm_expand is only available in sub-agent sessions. " +
	"Use lcm_expand_query to ask a focused question against expanded summaries, or lcm_describe/lcm_grep for lighter lookups."}
