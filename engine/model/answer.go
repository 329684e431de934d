package model

import (
	"encoding/json"
	"strings"
)

// MostAnswer is how much of an answer is read, in bytes: a summary is far smaller.
const MostAnswer = 4 << 20

// Shorten puts a server's or a program's text on one line of at most 400 bytes.
func Shorten(s string) string {
	const most = 400
	const enough = 4096 // White space may be most of it.
	s = strings.ToValidUTF8(s[:min(len(s), enough)], "\ufffd")
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// Tokens is a number of tokens as an answer has it. What is no such number is 0, which is unknown, and fails nothing: the text was
// paid for.
type Tokens int64

// mostTokens is more than any call takes.
const mostTokens = 1e9

// UnmarshalJSON implements json.Unmarshaler.
func (t *Tokens) UnmarshalJSON(b []byte) error {
	var n float64
	if json.Unmarshal(b, &n) != nil || !(n > 0) {
		n = 0
	}
	*t = Tokens(min(n, mostTokens))
	return nil
}

// stopReasons says what a reason to stop means, in all formats and in lower case. One that
// isn't here is no natural end.
var stopReasons = map[string]Kind{
	"end_turn": "", "stop_sequence": "", "stop": "", "eos": "", "eos_token": "", "completed": "", "complete": "",
	"max_tokens": KindTruncated, "length": KindTruncated, "max_output_tokens": KindTruncated,
	"model_context_window_exceeded": KindTruncated,
	"refusal":                       KindRefused, "content_filter": KindRefused, "content_filtered": KindRefused,
	"safety": KindRefused, "recitation": KindRefused, "prohibited_content": KindRefused, "blocklist": KindRefused,
}

// WantsTool reports whether a reason to stop is that of an answer that calls a tool.
func WantsTool(reason string) bool {
	switch strings.ToLower(reason) {
	case "tool_use", "tool_calls", "tool_call", "function_call":
		return true
	}
	return false
}

// CheckStop returns nil if an answer came to a natural end; its error is an *Error. No reason at all is
// what a stream leaves that was cut. calls says that the answer calls a tool though none was offered:
// the text before that is no summary yet. A server that names a tool as its reason and calls none
// only says so: the text has come to its end.
func CheckStop(provider, reason, text string, calls bool) error {
	reason = strings.ToLower(reason)
	k, known := stopReasons[reason]
	truncated := func(message string) error { return &Error{Kind: KindTruncated, Provider: provider, Message: message} }
	switch {
	case calls:
		return truncated("it calls a tool, and none was offered")
	case known && k == "", WantsTool(reason) && strings.TrimSpace(text) != "":
		return nil
	case reason == "":
		return truncated("it doesn't say why it stopped")
	case !known:
		return truncated("it stopped for " + Shorten(reason))
	case k == KindTruncated && text == "":
		return truncated("the room was used up before any text (" + reason + ")")
	}
	return &Error{Kind: k, Provider: provider, Message: "it stopped for " + reason}
}
