package fakehost

import "time"

// FocusBrief is a focus brief to write. It keeps an agent on a subject; files before 0.11
// have none.
type FocusBrief struct {
	ID           string // made up when empty
	Conversation int64
	SessionKey   string
	Prompt       string
	Content      string
	Status       string // draft, active, superseded, failed, inactive
	Target       int    // wanted tokens
	CoveredSeq   int64  // the last message it knows of
	CoveredAt    time.Time
	Sources      []string // summaries
	At           time.Time
	Superseded   time.Time
}

// FocusBrief writes a focus brief and its sources and returns its id.
func (h *Writer) FocusBrief(b FocusBrief) (string, error) {
	if b.ID == "" {
		b.ID = h.id("focus_", b.Content)
	}
	err := h.Tx(func(h *Writer) error { return h.writeFocusBrief(b) })
	return b.ID, err
}

func (h *Writer) writeFocusBrief(b FocusBrief) error {
	at := h.at(b.At).Format(Seconds)
	_, err := h.insert("focus_briefs", cell{"brief_id", b.ID}, cell{"conversation_id", b.Conversation},
		cell{"session_key", null(b.SessionKey)}, cell{"prompt", b.Prompt}, cell{"content", b.Content}, cell{"status", b.Status},
		cell{"token_count", h.tokens(b.Content)}, cell{"target_tokens", b.Target}, cell{"covered_latest_at", stamp(b.CoveredAt, Millis)},
		cell{"covered_message_seq", b.CoveredSeq}, cell{"source_context_hash", Digest(compact(b.Sources))},
		cell{"created_at", at}, cell{"updated_at", at}, cell{"superseded_at", stamp(b.Superseded, Seconds)})
	if err != nil {
		return err
	}
	for i, s := range b.Sources {
		_, err := h.insert("focus_brief_sources", cell{"brief_id", b.ID}, cell{"summary_id", s},
			cell{"ordinal", i}, cell{"role", "active"}, cell{"created_at", at})
		if err != nil {
			return err
		}
	}
	return nil
}

// stamp writes a time in a form, and no time as NULL.
func stamp(t time.Time, form string) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(form)
}
