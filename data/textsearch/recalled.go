package textsearch

import "lcm-tui/data"

// RecallTools is a name for all tools by which an agent recalls its history, in Condition.Tools.
const RecallTools = "lcm"

// isRecallTool is a condition that a part p is a call of one of these tools, or its answer, as programs of agents
// name those of our server: mcp__lcm__lcm_grep. The tools that a host has itself are called lcm_grep, and its own
// search finds their answers.
const isRecallTool = `p.tool_name GLOB 'mcp__*lcm*__lcm_*'`

// recalled returns the condition that a message, by its name in the statement, repeats what an agent recalled.
func recalled(s *data.Schema, message string) []where {
	if !s.Has("message_parts", "tool_name") {
		return nil
	}
	return []where{{sql: []string{
		message + ".role = 'tool' AND EXISTS (SELECT 1 FROM message_parts p WHERE p.message_id = " + message + ".message_id AND " + isRecallTool + ")",
	}}}
}
