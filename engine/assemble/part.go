package assemble

import (
	"strings"

	"lcm-tui/data"
)

// part is a stored part and what its metadata say.
type part struct {
	data.Block
	meta value // The metadata whole.
	raw  value // The host's own block, if it was kept.

	originalRole, rawType string
	toolCallID, toolName  string // As the metadata have them.
	isError               value
	provider, api, model  string
	responseModel         string
	reasoningField        string
	reasoning             string
}

// newPart reads the metadata. What isn't an object says nothing.
func newPart(b data.Block) part {
	p := part{Block: b}
	if b.Metadata.Null {
		return p
	}
	if p.meta = parse(b.Metadata.Text); !p.meta.isObject() {
		return p
	}
	for name, v := range p.meta.fields() {
		switch name {
		case "raw":
			p.raw = v
		case "isError":
			p.isError = v
		default:
			if at := p.word(name); at != nil {
				*at = v.text()
			}
		}
	}
	return p
}

// word is where a text of the metadata is kept, or nil.
func (p *part) word(name string) *string {
	switch name {
	case "originalRole":
		return &p.originalRole
	case "rawType":
		return &p.rawType
	case "toolCallId":
		return &p.toolCallID
	case "toolName":
		return &p.toolName
	case "modelProvider":
		return &p.provider
	case "modelApi":
		return &p.api
	case "modelId":
		return &p.model
	case "responseModelId":
		return &p.responseModel
	case "topLevelReasoningField":
		return &p.reasoningField
	case "topLevelReasoningContent":
		return &p.reasoning
	}
	return nil
}

// backfill fills the tool columns from the metadata, as the host does once to a
// file that older hosts wrote, which left them empty.
func (p *part) backfill() {
	raw := func(names ...string) value {
		for _, n := range names {
			if v := p.raw.field(n); v.defined() && v != null {
				return v
			}
		}
		return ""
	}
	fill := func(cell *data.Stored, v value) {
		if cell.Text != "" || !v.defined() {
			return
		}
		*cell = data.Stored{Text: string(v)}
		if v.isString() {
			cell.Text = v.text()
		}
	}
	id, name := raw("id", "call_id", "toolCallId", "tool_call_id"), raw("name", "toolName", "tool_name")
	if p.toolCallID != "" {
		id = quote(p.toolCallID)
	}
	if p.toolName != "" {
		name = quote(p.toolName)
	}
	fill(&p.ToolCallID, id)
	fill(&p.ToolName, name)
	fill(&p.ToolInput, raw("input", "arguments", "toolInput"))
}

// stored is the JSON of a cell: what it says where it is JSON, else its text.
func stored(s data.Stored) value {
	if s.Text == "" {
		return ""
	}
	if strings.TrimSpace(s.Text) != "" {
		if v := parse(s.Text); v.defined() {
			return v
		}
	}
	return quote(s.Text)
}
