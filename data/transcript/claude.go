package transcript

import (
	"errors"
	"strconv"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
)

// claude reads Claude Code's lines. It writes one line for each block of an answer,
// with the answer's id on each, and the results of tools as messages of the user.
type claude struct {
	names    map[string]string // Of the tools that were called and haven't answered, by the call's id.
	isHelper bool              // The file is a helper's own.
	folder   string            // That has more of the session; empty if it isn't known.
	answer   string            // The id of the answer that the line before was of.
	open     bool              // That answer has no end yet.
}

func (c *claude) unfinished() bool { return c.open }

func (c *claude) state() (called map[string]string, model string) { return c.names, "" }

// claudeNode returns the line's place in the tree. After a compaction the chain begins
// again and names the entry before it elsewhere.
func claudeNode(line string, aside bool) (n node, ok bool, err error) {
	var typ, message string
	var side, logical bool
	err = eachField(line, func(key, value string) bool {
		switch key {
		case "type":
			typ = text(value)
		case "message":
			message = value
		case "uuid":
			n.id = text(value)
		case "isSidechain":
			side = value == "true"
		case "parentUuid":
			if !logical {
				n.parent = text(value)
			}
		case "logicalParentUuid":
			if p := text(value); p != "" {
				n.parent, logical = p, true
			}
		case "toolUseResult":
			n.result = true
		}
		return true
	})
	n.root = n.parent == ""
	if typ == "assistant" && err == nil {
		n.answer = answerID(message)
	}
	switch typ {
	case "user", "assistant", "system", "attachment", "progress":
		return n, err == nil && n.id != "" && side == aside, err
	}
	return n, false, err
}

// answerID returns the id of the answer that a message is a block of, or empty.
func answerID(message string) (id string) {
	_ = eachField(message, func(key, value string) bool { // Whoever reads the line says what is wrong.
		if key == "id" {
			id = text(value)
		}
		return id == ""
	})
	return id
}

func (c *claude) read(line string, at place) ([]Entry, error) {
	v := jstext.Parse(line)
	if !v.IsObject() {
		return nil, errJSON
	}
	if (v.Field("isSidechain") == jstext.True) != c.isHelper {
		return nil, nil
	}
	e := Entry{Line: at.line, End: at.end, ID: strings.Clone(v.Field("uuid").Text()), At: firstTime(v.Field("timestamp"))}
	if e.ID == "" {
		e.ID = "line:" + strconv.FormatInt(at.line, 10)
	}
	typ, message := v.Field("type").Text(), v.Field("message")
	if typ == "attachment" {
		return c.queued(e, v.Field("attachment")), nil
	}
	if typ != "system" && typ != "user" && typ != "assistant" {
		return nil, nil
	}
	if typ != "assistant" {
		c.answer, c.open = "", false
	}
	switch {
	case v.Field("isMeta") == jstext.True: // The client tells the model about itself.
		return nil, nil
	case typ == "system":
		return c.system(e, v), nil
	case !message.IsObject():
		return nil, errors.New("a message without content")
	case typ == "assistant":
		return []Entry{c.assistant(e, message)}, nil
	case v.Field("isCompactSummary") == jstext.True:
		return []Entry{summaryOfHost(e, message.Field("content"))}, nil
	default:
		return c.user(e, message.Field("content")), nil
	}
}

// summaryOfHost returns a summary that Claude Code made of the messages before it. The
// model saw it in their place, so it is stored; a context of ours has the messages
// themselves.
func summaryOfHost(e Entry, content jstext.Value) Entry {
	e.OutsideContext = true
	e.Message = message("system", content, func(o *jstext.Object) { o.Put("kind", `"host-summary"`) })
	return e
}

// system returns a line that says something to the user. That a compaction took place
// here is no message.
func (c *claude) system(e Entry, v jstext.Value) []Entry {
	content := v.Field("content")
	if v.Field("subtype") == `"compact_boundary"` || jstext.Trim(content.Text()) == "" {
		return nil
	}
	e.Message = message("system", content, nil)
	return []Entry{e}
}

