package install

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Snippet returns the entry as it is pasted into the configuration by hand.
func (c Client) Snippet(s Server) string {
	if c.format == formatTOML {
		return tomlTableText(s)
	}
	entry := map[string]any{EntryName: c.newJSONEntry(s)}
	nested := any(map[string]any{c.container: entry})
	if !c.IsWritable() { // OpenClaw has its servers one step deeper.
		nested = map[string]any{"mcp": map[string]any{"servers": entry}}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(nested); err != nil {
		return "" // It has only strings.
	}
	return b.String()
}

// Command returns the command of the client that writes the same entry; empty where it has none.
func (c Client) Command(s Server, scope Scope) string {
	words := map[string][]string{
		"claude-code": {"claude", "mcp", "add", "--scope", string(scope), EntryName, "--"},
		"codex":       {"codex", "mcp", "add", EntryName, "--"},
		"gemini":      {"gemini", "mcp", "add", "--scope", string(scope), EntryName},
	}[c.Name]
	if words == nil {
		return ""
	}
	for _, w := range append([]string{s.Command}, s.Args...) {
		if strings.ContainsAny(w, " '\"\\$`*?[]{}()<>|&;!#~") || w == "" {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}
