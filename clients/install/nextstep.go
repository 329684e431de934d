package install

// nextSteps says, by client and scope, what is left to the user after an installation.
var nextSteps = map[string]map[Scope]string{
	"claude-code": {
		ScopeUser:    "Claude Code has the tools when it starts the next time; claude mcp list shows the server",
		ScopeProject: "Claude Code asks once whether it may start the servers of this project",
	},
	"codex": {
		ScopeUser:    "Codex has the tools when it starts the next time; codex mcp list shows the server",
		ScopeProject: "Codex reads the configuration of a project only if the project is trusted",
	},
	"gemini": {
		ScopeUser:    "Gemini CLI has the tools when it starts the next time, in folders that it trusts; gemini mcp list shows the server",
		ScopeProject: "Gemini CLI reads the configuration of a project only in a folder that it trusts",
	},
	"cursor": {
		ScopeUser:    "Cursor shows the server in its settings, under MCP",
		ScopeProject: "Cursor shows the server in its settings, under MCP, where it is turned on",
	},
	"vscode": {
		ScopeUser:    "VS Code starts the server when an agent uses it; MCP: List Servers shows it",
		ScopeProject: "VS Code asks once whether it trusts the server; MCP: List Servers shows it",
	},
}

// NextSteps says what is left to the user after the change; nothing after a removal.
func (c *Change) NextSteps() []string {
	switch {
	case c.isRemoval:
		return nil
	case c.Part == PartHooks && c.Client.Name == "codex":
		return []string{"Codex runs hooks only after you trust them: start codex and answer its question, or type /hooks"}
	case c.Part == PartHooks:
		return []string{c.Client.Title + " runs the hooks from its next start on, in folders that it trusts"}
	case c.Part != PartMCP:
		return nil
	}
	return []string{nextSteps[c.Client.Name][c.Scope]}
}
