package integrity

// toolCalls are the tool calls of a conversation and their answers.
type toolCalls struct {
	made, answered map[string]bool // Ids that an assistant called, and that a tool answered, by columns or metadata.
	pending        []toolCall      // Calls and results, in the order of messages.
	results        map[string][]int64
	answeredOrder  []string
}

// toolCall is a call or a result in a part.
type toolCall struct {
	message int64
	id      string
	name    string
	result  bool
}

func newToolCalls() toolCalls {
	return toolCalls{made: map[string]bool{}, answered: map[string]bool{}, results: map[string][]int64{}}
}

// add notes who makes a call, or answers it.
func (c *toolCalls) add(m *scannedMessage, p callPart) {
	switch {
	case m.role == "assistant":
		c.made[p.id] = true
		if p.ofTypeTool && !p.onlyInMetadata {
			c.pending = append(c.pending, toolCall{m.id, p.id, p.name, false})
		}
	case m.role != "tool":
	default:
		c.answered[p.id] = true
		ms := c.results[p.id]
		if n := len(ms); p.onlyInMetadata || n > 0 && ms[n-1] == m.id {
			return
		} else if n == 0 {
			c.answeredOrder = append(c.answeredOrder, p.id)
		}
		c.results[p.id] = append(ms, m.id)
		c.pending = append(c.pending, toolCall{m.id, p.id, p.name, true})
	}
}
