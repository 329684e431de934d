package lcm

import (
	"encoding/json"
	"slices"
	"strings"
)

// Argument returns the input of a tool, in short: the values of a JSON object that say most, or
// all of it. The input may be cut off after any value or within a text. Some hosts store the object as a JSON string.
func Argument(input string) string {
	input = Answer(input)
	var o map[string]any
	whole := json.Unmarshal([]byte(input), &o) == nil
	for _, end := range []string{"\"}", "}"} {
		whole = whole || json.Unmarshal([]byte(input+end), &o) == nil
	}
	if !whole {
		return input
	}
	var values []string
	for _, k := range []string{"command", "cmd", "query", "pattern", "path", "file_path", "url"} {
		if s, ok := o[k].(string); ok && s != "" {
			values = append(values, s)
		}
	}
	if len(values) == 0 {
		return input
	}
	return strings.Join(values, "  ")
}

// Answer returns the output of a tool as it was before a host stored it as a JSON string, which may be cut off; any other
// output stays as it is.
func Answer(output string) string {
	if !strings.HasPrefix(output, `"`) {
		return output
	}
	var bare string
	for _, end := range []string{"", `"`} {
		if json.Unmarshal([]byte(output+end), &bare) == nil {
			return bare
		}
	}
	return output
}

// RawAnswer returns the answer of a tool that stands only in the host's own block in the metadata, from where it goes to a
// model; its beginning, where the metadata is cut. It is empty where a column has it, or where the block has none.
func (p *Part) RawAnswer() string {
	if p.ToolOutput != "" || !p.NoText {
		return ""
	}
	var meta struct {
		Raw struct {
			Type            string
			Output, Content json.RawMessage
		}
	}
	if json.Unmarshal([]byte(closed(p.Metadata)), &meta) != nil || !slices.Contains(resultTypes, meta.Raw.Type) {
		return ""
	}
	if len(meta.Raw.Output) > 0 {
		return blockText(meta.Raw.Output)
	}
	return blockText(meta.Raw.Content)
}

// WithAnswer returns a part of the message with the answer of a tool that only its metadata has, unless the message has a text of its
// own.
func (m *Message) WithAnswer(p Part) Part {
	if p.ToolOutput == "" && strings.TrimSpace(m.Content) == "" {
		p.ToolOutput = p.RawAnswer()
	}
	return p
}

// closed returns JSON, of which the end may be cut off, with the ends of the text, lists and objects that are open there.
func closed(text string) string {
	var ends []byte
	isText := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case isText && c == '\\':
			n := len(`\n`)
			if strings.HasPrefix(text[i:], `\u`) {
				n = len(`\u0000`)
			}
			if i+n > len(text) {
				text = text[:i]
			}
			i += n - 1
		case c == '"':
			isText = !isText
		case isText:
		case c == '{':
			ends = append(ends, '}')
		case c == '[':
			ends = append(ends, ']')
		case (c == '}' || c == ']') && len(ends) > 0:
			ends = ends[:len(ends)-1]
		}
	}
	if isText {
		text += `"`
	}
	slices.Reverse(ends)
	return text + string(ends)
}

// resultTypes are the types of blocks that hold what a tool answered.
var resultTypes = []string{"tool_result", "toolResult", "function_call_output"}

// blockText returns the texts in the payload of a block, one below the other: it is a text, or a list of blocks. What is no
// text stays JSON.
func blockText(payload json.RawMessage) string {
	var text string
	var blocks []json.RawMessage
	switch {
	case len(payload) == 0 || json.Unmarshal(payload, &text) == nil: // Null is an empty text.
		return text
	case json.Unmarshal(payload, &blocks) != nil:
		return string(payload)
	}
	var texts []string
	for _, b := range blocks {
		var block struct{ Text *string }
		if json.Unmarshal(b, &block) == nil && block.Text != nil {
			texts = append(texts, *block.Text)
		} else if one := string(b); json.Unmarshal(b, &one) == nil || one != "" {
			texts = append(texts, one)
		}
	}
	return strings.Join(texts, "\n")
}

// Opening returns the text of a message, or where it has none its first part that says anything, such as a call of a tool;
// reasoning only where there is nothing else.
func (m *Message) Opening() string {
	if strings.TrimSpace(m.Content) != "" {
		return m.Content
	}
	reasoning := ""
	for i := range m.Parts {
		switch text := m.Parts[i].opening(); {
		case text != "" && m.Parts[i].Type != "reasoning":
			return text
		case text != "" && reasoning == "":
			reasoning = "⋯ " + text
		}
	}
	return reasoning
}

func (p *Part) opening() string {
	switch {
	case strings.TrimSpace(p.Text) != "":
		return p.Text
	case p.ToolInput != "" || p.ToolName != "" && p.ToolOutput == "":
		return strings.TrimSpace("[" + p.ToolName + "] " + Argument(p.ToolInput))
	case p.ToolOutput != "":
		return "↳ " + Answer(p.ToolOutput)
	}
	return p.FileName
}
