package export

import (
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/redact"
)

// Scrubber replaces in texts, which may be JSON, what must not be exported. JSON stays JSON.
type Scrubber interface {
	Scrub(text string) string
}

// Redactor is a Scrubber that replaces secrets of every class, and counts them.
type Redactor struct {
	redactor *redact.Redactor
	// Replaced is how often something was replaced, by rule.
	Replaced map[string]int64
}

// NewRedactor makes a Redactor.
func NewRedactor() *Redactor {
	return &Redactor{redact.NewRedactor(redact.Maybe), map[string]int64{}}
}

// Scrub implements Scrubber.
func (r *Redactor) Scrub(text string) string {
	clean, found := r.redactor.Redact(text)
	for _, f := range found {
		r.Replaced[f.Rule]++
	}
	return clean
}

// Scrubbers is several scrubbers, one after the other.
type Scrubbers []Scrubber

// Scrub implements Scrubber.
func (s Scrubbers) Scrub(text string) string {
	for _, one := range s {
		text = one.Scrub(text)
	}
	return text
}

// scrub returns a text without what must not be exported.
func (e *exporter) scrub(text string) string {
	if e.o.Scrubber == nil || text == "" {
		return text
	}
	return e.o.Scrubber.Scrub(text)
}

// scrubConversation scrubs what a conversation is called.
func (e *exporter) scrubConversation(c lcm.Conversation) lcm.Conversation {
	c.Title, c.SessionKey, c.SessionID = e.scrub(c.Title), e.scrub(c.SessionKey), e.scrub(c.SessionID)
	return c
}

// scrubMessage scrubs every cell of a message.
func (e *exporter) scrubMessage(m *lcm.StreamedMessage) {
	if e.o.Scrubber == nil {
		return
	}
	for _, cell := range []*string{&m.Content.Text, &m.Sender.Text, &m.EventKey, &m.Entry} {
		*cell = e.scrub(*cell)
	}
	for i := range m.Parts {
		p := &m.Parts[i]
		for _, cell := range []*data.Stored{&p.Text, &p.ToolName, &p.ToolCallID, &p.ToolInput, &p.ToolOutput, &p.Metadata} {
			cell.Text = e.scrub(cell.Text)
		}
	}
}
