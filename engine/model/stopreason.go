package model

import "strings"

// stopReasons says what a reason to stop means, in all formats and in lower case. One that
// isn't here is no natural end.
var stopReasons = map[string]Kind{
	"end_turn": "", "stop_sequence": "", "stop": "", "eos": "", "eos_token": "", "completed": "", "complete": "",
	"max_tokens": KindTruncated, "length": KindTruncated, "max_output_tokens": KindTruncated,
	"model_context_window_exceeded": KindTruncated,
	"refusal":                       KindRefused, "content_filter": KindRefused, "content_filtered": KindRefused,
	"safety": KindRefused, "recitation": KindRefused, "prohibited_content": KindRefused, "blocklist": KindRefused,
}

// toolStops are the reasons of one that wants a tool. None is offered, so where it calls
// none either, the server only says so, and the text has come to its end.
var toolStops = map[string]bool{"tool_use": true, "tool_calls": true, "tool_call": true, "function_call": true}

// stopError is nil if the answer came to a natural end. No reason at all is what a
// stream leaves that was cut. calls says that the answer calls a tool: the text before
// that is no summary yet.
func stopError(provider, reason, text string, calls bool) error {
	reason = strings.ToLower(reason)
	k, known := stopReasons[reason]
	switch {
	case calls:
		return &Error{Kind: KindTruncated, Provider: provider, Message: "it calls a tool, and none was offered"}
	case known && k == "", toolStops[reason] && strings.TrimSpace(text) != "":
		return nil
	case reason == "":
		return &Error{Kind: KindTruncated, Provider: provider, Message: "it doesn't say why it stopped"}
	case !known:
		return &Error{Kind: KindTruncated, Provider: provider, Message: "it stopped for " + shorten(reason)}
	case k == KindTruncated && text == "":
		return &Error{Kind: KindTruncated, Provider: provider, Message: "the room was used up before any text (" + reason + ")"}
	}
	return &Error{Kind: k, Provider: provider, Message: "it stopped for " + reason}
}
