package assemble

import (
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// senderField is where a host looks for who sent a message.
const senderField = "__openclaw"

// turn rebuilds a stored message. The estimate is that of the content as it is
// rebuilt, whatever token_count says.
func (c *contents) turn(it *item, t *lcm.RawMessage, w *warnings) {
	parts := c.partsOf(t)
	if c.first != nil {
		c.first.turn(it, t, parts)
		w.turn(t, parts)
		return
	}
	who := identityOf(parts)
	m := rebuild(it.Role, t.Content.Text, parts, who != nil)
	it.text = m.sent()
	var sender, thought jstext.Value
	if !c.senderless {
		sender = jstext.Parse(t.Sender.Text) // Undefined for NULL.
		w.sender(t, sender)
	}
	w.turn(t, parts)
	if m.Role != RoleUser || !sender.IsObject() {
		sender = ""
	}
	if m.Role == RoleAssistant {
		thought = reasoningOf(parts).value
	}
	it.tokens = estimate(it.text, thought.Text(), string(sender))
	m.finish(parts, who, sender, it.tokens)
	it.message = m
}

// partsOf reads a message's parts.
func (c *contents) partsOf(t *lcm.RawMessage) []part {
	parts := make([]part, len(t.Parts))
	for i, b := range t.Parts {
		parts[i] = newPart(b)
		if c.old && c.first == nil {
			parts[i].backfill()
		}
	}
	return parts
}

// rebuild makes the message of a row and its parts, as far as its content.
func rebuild(role, content string, parts []part, identified bool) (m Message) {
	m.Role = runtimeRole(role, parts)
	if m.Role == RoleToolResult {
		if m.call = callID(parts); m.call == "" {
			m.Role = RoleAssistant // Providers refuse a result of no call.
		}
	}
	m.fill(content, parts, func(p *part) jstext.Value { return p.block(identified) })
	return m
}

// sent returns the text that a message's content is estimated by.
func (m Message) sent() string {
	if m.content.Defined() {
		return m.content.Text()
	}
	return string(m.body())
}

// runtimeRole returns the role that the host knew the message by: that of the first
// part that remembers one that hosts have, else that of the row.
func runtimeRole(stored string, parts []part) string {
	for _, p := range parts {
		if p.originalRole == "" {
			continue
		}
		switch p.originalRole {
		case RoleUser, RoleAssistant, RoleToolResult:
			return p.originalRole
		case "system":
			return RoleUser // System prompts are no part of the history.
		}
		break
	}
	return roleOf(stored)
}

// roleOf returns the role that hosts have at run time for that of a row.
func roleOf(stored string) string {
	switch stored {
	case "tool":
		return RoleToolResult
	case "assistant":
		return RoleAssistant
	}
	return RoleUser
}

// fill sets the content: the parts' blocks, or a text where there are none, or only
// one of a user's.
func (m *Message) fill(content string, parts []part, block func(*part) jstext.Value) {
	if len(parts) == 0 {
		switch {
		case m.Role == RoleUser:
			m.content = jstext.Quote(content)
		case content != "" || m.Role == RoleToolResult:
			m.blocks = []jstext.Value{textBlock(content)}
		}
		return
	}
	m.blocks = make([]jstext.Value, 0, len(parts))
	for i := range parts {
		if b := block(&parts[i]); b.Defined() {
			m.blocks = append(m.blocks, b)
		}
	}
	if m.Role == RoleUser && len(m.blocks) == 1 && m.blocks[0].Field("type") == `"text"` {
		if text := m.blocks[0].Field("text"); text.IsString() {
			m.content, m.blocks = text, nil
		}
	}
}

// finish sets what follows the content.
func (m *Message) finish(parts []part, who *part, sender jstext.Value, tokens int64) {
	put := func(name string, v jstext.Value) {
		if v.Defined() {
			m.rest = append(m.rest, field{name, v})
		}
	}
	switch m.Role {
	case RoleUser:
		put(senderField, sender)
	case RoleToolResult:
		put("toolCallId", jstext.Quote(m.call))
		put("toolName", jstext.Quote(toolName(parts)))
		put("isError", failed(parts))
	case RoleAssistant:
		if who != nil {
			put("provider", jstext.Quote(who.provider))
			put("api", jstext.Quote(who.api))
			put("model", jstext.Quote(who.model))
			put("responseModel", nonEmpty(who.responseModel))
		}
		thought := reasoningOf(parts)
		put(thought.name, thought.value)
		put("usage", usage(tokens))
	}
}

// usage returns the cost of a message in the form that hosts expect.
func usage(tokens int64) jstext.Value {
	n := number(tokens)
	return `{"input":0,"output":` + n + `,"cacheRead":0,"cacheWrite":0,"totalTokens":` + n +
		`,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}`
}

// identityOf returns the first part that names the model whole.
func identityOf(parts []part) *part {
	for i, p := range parts {
		if p.provider != "" && p.api != "" && p.model != "" {
			return &parts[i]
		}
	}
	return nil
}

// reasoningOf returns what the model thought where its provider sends that beside the
// content, and under which name.
func reasoningOf(parts []part) field {
	for _, p := range parts {
		if p.reasoningField != "" && p.reasoning != "" {
			return field{p.reasoningField, jstext.Quote(p.reasoning)}
		}
	}
	return field{}
}

// callID returns the call that a result answers.
func callID(parts []part) string {
	for _, p := range parts {
		for _, id := range []string{p.ToolCallID.Text, p.toolCallID, p.raw.Field("toolCallId").Text(), p.raw.Field("tool_call_id").Text()} {
			if id != "" {
				return id
			}
		}
	}
	return ""
}

// toolName returns the tool that a result is of.
func toolName(parts []part) string {
	for _, p := range parts {
		for _, name := range []string{p.ToolName.Text, p.toolName, p.raw.Field("name").Text(), p.raw.Field("toolName").Text()} {
			if name != "" {
				return name
			}
		}
	}
	return "unknown"
}

func failed(parts []part) jstext.Value {
	for _, p := range parts {
		if p.isError.IsBool() {
			return p.isError
		}
	}
	return ""
}

func blank(s string) bool { return jstext.Trim(s) == "" }
