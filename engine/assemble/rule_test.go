package assemble

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/testlength"
)

// The rules of pairing, said once more in the plainest way: each asks the whole list
// again for each message instead of keeping state.

// ruleStrip says which calls of selected messages stay: one that a later message answers,
// and in the fresh tail one that nothing in the whole context answers.
func ruleStrip(ms []selectedMessage, evicted []string) (out []Message) {
	for i, m := range ms {
		var kept []jstext.Value
		for _, b := range m.blocks {
			later, ever := false, slices.Contains(evicted, callOf(b))
			for j, other := range ms {
				if other.Role == RoleToolResult && other.call == callOf(b) {
					ever, later = true, later || j > i
				}
			}
			if m.Role != RoleAssistant || !isCall(b) || callOf(b) == "" || later || m.fresh && !ever {
				kept = append(kept, b)
			}
		}
		if len(m.blocks) == 0 || len(kept) > 0 {
			m.blocks = kept
			out = append(out, m.Message)
		}
	}
	return out
}

// ruleClean says what is left of blank text and thoughts.
func ruleClean(ms []Message) (out []Message) {
	for _, m := range ms {
		count := 0
		var kept []jstext.Value
		for _, b := range m.blocks {
			kind := b.Field("type").Text()
			empty := kind == "text" && jstext.Trim(b.Field("text").Text()) == ""
			if m.Role == RoleAssistant && empty {
				continue
			}
			kept = append(kept, b)
			if !empty && kind != "thinking" && kind != "reasoning" && kind != "redacted_thinking" {
				count++
			}
		}
		m.blocks = kept
		blankText := m.content.Defined() && jstext.Trim(m.content.Text()) == ""
		if m.Role == RoleToolResult || count > 0 || m.content.Defined() && !blankText {
			out = append(out, m)
		}
	}
	return out
}

// rulePair says where results stand. A call belongs to the first message that makes it,
// and its result is the first one behind that message, wherever it stands.
func rulePair(ms []Message) []Message {
	changed := false
	made, owner := []string{}, map[int][]jstext.Value{}
	var others []int // What isn't a result, and is left.
	for i, m := range ms {
		if m.Role == RoleToolResult {
			continue
		}
		var kept []jstext.Value
		before := len(made)
		for _, b := range m.blocks {
			if id := callOf(b); m.Role == RoleAssistant && isCall(b) && id != "" {
				if slices.Contains(made, id) {
					changed = true
					continue
				}
				made = append(made, id)
				owner[i] = append(owner[i], b)
			}
			kept = append(kept, b)
		}
		if len(kept) < len(m.blocks) && len(ruleClean([]Message{{Role: m.Role, blocks: kept}})) == 0 {
			made = made[:before]
			continue
		}
		ms[i].blocks = kept
		others = append(others, i)
	}
	var out []Message
	used := 0
	for n, i := range others {
		out = append(out, ms[i])
		if len(owner[i]) == 0 {
			continue
		}
		out[len(out)-1].blocks = ruleThoughts(ms[i].blocks)
		end := len(ms)
		for _, next := range others[n+1:] {
			if len(owner[next]) > 0 {
				end = next
				break
			}
		}
		rest := slices.ContainsFunc(others[n+1:], func(next int) bool { return next < end })
		for _, b := range owner[i] {
			at := slices.IndexFunc(ms[i:], func(m Message) bool { return m.Role == RoleToolResult && m.call == callOf(b) })
			if at < 0 {
				changed = true
				out = append(out, missingResult(callOf(b), b.Field("name").Text()))
				continue
			}
			used++
			changed = changed || rest || i+at > end
			out = append(out, ms[i+at])
		}
	}
	results := 0
	for _, m := range ms {
		if m.Role == RoleToolResult {
			results++
		}
	}
	if changed || used < results {
		return out
	}
	return ms
}

// ruleThoughts says that no thought stands behind OpenAI's only call.
func ruleThoughts(blocks []jstext.Value) []jstext.Value {
	thought := func(b jstext.Value) bool {
		return b.Field("type") == `"thinking"` || b.Field("type") == `"reasoning"`
	}
	openAI := func(b jstext.Value) bool {
		return b.Field("type") == `"function_call"` || b.Field("type") == `"functionCall"`
	}
	at := slices.IndexFunc(blocks, openAI)
	if at < 0 || slices.ContainsFunc(blocks[at+1:], openAI) || !slices.ContainsFunc(blocks[at:], thought) {
		return blocks
	}
	var first, second []jstext.Value
	for _, b := range blocks {
		if thought(b) {
			first = append(first, b)
		} else {
			second = append(second, b)
		}
	}
	return append(first, second...)
}

