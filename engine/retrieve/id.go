package retrieve

import (
	"slices"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
)

// The forms of an id. A reference block is what a host leaves in a message in the place of a
// payload that it moved to a file.
var (
	bareID        = lazyregexp.New(`^(?:sum|file)_[a-z0-9_-]+$`)
	blockID       = lazyregexp.New(`^\[LCM (?:Tool Output|File|Raw Payload):\s*((?:sum|file)_[a-z0-9_-]+)\s*[|\]]`)
	idInText      = lazyregexp.New(`(?i)\b(?:sum|file)_[a-z0-9_-]+`)
	idWithoutName = lazyregexp.New(`^(?i:sum|file)_0*$`)
)

// idForms is the hint of every error about an id.
const idForms = "Give one bare id, such as sum_0123456789abcdef or file_0123456789abcdef, " +
	"or one whole reference block that begins with [LCM File: …], [LCM Tool Output: …] or [LCM Raw Payload: …]."

// ParseID returns the id of a summary or a file that a text gives: the id alone, or a whole reference
// block, which may be followed by anything. For any other text it is a *ToolError.
func ParseID(text string) (string, error) {
	text = jstext.Trim(text)
	id := text
	if block, ok := blockOf(text); ok {
		id = block
	}
	switch {
	case idWithoutName.MatchString(id):
		return "", idError("The id " + id + " names nothing: after the underscore it is empty or all zeros.")
	case bareID.MatchString(id):
		return id, nil
	}
	return "", misplacedID(text)
}

// blockOf returns the id of a reference block at the start of a text. The block's first line has to
// close its bracket.
func blockOf(text string) (id string, ok bool) {
	line, _, _ := strings.Cut(text, "\n")
	m := blockID.FindStringSubmatch(line)
	if m == nil || !strings.Contains(line, "]") {
		return "", false
	}
	return m[1], true
}

// misplacedID says what is wrong with a text that is neither an id nor a reference block.
func misplacedID(text string) error {
	var ids []string
	for _, id := range idInText.FindAllString(text, -1) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	switch {
	case len(ids) == 0:
		return idError("There is no id of a summary or a file in the text.")
	case len(ids) > 1:
		return idError("The text has several ids: " + strings.Join(ids, ", ") + ". Ask for one at a time.")
	case ids[0] != strings.ToLower(ids[0]):
		return idError("The id " + ids[0] + " has upper-case letters. Ids are in lower case.")
	}
	return idError("The id " + ids[0] + " stands inside other text.")
}

func idError(message string) error { return &ToolError{Message: message, Advice: idForms} }
