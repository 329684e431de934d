package lcm_test

import (
	"testing"

	"lcm-tui/data/lcm"
)

// TestRawAnswer: what a tool answered is read from the host's own block where no column has it, as hosts do for a model.
func TestRawAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		part lcm.Part
		want string
	}{
		{lcm.Part{NoText: true, Metadata: `{"raw":{"type":"tool_result","content":[{"type":"text","text":"one"},"two",{"type":"image"}]}}`}, "one\ntwo\n{\"type\":\"image\"}"},
		{lcm.Part{NoText: true, Metadata: `{"raw":{"type":"toolResult","content":"whole"}}`}, "whole"},
		{lcm.Part{NoText: true, Metadata: `{"raw":{"type":"function_call_output","output":{"a":1},"content":"other"}}`}, `{"a":1}`},
		{lcm.Part{NoText: true, Metadata: `{"raw":{"type":"tool_result","output":null}}`}, ""},
		{lcm.Part{NoText: true, Metadata: `{"raw":{"type":"tool_use","content":"no answer"}}`}, ""},
		{lcm.Part{NoText: true, Metadata: `{"raw":{"type":"tool_result","content":"a \"cut`}, `a "cut`},
		{lcm.Part{NoText: true, Metadata: `{"raw":{"type":"tool_result","content":[{"type":"text","text":"one"},{"type":"text","text":"{[cut\u00`}, "one\n{[cut"},
		{lcm.Part{NoText: true, Metadata: `{"raw":{"type":"tool_result","content":"cut\`}, "cut"},
		{lcm.Part{NoText: true, Metadata: `{"raw":{"type":"tool_result","con`}, ""},
		{lcm.Part{NoText: true, Metadata: `{"raw":[]}`}, ""},
		{lcm.Part{NoText: true, ToolOutput: "of a column", Metadata: `{"raw":{"type":"tool_result","content":"x"}}`}, ""},
		{lcm.Part{Metadata: `{"raw":{"type":"tool_result","content":"x"}}`}, ""},
	} {
		if got := c.part.RawAnswer(); got != c.want {
			t.Errorf("%s: %q, want %q", c.part.Metadata, got, c.want)
		}
	}
}
