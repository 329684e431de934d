package model

import (
	"regexp"
	"strings"

	"lcm-tui/engine/summarize"
	"lcm-tui/engine/thinking"
)

// accept is the summary in an answer: without reasoning, not empty, and without a mark. The
// reference engine takes an answer with a mark. Here another is asked for on purpose: this one
// would be taken for a summary that no model made.
func (a *retryingModel) accept(text string) (string, error) {
	text, thought := thinking.TrimAnswer(strings.ToValidUTF8(text, "\ufffd"))
	switch {
	case text == "" && thought:
		return "", a.rejection(KindEmpty, "there is only reasoning in it")
	case text == "":
		return "", a.rejection(KindEmpty, "")
	case hasMarker(text):
		return "", a.rejection(KindMarked, "it carries the mark of a summary that no model made")
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

func joinWords(s string) string { return strings.Join(strings.Fields(s), " ") }
