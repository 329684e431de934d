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
func (a *asking) accept(r summarize.Request, text string) (string, error) {
	text, thought := thinking.TrimAnswer(strings.ToValidUTF8(text, "\ufffd"))
	switch {
	case text == "" && thought:
		return "", a.no(KindEmpty, "there is only reasoning in it")
	case text == "":
		return "", a.no(KindEmpty, "")
	case marked(text):
		return "", a.no(KindEcho, "it carries the mark of a summary that no model made")
	case echoes(text, r.Source):
		return "", a.no(KindEcho, "it repeats the source")
	}
	return text, nil
}

func (a *asking) no(k Kind, message string) *Error {
	return &Error{Kind: k, Provider: a.provider, Message: message}
}

var capped = regexp.MustCompile(`(?:^|\n)\[Capped(?: from \d+ tokens)?(?: to ~?\d+)?\]\s*$`)

// marked reports whether a text would be taken for one that no model made.
func marked(text string) bool {
	return summarize.Detect(text, "") != summarize.None || capped.MatchString(text)
}

// echoes reports whether a text is its source or nearly all of it, or holds it.
func echoes(text, source string) bool {
	const quotable = 200 // A shorter source may well be quoted in its summary.
	if utf8.RuneCountInString(fold(source)) < quotable {
		return fold(source) != "" && fold(text) == fold(source)
	}
	return summarize.SharedPart(text, source) >= 0.8
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }
