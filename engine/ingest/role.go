package ingest

import (
	"cmp"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
)

// role returns the stored role, or the reason why the message isn't stored.
func (w *ingestion) role() (string, Skip) {
	switch w.runtime {
	case "tool", "toolResult":
		return "tool", ""
	case "system":
		return "system", ""
	case "user":
		if !w.rules.First && isPoll(w.content) {
			return "", Heartbeat
		}
		return "user", ""
	case "assistant":
		if !w.rules.First && isFailure(w.message, w.content) {
			return "", Failed
		}
		return "assistant", ""
	}
	if w.rules.First {
		return "assistant", ""
	}
	return "", Foreign
}

// heartbeatPoll is the text of the message by which a host checks an idle agent.
const heartbeatPoll = "[openclaw heartbeat poll]"

// isPoll reports whether a content is such a message's.
func isPoll(content jstext.Value) bool {
	const most = 1 << 20 // Bytes; a poll is short, and a long text isn't decoded for that.
	if len(content) > most {
		return false
	}
	text := content.Text()
	for b := range content.Elements() {
		text += b.Field("text").Text()
	}
	return strings.EqualFold(jstext.Trim(text), heartbeatPoll)
}

// isFailure reports whether an answer ended before it had any content.
func isFailure(message, content jstext.Value) bool {
	switch message.Field("stopReason") {
	case `"error"`, `"aborted"`:
	default:
		return false
	}
	if content.IsString() {
		return jstext.Trim(content.Text()) == ""
	}
	for b := range content.Elements() {
		if b.Field("type") != `"text"` || jstext.Trim(b.Field("text").Text()) != "" {
			return false
		}
	}
	return true
}

// stableCallID matches the ids of tool calls by which a host recognizes a result.
var stableCallID = lazyregexp.New(`^(?:toolu_|call_)[A-Za-z0-9]{12,}$`)

// eventKey returns the key by which hosts recognize an answer or a result, whatever file it comes
// from; empty where there is none.
func (w *ingestion) eventKey() string {
	switch w.Role {
	case "assistant":
		for _, name := range []string{"responseId", "response_id"} {
			if id := w.message.Field(name).Text(); id != "" {
				return "assistant-response:" + id
			}
		}
	case "tool":
		if id := w.resultOf(); stableCallID.MatchString(id) {
			return "tool-result:" + id
		}
	}
	return ""
}

// resultOf returns the id of the call whose result a message is, or empty if it holds the results of
// several.
func (w *ingestion) resultOf() (id string) {
	for _, p := range w.Parts {
		own := p.ToolCallID.Text
		if id != "" && own != "" && own != id {
			return ""
		}
		id = cmp.Or(id, own)
	}
	return cmp.Or(id, callIDOf(w.message).Text)
}

// senderOf returns the host's note about the sender of a message of a role as JSON, or empty.
func senderOf(message jstext.Value, role string) string {
	if role != "user" {
		return ""
	}
	var o jstext.Object
	n := 0
	for name, v := range message.Field("__openclaw").Fields() {
		if strings.HasPrefix(name, "sender") && v != jstext.Null {
			o.Put(name, v)
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return string(o.Value())
}
