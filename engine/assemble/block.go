package assemble

import (
	"slices"
	"strings"

	"lcm-tui/data/jstext"
)

// The types of blocks that hosts and providers write for the call of a tool and
// for its result.
var (
	callTypes   = []string{"toolCall", "toolUse", "tool_use", "tool-use", "functionCall", "function_call"}
	resultTypes = []string{"tool_result", "toolResult", "function_call_output"}
)

// thinkingTypes are the types of blocks that only hold what a model thought.
var thinkingTypes = []string{"thinking", "reasoning", "redacted_thinking"}

func isCall(block jstext.Value) bool { return slices.Contains(callTypes, block.Field("type").Text()) }

// block rebuilds the block that a part was made of; undefined if nothing of it may
// be sent. The host's own block is taken as it is, except for those of tools, which
// are made from the columns. identified says that the message names the model
// that wrote it: a signature of thinking is of use to that one only.
func (p *part) block(identified bool) jstext.Value {
	kind := p.raw.Field("type").Text()
	rawType := p.rawType
	if rawType == "" {
		rawType = kind
	}
	call, outcome := slices.Contains(callTypes, kind), slices.Contains(resultTypes, kind)
	if (p.raw.IsObject() || p.raw.IsArray()) && !call && !outcome {
		return p.thinkingBlock(kind, identified)
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
	case p.meta.IsObject() || p.meta.IsArray():
		return textBlock(string(p.meta))
	}
	return textBlock("")
}

func textBlock(text string) jstext.Value {
	var o jstext.Object
	o.Put("type", `"text"`)
	o.Put("text", jstext.Quote(text))
	return o.Value()
}

// signature is where a host keeps the signature of a block of thinking. What a
// provider itself calls "signature" is not looked at.
const signature = "thinkingSignature"

// unsigned is what stands for a signature where a provider has none, only a field
// beside the content.
const unsigned = "reasoning_content"

// thinkingBlock returns the host's own block, of any type but a tool's. Thinking goes back to
// the form in which OpenAI sent it, if the host had put that into the signature.
func (p *part) thinkingBlock(kind string, identified bool) jstext.Value {
	if kind != "thinking" {
		return p.raw
	}
	if sig := p.raw.Field(signature).Text(); strings.HasPrefix(sig, "{") {
		item := jstext.Parse(sig)
		if item.Field("type") == `"reasoning"` && item.Field("id").IsString() {
			return item
		}
	}
	if identified {
		return p.raw
	}
	switch sig := p.raw.Field(signature); {
	case !sig.IsString():
		return p.raw
	case sig.Text() == unsigned:
		return ""
	}
	return p.raw.Without(signature)
}

func (p *part) reasoningBlock() jstext.Value {
	var o jstext.Object
	if p.rawType == "thinking" {
		o.Put("type", `"thinking"`)
	} else {
		o.Put("type", `"reasoning"`)
	}
	if p.Text.Text != "" {
		name := "text"
		if p.rawType == "thinking" {
			name = "thinking"
		}
		o.Put(name, jstext.Quote(p.Text.Text))
	}
	return o.Value()
}

func (p *part) callBlock(rawType string) jstext.Value {
	if !slices.Contains(callTypes, rawType) {
		rawType = "toolCall"
	}
	id := nonEmpty(p.ToolCallID.Text)
	input := stored(p.ToolInput)
	var o jstext.Object
	o.Put("type", jstext.Quote(rawType))
	if rawType == "function_call" {
		o.Put("call_id", id)
		o.Put("name", nonEmpty(p.ToolName.Text))
		o.Put("arguments", input)
		return o.Value()
	}
	if !id.Defined() {
		id = jstext.Quote("toolu_lcm_" + p.ID)
	}
	o.Put("id", id)
	o.Put("name", nonEmpty(p.ToolName.Text))
	if rawType == "toolCall" || rawType == "functionCall" {
		o.Put("arguments", input)
	} else {
		o.Put("input", input)
	}
	return o.Value()
}

func (p *part) resultBlock(rawType string) jstext.Value {
	if text, ok := p.plainResult(); ok {
		return textBlock(text)
	}
	if !slices.Contains(resultTypes, rawType) {
		rawType = "tool_result"
	}
	var o jstext.Object
	o.Put("type", jstext.Quote(rawType))
	o.Put("name", nonEmpty(p.ToolName.Text))
	output, content := stored(p.ToolOutput), p.raw.Field("content")
	switch raw := p.raw.Field("output"); {
	case output.Defined():
		o.Put("output", output)
	case !p.Text.Null:
		o.Put("output", jstext.Quote(p.Text.Text))
	case raw.Defined():
		o.Put("output", raw)
	case content.Defined():
		o.Put("content", content)
	default:
		o.Put("output", jstext.Empty)
	}
	for _, name := range []string{"is_error", "isError"} {
		if v := p.raw.Field(name); v.IsBool() {
			o.Put(name, v)
			break
		}
	}
	if rawType == "function_call_output" {
		o.Put("call_id", nonEmpty(p.ToolCallID.Text))
	} else {
		o.Put("tool_use_id", nonEmpty(p.ToolCallID.Text))
	}
	return o.Value()
}

// plainResult returns the text of a result that is nothing but text: the host's own block
// has it and no other payload, and no column says otherwise.
func (p *part) plainResult() (string, bool) {
	text := p.raw.Field("text")
	if !text.IsString() || p.raw.Field("output").Defined() || p.raw.Field("content").Defined() {
		return "", false
	}
	if stored(p.ToolOutput).Defined() || !p.Text.Null && p.Text.Text != text.Text() {
		return "", false
	}
	return text.Text(), true
}

// nonEmpty returns a JSON string, or undefined for an empty text.
func nonEmpty(s string) jstext.Value {
	if s == "" {
		return ""
	}
	return jstext.Quote(s)
}
