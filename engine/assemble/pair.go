package assemble

import (
	"slices"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/sorting"
)

// missing is the text in the place of a result that doesn't exist.
const missing = "[lossless-claw] missing tool result in session history; inserted synthetic error result for transcript repair."

// pairing puts results behind the calls that they answer, as providers want them.
type pairing struct {
	out     []Message
	called  map[string]bool // Calls that stand in out.
	result  map[string]int  // Where in out their results stand.
	changed bool            // Something had to be repaired.
}

// pair repairs the order of calls and results. A call that was made before is
// stripped; the results of a message's calls stand right behind it, in the order
// of the calls, each once, and a made one for each that is missing; a result that
// nobody called for is dropped. Where nothing is to be repaired, the messages stay
// as they are: the order of several results behind their message, and of its
// blocks, is no reason for a repair.
func pair(ms []Message) []Message {
	p := pairing{out: make([]Message, 0, len(ms)), called: map[string]bool{}, result: map[string]int{}}
	for i := 0; i < len(ms); {
		m := ms[i]
		i++
		switch m.Role {
		case RoleToolResult:
			p.placeOrphanResult(m)
		case RoleAssistant:
			i = p.assistant(m, ms, i)
		default:
			p.out = append(p.out, m)
		}
	}
	if !p.changed {
		return ms
	}
	return p.out
}

// assistant takes a message of the assistant, and what follows it up to the next
// one that calls a tool; next is where that begins.
func (p *pairing) assistant(m Message, ms []Message, next int) int {
	m, stale := p.withoutRepeatedCalls(m)
	if stale && !hasContent(m) {
		return next
	}
	calls := callsOf(m)
	if len(calls) > 0 {
		m.blocks = thinkingFirst(m.blocks)
	}
	p.out = append(p.out, m)
	if len(calls) == 0 {
		return next
	}
	for _, c := range calls {
		p.called[callOf(c)] = true
	}
	s := p.collectAnswers(calls, ms, next)
	for _, c := range calls {
		id := callOf(c)
		r, ok := s.results[id]
		if !ok {
			p.changed = true
			r = missingResult(id, c.Field("name").Text())
		}
		p.result[id] = len(p.out)
		p.out = append(p.out, r)
	}
	// The reference engine counts results as moved if anything else stands between
	// this message and the next that calls a tool, before or behind them.
	p.changed = p.changed || len(s.results) > 0 && len(s.rest) > 0
	p.out = append(p.out, s.rest...)
	return s.end
}

// withoutRepeatedCalls removes the calls that an earlier message made, and reports whether it did.
func (p *pairing) withoutRepeatedCalls(m Message) (Message, bool) {
	if !slices.ContainsFunc(m.blocks, isCall) {
		return m, false
	}
	here := map[string]bool{}
	kept := slices.DeleteFunc(slices.Clone(m.blocks), func(b jstext.Value) bool {
		id := callOf(b)
		if id == "" {
			return false
		}
		stale := p.called[id] || here[id]
		here[id] = true
		return stale
	})
	stale := len(kept) < len(m.blocks)
	m.blocks = kept
	p.changed = p.changed || stale
	return m, stale
}

// answeredSpan is what follows a message that calls tools.
type answeredSpan struct {
	results map[string]Message // The answers to its calls.
	rest    []Message          // All else up to the next message that calls a tool.
	end     int                // Where that stands.
}

// collectAnswers collects the answers to some calls. Behind a message that repeats old calls
// beside new ones it looks on for answers, but for nothing else.
func (p *pairing) collectAnswers(calls []jstext.Value, ms []Message, at int) answeredSpan {
	s := answeredSpan{results: map[string]Message{}, end: len(ms)}
	asked := map[string]bool{}
	for _, c := range calls {
		asked[callOf(c)] = true
	}
	within := true
	for i := at; i < len(ms); i++ {
		m := ms[i]
		switch {
		case m.Role == RoleToolResult && asked[m.call]:
			if _, twice := s.results[m.call]; !twice {
				s.results[m.call] = m
			} else {
				p.changed = true
			}
		case m.Role == RoleToolResult && within:
			p.placeOrphanResult(m)
		case m.Role == RoleAssistant:
			m, stale := p.withoutRepeatedCalls(m)
			if len(callsOf(m)) > 0 {
				if within {
					within, s.end = false, i
				}
				if !stale {
					return s
				}
			} else if within && (!stale || hasContent(m)) {
				s.rest = append(s.rest, m)
			}
		case within && m.Role != RoleToolResult:
			s.rest = append(s.rest, m)
		}
	}
	return s
}

// placeOrphanResult takes a result that stands behind none of its calls: it replaces one that
// was made for its call, and else is dropped.
func (p *pairing) placeOrphanResult(m Message) {
	p.changed = true
	if at, ok := p.result[m.call]; ok && p.out[at].made {
		p.out[at] = m
	}
}

func callsOf(m Message) (out []jstext.Value) {
	for _, b := range m.blocks {
		if callOf(b) != "" {
			out = append(out, b)
		}
	}
	return out
}

func missingResult(call, tool string) Message {
	if tool == "" {
		tool = "unknown"
	}
	return Message{
		Role: RoleToolResult, call: call, made: true,
		blocks: []jstext.Value{textBlock(missing)},
		rest:   []field{{"toolName", jstext.Quote(tool)}, {"isError", jstext.True}},
	}
}

// openAICalls are the types of calls that OpenAI wants its reasoning before.
var openAICalls = []string{"functionCall", "function_call"}

// thinkingFirst moves thinking to the start of a message with one call of OpenAI's kind, if any
// stands behind the call. With several calls it isn't known which thinking belongs to which,
// so these stay as they are.
func thinkingFirst(blocks []jstext.Value) []jstext.Value {
	calls, behind := 0, false
	for _, b := range blocks {
		switch kind := b.Field("type").Text(); {
		case slices.Contains(openAICalls, kind):
			calls++
		case calls > 0 && (kind == "thinking" || kind == "reasoning"):
			behind = true
		}
	}
	if calls != 1 || !behind {
		return blocks
	}
	out := slices.Clone(blocks)
	sorting.Stable(out, func(a, b *jstext.Value) int { return order(*a) - order(*b) })
	return out
}

// order returns 0 for thinking and 1 for all else.
func order(b jstext.Value) int {
	if kind := b.Field("type").Text(); kind == "thinking" || kind == "reasoning" {
		return 0
	}
	return 1
}
