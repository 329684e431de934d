package transcript

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data/jstext"
)

// codex reads Codex' lines: items of the Responses API, in an envelope or, of old,
// bare. Its items have no ids of their own, so they are called by their place.
type codex struct {
	part      string // Begins the ids of entries.
	model     string
	names     map[string]string // Of the tools that were called and haven't answered, by the call's id.
	answering bool              // The item before was of an answer.
	ended     bool              // The turn of that answer is over.
	rewound   map[string]bool   // Ids of entries that aren't given.
}

func (c *codex) unfinished() bool { return c.answering && !c.ended }

func (c *codex) state() (called map[string]string, model string) { return c.names, c.model }

// codexID returns the id of the entry of a line.
func codexID(part string, line int64) string { return part + ":" + strconv.FormatInt(line, 10) }

func (c *codex) read(line string, at place) ([]Entry, error) {
	v := jstext.Parse(line)
	if !v.IsObject() {
		return nil, errJSON
	}
	e := Entry{Line: at.line, End: at.end, ID: codexID(c.part, at.line), At: firstTime(v.Field("timestamp"))}
	switch typ := v.Field("type").Text(); {
	case typ == "turn_context":
		if model := v.Field("payload").Field("model").Text(); model != "" {
			c.model = model
		}
		return nil, nil
	case typ == "event_msg":
		switch v.Field("payload").Field("type").Text() {
		case "task_complete", "turn_complete", "turn_aborted":
			c.ended = true
		}
		return nil, nil
	case typ == "response_item":
		if isInjected(v) {
			c.answering = false
			return nil, nil
		}
		v = v.Field("payload")
		if !v.IsObject() {
			return nil, errors.New("an item without a payload")
		}
	case !bareTypes[typ]:
		return nil, nil
	}
	if c.rewound[e.ID] {
		c.answering = false
		return nil, nil
	}
	return c.item(e, v), nil
}

// injected are the kinds of content that Codex itself puts before a model: what
// hooks add, the environment, its skills and permissions.
var injected = []string{"hooks.", "environments.", "host_skills.", "permissions."}

// isInjected says whether a line's item holds nothing but such content. The kinds
// stand beside the item or in it.
func isInjected(line jstext.Value) bool {
	some := false
	for _, v := range []jstext.Value{line, line.Field("payload"), line.Field("payload").Field("metadata")} {
		for kind := range v.Field("content_item_kinds").Elements() {
			if !slices.ContainsFunc(injected, func(prefix string) bool { return strings.HasPrefix(kind.Text(), prefix) }) {
				return false
			}
			some = true
		}
	}
	return some
}

// item returns the message of an item; none of one that says nothing.
func (c *codex) item(e Entry, v jstext.Value) []Entry {
	switch v.Field("type").Text() {
	case "message":
		return c.message(e, v)
	case "reasoning":
		return c.answer(e, v)
	case "function_call":
		v = withNamespace(v)
		c.addCall(v)
		return c.answer(e, pick(v, "type", "call_id", "name", "arguments"))
	case "custom_tool_call":
		c.addCall(v)
		return c.answer(e, call(v.Field("call_id"), v.Field("name"), v.Field("input")))
	case "local_shell_call":
		id := v.Field("call_id")
		if !id.IsString() {
			id = v.Field("id")
		}
		c.names[id.Text()] = "local_shell"
		return c.answer(e, call(id, `"local_shell"`, v.Field("action")))
	case "web_search_call":
		return c.answer(e, textBlock(jstext.Quote("[web search] "+searchText(v.Field("action")))))
	case "function_call_output", "custom_tool_call_output":
		return c.result(e, v)
	}
	return nil
}

// withNamespace returns a call whose tool of an MCP server is named as Claude Code names it: mcp__lcm__lcm_grep.
func withNamespace(call jstext.Value) jstext.Value {
	space := call.Field("namespace").Text()
	if !strings.HasPrefix(space, "mcp__") {
		return call
	}
	var o jstext.Object
	for name, v := range call.Fields() {
		if name == "name" {
			v = jstext.Quote(space + "__" + v.Text())
		}
		o.Put(name, v)
	}
	return o.Value()
}

// searchText returns what was looked for on the web.
func searchText(action jstext.Value) string {
	for _, name := range []string{"query", "url"} {
		if s := action.Field(name).Text(); s != "" {
			return s
		}
	}
	return string(action)
}

