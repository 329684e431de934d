package thinking

import (
	"regexp"
	"strings"

	"lcm-tui/data/jstext"
)

// Openings and Closings are how the tags begin and end. An opening may go on with
// attributes or with the rest of a longer name.
var (
	Openings = []string{"<think", "<reasoning"}
	Closings = []string{"</think>", "</thinking>", "</reasoning>"}
)

// block matches one closed block at the start of a text. space is a class of white
// space, attributes what may follow a tag's name, and after what belongs to the block
// behind its end.
func block(space, attributes, after string) *regexp.Regexp {
	var names []string
	for _, name := range []string{"think", "thinking", "reasoning"} {
		names = append(names, name+attributes+`>.*?</`+name)
	}
	return regexp.MustCompile(`(?is)^` + space + `*<(?:` + strings.Join(names, "|") + `)` + space + `*>` + after)
}

var (
	// stored is a block in a stored text: its tags have no attributes.
	stored = block(`\s`, "", "")
	// shown is a block in a summary that is shown to a model: its tags may have attributes.
	shown = block("["+jstext.SpaceClass+"]", "(?:["+jstext.SpaceClass+"][^>]*)?", "["+jstext.SpaceClass+"]*")
	// opening and closing are tags of an answer, of which the two need not match.
	opening = regexp.MustCompile(`(?is)^\s*<(think|thinking|reasoning)>`)
	closing = regexp.MustCompile(`(?i)</(think|thinking|reasoning)>`)
)

// TrimStored is a stored text without the closed blocks at its start.
func TrimStored(text string) string { return trim(stored, text) }

// TrimShown is a summary, as it is shown to a model, without the closed blocks at its
// start and the white space behind them.
func TrimShown(text string) string { return trim(shown, text) }

func trim(block *regexp.Regexp, text string) string {
	for {
		at := block.FindStringIndex(text)
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
