package views

import (
	"encoding/json"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

// ItemPreview returns the start of what a context item is, in one line. The call of a tool looks
// as it does among the messages.
func ItemPreview(it *lcm.ContextItem, width int) string {
	name, input, found := strings.Cut(it.Preview, "] {")
	if it.IsSummary() || !found || !strings.HasPrefix(name, "[") || strings.ContainsAny(name, " \n") {
		return Opening(it.Preview, width)
	}
	return ui.LineN(name+"] "+Argument("{"+input), width)
}

// Argument returns the input of a tool, in short: the values of a JSON object that say most, or
// all of it. The input may be cut off after any value or within a text.
func Argument(input string) string {
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
