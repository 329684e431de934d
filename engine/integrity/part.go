package integrity

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
)

// bundle is what the parts of a message come to.
type bundle struct {
	message  int64
	parts    int
	same     uint64 // Equal for parts that say the same.
	weight   int64  // What the parts come to, at most.
	full     bool   // A part says something.
	called   bool   // A part names a call, where the host looks for it.
	known    string // A call that the metadata names elsewhere.
	lcm      bool   // A part is of one of the host's own tools.
	note     bool   // The host's note of a compaction, or its own summary: no context needs it.
	response bool   // It has the id of a provider's response.
	role     string // Who speaks, as the first part notes it.
	calls    []callPart
}

// callPart is a part that names a call.
type callPart struct {
	id, name string
	tool     bool // It is a part of the type tool.
	meta     bool // Only its metadata names the call.
}

// join hangs the parts on their messages, both of which come by seq. A row that came
// while they were read is left to the next check.
func (t *talk) join(bundles []bundle) {
	t.calls = newToolCalls()
	i := 0
	for _, b := range bundles {
		for i < len(t.said) && t.said[i].id != b.message {
			i++
		}
		if i == len(t.said) {
			return
		}
		s := &t.said[i]
		b.note, b.response = b.note || s.note, b.response || s.response
		s.bundle = b
		for _, c := range b.calls {
			t.calls.add(s, c)
		}
		if b.role != "" && b.role != s.role {
			t.add(MessageRoleWrong, message(s.id), fmt.Sprintf("the row says %s, its first part %s", clipped(s.role), b.role))
		}
		s.calls = nil
	}
}

// partReader reads the parts of one message after the other.
type partReader struct {
	*talk
	bundles []bundle
	lo, hi  int64 // Ordinals of the present message's parts.
	bytes   []byte
}

// take reads the parts of the conversation's messages, which come in the order of
// the messages.
func (r *partReader) take(ctx context.Context) error {
	err := r.db.EachRawPart(ctx, r.row.ID, func(p *data.RawPart) error {
		r.read(p)
		return nil
	})
	r.leave()
	return err
}

func (r *partReader) read(p *data.RawPart) {
	if n := len(r.bundles); n == 0 || r.bundles[n-1].message != p.Message {
		r.leave()
		r.bundles = append(r.bundles, bundle{message: p.Message})
		r.lo = p.Ordinal
	}
	r.hi = p.Ordinal
	b := &r.bundles[len(r.bundles)-1]
	r.bytes = append(r.bytes[:0], p.Metadata.Text...)
	var m metadata
	if !p.Metadata.Null {
		m = readMetadata(r.bytes)
	}
	b.parts++
	b.same = b.same*31 + sameness(p)
	b.weight += max(weigh(p.Text.Text)+weigh(p.ToolInput.Text)+weigh(p.ToolOutput.Text), weigh(p.Metadata.Text)) + 16
	if p.Type != "reasoning" { // The host counts thoughts only where it shows them.
		b.full = b.full || p.Text.Text != "" || p.ToolInput.Text != "" || p.ToolOutput.Text != ""
	}
	b.lcm = b.lcm || strings.HasPrefix(p.ToolName.Text, "lcm_")
	b.response = b.response || m.responseID != ""
	b.note = b.note || p.Type == "compaction" || m.kind == "host-summary"
	if b.parts == 1 { // The first, whatever it's numbered.
		b.role = spoken(m.role)
	}
	r.cells(p, m)
	r.calling(b, p, m)
	r.mention(p.Text.Text)
	r.mention(p.Metadata.Text)
}

// spoken is a role as rows have it, or nothing for one that they never had.
func spoken(role string) string {
	switch role {
	case "tool", "toolResult":
		return "tool"
	case "user", "assistant", "system":
		return role
	}
	return ""
}

// sameness is equal for parts that say the same. Where the columns say nothing the
// metadata does.
func sameness(p *data.RawPart) uint64 {
	h := hash(p.Type) + 3*hash(p.Text.Text) + 5*hash(p.ToolCallID.Text) + 7*hash(p.ToolInput.Text) + 11*hash(p.ToolOutput.Text)
	if p.Text.Text+p.ToolCallID.Text+p.ToolInput.Text+p.ToolOutput.Text == "" {
		h += 13 * hash(p.Metadata.Text)
	}
	return h
}

// leave is the end of a message's parts.
func (r *partReader) leave() {
	if len(r.bundles) == 0 {
		return
	}
	b := &r.bundles[len(r.bundles)-1]
	if r.lo != 0 || r.hi != int64(b.parts)-1 {
		r.add(PartOrdinalGaps, message(b.message), fmt.Sprintf("%d parts from %d to %d", b.parts, r.lo, r.hi))
	}
}

// cells: what can't be read.
func (r *partReader) cells(p *data.RawPart, m metadata) {
	r.cell(part(p.ID), "text_content", p.Text)
	r.cell(part(p.ID), "tool_name", p.ToolName)
	if !p.Metadata.Null && !m.valid {
		r.add(ContentMalformed, part(p.ID), "metadata isn't JSON: "+clipped(p.Metadata.Text), p.ID, number(p.Message))
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
func (r *partReader) calling(b *bundle, p *data.RawPart, m metadata) {
	if p.ToolCallID.Text != "" {
		b.called = true
		b.calls = append(b.calls, callPart{id: p.ToolCallID.Text, name: p.ToolName.Text, tool: p.Type == "tool"})
		return
	}
	if m.callID == "" {
		return
	}
	b.known, b.called = m.callID, b.called || m.answers != ""
	b.calls = append(b.calls, callPart{id: m.callID, meta: true})
	if p.Type != "tool" && !slices.Contains(callTypes, m.rawType) {
		return
	}
	f := r.add(ToolColumnsEmpty, part(p.ID), "tool_call_id is empty, and the metadata names "+clipped(m.callID), p.ID, number(p.Message))
	if !r.db.Schema().Has("lcm_migration_state") {
		f.mild() // The host's next upgrade fills it.
	}
}
