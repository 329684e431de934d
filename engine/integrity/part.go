package integrity

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/engine/token"
)

// take reads the parts of the conversation's messages, which come in the order of
// the messages.
func (t *talk) take(ctx context.Context) error {
	r := partReader{talk: t}
	err := t.db.SeenParts(ctx, t.row.ID, func(p *data.SeenPart) error {
		r.read(p)
		return nil
	})
	r.leave()
	return err
}

// partReader reads the parts of one message after the other.
type partReader struct {
	*talk
	next   int // Where in said the next message is looked for.
	now    *said
	lo, hi int64 // Ordinals of the present message's parts.
	bytes  []byte
}

func (r *partReader) read(p *data.SeenPart) {
	if r.now == nil || r.now.id != p.Message {
		r.leave()
		if !r.enter(p.Message) {
			return
		}
		r.lo = p.Ordinal
	}
	r.hi = p.Ordinal
	s := r.now
	s.parts++
	r.bytes = append(r.bytes[:0], p.Metadata.Text...)
	var m metadata
	if !p.Metadata.Null {
		m = readMetadata(r.bytes)
	}
	s.partsHash = s.partsHash*31 + sameness(p)
	s.weight += max(weigh(p.Text.Text)+weigh(p.ToolInput.Text)+weigh(p.ToolOutput.Text), weigh(p.Metadata.Text)) + 16
	s.full = s.full || p.Text.Text+p.ToolInput.Text+p.ToolOutput.Text != ""
	s.lcm = s.lcm || strings.HasPrefix(p.ToolName.Text, "lcm_")
	s.response = s.response || m.responseID != ""
	s.note = s.note || p.Type == "compaction"
	r.cells(p, m)
	r.calling(p, m)
	r.role(p, m)
	r.mention(p.Text.Text)
	r.mention(p.Metadata.Text)
}

// sameness is equal for parts that say the same. Where the columns say nothing the
// metadata does.
func sameness(p *data.SeenPart) uint64 {
	h := hash(p.Type) + 3*hash(p.Text.Text) + 5*hash(p.ToolCallID.Text) + 7*hash(p.ToolInput.Text) + 11*hash(p.ToolOutput.Text)
	if p.Text.Text+p.ToolCallID.Text+p.ToolInput.Text+p.ToolOutput.Text == "" {
		h += 13 * hash(p.Metadata.Text)
	}
	return h
}

// weigh is an estimate of a text, quick where it has nothing but plain letters.
func weigh(s string) int64 {
	if n := utf8.RuneCountInString(s); n == len(s) {
		return int64(n+3) / 4
	}
	return token.Weighted.Count(s)
}

// enter finds the message that a part belongs to.
func (r *partReader) enter(id int64) bool {
	for ; r.next < len(r.said); r.next++ {
		if r.said[r.next].id == id {
			r.now = &r.said[r.next]
			return true
		}
	}
	r.next, r.now = 0, nil
	if i := slices.IndexFunc(r.said, func(s said) bool { return s.id == id }); i >= 0 { // A row came while we read.
		r.next, r.now = i, &r.said[i]
		return true
	}
	return false
}

// leave is the end of a message's parts.
func (r *partReader) leave() {
	if r.now != nil && (r.lo != 0 || r.hi != int64(r.now.parts)-1) {
		r.add("M12", message(r.now.id), fmt.Sprintf("%d parts from %d to %d", r.now.parts, r.lo, r.hi))
	}
	r.now = nil
}

// cells: what can't be read.
func (r *partReader) cells(p *data.SeenPart, m metadata) {
	r.cell(part(p.ID), "text_content", p.Text)
	r.cell(part(p.ID), "tool_name", p.ToolName)
	if !p.Metadata.Null && !m.valid {
		r.add("M11", part(p.ID), "metadata isn't JSON: "+clipped(p.Metadata.Text), p.ID, number(p.Message))
	}
	const inline = 1 << 16
	if len(p.Metadata.Text) > inline && strings.Contains(p.Metadata.Text, ";base64,") {
		r.media = append(r.media, mediaPart{p.Message, p.ID, len(p.Metadata.Text)})
	}
}

// mediaPart is a part with a payload in base64.
type mediaPart struct {
	message int64
	part    string
	bytes   int
}

// callTypes are the kinds of block that call a tool.
var callTypes = []string{"toolCall", "toolUse", "tool-use", "tool_use", "functionCall", "function_call"}

// calling: which calls a part makes or answers.
func (r *partReader) calling(p *data.SeenPart, m metadata) {
	id := p.ToolCallID.Text
	if id == "" && m.callID != "" {
		r.now.known = m.callID
		if p.Type == "tool" || slices.Contains(callTypes, m.rawType) {
			f := r.add("M08", part(p.ID), "tool_call_id is empty, and the metadata names "+clipped(m.callID), p.ID, number(p.Message))
			if !r.db.Schema().Has("lcm_migration_state") {
				f.mild() // The host's next upgrade fills it.
			}
		}
		r.calls.meta(r.now.role, m.callID)
	}
	if id == "" {
		return
	}
	r.now.called = true
	r.calls.add(r.now, id, p)
}

// role: who the first part says speaks.
func (r *partReader) role(p *data.SeenPart, m metadata) {
	if p.Ordinal != 0 {
		return
	}
	want := m.role
	switch m.role {
	case "tool", "toolResult":
		want = "tool"
	case "user", "assistant", "system":
	default:
		return
	}
	if want != r.now.role {
		r.add("M25", message(r.now.id), fmt.Sprintf("the row says %s, its first part %s", r.now.role, clipped(m.role)))
	}
}
