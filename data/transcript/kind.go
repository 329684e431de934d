package transcript

// Kind is whose transcript a file is.
type Kind string

// The kinds, in the words of their hosts.
const (
	OpenClaw   Kind = "openclaw"
	ClaudeCode Kind = "claude-code"
	Codex      Kind = "codex"
	Gemini     Kind = "gemini"
)

// claudeTypes are the types of Claude Code's lines that may come first.
var claudeTypes = map[string]bool{
	"user": true, "assistant": true, "system": true, "summary": true, "progress": true, "attachment": true,
	"file-history-snapshot": true, "queue-operation": true, "custom-title": true, "last-prompt": true,
	"permission-mode": true, "ai-title": true, "agent-name": true, "pr-link": true, "mode": true,
}

// codexTypes are the types of Codex' lines, and of those that it wrote without an
// envelope.
var (
	codexTypes = map[string]bool{"session_meta": true, "response_item": true, "event_msg": true, "turn_context": true, "compacted": true}
	bareTypes  = map[string]bool{
		"message": true, "reasoning": true, "function_call": true, "function_call_output": true, "local_shell_call": true,
		"custom_tool_call": true, "custom_tool_call_output": true, "web_search_call": true,
	}
)

// openClawTypes are the types of OpenClaw's entries that aren't messages.
var openClawTypes = map[string]bool{
	"session": true, "compaction": true, "model_change": true, "thinking_level_change": true, "branch_summary": true,
	"custom": true, "custom_message": true, "label": true, "session_info": true, "reset": true, "leaf": true,
}

// kindOf says whose line it is, if the line shows it.
func kindOf(line string) (Kind, bool) {
	var typ string
	has := map[string]bool{}
	err := eachField(line, func(key, value string) bool {
		has[key] = true
		if key == "type" {
			typ = text(value)
		}
		return true
	})
	if err != nil {
		return "", false
	}
	switch {
	case has["sessionId"] && has["projectHash"]:
		return Gemini, true
	case isCodex(typ, has):
		return Codex, true
	case claudeTypes[typ] && (has["sessionId"] || has["uuid"] || has["leafUuid"] || has["messageId"]):
		return ClaudeCode, true
	case typ == "message" && has["message"], openClawTypes[typ] && has["id"]:
		return OpenClaw, true
	}
	return "", false
}

// isCodex reports whether a line of a type, with these members, is one of Codex'.
func isCodex(typ string, has map[string]bool) bool {
	return codexTypes[typ] && has["payload"] || has["record_type"] || typ == "" && has["id"] && has["timestamp"] && (has["instructions"] || has["git"]) ||
		bareTypes[typ] && !has["message"]
}
