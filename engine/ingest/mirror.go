package ingest

import (
	"slices"

	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// mirrorModel is the model that a host names in its copy of an answer as a channel delivered it.
const mirrorModel = jstext.Value(`"delivery-mirror"`)

// noteMirror notes what a delivery mirror says. It comes before payloads are moved out: a host
// compares this text.
func (w *ingestion) noteMirror() {
	if w.Role == "assistant" && w.message.Field("model") == mirrorModel {
		w.IsMirror, w.mirrored = true, w.text()
	}
}

// Repeats reports whether a message is a delivery mirror that a host leaves out behind newest, the
// newest message that the conversation has; nil is none. It does so only if newest is the same
// answer with reasoning: a mirror of a plain answer is stored beside it.
func (s *Stored) Repeats(newest *Stored) bool {
	return s.IsMirror && newest != nil && newest.Role == "assistant" && !isBlank(s.mirrored) && s.mirrored == newest.Content && hasReasoning(newest.Parts)
}

// hasReasoning reports whether an answer keeps reasoning: as a part, or beside its content.
func hasReasoning(parts []lcm.RawPart) bool {
	return slices.ContainsFunc(parts, func(p lcm.RawPart) bool {
		if p.Type == "reasoning" {
			return true
		}
		m := jstext.Parse(p.Metadata.Text)
		return m.Field("topLevelReasoningField").Text() == reasoningName && m.Field("topLevelReasoningContent").Text() != ""
	})
}
