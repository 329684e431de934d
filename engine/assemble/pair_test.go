package assemble

import (
	"strings"
	"testing"

	"lcm-tui/data/jstext"
)

// script makes messages of words: u a user's, a text, t a thought, b blank text,
// r:x the result of call x, c:x,y calls in one message; an assistant's blocks are
// joined by +. A ! before a word puts the message outside of the fresh tail.
func script(s string) (out []selectedMessage) {
	for _, word := range strings.Fields(s) {
		name, old := strings.CutPrefix(word, "!")
		m := Message{Role: RoleAssistant}
		if name == "ub" {
			m = textMessage(" \n\u00a0\ufeff")
		} else if name == "ub+ub" {
			m = Message{Role: RoleUser, blocks: []jstext.Value{textBlock(""), textBlock(" ")}}
		} else if id, ok := strings.CutPrefix(name, "r:"); ok {
			id, _, _ = strings.Cut(id, "#")
			m = Message{Role: RoleToolResult, call: id, blocks: []jstext.Value{textBlock(name)}}
		} else if strings.HasPrefix(name, "u") {
			m = textMessage(name)
		} else {
			for b := range strings.SplitSeq(name, "+") {
				m.blocks = append(m.blocks, scriptBlock(b))
			}
		}
		out = append(out, selectedMessage{m, !old})
	}
	return out
}

func scriptBlock(s string) jstext.Value {
	switch {
	case strings.HasPrefix(s, "c:"):
		return `{"type":"toolCall","id":"` + jstext.Value(s[2:]) + `","name":"exec"}`
	case strings.HasPrefix(s, "f:"):
		return `{"type":"function_call","call_id":"` + jstext.Value(s[2:]) + `"}`
	case s == "b":
		return textBlock(" \n\u00a0\ufeff")
	case s == "t":
		return `{"type":"thinking","thinking":"hm"}`
	}
	return textBlock(s)
}

// outline returns the reverse of script; a result that was made is m:x.
func outline(ms []Message) string {
	var out []string
	for _, m := range ms {
		switch {
		case m.made:
			out = append(out, "m:"+m.call)
		case m.content.Defined():
			out = append(out, m.content.Text())
		default:
			var bs []string
			for _, b := range m.blocks {
				bs = append(bs, blockOutline(b))
			}
			out = append(out, strings.Join(bs, "+"))
		}
	}
	return strings.Join(out, " ")
}

func blockOutline(b jstext.Value) string {
	switch b.Field("type").Text() {
	case "toolCall":
		return "c:" + callOf(b)
	case "function_call":
		return "f:" + callOf(b)
	case "thinking":
		return "t"
	}
	return b.Field("text").Text()
}

// paired returns selected messages as they are sent, if there are no others.
func paired(ms []selectedMessage) []Message {
	return pair(withoutBlank(withoutUnanswered(ms, answers(ms))))
}

func TestPairing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"all in order", "u a+c:1 r:1 a", "u a+c:1 r:1 a"},
		{"a call out of the tail that nothing answers", "!u !a+c:1 !u2 a", "u a u2 a"},
		{"and of which nothing is left", "!u !c:1 a", "u a"},
		{"or only a thought", "!u !t+c:1 a", "u a"},
		{"a call in the tail that nothing answers", "u a+c:1 u2", "u a+c:1 m:1 u2"},
		{"a call in the tail that was answered before", "u r:1 a+c:1 u2", "u a u2"},
		{"a call out of the tail, answered in it", "!u !c:1 r:1 a", "u c:1 r:1 a"},
		{"blank text", "u b a+b b+b b+c:1 r:1", "u a c:1 r:1"},
		{"thoughts alone", "u t t+t t+a", "u t+a"},
		{"a result that nobody called for", "u r:9 a", "u a"},
		{"a result that stands too late", "u c:1 u2 r:1 a", "u c:1 r:1 u2 a"},
		{"several calls, answered in another order", "c:1+c:2+c:3 r:3 u r:1", "c:1+c:2+c:3 r:1 m:2 r:3 u"},
		{"two results of one call", "c:1 r:1#a r:1#b a", "c:1 r:1#a a"},
		{"a call made twice", "c:1 r:1#a a+c:1 r:1#b u", "c:1 r:1#a a u"},
		{"a call twice in one message", "c:1+c:1 r:1", "c:1 r:1"},
		{"a call made twice and nothing else", "c:1 r:1#a c:1 r:1#b u", "c:1 r:1#a u"},
		{"text between a call and its result", "c:1 a u r:1 a2", "c:1 r:1 a u a2"},
		{"the next call ends it", "c:1 c:2 r:1 r:2", "c:1 r:1 c:2 r:2"},
		{"but not one that repeats an old one", "c:1 c:1+c:2 r:1 r:2 a", "c:1 r:1 c:2 r:2 a"},
		{"reasoning behind OpenAI's call", "a+f:1+t u r:1", "t+a+f:1 r:1 u"},
		{"and nothing else to repair", "a+f:1+t r:1", "a+f:1+t r:1"},
		{"reasoning behind another call", "a+c:1+t u r:1", "a+c:1+t r:1 u"},
		{"reasoning between two calls", "f:1+t+f:2 u r:1 r:2", "f:1+t+f:2 r:1 r:2 u"},
		{"results in another order and nothing else to repair", "u c:1+c:2 r:2 r:1", "u c:1+c:2 r:2 r:1"},
		{"but something stands behind them", "u c:1+c:2 r:2 r:1 a", "u c:1+c:2 r:1 r:2 a"},
		{"but something is repaired elsewhere", "c:1+c:2 r:2 r:1 c:3", "c:1+c:2 r:1 r:2 c:3 m:3"},
		{"a call made twice, and a thought", "c:1 r:1 t+c:1 u", "c:1 r:1 u"},
		{"a call made twice, and a thought, among others", "c:1 r:1 c:2 t+c:1 r:2 u", "c:1 r:1 c:2 r:2 u"},
		{"a thought beside what is said", "c:1 r:1 t+a+c:1 u", "c:1 r:1 t+a u"},
		{"a user's blank text", "u ub u", "u u"},
		{"and several of them", "u ub+ub u", "u u"},
		{"nothing", "", ""},
	} {
		if got := outline(paired(script(c.in))); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestMadeResult(t *testing.T) {
	t.Parallel()
	b, err := missingResult("c1", "").MarshalJSON()
	want := `{"role":"toolResult","toolCallId":"c1","toolName":"unknown","content":[{"type":"text","text":"` + missing + `"}],"isError":true}`
	if string(b) != want || err != nil {
		t.Errorf("%s (%v)", b, err)
	}
}

func TestRelevance(t *testing.T) {
	t.Parallel()
	r := newRelevance("The retry-QUEUE, the queue; a İstanbul K")
	for text, want := range map[string]float64{
		"the retry queue":          1,
		"queue queue other words":  0.5,
		"nothing of the kind x y":  0.25,
		"i stanbul":                1,
		"istanbul":                 0,
		"":                         0,
		"x y z":                    0,
		"QUEUE_length=3 (retries)": 1.0 / 3,
	} {
		if got := r.score(text); got != want {
			t.Errorf("%q scores %v, want %v", text, got, want)
		}
	}
}