// queued returns what of an attachment the user wrote while the model worked; the model got it with results of tools. What the
// client itself put into that queue, such as the end of a task, is the system's.
func (c *claude) queued(e Entry, v jstext.Value) []Entry {
	prompt, mode, role := v.Field("prompt"), v.Field("commandMode").Text(), "user"
	if v.Field("type") != `"queued_command"` || v.Field("isMeta") == jstext.True || jstext.Trim(prompt.Text()) == "" && !prompt.IsArray() {
		return nil
	}
	if mode != "" && mode != "prompt" {
		role = "system"
	}
	c.answer, c.open = "", false
	e.Message = message(role, prompt, nil)
	return []Entry{e}
}

func (c *claude) assistant(e Entry, m jstext.Value) Entry {
	id, content := m.Field("id").Text(), m.Field("content")
	e.Continues = id != "" && id == c.answer
	c.answer = strings.Clone(id)
	c.open = id != "" && !m.Field("stop_reason").IsString()
	for b := range content.Elements() {
		if call := b.Field("id").Text(); b.Field("type") == `"tool_use"` && call != "" {
			c.names[strings.Clone(call)] = strings.Clone(b.Field("name").Text())
		}
	}
	e.Message = message("assistant", content, func(o *jstext.Object) {
		o.Put("api", `"anthropic-messages"`)
		o.Put("provider", `"anthropic"`)
		o.Put("model", m.Field("model"))
		o.Put("stopReason", stopReason(m.Field("stop_reason")))
	})
	return e
}

// stopReason in OpenClaw's words; an answer that is being written has none.
func stopReason(v jstext.Value) jstext.Value {
	switch v {
	case `"end_turn"`, `"stop_sequence"`:
		return `"stop"`
	case `"tool_use"`:
		return `"toolUse"`
	case `"max_tokens"`:
		return `"length"`
	}
	return ""
}

// localCommand begins a user's message that a command of the client wrote: the model
// never answered it.
var localCommand = lazyregexp.New(`^\s*<(?:command-name|command-message|command-args|local-command-stdout|local-command-stderr)>`)

// user takes the results of tools out of a user's message.
func (c *claude) user(e Entry, content jstext.Value) (out []Entry) {
	if content.IsString() && localCommand.MatchString(content.Text()) {
		e.Message = message("system", content, nil)
		return []Entry{e}
	}
	var rest []jstext.Value
	for b := range content.Elements() {
		if b.Field("type") != `"tool_result"` {
			rest = append(rest, b)
			continue
		}
		r := e
		r.ID = partID(e.ID, len(out))
		r.Message = c.result(b)
		out = append(out, r)
	}
	if len(rest) == 0 && len(out) > 0 {
		return out
	}
	if len(out) > 0 {
		content = jstext.Array(rest)
	}
	e.ID = partID(e.ID, len(out))
	e.Message = message("user", content, nil)
	return append(out, e)
}

// partID returns the id of one of several messages of a line.
func partID(id string, n int) string {
	if n == 0 {
		return id
	}
	return id + "#" + strconv.Itoa(n)
}

func (c *claude) result(b jstext.Value) jstext.Value {
	id := b.Field("tool_use_id")
	return message("toolResult", resultContent(b, c.withPersisted(b.Field("content"))), func(o *jstext.Object) {
		o.Put("toolCallId", id)
		if name := c.names[id.Text()]; name != "" {
			o.Put("toolName", jstext.Quote(name))
			delete(c.names, id.Text())
		}
		failed := b.Field("is_error")
		if !failed.IsBool() {
			failed = jstext.False
		}
		o.Put("isError", failed)
	})
}

// message returns a message of a role, with what more there is to say of it.
func message(role string, content jstext.Value, more func(*jstext.Object)) jstext.Value {
	var o jstext.Object
	o.Put("role", jstext.Quote(role))
	o.Put("content", content)
	if more != nil {
		more(&o)
	}
	return o.Value()
}
