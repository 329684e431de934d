package assemble

import (
	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// Content returns the content that a host rebuilds of a stored message for a model, by the role of its
// row: a JSON string, or a list of blocks.
func Content(m *lcm.Message) jstext.Value {
	parts := make([]part, len(m.Parts))
	for i := range m.Parts {
		parts[i] = newPart(rawPart(&m.Parts[i]))
		if m.Unfilled {
			parts[i].backfill()
		}
	}
	out := Message{Role: roleOf(m.Role)}
	identified := identityOf(parts) != nil
	out.fill(m.Content, parts, func(p *part) jstext.Value { return p.block(identified) })
	return out.body()
}

// rawPart returns a part as it is stored, as far as blocks are made of it: of NULL columns only that
// of the text differs from an empty one.
func rawPart(p *lcm.Part) lcm.RawPart {
	return lcm.RawPart{
		ID: p.ID, Type: p.Type, Text: data.Stored{Text: p.Text, Null: p.NoText},
		ToolCallID: data.Stored{Text: p.ToolCallID}, ToolName: data.Stored{Text: p.ToolName},
		ToolInput: data.Stored{Text: p.ToolInput}, ToolOutput: data.Stored{Text: p.ToolOutput},
		Metadata: data.Stored{Text: p.Metadata},
	}
}
