package integrity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// partReader reads the parts of the messages, one message after another.
type partReader struct {
	found       *findings
	schema      *data.Schema
	mentions    *fileMentions
	hashesCalls bool // Messages are compared by their calls too.

	media       []mediaPart
	byMessage   []messageParts
	first, last int64 // Ordinals of the present message's parts.
	bytes       []byte
}

// readParts reads the parts of the conversation's messages, in the order of the messages.
func (r *partReader) readParts(ctx context.Context, db *data.DB, conv int64) error {
	err := lcm.EachRawPart(ctx, db, conv, func(p *lcm.RawPart) error {
		r.addPart(p)
		return nil
	})
	r.endMessage()
	return err
}

// addPart adds a part to its message, and checks what needs the part alone.
func (r *partReader) addPart(p *lcm.RawPart) {
	if n := len(r.byMessage); n == 0 || r.byMessage[n-1].message != p.Message {
		r.endMessage()
		r.byMessage = append(r.byMessage, messageParts{message: p.Message})
		r.first = p.Ordinal
	}
	r.last = p.Ordinal
	b := &r.byMessage[len(r.byMessage)-1]
	r.bytes = append(r.bytes[:0], p.Metadata.Text...)
	var m metadata
	if !p.Metadata.Null {
		m = readMetadata(r.bytes)
	}
	b.partCount++
	b.partsHash = b.partsHash*31 + partHash(p)
	if r.hashesCalls {
		b.callsHash = b.callsHash*31 + hash(p.Type) + 3*hash(p.Text.Text) + 5*hash(cmp.Or(p.ToolCallID.Text, m.callID))
	}
	b.partTokens += max(estimateTokens(p.Text.Text)+estimateTokens(p.ToolInput.Text)+estimateTokens(p.ToolOutput.Text), estimateTokens(p.Metadata.Text)) + 16
	if p.Type != "reasoning" { // The host counts reasoning only where it shows it.
		b.hasContent = b.hasContent || p.Text.Text != "" || p.ToolInput.Text != "" || p.ToolOutput.Text != ""
	}
	b.ofHostTool = b.ofHostTool || strings.HasPrefix(p.ToolName.Text, "lcm_")
	b.hasResponseID = b.hasResponseID || m.responseID != ""
	b.isHostNote = b.isHostNote || p.Type == "compaction" || m.kind == "host-summary"
	b.isMirror = b.isMirror || m.model == "delivery-mirror"
	b.hasReasoning = b.hasReasoning || p.Type == "reasoning" || m.reasoning != ""
	if b.partCount == 1 { // The first part, whatever its ordinal.
		b.partRole = rowRole(m.role)
	}
	r.checkPartTexts(p, m)
	r.collectCalls(b, p, m)
	r.mentions.note(p.Text.Text)
	r.mentions.note(p.Metadata.Text)
}

// rowRole is a role of metadata as the role column has it, or empty for one that the
// column never has.
func rowRole(role string) string {
	switch role {
	case "tool", "toolResult":
		return "tool"
	case "user", "assistant", "system":
		return role
	}
	return ""
}

// partHash is equal for parts of the same content. The metadata counts only where the
// columns are empty.
func partHash(p *lcm.RawPart) uint64 {
	h := hash(p.Type) + 3*hash(p.Text.Text) + 5*hash(p.ToolCallID.Text) + 7*hash(p.ToolInput.Text) + 11*hash(p.ToolOutput.Text)
	if p.Text.Text+p.ToolCallID.Text+p.ToolInput.Text+p.ToolOutput.Text == "" {
		h += 13 * hash(p.Metadata.Text)
	}
	return h
}

// endMessage checks the ordinals of a message after its last part.
func (r *partReader) endMessage() {
	if len(r.byMessage) == 0 {
		return
	}
	b := &r.byMessage[len(r.byMessage)-1]
	if r.first != 0 || r.last != int64(b.partCount)-1 {
		r.found.add(PartOrdinalGaps, messageAt(b.message), fmt.Sprintf("%d parts with ordinals from %d to %d", b.partCount, r.first, r.last))
	}
}

// checkPartTexts finds cells that aren't text or JSON, and collects media.
func (r *partReader) checkPartTexts(p *lcm.RawPart, m metadata) {
	checkText(r.found, partAt(p.ID), "text_content", p.Text)
	checkText(r.found, partAt(p.ID), "tool_name", p.ToolName)
	if !p.Metadata.Null && !m.valid {
		r.found.add(ContentMalformed, partAt(p.ID), "metadata isn't JSON: "+clip(p.Metadata.Text), p.ID, formatID(p.Message))
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

// callTypes are the types of blocks that call a tool.
var callTypes = []string{"toolCall", "toolUse", "tool-use", "tool_use", "functionCall", "function_call"}

// collectCalls collects the calls that a part makes or answers.
func (r *partReader) collectCalls(b *messageParts, p *lcm.RawPart, m metadata) {
	if p.ToolCallID.Text != "" {
		b.namesCall = true
		b.calls = append(b.calls, callPart{id: p.ToolCallID.Text, name: p.ToolName.Text, ofTypeTool: p.Type == "tool"})
		return
	}
	if m.callID == "" {
		return
	}
	b.metadataCall, b.namesCall = m.callID, b.namesCall || m.answers != ""
	b.calls = append(b.calls, callPart{id: m.callID, onlyInMetadata: true})
	if p.Type != "tool" && !slices.Contains(callTypes, m.rawType) {
		return
	}
	f := r.found.add(ToolColumnsEmpty, partAt(p.ID), "tool_call_id is empty, and the metadata names "+clip(m.callID), p.ID, formatID(p.Message))
	if !r.schema.Has("lcm_migration_state") {
		f.downgrade() // The host fills the column at its next upgrade.
	}
}
