package ingest

import (
	"cmp"
	"regexp"
	"strings"

	"lcm-tui/data/jstext"
)

// role returns the stored role, or the reason why the message isn't stored.
func (w *ingestion) role() (string, Skip) {
	switch w.runtime {
	case "tool", "toolResult":
		return "tool", ""
	case "system":
		return "system", ""
	case "user":
		if !w.rules.First && w.isPoll() {
			return "", Heartbeat
		}
		return "user", ""
	case "assistant":
		if !w.rules.First && w.failed() {
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

func (w *ingestion) isPoll() bool {
	const most = 1 << 20 // Bytes; a poll is short, and a long text isn't decoded for that.
	if len(w.content) > most {
		return false
	}
	text := w.content.Text()
	for b := range w.content.Elements() {
		text += b.Field("text").Text()
	}
	return strings.EqualFold(jstext.Trim(text), heartbeatPoll)
}

// failed reports whether an answer ended before it had any content.
func (w *ingestion) failed() bool {
	switch w.message.Field("stopReason") {
	case `"error"`, `"aborted"`:
	default:
		return false
	}
	if w.content.IsString() {
		return jstext.Trim(w.content.Text()) == ""
	}
	for b := range w.content.Elements() {
		if b.Field("type") != `"text"` || jstext.Trim(b.Field("text").Text()) != "" {
			return false
		}
	}
	return true
}

// stableCallID matches the ids of tool calls by which a host recognizes a result.
var stableCallID = regexp.MustCompile(`^(?:toolu_|call_)[A-Za-z0-9]{12,}$`)

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
	return cmp.Or(id, w.messageCallID().Text)
}

// sender returns the host's note about the sender of a message as JSON, or empty.
func (w *ingestion) sender() string {
	if w.Role != "user" {
		return ""
	}
	var o jstext.Object
	n := 0
	for name, v := range w.message.Field("__openclaw").Fields() {
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
