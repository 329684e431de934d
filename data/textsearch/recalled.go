package textsearch

import (
	"context"

	"lcm-tui/data"
)

// RecallTools is a name for all tools by which an agent recalls its history, in Condition.Tools.
const RecallTools = "lcm"

// isRecallTool is a condition that a part p is a call of one of these tools, or its answer, as programs of agents
// name those of our server: mcp__lcm__lcm_grep, of Gemini CLI mcp_lcm_lcm_grep. The tools that a host has itself are called lcm_grep, and its own
// search finds their answers.
const isRecallTool = `p.tool_name GLOB 'mcp_*lcm*_lcm_*'`

// recalled returns the condition that a message, by its name in the statement, repeats what an agent recalled.
func recalled(s *data.Schema, message string) []where {
	if !s.Has("message_parts", "tool_name") {
		return nil
	}
	return []where{{sql: []string{
		message + ".role = 'tool' AND EXISTS (SELECT 1 FROM message_parts p WHERE p.message_id = " + message + ".message_id AND " + isRecallTool + ")",
	}}}
}

// withoutRecalled leaves out messages that only repeat what was recalled.
func withoutRecalled(ctx context.Context, db *data.DB, messages []GrepRow, ids []int64) (rows []GrepRow, rowids []int64, err error) {
	original, err := MessageTimes(ctx, db, ids, []Condition{{Not: true, Recalled: true}})
	keep := make(map[int64]bool, len(original))
	for _, m := range original {
		keep[m.ID] = true
	}
	for i, id := range ids {
		if keep[id] {
			rows, rowids = append(rows, messages[i]), append(rowids, id)
		}
	}
	return rows, rowids, err
}

// leaveOutRecalled adds that a row t isn't a message that only repeats what was recalled.
func (t GrepTable) leaveOutRecalled(s *data.Schema, w *where) {
	if t == GrepMessages {
		w.anyOf(true, recalled(s, "t")...)
	}
}
