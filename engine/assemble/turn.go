package assemble

import (
	"strings"

	"lcm-tui/data"
)

// senderField is where a host looks for who sent a message.
const senderField = "__openclaw"

// turn rebuilds a stored message. The estimate is that of the content as it is
// rebuilt, whatever token_count says.
func (c *contents) turn(it *item, t *data.Turn) {
	parts := make([]part, len(t.Blocks))
	for i, b := range t.Blocks {
		parts[i] = newPart(b)
		if c.old {
			parts[i].backfill()
		}
	}
	var m Message
	m.Role = runtimeRole(it.Role, parts)
	if m.Role == RoleToolResult {
		if m.call = callID(parts); m.call == "" {
			m.Role = RoleAssistant // Providers refuse a result of no call.
		}
	}
	who := identityOf(parts)
	m.fill(t.Content.Text, parts, who != nil)
	if m.content.defined() {
		it.text = m.content.text()
	} else {
		it.text = string(m.body())
	}
	var sender, thought value
	if !t.Sender.Null {
		sender = parse(t.Sender.Text)
	}
	c.warnings.turn(t, sender, parts)
	if m.Role != RoleUser || !sender.isObject() {
		sender = ""
	}
	if m.Role == RoleAssistant {
		thought = reasoningOf(parts).value
	}
	it.tokens = estimate(it.text, thought.text(), string(sender))
	m.finish(parts, who, sender, it.tokens)
	it.message = m
}

// runtimeRole is the role that the host knew the message by: that of the first
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
func (m *Message) fill(content string, parts []part, identified bool) {
	if len(parts) == 0 {
		switch {
		case m.Role == RoleUser:
			m.content = quote(content)
		case content != "" || m.Role == RoleToolResult:
			m.blocks = []value{textBlock(content)}
		}
		return
	}
	m.blocks = make([]value, 0, len(parts))
	for i := range parts {
		if b := parts[i].block(identified); b.defined() {
			m.blocks = append(m.blocks, b)
		}
	}
	if m.Role == RoleUser && len(m.blocks) == 1 && m.blocks[0].field("type") == `"text"` {
		if text := m.blocks[0].field("text"); text.isString() {
			m.content, m.blocks = text, nil
		}
	}
}

// finish sets what follows the content.
func (m *Message) finish(parts []part, who *part, sender value, tokens int64) {
	put := func(name string, v value) {
		if v.defined() {
			m.rest = append(m.rest, field{name, v})
		}
	}
	switch m.Role {
	case RoleUser:
		put(senderField, sender)
	case RoleToolResult:
		put("toolCallId", quote(m.call))
		put("toolName", quote(toolName(parts)))
		put("isError", failed(parts))
	case RoleAssistant:
		if f := reasoningOf(parts); f.value.defined() {
			m.rest = append(m.rest, f)
		}
		if who != nil {
			put("provider", quote(who.provider))
			put("api", quote(who.api))
			put("model", quote(who.model))
			put("responseModel", nonEmpty(who.responseModel))
		}
		put("usage", usage(tokens))
	}
}

// usage is what hosts want to be told that a message took.
func usage(tokens int64) value {
	n := number(tokens)
	return `{"input":0,"output":` + n + `,"cacheRead":0,"cacheWrite":0,"totalTokens":` + n +
		`,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}`
}

// identityOf is the first part that names the model whole.
func identityOf(parts []part) *part {
	for i, p := range parts {
		if p.provider != "" && p.api != "" && p.model != "" {
			return &parts[i]
		}
	}
	return nil
}

// reasoningOf is what the model thought where its provider sends that beside the
// content, and under which name.
func reasoningOf(parts []part) field {
	for _, p := range parts {
		if p.reasoningField != "" && p.reasoning != "" {
			return field{p.reasoningField, quote(p.reasoning)}
		}
	}
	return field{}
}

// callID is the call that a result answers.
func callID(parts []part) string {
	for _, p := range parts {
		for _, id := range []string{p.ToolCallID.Text, p.toolCallID, p.raw.field("toolCallId").text(), p.raw.field("tool_call_id").text()} {
			if id != "" {
				return id
			}
		}
	}
	return ""
}

// toolName is the tool that a result is of.
func toolName(parts []part) string {
	for _, p := range parts {
		for _, name := range []string{p.ToolName.Text, p.toolName, p.raw.field("name").text(), p.raw.field("toolName").text()} {
			if name != "" {
				return name
			}
		}
	}
	return "unknown"
}

func failed(parts []part) value {
	for _, p := range parts {
		if p.isError.isBool() {
			return p.isError
		}
	}
	return ""
}

func blank(s string) bool { return strings.TrimFunc(s, isJSSpace) == "" }
