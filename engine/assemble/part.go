package assemble

import (
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// part is a stored part and what its metadata say.
type part struct {
	lcm.RawPart
	meta jstext.Value // The metadata whole.
	raw  jstext.Value // The host's own block, if it was kept.

	originalRole, rawType string
	toolCallID, toolName  string // As the metadata have them.
	isError               jstext.Value
	provider, api, model  string
	responseModel         string
	reasoningField        string
	reasoning             string
}

// newPart reads the metadata. What isn't an object says nothing.
func newPart(b lcm.RawPart) part {
	p := part{RawPart: b}
	if b.Metadata.Null {
		return p
	}
	if p.meta = jstext.Parse(b.Metadata.Text); !p.meta.IsObject() {
		return p
	}
	for name, v := range p.meta.Fields() {
		switch name {
		case "raw":
			p.raw = v
		case "isError":
			p.isError = v
		default:
			if at := p.metadataField(name); at != nil {
				*at = v.Text()
			}
		}
	}
	return p
}

// metadataField returns where a text of the metadata is kept, or nil.
func (p *part) metadataField(name string) *string {
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
	raw := p.raw.Field
	fill(&p.ToolCallID, p.meta.Field("toolCallId"), raw("id"), raw("call_id"), raw("toolCallId"), raw("tool_call_id"))
	fill(&p.ToolName, p.meta.Field("toolName"), raw("name"), raw("toolName"), raw("tool_name"))
	fill(&p.ToolInput, raw("input"), raw("arguments"), raw("toolInput"))
}

// fill fills an empty cell with the first of some values that isn't null, as SQLite extracts it
// from JSON: true is 1 and false is 0.
func fill(cell *data.Stored, from ...jstext.Value) {
	i := slices.IndexFunc(from, func(v jstext.Value) bool { return v.Defined() && v != jstext.Null })
	if cell.Text != "" || i < 0 {
		return
	}
	switch v := from[i]; {
	case v.IsString():
		*cell = data.Stored{Text: v.Text()}
	case v == jstext.True:
		*cell = data.Stored{Text: "1"}
	case v == jstext.False:
		*cell = data.Stored{Text: "0"}
	default:
		*cell = data.Stored{Text: string(v)}
	}
}

// stored returns the JSON of a cell: what it says where it is JSON, else its text.
func stored(s data.Stored) jstext.Value {
	if s.Text == "" {
		return ""
	}
	if strings.TrimSpace(s.Text) != "" {
		if v := jstext.Parse(s.Text); v.Defined() {
			return v
		}
	}
	return jstext.Quote(s.Text)
}
