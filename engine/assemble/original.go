package assemble

import (
	"cmp"
	"slices"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// Original returns the message that a host was given when it stored a row and its parts, as the JSON
// of a transcript: the opposite of what package ingest does. The blocks are the host's own as far
// as it kept them; others are rebuilt from their columns as for a model. What a host notes of a
// message only in the transcript, such as its usage, isn't in it. first says that one of the hosts
// before 0.3 stored it, which kept a call's id in a column only.
func Original(m *lcm.RawMessage, first bool) jstext.Value {
	parts := make([]part, len(m.Parts))
	for i, b := range m.Parts {
		parts[i] = newPart(b)
	}
	if v := unknownShape(parts); v.Defined() {
		return v
	}
	role := originalRole(m.Role, parts)
	var o jstext.Object
	o.Put("role", jstext.Quote(role))
	switch role {
	case RoleToolResult, "tool":
		id, name := resultNames(parts, first)
		o.Put("toolCallId", orStored(id, metadataOf(parts, "toolCallId")))
		o.Put("toolName", orStored(name, metadataOf(parts, "toolName")))
	case "system":
		o.Put("kind", metadataOf(parts, "kind"))
	}
	if command := metadataOf(parts, "command"); metadataOf(parts, "source") == `"bash-exec"` && command.IsString() {
		o.Put("command", command)
		o.Put("output", jstext.Quote(commandOutput(m.Content.Text, command.Text())))
	} else {
		o.Put("content", originalContent(m.Content.Text, parts))
	}
	switch role {
	case RoleToolResult, "tool":
		o.Put("isError", failed(parts))
	case RoleAssistant:
		putModel(&o, parts, m.EventKey)
	case RoleUser:
		if sender := jstext.Parse(m.Sender.Text); sender.IsObject() {
			o.Put(senderField, sender)
		}
	}
	for _, name := range externalMarks {
		o.Put(name, messageMark(parts, name))
	}
	return o.Value()
}

// externalMarks are the members of a message's first part that name the files with its payloads,
// in the order in which hosts write them.
var externalMarks = []string{
	"rawPayloadExternalized", "externalizedFileId", "externalizedFileIds", "fileBlocksExternalized", "originalByteSize",
	"toolOutputExternalized", "imageExternalized", "externalizationReason",
}

// messageMark returns a mark that belongs to the message: one that the first part has and its block
// doesn't.
func messageMark(parts []part, name string) jstext.Value {
	if len(parts) == 0 || parts[0].raw.Field(name).Defined() {
		return ""
	}
	return parts[0].meta.Field(name)
}

// unknownShape returns a message that had no content in a form that the host knew: it kept all of it.
func unknownShape(parts []part) jstext.Value {
	if metadataOf(parts, "source") == `"unknown-message-shape"` && parts[0].raw.IsObject() && parts[0].raw.Field("role").IsString() {
		return parts[0].raw
	}
	return ""
}

// metadataOf returns a member of the first part's metadata.
func metadataOf(parts []part, name string) jstext.Value {
	if len(parts) == 0 {
		return ""
	}
	return parts[0].meta.Field(name)
}

// resultNames returns the call and the tool that the message itself named: as the metadata have them,
// else as the columns have them where no block names a call.
func resultNames(parts []part, first bool) (id, name string) {
	named := false
	for _, p := range parts {
		id, name = cmp.Or(id, p.toolCallID), cmp.Or(name, p.toolName)
		for _, member := range nameMembers {
			named = named || strings.HasSuffix(strings.ToLower(member), "id") && p.raw.Field(member).IsString()
		}
	}
	if named && !first {
		return id, name
	}
	for _, p := range parts {
		id = cmp.Or(id, p.ToolCallID.Text)
		if !first {
			name = cmp.Or(name, p.ToolName.Text)
		}
	}
	return id, name
}

// orStored returns a name, or where it is empty what the host stored of it: an empty text, or nothing.
func orStored(name string, stored jstext.Value) jstext.Value {
	if name == "" && stored.IsString() && stored.Text() == "" {
		return stored
	}
	return nonEmpty(name)
}

// commandOutput returns the output of a command that a user ran, of which the host stored both.
func commandOutput(content, command string) string {
	return strings.TrimPrefix(strings.TrimPrefix(content, "$ "+command), "\n")
}

// originalRole returns the role that the host knew the message by.
func originalRole(stored string, parts []part) string {
	for _, p := range parts {
		if p.originalRole != "" {
			return p.originalRole
		}
	}
	switch stored {
	case "tool":
		return RoleToolResult
	case "user", "assistant", "system":
		return stored
	}
	return RoleAssistant
}

// originalContent returns the content of a message: a text, the host's blocks, or what else it was.
func originalContent(content string, parts []part) jstext.Value {
	switch {
	case len(parts) == 0 && content == "": // Any other content would have a part.
		return "[]"
	case len(parts) == 0:
		return jstext.Quote(content)
	case metadataOf(parts, "source") == `"non-array-content"`:
		return cmp.Or(parts[0].raw, jstext.Null) // There was no content at all, where the host kept none; imports leave such a message out.
	case len(parts) == 1 && parts[0].Type == "text" && !parts[0].raw.Defined() && parts[0].rawType == "":
		if parts[0].Text.Null {
			return jstext.Quote(content)
		}
		return jstext.Quote(parts[0].Text.Text)
	}
	blocks := make([]jstext.Value, 0, len(parts))
	for i := range parts {
		if b := parts[i].originalBlock(); b.Defined() {
			blocks = append(blocks, b)
		}
	}
	return jstext.Array(blocks)
}

// originalBlock returns the host's own block or, where it kept none or only its names, one made of
// the columns.
func (p *part) originalBlock() jstext.Value {
	switch {
	case !p.raw.Defined():
		return p.block(true)
	case !p.raw.IsObject():
		return p.raw
	}
	kind := p.raw.Field("type").Text()
	if !p.isReduced(kind) {
		return p.raw
	}
	if slices.Contains(callTypes, kind) || slices.Contains(resultTypes, kind) {
		return p.block(true)
	}
	column := *p
	column.raw, column.rawType = "", kind
	return column.block(true)
}

// nameMembers are the members that are left of a block whose text was forgotten.
var nameMembers = []string{"type", "id", "call_id", "toolCallId", "tool_call_id", "tool_use_id", "toolUseId", "name", "toolName"}

// isReduced reports whether only the names of the host's block are left, while the columns have
// its text or a stub of it.
func (p *part) isReduced(kind string) bool {
	if kind != "text" && kind != "thinking" && kind != "reasoning" && !slices.Contains(callTypes, kind) && !slices.Contains(resultTypes, kind) {
		return false
	}
	for name := range p.raw.Fields() {
		if !slices.Contains(nameMembers, name) {
			return false
		}
	}
	return !p.Text.Null || !p.ToolInput.Null || !p.ToolOutput.Null
}

// putModel adds what a host noted of the model that wrote an answer.
func putModel(o *jstext.Object, parts []part, eventKey string) {
	for _, p := range parts {
		if p.provider == "" && p.api == "" && p.model == "" {
			continue
		}
		o.Put("api", nonEmpty(p.api))
		o.Put("provider", nonEmpty(p.provider))
		o.Put("model", nonEmpty(p.model))
		o.Put("responseModel", nonEmpty(p.responseModel))
		break
	}
	if id, ok := strings.CutPrefix(eventKey, "assistant-response:"); ok {
		o.Put("responseId", jstext.Quote(id))
	}
	thought := reasoningOf(parts)
	o.Put(thought.name, thought.value)
}
