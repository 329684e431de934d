package integrity_test

import (
	"strings"
	"testing"

	"lcm-tui/engine/integrity"
)

// TestDuplicateMessages: which messages are duplicates, how bad that is, and where nothing has
// to be chosen because nobody can have repeated the text. What is decided leaves the context
// without a question, so every doubt must show here.
func TestDuplicateMessages(t *testing.T) {
	t.Parallel()
	const at = "2026-01-06 08:00:00"
	long := func(s string) string { return s + strings.Repeat(" and so on", 12) }
	pair := func(id int64, a, b inserted) []inserted {
		a.id, b.id = id, id+10 // Not beside each other: what repeats in a row is less likely a repetition.
		return []inserted{a, b}
	}
	checkScenes(t, map[string]scene{
		"a long text": {
			messages: pair(9000, inserted{role: "user", text: long("A first"), at: at}, inserted{role: "user", text: long("A first"), at: at}),
			want:     []string{"9010 error decided"},
		},
		"a text of some length": {
			messages: pair(9020, inserted{role: "user", text: "Is the second one through yet?", at: at}, inserted{role: "user", text: "Is the second one through yet?", at: at}),
			want:     []string{"9030 error"},
		},
		"a short text": {
			messages: pair(9040, inserted{role: "user", text: "go on, third", at: at}, inserted{role: "user", text: "go on, third", at: at}),
			want:     []string{"9050 info"},
		},
		"a second later": {
			messages: pair(9060, inserted{role: "user", text: long("A fourth"), at: at}, inserted{role: "user", text: long("A fourth"), at: "2026-01-06 08:00:01"}),
		},
		"somebody else": {
			messages: pair(9080, inserted{role: "user", text: long("A fifth"), at: at}, inserted{role: "assistant", text: long("A fifth"), at: at}),
		},
		"another part": {
			messages: pair(9100, inserted{role: "user", text: long("A sixth"), at: at}, inserted{role: "user", text: long("A sixth"), at: at, part: "not the same"}),
		},
		"its parts are lost": {
			messages: pair(9120, inserted{role: "user", text: long("A seventh"), at: at}, inserted{role: "user", text: long("A seventh"), at: at, noPart: true}),
			want:     []string{"9130 error"},
		},
		"not in the context": {
			messages: pair(9140, inserted{role: "user", text: long("An eighth"), at: at}, inserted{role: "user", text: long("An eighth"), at: at, hidden: true}),
			want:     []string{"9150 info decided"},
		},
		"two short texts in a row": {
			messages: []inserted{
				{id: 9160, role: "user", text: "ninth one", at: at},
				{id: 9161, role: "assistant", text: "ninth two", at: at},
				{id: 9162, role: "user", text: "ninth one", at: at},
				{id: 9163, role: "assistant", text: "ninth two", at: at},
			},
			want: []string{"9162 error decided", "9163 error decided"},
		},
		"three times": {
			messages: []inserted{
				{id: 9170, role: "user", text: long("A tenth"), at: at},
				{id: 9175, role: "user", text: long("A tenth"), at: at},
				{id: 9180, role: "user", text: long("A tenth"), at: at},
			},
			want: []string{"9175 error decided", "9180 error decided"},
		},
		"nothing at all": {
			messages: pair(9190, inserted{role: "tool", text: " ", at: at, noPart: true}, inserted{role: "tool", text: " ", at: at, noPart: true}),
		},
	}, integrity.MessageDuplicate)
}

