package model

import "time"

// longest is more than any call takes.
const longest = time.Hour

// stops says what a reason to stop means, in all formats. One that isn't here is
// no natural end.
var stops = map[string]Kind{
	"end_turn": "", "stop_sequence": "", "stop": "", "eos": "", "completed": "",
	"max_tokens": KindTruncated, "length": KindTruncated, "max_output_tokens": KindTruncated,
	"model_context_window_exceeded": KindTruncated,
	"refusal":                       KindRefused, "content_filter": KindRefused,
}

// stopped is nil if the answer came to a natural end. No reason at all is what a
// stream leaves that was cut.
func stopped(provider, reason, text string) error {
	k, known := stops[reason]
	switch {
	case known && k == "":
		return nil
	case reason == "":
		return &Error{Kind: KindTruncated, Provider: provider, Message: "it doesn't say why it stopped"}
	case !known:
		return &Error{Kind: KindTruncated, Provider: provider, Message: "it stopped for " + brief(reason)}
	case k == KindTruncated && text == "":
		return &Error{Kind: KindTruncated, Provider: provider, Message: "the room was used up before any text (" + reason + ")"}
	}
	return &Error{Kind: k, Provider: provider, Message: "it stopped for " + reason}
}
