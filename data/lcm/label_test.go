package lcm_test

import (
	"strings"
	"testing"

	"lcm-tui/data/lcm"
)

// TestLabelsNameConversations: a title or a key with the id, in one short line without what could steer a terminal.
func TestLabelsNameConversations(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]lcm.Conversation{
		"Tidewater #2":                         {ID: 2, Title: "Tidewater", SessionKey: "agent:main:main"},
		"agent:main:main #3":                   {ID: 3, SessionKey: "agent:main:main"},
		"conversation #4":                      {ID: 4, SessionID: "71c40000-0000-8000"},
		"[31mred two lines👩‍👧 #5":              {ID: 5, Title: "\x1b[31mred\n two\u202e lines👩‍👧"},
		strings.Repeat("long", 11) + "lon… #6": {ID: 6, Title: strings.Repeat("long", 30)},
	} {
		if got := c.Label(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestCallsInShort: the arguments that say most, also of an object that is stored as a JSON string or cut off.
func TestCallsInShort(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		`{"command":"make test","timeout":30}`: "make test",
		`"{\"cmd\":\"cat a.go\"}"`:             "cat a.go",
		`"{\"cmd\":\"cat a.g`:                  "cat a.g",
		`{"colour":"red"}`:                     `{"colour":"red"}`,
		`make`:                                 "make",
	} {
		if got := lcm.Argument(input); got != want {
			t.Errorf("%s: %q, want %q", input, got, want)
		}
	}
	if got := lcm.Answer(`"one\ntwo"`); got != "one\ntwo" {
		t.Errorf("the answer is %q", got)
	}
	m := lcm.Message{Parts: []lcm.Part{{Type: "reasoning", Text: "Hm."}, {Type: "tool", ToolName: "exec", ToolInput: `{"command":"ls"}`}}}
	if got := m.Opening(); got != "[exec] ls" {
		t.Errorf("the message begins with %q", got)
	}
}
