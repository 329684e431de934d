package views

import (
	"strconv"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/lazyregexp"
	"lcm-tui/ui"
)

// NameOf returns what people call a conversation: its title or its key. One that has neither, as
// the first versions write them, is called by the first words of its user where they are
// known, else by the start and the end of its session id.
func NameOf(c lcm.Conversation, opening string) string {
	switch {
	case c.Title != "" || c.SessionKey != "":
		return c.Name()
	case opening != "":
		return opening
	}
	return ShortID(c.SessionID, IDWidth)
}

// openingInTitle is how many cells of a conversation's first words stand in a title.
const openingInTitle = 32

// openings are the first words of conversations without a name, as far as they were read. They belong to
// the update loop.
type openings struct {
	words  map[int64]string
	listed map[int64]*lcm.Conversation // Those of the file, as they were listed last.
}

// Name returns what a conversation is called outside of the list: by its first words, if it is,
// with its short id.
func (o *openings) Name(c lcm.Conversation) string {
	opening := o.words[c.ID]
	if c.Title != "" || c.SessionKey != "" || opening == "" {
		return ui.Line(NameOf(c, opening))
	}
	return ui.LineN(NameOf(c, opening), openingInTitle) + " " + ShortID(c.SessionID, IDWidth)
}

// Label returns what texts on screens call a conversation of which they know the id, and the id. One that was never listed
// is called by its id alone.
func (o *openings) Label(conv int64) string {
	if c, known := o.listed[conv]; known {
		return ui.LineN(o.Name(*c), openingInTitle) + " #" + Itoa(conv)
	}
	return "conversation #" + Itoa(conv)
}

// numbered is how sentences that know only ids speak of conversations.
var numbered = lazyregexp.New(`\bconversation #?([0-9]+)\b|\bconversations (#?[0-9]+(?:, #?[0-9]+)*)\b`)

// WithNames returns a sentence of the program in which conversations are called by their names, as far as these are listed.
func (o *openings) WithNames(sentence string) string {
	return numbered.ReplaceAllStringFunc(sentence, func(found string) string {
		ids := numbered.FindStringSubmatch(found)
		var names []string
		for id := range strings.SplitSeq(ids[1]+ids[2], ", ") {
			conv, err := strconv.ParseInt(strings.TrimPrefix(id, "#"), 10, 64)
			if err != nil || o.listed[conv] == nil {
				return found
			}
			names = append(names, o.Label(conv))
		}
		return strings.Join(names, ", ")
	})
}

// RememberListed keeps the conversations of the file for texts that know only an id.
func (o *openings) RememberListed(all map[int64]*lcm.Conversation) { o.listed = all }

// RememberOpening keeps the first words of a conversation without a name for titles.
func (o *openings) RememberOpening(conv int64, opening string) {
	if o.words == nil {
		o.words = map[int64]string{}
	}
	o.words[conv] = opening
}
