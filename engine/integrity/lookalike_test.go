package integrity_test

import (
	"slices"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/testlength"
)

// TestWhatOnlyLooksLikeDamage: each statement makes something that hosts write rightly, or
// that stands beside it and isn't right.
func TestWhatOnlyLooksLikeDamage(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const (
		tool   = "(SELECT m.message_id FROM context_items ci JOIN messages m ON m.message_id = ci.message_id WHERE ci.conversation_id = 1 AND m.role = 'tool' ORDER BY ci.ordinal LIMIT 1)"
		answer = "(SELECT m.message_id FROM context_items ci JOIN messages m ON m.message_id = ci.message_id WHERE ci.conversation_id = 1 AND m.role = 'assistant' ORDER BY ci.ordinal LIMIT 1)"
		leaf   = "(SELECT summary_id FROM summaries WHERE conversation_id = 1 AND kind = 'leaf' ORDER BY rowid LIMIT 1)"
		part   = "UPDATE message_parts SET part_type = 'text', tool_call_id = NULL, tool_name = NULL, metadata = '%' WHERE message_id = " + tool
		quote  = "UPDATE summaries SET content = 'They spoke of %' || content WHERE summary_id = " + leaf
	)
	with := func(statement, text string) string {
		i := slices.Index([]byte(statement), '%')
		return statement[:i] + text + statement[i+1:]
	}
	for name, c := range map[string]struct {
		statement string
		fault     integrity.FaultID
		found     bool
	}{
		"a result that is text":             {with(part, `{"originalRole":"toolResult","toolCallId":"exec_1","toolName":"exec"}`), integrity.ToolResultWithoutCallID, false},
		"its call in the block":             {with(part, `{"originalRole":"toolResult","raw":{"type":"tool_result","toolCallId":"exec_1"}}`), integrity.ToolResultWithoutCallID, false},
		"its call in the block, as snakes":  {with(part, `{"originalRole":"toolResult","raw":{"type":"tool_result","tool_call_id":"exec_1"}}`), integrity.ToolResultWithoutCallID, false},
		"its call where no host looks":      {with(part, `{"originalRole":"toolResult","raw":{"type":"text","id":"exec_1"}}`), integrity.ToolResultWithoutCallID, true},
		"a result without a call":           {with(part, `{"originalRole":"toolResult"}`), integrity.ToolResultWithoutCallID, true},
		"an empty result without parts":     {"UPDATE messages SET content = '' WHERE message_id = " + tool + "; DELETE FROM message_parts WHERE message_id = " + tool, integrity.ToolResultWithoutCallID, false},
		"which is an empty message":         {"UPDATE messages SET content = '' WHERE message_id = " + tool + "; DELETE FROM message_parts WHERE message_id = " + tool, integrity.MessageEmpty, true},
		"nothing but reasoning":             {"UPDATE messages SET content = '', token_count = 0 WHERE message_id = " + answer + "; UPDATE message_parts SET part_type = 'reasoning', text_content = 'I think so.', tool_input = NULL, tool_output = NULL WHERE message_id = " + answer, integrity.MessageTokensMissing, false},
		"words that weren't counted":        {"UPDATE messages SET content = '', token_count = 0 WHERE message_id = " + answer + "; UPDATE message_parts SET part_type = 'text', text_content = 'I think so.' WHERE message_id = " + answer, integrity.MessageTokensMissing, true},
		"a tag that is quoted":              {with(quote, "d7c511</think> and why it stood there. "), integrity.SummaryHoldsThinking, false},
		"a tag at the end of a line":        {with(quote, "d7c511</think>\n"), integrity.SummaryHoldsThinking, true},
		"a tag after a sentence":            {with(quote, "it. </think> And: "), integrity.SummaryHoldsThinking, true},
		"a tag on a line of its own":        {with(quote, "it\n</reasoning>\n\n"), integrity.SummaryHoldsThinking, true},
		"a quoted one, and one that closes": {with(quote, "d7c511</think> and then.\n</think>\n"), integrity.SummaryHoldsThinking, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := check(t, altered(t, c.statement), integrity.Request{Conversation: 1, Faults: []integrity.FaultID{c.fault}})
			if found := len(d.AtLeast(integrity.Warn).Findings) > 0; found != c.found {
				t.Errorf("%s found %v: %+v", c.fault, found, d.Findings)
			}
		})
	}
}
