package assemble

import (
	"slices"
	"strings"
)

// The types of blocks that hosts and providers write for the call of a tool and
// for its result.
var (
	callTypes   = []string{"toolCall", "toolUse", "tool_use", "tool-use", "functionCall", "function_call"}
	resultTypes = []string{"tool_result", "toolResult", "function_call_output"}
)

// thoughtTypes are the types of blocks that only hold what a model thought.
var thoughtTypes = []string{"thinking", "reasoning", "redacted_thinking"}

func isCall(block value) bool { return slices.Contains(callTypes, block.field("type").text()) }

// block rebuilds the block that a part was made of; undefined if nothing of it may
// be sent. The host's own block is taken as it is, except for those of tools, which
// are made from the columns. identified says that the message names the model
// that wrote it: a signature of thinking is of use to that one only.
func (p *part) block(identified bool) value {
	kind := p.raw.field("type").text()
	rawType := p.rawType
	if rawType == "" {
		rawType = kind
	}
	call, outcome := slices.Contains(callTypes, kind), slices.Contains(resultTypes, kind)
	if (p.raw.isObject() || p.raw.isArray()) && !call && !outcome {
		return p.thought(kind, identified)
	}
	call, outcome = slices.Contains(callTypes, rawType), slices.Contains(resultTypes, rawType)
	switch {
	case p.Type == "reasoning":
		return p.reasoningBlock()
	case outcome, p.Type == "tool" && !call && p.originalRole == "toolResult":
		return p.resultBlock(rawType)
	case call, p.Type == "tool":
		return p.callBlock(rawType)
	case p.Type == "text" || p.Text.Text != "":
		return textBlock(p.Text.Text)
	case p.meta.isObject() || p.meta.isArray():
		return textBlock(string(p.meta))
	}
	return textBlock("")
}

func textBlock(text string) value {
	var o object
	o.put("type", `"text"`)
	o.put("text", quote(text))
	return o.value()
}

// signatures are where providers keep the signature of a block of thinking.
var signatures = []string{"thinkingSignature", "signature"}

// unsigned is what stands for a signature where a provider has none, only a field
// beside the content.
const unsigned = "reasoning_content"

// thought is the host's own block, of any type but a tool's. Thinking goes back to
// the form in which OpenAI sent it, if the host had put that into the signature.
func (p *part) thought(kind string, identified bool) value {
	if kind != "thinking" {
		return p.raw
	}
	if sig := p.raw.field("thinkingSignature").text(); strings.HasPrefix(sig, "{") {
		item := parse(sig)
		if item.field("type") == `"reasoning"` && item.field("id").isString() {
			return item
		}
	}
	if identified {
		return p.raw
	}
	for _, name := range signatures {
		if p.raw.field(name).text() == unsigned {
			return ""
		}
	}
	return p.raw.without(signatures...)
}

func (p *part) reasoningBlock() value {
	var o object
	if p.rawType == "thinking" {
		o.put("type", `"thinking"`)
	} else {
		o.put("type", `"reasoning"`)
	}
	if p.Text.Text != "" {
		name := "text"
		if p.rawType == "thinking" {
			name = "thinking"
		}
		o.put(name, quote(p.Text.Text))
	}
	return o.value()
}

func (p *part) callBlock(rawType string) value {
	if !slices.Contains(callTypes, rawType) {
		rawType = "toolCall"
	}
	id := nonEmpty(p.ToolCallID.Text)
	input := stored(p.ToolInput)
	var o object
	o.put("type", quote(rawType))
	if rawType == "function_call" {
		o.put("call_id", id)
		o.put("name", nonEmpty(p.ToolName.Text))
		o.put("arguments", input)
		return o.value()
	}
	if !id.defined() {
		id = quote("toolu_lcm_" + p.ID)
	}
	o.put("id", id)
	o.put("name", nonEmpty(p.ToolName.Text))
	if rawType == "toolCall" || rawType == "functionCall" {
		o.put("arguments", input)
	} else {
		o.put("input", input)
	}
	return o.value()
}

func (p *part) resultBlock(rawType string) value {
	if !slices.Contains(resultTypes, rawType) {
		rawType = "tool_result"
	}
	var o object
	o.put("type", quote(rawType))
	o.put("name", nonEmpty(p.ToolName.Text))
	output, content := stored(p.ToolOutput), p.raw.field("content")
	switch raw := p.raw.field("output"); {
	case output.defined():
		o.put("output", output)
	case !p.Text.Null:
		o.put("output", quote(p.Text.Text))
	case raw.defined():
		o.put("output", raw)
	case content.defined():
		o.put("content", content)
	default:
		o.put("output", empty)
	}
	if rawType == "function_call_output" {
		o.put("call_id", nonEmpty(p.ToolCallID.Text))
	} else {
		o.put("tool_use_id", nonEmpty(p.ToolCallID.Text))
	}
	for _, name := range []string{"is_error", "isError"} {
		if v := p.raw.field(name); v.isBool() {
			o.put(name, v)
		}
	}
	return o.value()
}

// nonEmpty is a JSON string, or undefined for an empty text.
func nonEmpty(s string) value {
	if s == "" {
		return ""
	}
	return quote(s)
}
