package bundle

import (
	"bufio"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// knownTools are names of tools that hosts bring; others may be anybody's.
var knownTools = []string{
	"exec", "bash", "process", "read", "write", "edit", "apply_patch", "grep", "find", "ls", "web_search", "web_fetch", "browser", "canvas", "nodes", "cron", "message",
	"gateway", "image", "memory_search", "memory_get", "sessions_list", "sessions_history", "sessions_send", "sessions_spawn", "session_status", "agents_list", "tts",
	"lcm_grep", "lcm_describe", "lcm_expand", "lcm_expand_query", "Bash", "Read", "Write", "Edit", "Grep", "Glob", "Task", "WebFetch", "WebSearch", "TodoWrite",
}

// partTypes are the types of parts that hosts write.
var partTypes = []string{
	"text", "reasoning", "tool", "patch", "file", "subtask", "compaction", "step_start", "step_finish", "snapshot", "agent", "retry",
}

// timeline lists the messages of every conversation without their texts.
func (m *maker) timeline(w *bufio.Writer) error {
	out := &list{w: w}
	err := out.add(map[string]any{
		"columns":      []string{"conversation_id", "message_id", "seq", "role", "tokens", "second", "bytes", "digest", "has_entry", "in_context", "forgotten", "parts"},
		"part_columns": []string{"type", "text_bytes", "input_bytes", "output_bytes", "metadata_bytes", "tool"},
	})
	if err != nil {
		return err
	}
	n := 0
	for _, c := range m.convs {
		err := lcm.StreamMessages(m.ctx, m.db, c.ID, lcm.AllSeqs, func(s *lcm.StreamedMessage) error {
			if n++; n%1024 == 0 {
				m.report(0, 0, "making timeline.json")
				if err := m.ctx.Err(); err != nil {
					return err
				}
			}
			return out.add(m.event(c.ID, s))
		})
		if err != nil {
			return err
		}
	}
	return out.close()
}

// event returns a message without its texts.
func (m *maker) event(conv int64, s *lcm.StreamedMessage) []any {
	parts := make([][]any, len(s.Parts))
	for i := range s.Parts {
		p := &s.Parts[i]
		parts[i] = []any{
			start(word(p.Type, partTypes...)), size(&p.Text), size(&p.ToolInput), size(&p.ToolOutput), size(&p.Metadata), word(p.ToolName.Text, knownTools...),
		}
	}
	identity := s.Hash
	if identity == "" {
		identity = s.Role + "\x00" + s.Content.Text
	}
	return []any{
		conv, s.ID, s.Seq, letter(s.Role), s.Tokens.Value, unix(s.CreatedAt), size(&s.Content),
		m.mask.digest(identity, 12), s.Entry != "", s.InContext, data.IsForgotten(s.Content.Text), parts,
	}
}

// letter returns the first letter of a role that hosts have, else a question mark.
func letter(role string) string {
	switch role {
	case "user", "assistant", "tool", "system":
		return role[:1]
	}
	return "?"
}

// start returns the first four letters of a word.
func start(word string) string { return word[:min(4, len(word))] }

// size returns the length of a cell in bytes, or nil for NULL.
func size(s *data.Stored) any {
	if s.Null {
		return nil
	}
	return len(s.Text)
}
