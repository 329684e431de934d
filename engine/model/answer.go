package model

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"lcm-tui/engine/summarize"
	"lcm-tui/engine/thinking"
)

// accept is the summary in an answer: without the thinking before it, and not
// empty, nor its source, nor a mark.
func (a *retryingModel) accept(r summarize.Request, text string) (string, error) {
	text, thought := thinking.TrimAnswer(strings.ToValidUTF8(text, "\ufffd"))
	switch {
	case text == "" && thought:
		return "", a.rejection(KindEmpty, "there is only reasoning in it")
	case text == "":
		return "", a.rejection(KindEmpty, "")
	case hasMarker(text):
		return "", a.rejection(KindEcho, "it carries the mark of a summary that no model made")
	case echoes(text, r.Source):
		return "", a.rejection(KindEcho, "it repeats the source")
	}
	return text, nil
}

func (a *retryingModel) rejection(k Kind, message string) *Error {
	return &Error{Kind: k, Provider: a.provider, Message: message}
}

var capped = regexp.MustCompile(`(?:^|\n)\[Capped(?: from \d+ tokens)?(?: to ~?\d+)?\]\s*$`)

// hasMarker reports whether a text would be taken for one that no model made.
func hasMarker(text string) bool {
	return summarize.Detect(text, "") != summarize.None || capped.MatchString(text)
}

// echoes reports whether a text is its source or nearly all of it, or holds it.
func echoes(text, source string) bool {
	const quotable = 200 // A shorter source may well be quoted in its summary.
	if utf8.RuneCountInString(joinWords(source)) < quotable {
		return joinWords(source) != "" && joinWords(text) == joinWords(source)
	}
	return summarize.SharedPart(text, source) >= 0.8
}

func joinWords(s string) string { return strings.Join(strings.Fields(s), " ") }
