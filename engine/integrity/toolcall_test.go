package integrity_test

import (
	"fmt"
	"testing"

	"lcm-tui/engine/integrity"
)

// call gives the part of a message a tool call, or the call that it answers.
func call(message int64, id string) string {
	return fmt.Sprintf("UPDATE message_parts SET part_type = 'tool', tool_name = 'exec', tool_call_id = '%s' WHERE message_id = %d", id, message)
}

// TestToolPairs: calls and results that don't pair matter where a model is shown them. The
// newest answer may be waiting for its results, and some providers use the ids of calls again.
func TestToolPairs(t *testing.T) {
	t.Parallel()
	turn := func(id int64, role string) inserted {
		return inserted{id: id, role: role, text: fmt.Sprintf("%s of %d", role, id), at: "2026-01-06 08:00:00"}
	}
	out := func(m inserted) inserted { m.hidden = true; return m }
	note := func(m inserted) inserted {
		m.text = "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair."
		return m
	}
	checkScenes(t, map[string]scene{
		"a call and its result": {
			messages: []inserted{turn(9000, "assistant"), turn(9001, "tool")},
			more:     []string{call(9000, "call_aaaaaaaaaaaa1"), call(9001, "call_aaaaaaaaaaaa1")},
		},
		"no result": {
			messages: []inserted{turn(9010, "assistant")}, more: []string{call(9010, "call_bbbbbbbbbbbb1")},
			want: []string{"9010 warn"},
		},
		"no result, out of the context": {
			messages: []inserted{out(turn(9020, "assistant"))}, more: []string{call(9020, "call_cccccccccccc1")},
			want: []string{"9020 info"},
		},
		"no call": {
			messages: []inserted{turn(9030, "tool")}, more: []string{call(9030, "call_dddddddddddd1")},
			want: []string{"9030 warn"},
		},
		"no call, out of the context": {
			messages: []inserted{out(turn(9040, "tool"))}, more: []string{call(9040, "call_eeeeeeeeeeee1")},
			want: []string{"9040 info"},
		},
		"two results": {
			messages: []inserted{turn(9050, "assistant"), turn(9051, "tool"), turn(9052, "tool")},
			more:     []string{call(9050, "call_ffffffffffff1"), call(9051, "call_ffffffffffff1"), call(9052, "call_ffffffffffff1")},
			want:     []string{"9052 warn"},
		},
		"the host's note that a result is missing, and the result": {
			messages: []inserted{turn(9070, "assistant"), note(turn(9071, "tool")), note(turn(9072, "tool")), turn(9073, "tool"), turn(9074, "tool")},
			more: []string{
				call(9070, "call_gggggggggggg1"), call(9071, "call_gggggggggggg1"), call(9072, "call_gggggggggggg1"),
				call(9073, "call_gggggggggggg1"), call(9074, "call_gggggggggggg1"),
			},
			want: []string{"9071 warn", "9072 warn", "9074 warn"},
		},
		"an id that its provider uses again": {
			messages: []inserted{turn(9060, "assistant"), turn(9061, "tool"), turn(9062, "assistant"), turn(9063, "tool")},
			more:     []string{call(9060, "exec_1"), call(9061, "exec_1"), call(9062, "exec_1"), call(9063, "exec_1")},
		},
		"the newest answer": {
			messages: []inserted{turn(9999, "assistant")}, more: []string{call(9999, "call_999999999999a")},
		},
	}, integrity.ToolCallWithoutResult, integrity.ToolResultWithoutCall, integrity.ToolResultDuplicate)
}

// TestTheNewestCallOfAnArchivedConversation: nothing answers it any more.
func TestTheNewestCallOfAnArchivedConversation(t *testing.T) {
	t.Parallel()
	statements := append(inserted{id: 9000, role: "assistant", text: "I look", at: "2026-01-06 08:00:00"}.statements(),
		call(9000, "call_999999999999a"), "UPDATE conversations SET active = 0, archived_at = '2026-01-07 00:00:00' WHERE conversation_id = 1")
	d := check(t, altered(t, statements...), integrity.Request{Conversation: 1, Faults: []integrity.FaultID{integrity.ToolCallWithoutResult}})
	found(t, d, integrity.ToolCallWithoutResult, "9000")
}
