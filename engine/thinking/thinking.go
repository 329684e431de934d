package thinking

import (
	"regexp"
	"strings"
)

// Openings and Closings are how the tags begin and end. An opening may go on with
// attributes or with the rest of a longer name.
var (
	Openings = []string{"<think", "<reasoning"}
	Closings = []string{"</think>", "</thinking>", "</reasoning>"}
)

var (
	// stored is a block in a stored text: its tags have no attributes.
	stored = regexp.MustCompile(`(?is)^\s*<(?:think>.*?</think|thinking>.*?</thinking|reasoning>.*?</reasoning)\s*>`)
	// opening and closing are tags of an answer, of which the two need not match.
	opening = regexp.MustCompile(`(?is)^\s*<(think|thinking|reasoning)>`)
	closing = regexp.MustCompile(`(?i)</(think|thinking|reasoning)>`)
)

// TrimStored is a stored text without the closed blocks at its start.
func TrimStored(text string) string {
	for {
		at := stored.FindStringIndex(text)
		if at == nil {
			return text
		}
		text = text[at[1]:]
	}
}

// TrimAnswer is a model's answer without the blocks at its start and white space around
// it, and whether there was one. Some servers leave them in the text. A block that isn't
// closed goes to the end of the text.
func TrimAnswer(text string) (rest string, found bool) {
	for opening.MatchString(text) {
		found = true
		end := closing.FindStringIndex(text)
		if end == nil {
			return "", true
		}
		text = text[end[1]:]
	}
	return strings.TrimSpace(text), found
}

// HasTag reports whether a text holds an opening or a closing tag anywhere, in lower
// case.
func HasTag(text string) bool {
	for _, tags := range [][]string{Openings, Closings} {
		for _, tag := range tags {
			if strings.Contains(text, tag) {
				return true
			}
		}
	}
	return false
}
