package integrity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity/scan"
)

// partReader reads the parts of the messages, one message after another.
type partReader struct {
	found       *findings
	schema      *data.Schema
	mentions    *scan.FileMentions
	hashesCalls bool // Messages are compared by their calls too.

	media       []mediaPart
	byMessage   []scan.MessageParts
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
	if n := len(r.byMessage); n == 0 || r.byMessage[n-1].Message != p.Message {
		r.endMessage()
		r.byMessage = append(r.byMessage, scan.MessageParts{Message: p.Message})
		r.first = p.Ordinal
	}
	r.last = p.Ordinal
	b := &r.byMessage[len(r.byMessage)-1]
	r.bytes = append(r.bytes[:0], p.Metadata.Text...)
	var m scan.Metadata
	if !p.Metadata.Null {
		m = scan.ReadMetadata(r.bytes)
	}
	b.PartCount++
	b.PartsHash = b.PartsHash*31 + partHash(p)
	if r.hashesCalls {
		b.CallsHash = b.CallsHash*31 + scan.Hash(p.Type) + 3*scan.Hash(p.Text.Text) + 5*scan.Hash(cmp.Or(p.ToolCallID.Text, m.CallID))
	}
	b.PartTokens += max(scan.EstimateTokens(p.Text.Text)+scan.EstimateTokens(p.ToolInput.Text)+scan.EstimateTokens(p.ToolOutput.Text), scan.EstimateTokens(p.Metadata.Text)) + 16
	if p.Type != "reasoning" { // The host counts reasoning only where it shows it.
		b.HasContent = b.HasContent || p.Text.Text != "" || p.ToolInput.Text != "" || p.ToolOutput.Text != ""
	}
	b.OfHostTool = b.OfHostTool || strings.HasPrefix(p.ToolName.Text, "lcm_")
	b.HasResponseID = b.HasResponseID || m.ResponseID != ""
	b.IsHostNote = b.IsHostNote || p.Type == "compaction" || m.Kind == "host-summary"
	b.IsMirror = b.IsMirror || m.Model == "delivery-mirror"
	b.HasReasoning = b.HasReasoning || p.Type == "reasoning" || m.Reasoning != ""
	if b.PartCount == 1 { // The first part, whatever its ordinal.
		b.PartRole = rowRole(m.Role)
	}
	r.checkPartTexts(p, m)
	r.collectCalls(b, p, m)
	r.mentions.Note(p.Text.Text)
	r.mentions.Note(p.Metadata.Text)
}

// rowRole returns a role of metadata as the role column has it, or empty for one that the
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

// partHash returns the same for parts of the same content. The metadata counts only where the
// columns are empty.
func partHash(p *lcm.RawPart) uint64 {
	h := scan.Hash(p.Type) + 3*scan.Hash(p.Text.Text) + 5*scan.Hash(p.ToolCallID.Text) + 7*scan.Hash(p.ToolInput.Text) + 11*scan.Hash(p.ToolOutput.Text)
	if p.Text.Text+p.ToolCallID.Text+p.ToolInput.Text+p.ToolOutput.Text == "" {
		h += 13 * scan.Hash(p.Metadata.Text)
	}
	return h
}

// endMessage checks the ordinals of a message after its last part.
func (r *partReader) endMessage() {
	if len(r.byMessage) == 0 {
		return
	}
	b := &r.byMessage[len(r.byMessage)-1]
	if r.first != 0 || r.last != int64(b.PartCount)-1 {
		r.found.add(PartOrdinalGaps, messageAt(b.Message), fmt.Sprintf("%d parts with ordinals from %d to %d", b.PartCount, r.first, r.last))
	}
}

// checkPartTexts finds cells that aren't text or JSON, and collects media.
func (r *partReader) checkPartTexts(p *lcm.RawPart, m scan.Metadata) {
	checkText(r.found, partAt(p.ID), "text_content", p.Text)
	checkText(r.found, partAt(p.ID), "tool_name", p.ToolName)
	if !p.Metadata.Null && !m.Valid {
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
func (r *partReader) collectCalls(b *scan.MessageParts, p *lcm.RawPart, m scan.Metadata) {
	if p.ToolCallID.Text != "" {
		b.NamesCall = true
		b.Calls = append(b.Calls, scan.CallPart{ID: p.ToolCallID.Text, Name: p.ToolName.Text, OfTypeTool: p.Type == "tool"})
		return
	}
	if m.CallID == "" {
		return
	}
	b.MetadataCall, b.NamesCall = m.CallID, b.NamesCall || m.Answers != ""
	b.Calls = append(b.Calls, scan.CallPart{ID: m.CallID, OnlyInMetadata: true})
	if p.Type != "tool" && !slices.Contains(callTypes, m.RawType) {
		return
	}
	f := r.found.add(ToolColumnsEmpty, partAt(p.ID), "tool_call_id is empty, and the metadata names "+clip(m.CallID), p.ID, formatID(p.Message))
	if !r.schema.Has("lcm_migration_state") {
		f.downgrade() // The host fills the column at its next upgrade.
	}
}
