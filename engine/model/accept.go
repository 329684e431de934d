package model

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"lcm-tui/engine/summarize"
)

// accept is the summary in an answer: without the thinking before it, and not
// empty, nor its source, nor a mark.
func (a *asking) accept(r summarize.Request, text string) (string, error) {
	text, thought := unthink(strings.ToValidUTF8(text, "\ufffd"))
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

var (
	thinking   = regexp.MustCompile(`(?is)^\s*<(think|thinking|reasoning)>`)
	thoughtEnd = regexp.MustCompile(`(?i)</(think|thinking|reasoning)>`)
)

// unthink cuts leading blocks of reasoning, as some servers leave them in the
// text. One that isn't closed has nothing behind it.
func unthink(text string) (rest string, thought bool) {
	for thinking.MatchString(text) {
		thought = true
		end := thoughtEnd.FindStringIndex(text)
		if end == nil {
			return "", true
		}
		text = text[end[1]:]
	}
	return strings.TrimSpace(text), thought
}

var capped = regexp.MustCompile(`(?:^|\n)\[Capped(?: from \d+ tokens)?(?: to ~?\d+)?\]\s*$`)

// marked reports whether a text would be taken for one that no model made.
func marked(text string) bool {
	return summarize.Detect(text, "") != summarize.None || capped.MatchString(text)
}

// echoes reports whether a text is its source or nearly all of it, or holds it.
func echoes(text, source string) bool {
	const telling = 200 // A shorter source may well be quoted in its summary.
	text, source = fold(text), fold(source)
	switch n := utf8.RuneCountInString(source); {
	case n == 0:
		return false
	case text == source:
		return true
	case n < telling:
		return false
	}
	return strings.Contains(text, source) || len(text)*10 >= len(source)*8 && strings.Contains(source, text)
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }
