package views

import (
	"testing"

	"lcm-tui/data/lcm"
)

// TestSentencesCallConversationsByTheirNames where these are listed, and by their numbers where not.
func TestSentencesCallConversationsByTheirNames(t *testing.T) {
	t.Parallel()
	var o openings
	o.RememberListed(map[int64]*lcm.Conversation{2: {ID: 2, Title: "Tidewater"}, 31: {ID: 31, SessionKey: "agent:main:main"}})
	for sentence, want := range map[string]string{
		"conversation 2 is archived":                                     "Tidewater #2 is archived",
		"the changes of conversation 2 and of conversation #31 are both": "the changes of Tidewater #2 and of agent:main:main #31 are both",
		"conversation 3 goes on":                                         "conversation 3 goes on",
		"text: conversations 2, 31":                                      "text: Tidewater #2, agent:main:main #31",
		"conversations 2, 3 are left":                                    "conversations 2, 3 are left",
		"4 conversations":                                                "4 conversations",
		"conversation 99999999999999999999 and 2 conversations":          "conversation 99999999999999999999 and 2 conversations",
		"nothing to do":                                                  "nothing to do",
	} {
		if got := o.WithNames(sentence); got != want {
			t.Errorf("%q is shown as %q, not %q", sentence, got, want)
		}
	}
}
