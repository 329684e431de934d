package export

import (
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
)

// message is a message as the formats write it.
type message struct {
	*lcm.StreamedMessage
	original  jstext.Value // As the transcript had it.
	role      string       // As the host knew it: user, assistant, toolResult, system or another.
	forgotten bool         // Its text was forgotten; a stub stands for it.
}

func newMessage(m *lcm.StreamedMessage, first bool) message {
	v := assemble.Original(&m.RawMessage, first)
	role := v.Field("role").Text()
	if role == "tool" {
		role = assemble.RoleToolResult
	}
	return message{StreamedMessage: m, original: v, role: role, forgotten: data.IsForgotten(m.Content.Text)}
}

// entry returns the id of the message's entry in a transcript.
func (m message) entry() string {
	if m.Entry != "" {
		return m.Entry
	}
	return "m" + strconv.FormatInt(m.ID, 10)
}

// blockKind says what a block of a message is.
type blockKind int

// The kinds of blocks.
const (
	textBlock blockKind = iota
	thinkingBlock
	callBlock
	resultBlock
	imageBlock
	otherBlock // Of a type that we don't know.
)

// block is a part of a message in a form that all formats share.
type block struct {
	kind      blockKind
	text      string       // Of text, thinking, and the text of a result.
	id, name  string       // Of a call and its result.
	input     jstext.Value // Of a call.
	failed    bool         // Of a result.
	mime      string       // Of an image.
	data      string       // Of an image, in base64; empty where it isn't in the message.
	signature string       // Of thinking.
	raw       jstext.Value // As the host has it.
}

// blocks returns the parts of the message. A message with the result of a tool has one block, the
// result, and the images in it.
func (m message) blocks() []block {
	v := m.original
	content := v.Field("content")
	var out []block
	switch {
	case content.IsString():
		if s := content.Text(); s != "" {
			out = append(out, block{kind: textBlock, text: s})
		}
	case content.IsArray():
		for b := range content.Elements() {
			out = append(out, newBlock(b))
		}
	case content.IsObject():
		out = append(out, newBlock(content))
	case v.Field("command").IsString():
		out = append(out, block{kind: textBlock, text: "$ " + v.Field("command").Text() + "\n" + v.Field("output").Text()})
	case !content.Defined():
		if s := m.Content.Text; s != "" {
			out = append(out, block{kind: textBlock, text: s})
		}
	}
	if name := thoughtField(v); name != "" {
		out = append([]block{{kind: thinkingBlock, text: v.Field(name).Text()}}, out...)
	}
	out = slices.DeleteFunc(out, func(b block) bool { return (b.kind == textBlock || b.kind == thinkingBlock) && b.text == "" })
	if m.role == assemble.RoleToolResult {
		return m.joinResult(out)
	}
	return out
}

// thoughtField returns the member beside the content that holds what the model thought, or empty.
func thoughtField(v jstext.Value) string {
	for _, name := range []string{"reasoning_content", "reasoning", "reasoning_text"} {
		if f := v.Field(name); f.IsString() && f != jstext.Empty {
			return name
		}
	}
	return ""
}

// joinResult makes one result of the blocks of a tool's message. A message with the results of
// several calls has one for each.
func (m message) joinResult(bs []block) []block {
	whole := block{
		kind: resultBlock, id: m.original.Field("toolCallId").Text(), name: m.original.Field("toolName").Text(),
		failed: m.original.Field("isError") == jstext.True,
	}
	var lines []string
	var own, rest []block
	for _, b := range bs {
		switch {
		case b.kind == resultBlock && b.id != "" && b.id != whole.id && whole.id != "":
			own = append(own, b)
		case b.kind == resultBlock:
			lines = append(lines, b.text)
			if whole.id == "" {
				whole.id = b.id
			}
			if whole.name == "" {
				whole.name = b.name
			}
		case b.kind == imageBlock:
			rest = append(rest, b)
		default:
			lines = append(lines, b.plain())
		}
	}
	whole.text = strings.Join(lines, "\n")
	if len(lines) == 0 && len(own) > 0 {
		return append(own, rest...)
	}
	return slices.Concat([]block{whole}, own, rest)
}

// plain returns a block as text.
func (b block) plain() string {
	if b.text != "" || b.kind == textBlock || b.kind == thinkingBlock {
		return b.text
	}
	return string(b.raw)
}

