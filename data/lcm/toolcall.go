package lcm

import (
	"encoding/json"
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
