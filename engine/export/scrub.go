package export

import (
	"lcm-tui/data"
	"lcm-tui/data/jstext"
)

// scrub is a text without what must not be exported.
func (e *exporter) scrub(text string) string {
	if e.o.Scrubber == nil || text == "" {
		return text
	}
	return e.o.Scrubber.Scrub(text)
}

// scrubConversation scrubs what a conversation is called.
func (e *exporter) scrubConversation(c data.Conversation) data.Conversation {
	c.Title, c.SessionKey, c.SessionID = e.scrub(c.Title), e.scrub(c.SessionKey), e.scrub(c.SessionID)
	return c
}

// scrubMessage scrubs every cell of a message. JSON is scrubbed inside of its strings, where
// nothing is escaped.
func (e *exporter) scrubMessage(m *data.StreamedMessage) {
	if e.o.Scrubber == nil {
		return
	}
	m.Content.Text = e.scrub(m.Content.Text)
	e.scrubCell(&m.Sender)
	m.EventKey = e.scrub(m.EventKey)
	for i := range m.Parts {
		p := &m.Parts[i]
		for _, cell := range []*data.Stored{&p.Text, &p.ToolName, &p.ToolCallID} {
			cell.Text = e.scrub(cell.Text)
		}
		for _, cell := range []*data.Stored{&p.ToolInput, &p.ToolOutput, &p.Metadata} {
			e.scrubCell(cell)
		}
	}
}

// scrubCell scrubs a cell that holds JSON, or text where it isn't valid.
func (e *exporter) scrubCell(cell *data.Stored) {
	if v := jstext.Parse(cell.Text); v.IsObject() || v.IsArray() || v.IsString() {
		cell.Text = string(e.scrubJSON(v, 0))
		return
	}
	cell.Text = e.scrub(cell.Text)
}

// maxScrubDepth is how deep values within values are scrubbed one by one; what is deeper is
// scrubbed as text.
const maxScrubDepth = 64

// scrubJSON scrubs the strings in a value, and the values in strings that hold JSON.
func (e *exporter) scrubJSON(v jstext.Value, depth int) jstext.Value {
	switch {
	case depth > maxScrubDepth:
		return jstext.Quote(e.scrub(string(v)))
	case v.IsString():
		text := v.Text()
		if inner := jstext.Parse(text); inner.IsObject() || inner.IsArray() {
			if clean := e.scrubJSON(inner, depth+1); clean != inner {
				text = string(clean)
			}
		}
		if clean := e.scrub(text); clean != v.Text() {
			return jstext.Quote(clean)
		}
	case v.IsArray():
		var out []jstext.Value
		changed := false
		for x := range v.Elements() {
			clean := e.scrubJSON(x, depth+1)
			changed = changed || clean != x
			out = append(out, clean)
		}
		if changed {
			return jstext.Array(out)
		}
	case v.IsObject():
		return e.scrubObject(v, depth)
	}
	return v
}

// scrubObject scrubs the names and values of an object. A value is also scrubbed beside its name,
// which may tell that it is a secret.
func (e *exporter) scrubObject(v jstext.Value, depth int) jstext.Value {
	var o jstext.Object
	changed := false
	for name, x := range v.Fields() {
		clean := e.scrubJSON(x, depth+1)
		if text := clean.Text(); clean.IsString() && text != "" {
			lead := name + ": "
			if both := e.scrub(lead + `"` + text + `"`); both != lead+`"`+text+`"` && len(both) > len(lead)+1 && both[:len(lead)+1] == lead+`"` && both[len(both)-1] == '"' {
				clean = jstext.Quote(both[len(lead)+1 : len(both)-1])
			}
		}
		cleanName := e.scrub(name)
		changed = changed || clean != x || cleanName != name
		o.Put(cleanName, clean)
	}
	if !changed {
		return v
	}
	return o.Value()
}
