package assemble

import (
	"slices"

	"lcm-tui/data/jstext"
)

// selectedMessage is a message that was selected.
type selectedMessage struct {
	Message
	fresh bool // In the fresh tail.
}

// answers returns the places of the last results of calls.
func answers(ms []selectedMessage) map[string]int {
	last := map[string]int{}
	for i, m := range ms {
		if m.Role == RoleToolResult {
			last[m.call] = i
		}
	}
	return last
}

// open returns the calls in the fresh tail that no selected message answers.
func open(ms []selectedMessage, last map[string]int) (ids []string) {
	for _, m := range ms {
		if m.Role != RoleAssistant || !m.fresh {
			continue
		}
		for _, b := range m.blocks {
			id := callOf(b)
			if _, answered := last[id]; id != "" && !answered {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// withoutUnanswered strips an assistant's calls of tools that no later message
// answers: outside of the fresh tail all of them, in it those whose result stands
// earlier in the context, be it selected or not (then last has it before all). A
// call in the tail that nothing answers at all may still be under way; it gets a
// result later. What is left without blocks is dropped.
func withoutUnanswered(ms []selectedMessage, last map[string]int) []selectedMessage {
	out := ms[:0]
	for i, m := range ms {
		if m.Role == RoleAssistant && m.blocks != nil {
			kept := slices.DeleteFunc(slices.Clone(m.blocks), func(b jstext.Value) bool {
				id := callOf(b)
				if id == "" {
					return false
				}
				at, answered := last[id]
				return (!answered || at < i) && (answered || !m.fresh)
			})
			if len(kept) == 0 && len(m.blocks) > 0 {
				continue
			}
			m.blocks = kept
		}
		out = append(out, m)
	}
	return out
}

// callOf returns the id of a call, or empty for any other block.
func callOf(block jstext.Value) string {
	if !isCall(block) { // Other blocks may be long.
		return ""
	}
	if id := block.Field("id").Text(); id != "" {
		return id
	}
	return block.Field("call_id").Text()
}

// withoutBlank removes blank text from an assistant's messages, and then the messages that have
// only thinking, and a user's messages that are blank as a whole.
func withoutBlank(ms []selectedMessage) []Message {
	out := make([]Message, 0, len(ms))
	for _, m := range ms {
		if m.Role == RoleUser && m.isBlank() {
			continue
		}
		if m.Role == RoleAssistant {
			m.blocks = slices.DeleteFunc(slices.Clone(m.blocks), isBlank)
			if !hasContent(m.Message) {
				continue
			}
		}
		out = append(out, m.Message)
	}
	return out
}

// isBlank reports whether a message is nothing but blank text.
func (m Message) isBlank() bool {
	if m.content.Defined() {
		return blank(m.content.Text())
	}
	return len(m.blocks) > 0 && !slices.ContainsFunc(m.blocks, func(b jstext.Value) bool { return !isBlank(b) })
}

// hasContent reports whether a message has more than thinking and blank text.
func hasContent(m Message) bool {
	return slices.ContainsFunc(m.blocks, func(b jstext.Value) bool { return isContent(b) && !isBlank(b) })
}

func isBlank(b jstext.Value) bool {
	text := b.Field("text")
	return b.Field("type") == `"text"` && text.IsString() && blank(text.Text())
}

// isContent reports whether a block is more than thinking.
func isContent(b jstext.Value) bool { return !slices.Contains(thinkingTypes, b.Field("type").Text()) }