// randomSelection returns a made-up selection of messages: calls and results of a few ids in any
// order and number, in and out of the fresh tail, among texts, thoughts and blanks.
func randomSelection(rng *rand.Rand) (ms []selectedMessage, evicted []string) {
	id := func() string { return fmt.Sprintf("c%d", rng.IntN(4)) }
	n := rng.IntN(14)
	tail := rng.IntN(n + 1)
	for i := range n {
		var m Message
		switch r := rng.IntN(20); {
		case r < 5:
			m = textMessage([]string{"hello", "so", " \n", ""}[min(3, rng.IntN(12)%5)])
		case r < 11:
			call := id()
			m = Message{Role: RoleToolResult, call: call, blocks: []jstext.Value{textBlock(fmt.Sprintf("%s #%d", call, i))}}
		default:
			m = Message{Role: RoleAssistant}
			for range rng.IntN(5) {
				m.blocks = append(m.blocks, blockOf(rng, id()))
			}
		}
		ms = append(ms, selectedMessage{m, i >= tail})
	}
	for range rng.IntN(3) {
		evicted = append(evicted, id())
	}
	return ms, evicted
}

func blockOf(rng *rand.Rand, id string) jstext.Value {
	q := jstext.Quote(id)
	switch rng.IntN(12) {
	case 0:
		return textBlock(" \u3000")
	case 1:
		return `{"type":"thinking","thinking":"hm"}`
	case 2:
		return `{"type":"redacted_thinking","data":"x"}`
	case 3:
		return `{"type":"reasoning","id":"rs_1","summary":[]}`
	case 4, 5:
		return `{"type":"function_call","call_id":` + q + `,"name":"exec"}`
	case 6:
		return `{"type":"function_call","name":"nobody's"}`
	case 7, 8:
		return `{"type":"tool_use","id":` + q + `}`
	case 9, 10:
		return `{"type":"toolCall","id":` + q + `,"name":"read","arguments":{}}`
	}
	return textBlock("I say")
}

func linesOf(ms []Message) []string {
	out := []string{}
	for _, m := range ms {
		b, _ := m.MarshalJSON()
		out = append(out, string(b))
	}
	return out
}

// TestPairingByTheRule: pairing does what the rules say, leaves every result right behind
// its call, each call with one, and has nothing to do a second time.
func TestPairingByTheRule(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for seed := range uint64(2000) {
		ms, evicted := randomSelection(rand.New(rand.NewPCG(seed, 1)))
		last := answers(ms)
		for _, id := range open(ms, last) {
			if slices.Contains(evicted, id) {
				last[id] = -1
			}
		}
		want := linesOf(rulePair(ruleClean(ruleStrip(slices.Clone(ms), evicted))))
		got := pair(withoutBlank(withoutUnanswered(slices.Clone(ms), last)))
		if diff := cmp.Diff(want, linesOf(got)); diff != "" {
			t.Fatalf("seed %d:\n%v\n%s", seed, linesOf(messagesOf(ms)), diff)
		}
		if diff := cmp.Diff(want, linesOf(pair(slices.Clone(got)))); diff != "" {
			t.Fatalf("seed %d, a second time: %s", seed, diff)
		}
		if why := unpaired(got); why != "" {
			t.Fatalf("seed %d: %s in\n%v", seed, why, want)
		}
	}
}

// unpaired says what is wrong about calls and results.
func unpaired(ms []Message) string {
	made := map[string]bool{}
	for i := 0; i < len(ms); i++ {
		m := ms[i]
		if m.Role == RoleToolResult {
			return "a result of " + m.call + " stands behind none of its calls"
		}
		open := map[string]bool{}
		for _, b := range callsOf(m) {
			if made[callOf(b)] {
				return "a second call " + callOf(b)
			}
			made[callOf(b)], open[callOf(b)] = true, true
		}
		for len(open) > 0 {
			if i++; i == len(ms) || !open[ms[i].call] {
				return "a call without its result"
			}
			delete(open, ms[i].call)
		}
	}
	return ""
}
