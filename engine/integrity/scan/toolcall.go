package scan

import "slices"

// ToolCalls are the tool calls of a conversation and their answers.
type ToolCalls struct {
	Made, Answered map[string]bool    // Ids that an assistant called, and that a tool answered, by columns or metadata.
	Pending        []ToolCall         // Calls and results, in the order of messages.
	Results        map[string][]int64 // The messages that answer a call: first the one that should stay.
	AnsweredOrder  []string
	onlyMade       map[string]bool // All answers so far were made by the host.
}

// ToolCall is a call or a result in a part.
type ToolCall struct {
	Message int64
	ID      string
	Name    string
	Result  bool
}

func newToolCalls() ToolCalls {
	return ToolCalls{Made: map[string]bool{}, Answered: map[string]bool{}, Results: map[string][]int64{}, onlyMade: map[string]bool{}}
}

// add notes who makes a call, or answers it.
func (c *ToolCalls) add(m *Message, p CallPart) {
	switch {
	case m.Role == "assistant":
		c.Made[p.ID] = true
		if p.OfTypeTool && !p.OnlyInMetadata {
			c.Pending = append(c.Pending, ToolCall{m.ID, p.ID, p.Name, false})
		}
	case m.Role != "tool":
	default:
		c.Answered[p.ID] = true
		ms := c.Results[p.ID]
		if n := len(ms); p.OnlyInMetadata || n > 0 && (ms[0] == m.ID || ms[n-1] == m.ID) {
			return
		} else if n == 0 {
			c.AnsweredOrder = append(c.AnsweredOrder, p.ID)
			c.onlyMade[p.ID] = m.IsMadeResult
		}
		at := len(ms)
		if c.onlyMade[p.ID] && !m.IsMadeResult {
			at, c.onlyMade[p.ID] = 0, false
		}
		c.Results[p.ID] = slices.Insert(ms, at, m.ID)
		c.Pending = append(c.Pending, ToolCall{m.ID, p.ID, p.Name, true})
	}
}