// TestDuplicatesInAnotherForm: the host stores some messages once with its preamble or with
// secrets masked, and a delivery once without the id of the provider's response. Nothing of
// that is decided, and what lies further apart is a repetition.
func TestDuplicatesInAnotherForm(t *testing.T) {
	t.Parallel()
	preamble := func(text string) string {
		return "Conversation info (untrusted metadata):\n```json\n{\"message_id\":\"77\",\"chat_id\":\"c1\"}\n```\n\n" + text
	}
	checkScenes(t, map[string]scene{
		"the preamble comes later": {
			messages: []inserted{
				{id: 9000, role: "user", text: "ship the first build", at: "2026-01-06 08:00:00"},
				{id: 9001, role: "user", text: preamble("ship the first build"), at: "2026-01-06 08:02:00"},
			},
			want: []string{"9001 warn"},
		},
		"the preamble comes first": {
			messages: []inserted{
				{id: 9010, role: "user", text: preamble("ship the second build"), at: "2026-01-06 08:10:00"},
				{id: 9011, role: "user", text: "ship the second build", at: "2026-01-06 08:10:30"},
			},
			want: []string{"9011 warn"},
		},
		"more than two minutes": {
			messages: []inserted{
				{id: 9020, role: "user", text: "ship the third build", at: "2026-01-06 08:20:00"},
				{id: 9021, role: "user", text: preamble("ship the third build"), at: "2026-01-06 08:22:01"},
			},
		},
		"another text": {
			messages: []inserted{
				{id: 9030, role: "user", text: "ship the fourth build", at: "2026-01-06 08:30:00"},
				{id: 9031, role: "user", text: preamble("ship the fifth build"), at: "2026-01-06 08:30:10"},
			},
		},
		"a masked secret": {
			messages: []inserted{
				{id: 9040, role: "user", text: "the sixth token is swordfish, keep it", at: "2026-01-06 08:40:00"},
				{id: 9041, role: "user", text: "the sixth token is ******, keep it", at: "2026-01-06 08:40:10"},
			},
			want: []string{"9041 warn"},
		},
		"a mask in another text": {
			messages: []inserted{
				{id: 9050, role: "user", text: "the seventh token is swordfish, keep it", at: "2026-01-06 08:50:00"},
				{id: 9051, role: "user", text: "the seventh token is ******, drop it", at: "2026-01-06 08:50:10"},
			},
		},
		"a masked secret of somebody else": {
			messages: []inserted{
				{id: 9060, role: "user", text: "the eighth token is swordfish, keep it", at: "2026-01-06 09:00:00"},
				{id: 9061, role: "assistant", text: "the eighth token is ******, keep it", at: "2026-01-06 09:00:10"},
			},
		},
		"a second delivery": {
			messages: []inserted{
				{id: 9070, role: "assistant", text: "the ninth build is through", at: "2026-01-06 09:10:00", event: "assistant-response:9"},
				{id: 9071, role: "assistant", text: "the ninth build is through", at: "2026-01-06 09:11:00"},
			},
			want: []string{"9071 warn"},
		},
		"the host's copy of a plain answer": {
			messages: []inserted{
				{id: 9072, role: "assistant", text: "the plain build is through", at: "2026-01-06 09:12:00", event: "assistant-response:72"},
				{id: 9073, role: "assistant", text: "the plain build is through", at: "2026-01-06 09:12:10", more: `,"modelId":"delivery-mirror"`},
			},
		},
		"the host's copy of an answer with reasoning": {
			messages: []inserted{
				{id: 9074, role: "assistant", text: "the reasoned build is through", at: "2026-01-06 09:14:00", event: "assistant-response:74", more: `,"topLevelReasoningField":"reasoning_content"`},
				{id: 9075, role: "assistant", text: "the reasoned build is through", at: "2026-01-06 09:14:10", more: `,"modelId":"delivery-mirror"`},
			},
			want: []string{"9075 warn"},
		},
		"two answers of the provider": {
			messages: []inserted{
				{id: 9080, role: "assistant", text: "the tenth build is through", at: "2026-01-06 09:20:00", event: "assistant-response:10"},
				{id: 9081, role: "assistant", text: "the tenth build is through", at: "2026-01-06 09:21:00", event: "assistant-response:11"},
			},
		},
		"a delivery much later": {
			messages: []inserted{
				{id: 9090, role: "assistant", text: "the last build is through", at: "2026-01-06 09:30:00", event: "assistant-response:12"},
				{id: 9091, role: "assistant", text: "the last build is through", at: "2026-01-06 09:33:00"},
			},
		},
	}, integrity.MessageDuplicate)
}

// TestDuplicateRuns: a run that was imported again is found, one that an agent repeats in a
// loop isn't. It is decided only where even the times and the parts are the same.
func TestDuplicateRuns(t *testing.T) {
	t.Parallel()
	run := func(id int64, word string, at ...string) (out []inserted) {
		roles := []string{"user", "assistant", "tool"}
		for i, when := range at {
			out = append(out, inserted{id: id + int64(i), role: roles[i], text: word + " is part number " + roles[i], at: when})
		}
		return out
	}
	both := func(a, b []inserted) []inserted { return append(a, b...) }
	otherPart := func(m []inserted) []inserted { m[1].part = "with another part"; return m }
	checkScenes(t, map[string]scene{
		"the same times": {
			messages: both(run(9000, "alpha", "2026-01-06 08:00:00", "2026-01-06 08:01:00", "2026-01-06 08:02:00"),
				run(9010, "alpha", "2026-01-06 08:00:00", "2026-01-06 08:01:00", "2026-01-06 08:02:00")),
			want: []string{"9010 error decided"},
		},
		"the same times, another part": {
			messages: both(run(9100, "bravo", "2026-01-06 08:00:00", "2026-01-06 08:01:00", "2026-01-06 08:02:00"),
				otherPart(run(9110, "bravo", "2026-01-06 08:00:00", "2026-01-06 08:01:00", "2026-01-06 08:02:00"))),
			want: []string{"9110 error"},
		},
		"all later by an hour": {
			messages: both(run(9200, "charlie", "2026-01-06 08:00:00", "2026-01-06 08:01:00", "2026-01-06 08:02:00"),
				run(9210, "charlie", "2026-01-06 09:00:00", "2026-01-06 09:01:00", "2026-01-06 09:02:00")),
			want: []string{"9210 error"},
		},
		"with the time of an import": {
			messages: both(run(9300, "delta", "2026-01-06 08:00:00", "2026-01-06 08:01:00", "2026-01-06 08:02:00"),
				run(9310, "delta", "2026-01-06 10:00:00", "2026-01-06 10:00:00", "2026-01-06 10:00:01")),
			want: []string{"9310 error"},
		},
		"at other intervals": {
			messages: both(run(9400, "echo", "2026-01-06 08:00:00", "2026-01-06 08:01:00", "2026-01-06 08:02:00"),
				run(9410, "echo", "2026-01-06 10:00:00", "2026-01-06 10:00:40", "2026-01-06 10:03:00")),
		},
		"two messages": {
			messages: both(run(9500, "foxtrot", "2026-01-06 08:00:00", "2026-01-06 08:01:00"), run(9510, "foxtrot", "2026-01-06 08:00:00", "2026-01-06 08:01:00")),
		},
	}, integrity.MessageRunDuplicate)
}
