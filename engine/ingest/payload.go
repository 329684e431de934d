package ingest

import (
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
)

// inlineMedia marks media that stand in a text.
const inlineMedia = ";base64,"

// MovePayloads returns a stored message as a host would have stored it with its payloads in files: its
// images, outputs of tools of at least so many bytes, and a content in which media stand. The salt
// is part of the ids of the files. It returns false where nothing is moved or the message can't
// be rebuilt from its row: then it can't be said what the host would have stored. A message whose
// row has an image that its content doesn't know keeps its content, and only the image moves.
func (r Rules) MovePayloads(m *lcm.RawMessage, least int64, salt string) (Stored, bool) {
	if r.First || least <= 0 {
		return Stored{}, false
	}
	original := assemble.Original(m, false)
	if !r.rebuilds(m, original) {
		return r.moveRawImages(m, salt)
	}
	w, ok := r.ingest(original, salt)
	if !ok {
		return Stored{}, false
	}
	w.least = least
	w.moveAllImages()
	if w.Role == "tool" {
		w.moveOutputs()
	} else if strings.Contains(string(w.content), inlineMedia) {
		w.least = 1
		w.movePayload()
	}
	w.Content, w.Parts = w.text(), w.parts()
	if len(w.Files) == 0 || len(w.Parts) != len(m.Parts) {
		return Stored{}, false
	}
	return w.Stored, true
}

// ingest begins the conversion of a message.
func (r Rules) ingest(original jstext.Value, salt string) (*ingestion, bool) {
	w := &ingestion{rules: r, salt: salt, message: original, runtime: original.Field("role").Text(), content: original.Field("content")}
	var skip Skip
	w.Role, skip = w.role()
	return w, skip == ""
}

// rebuilds reports whether a message as its transcript had it is stored as the row is. The copies
// of its texts in the metadata may have been dropped.
func (r Rules) rebuilds(m *lcm.RawMessage, original jstext.Value) bool {
	w, ok := r.ingest(original, "")
	if !ok || w.Role != m.Role || w.text() != m.Content.Text {
		return false
	}
	parts := w.parts()
	if len(parts) != len(m.Parts) {
		return false
	}
	for i, p := range parts {
		q := m.Parts[i]
		same := p.Metadata == q.Metadata || !jstext.Parse(q.Metadata.Text).Field("raw").Defined()
		if !same || p.Type != q.Type || p.Ordinal != q.Ordinal || p.Text != q.Text || p.ToolCallID != q.ToolCallID || p.ToolName != q.ToolName ||
			p.ToolInput != q.ToolInput || p.ToolOutput != q.ToolOutput {
			return false
		}
	}
	return true
}

// moveRawImages moves the images that parts keep beside their texts, and nothing else.
func (r Rules) moveRawImages(m *lcm.RawMessage, salt string) (Stored, bool) {
	w := &ingestion{rules: r, salt: salt}
	w.Role, w.Content = m.Role, m.Content.Text
	for _, p := range m.Parts {
		w.Parts = append(w.Parts, p)
		metadata := jstext.Parse(p.Metadata.Text)
		mime, body, ok := imageOf(metadata.Field("raw"))
		if !ok || w.Role == "" {
			continue
		}
		block := w.imageBlock(firstText(metadata.Field("raw"), "fileName", "filename", "name").Text, mime, body)
		var o jstext.Object
		for name, v := range metadata.Fields() {
			if name != "raw" && name != "rawType" {
				o.Put(name, v)
			}
		}
		blockMarks(block, &o)
		o.Put("rawType", block.Field("type"))
		o.Put("raw", block)
		w.Parts[len(w.Parts)-1].Metadata = storedText(string(o.Value()))
	}
	return w.Stored, len(w.Files) > 0
}
