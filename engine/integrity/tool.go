package integrity

import (
	"fmt"
	"regexp"
	"strings"
)

// toolCalls is who calls tools, and who answers.
type toolCalls struct {
	made, answered map[string]bool // Whether an assistant called, and a tool answered, in columns or metadata.
	open           []toolCall      // Calls, in the order of messages.
	results        map[string][]int64
	order          []string
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
func (c *toolCalls) add(s *said, p callPart) {
	switch {
	case s.role == "assistant":
		c.made[p.id] = true
		if p.tool && !p.meta {
			c.open = append(c.open, toolCall{s.id, p.id, p.name, false})
		}
	case s.role != "tool":
	default:
		c.answered[p.id] = true
		ms := c.results[p.id]
		if n := len(ms); p.meta || n > 0 && ms[n-1] == s.id {
			return
		} else if n == 0 {
			c.order = append(c.order, p.id)
		}
		c.results[p.id] = append(ms, s.id)
		c.open = append(c.open, toolCall{s.id, p.id, p.name, true})
	}
}

// unique are call ids that no provider uses twice.
var unique = regexp.MustCompile(`^(?:toolu_|call_)[A-Za-z0-9]{12,}$`)

// pairing: calls and results. What isn't in the context isn't shown to a model, so
// it does no harm.
func (t *talk) pairing() {
	last := t.lastAssistant()
	for _, c := range t.calls.open {
		where := message(c.message)
		switch {
		case c.result && !t.calls.made[c.id]:
			t.harm(ToolResultWithoutCall, where, c.message, "no assistant made the call "+clipped(c.id))
		case !c.result && !t.calls.answered[c.id] && c.message != last:
			t.harm(ToolCallWithoutResult, where, c.message, fmt.Sprintf("nothing answers the call %s of %s", clipped(c.id), clipped(c.name)))
		}
	}
	for _, id := range t.calls.order {
		if ms := t.calls.results[id]; len(ms) > 1 && unique.MatchString(id) {
			for _, m := range ms[1:] {
				t.harm(ToolResultDuplicate, message(m), m, fmt.Sprintf("answers the call %s, which message %d answers already", id, ms[0])).Rows = numbers([]int64{ms[0], m})
			}
		}
	}
	for i := range t.said {
		if s := &t.said[i]; s.role == "tool" && !s.called && !(s.blank && s.parts == 0) {
			detail := "no part names the call"
			if s.known != "" {
				detail += ", the metadata does: " + clipped(s.known)
			}
			f := t.harm(ToolResultWithoutCallID, message(s.id), s.id, detail)
			if f.Lost = s.known == ""; f.Lost {
				f.Repair = "nothing in the file: only the transcript knows the call"
			}
		}
	}
}

// harm notes what does harm only where the model is shown it: in the context.
func (t *talk) harm(fault FaultID, where at, message int64, detail string) *Finding {
	if t.inContext[message] {
		return t.add(fault, where, detail)
	}
	f := t.add(fault, where, strings.TrimSpace(detail+"; not in the context, so no model is shown it"))
	f.mild()
	return f
}

// lastAssistant is the newest message of the assistant in an active conversation,
// whose calls may still be under way.
func (t *talk) lastAssistant() int64 {
	if t.row.Active.Value == 0 {
		return 0
	}
	for i := len(t.said) - 1; i >= 0; i-- {
		if t.said[i].role == "assistant" {
			return t.said[i].id
		}
	}
	return 0
}