func (c *codex) addCall(v jstext.Value) { c.names[v.Field("call_id").Text()] = v.Field("name").Text() }

// message returns what the user or the model says. Instructions come as the developer's
// and the system's.
func (c *codex) message(e Entry, v jstext.Value) []Entry {
	role := v.Field("role").Text()
	if role == "developer" {
		role = "system"
	}
	var blocks []jstext.Value
	for b := range v.Field("content").Elements() {
		blocks = append(blocks, contentBlock(b))
	}
	if role == "assistant" {
		return c.answer(e, blocks...)
	}
	c.answering = false
	content := jstext.Array(blocks)
	if v.Field("content").IsString() {
		content = v.Field("content")
	} else if len(blocks) == 1 && blocks[0].Field("type") == `"text"` {
		content = blocks[0].Field("text")
	}
	e.Message = message(role, content, nil)
	return []Entry{e}
}

// resultContent returns the content of a tool's result as OpenClaw has it: blocks of text and images, which hosts
// index and summarise. They don't look into the block that an agent's program writes; it is kept where it holds
// something else, and where it is empty, since content without blocks loses the id of its call.
func resultContent(block, output jstext.Value) jstext.Value {
	var blocks []jstext.Value
	if output.IsString() && output.Text() != "" {
		blocks = append(blocks, textBlock(output))
	}
	for b := range output.Elements() {
		if !b.IsObject() {
			return jstext.Array([]jstext.Value{block})
		}
		blocks = append(blocks, contentBlock(b))
	}
	if len(blocks) == 0 {
		blocks = append(blocks, block)
	}
	return jstext.Array(blocks)
}

// contentBlock returns a block in the form that OpenClaw has for it.
func contentBlock(b jstext.Value) jstext.Value {
	switch b.Field("type").Text() {
	case "input_text", "output_text", "text", "summary_text":
		return textBlock(b.Field("text"))
	case "input_image":
		url := b.Field("image_url")
		if url.IsObject() {
			url = url.Field("url")
		}
		var source, o jstext.Object
		source.Put("type", `"url"`)
		source.Put("url", url)
		o.Put("type", `"image"`)
		o.Put("source", source.Value())
		return o.Value()
	}
	return b
}

func textBlock(text jstext.Value) jstext.Value {
	return `{"type":"text","text":` + orEmpty(text) + `}`
}

// call returns the call of a tool whose arguments aren't a function's.
func call(id, name, input jstext.Value) jstext.Value {
	if !input.IsObject() {
		if !input.Defined() {
			input = jstext.Null
		}
		input = `{"input":` + input + `}`
	}
	return `{"type":"toolCall","id":` + orEmpty(id) + `,"name":` + orEmpty(name) + `,"arguments":` + input + `}`
}

func orEmpty(v jstext.Value) jstext.Value {
	if !v.IsString() {
		return jstext.Empty
	}
	return v
}

// pick returns an object with some of its members.
func pick(v jstext.Value, names ...string) jstext.Value {
	var o jstext.Object
	for _, n := range names {
		o.Put(n, v.Field(n))
	}
	return o.Value()
}

// answer returns a piece of the model's answer; pieces that follow each other are one.
func (c *codex) answer(e Entry, blocks ...jstext.Value) []Entry {
	e.Continues, c.answering, c.ended = c.answering, true, false
	e.Message = message("assistant", jstext.Array(blocks), func(o *jstext.Object) {
		o.Put("api", `"openai-responses"`)
		o.Put("provider", `"openai"`)
		if c.model != "" {
			o.Put("model", jstext.Quote(c.model))
		}
	})
	return []Entry{e}
}

func (c *codex) result(e Entry, v jstext.Value) []Entry {
	c.answering = false
	id := v.Field("call_id")
	var block jstext.Object
	block.Put("type", `"function_call_output"`)
	block.Put("call_id", id)
	block.Put("output", v.Field("output"))
	e.Message = message("toolResult", resultContent(block.Value(), v.Field("output")), func(o *jstext.Object) {
		o.Put("toolCallId", id)
		if name := c.names[id.Text()]; name != "" {
			o.Put("toolName", jstext.Quote(name))
			delete(c.names, id.Text())
		}
	})
	return []Entry{e}
}