// newBlock reads a block of any host or provider.
func newBlock(v jstext.Value) block {
	b := block{kind: otherBlock, raw: v}
	if v.IsString() {
		return block{kind: textBlock, text: v.Text(), raw: v}
	}
	switch kind := v.Field("type").Text(); kind {
	case "text", "input_text", "output_text":
		b.kind, b.text = textBlock, v.Field("text").Text()
	case "thinking", "reasoning":
		b.readThinking()
	case "toolCall", "toolUse", "tool_use", "tool-use", "functionCall", "function_call":
		b.kind, b.id, b.name, b.input = callBlock, firstText(v, "id", "call_id"), v.Field("name").Text(), firstOf(v, "arguments", "input")
		if kind == "function_call" {
			b.id = firstText(v, "call_id", "id")
		}
	case "tool_result", "toolResult", "function_call_output":
		b.kind, b.id, b.name = resultBlock, firstText(v, "tool_use_id", "call_id", "toolCallId", "toolUseId"), firstText(v, "name", "toolName")
		b.text = resultText(firstOf(v, "text", "output", "content"))
		b.failed = firstOf(v, "is_error", "isError") == jstext.True
	case "image", "image_url", "input_image":
		b.kind = imageBlock
		b.readImage()
	}
	return b
}

// readThinking reads what a model thought.
func (b *block) readThinking() {
	b.kind, b.text = thinkingBlock, firstText(b.raw, "thinking", "text")
	b.signature = firstText(b.raw, "thinkingSignature", "signature")
	if b.text != "" {
		return
	}
	var lines []string
	for s := range b.raw.Field("summary").Elements() {
		lines = append(lines, s.Field("text").Text())
	}
	b.text = strings.Join(lines, "\n")
}

// readImage finds the bytes of an image.
func (b *block) readImage() {
	source := b.raw.Field("source")
	b.mime, b.data = firstText(b.raw, "mimeType", "media_type"), b.raw.Field("data").Text()
	if b.data == "" {
		b.mime, b.data = source.Field("media_type").Text(), source.Field("data").Text()
	}
	url := b.raw.Field("image_url")
	for _, s := range []string{b.data, url.Text(), url.Field("url").Text(), source.Field("url").Text()} {
		if rest, ok := strings.CutPrefix(s, "data:"); ok {
			b.mime, b.data, _ = strings.Cut(rest, ";base64,")
		}
	}
}

// resultText returns the text of what a tool returned, in any of the forms that hosts have.
func resultText(v jstext.Value) string {
	switch {
	case v.IsString():
		return v.Text()
	case v.IsArray():
		var lines []string
		for e := range v.Elements() {
			lines = append(lines, newBlock(e).plain())
		}
		return strings.Join(lines, "\n")
	}
	return string(v)
}

// arguments returns the input of a call as JSON, or an empty object.
func (b block) arguments() jstext.Value {
	if b.input.IsString() {
		if v := jstext.Parse(b.input.Text()); v.IsObject() {
			return v
		}
	}
	if !b.input.Defined() {
		return "{}"
	}
	return b.input
}

func firstText(v jstext.Value, names ...string) string {
	for _, n := range names {
		if s := v.Field(n).Text(); s != "" {
			return s
		}
	}
	return ""
}

func firstOf(v jstext.Value, names ...string) jstext.Value {
	for _, n := range names {
		if f := v.Field(n); f.Defined() && f != jstext.Null {
			return f
		}
	}
	return ""
}

// heartbeatPoll and heartbeatAnswer are the texts by which a host checks an idle agent.
const (
	heartbeatPoll   = "[openclaw heartbeat poll]"
	heartbeatAnswer = "heartbeat_ok"
)

// isNoise reports whether nobody said a message: a heartbeat, or the note that old hosts kept of a
// compaction.
func isNoise(m *lcm.StreamedMessage) bool {
	if len(m.Content.Text) < 64 {
		switch text := strings.ToLower(jstext.Trim(m.Content.Text)); {
		case m.Role == "user" && text == heartbeatPoll, m.Role == "assistant" && text == heartbeatAnswer:
			return true
		}
	}
	if m.Role != "system" {
		return false
	}
	return slices.ContainsFunc(m.Parts, func(p lcm.RawPart) bool { return p.Type == "compaction" }) ||
		strings.HasPrefix(m.Content.Text, "LCM compaction ") && strings.Contains(m.Content.Text, " pass (")
}
