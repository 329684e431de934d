package assemble

import (
	"context"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/token"
)

// The first versions, 0.1.0 to 0.1.4, assemble in a simpler way, of which the rest of
// this package is what became. Their tail counts summaries too, stored estimates are
// trusted, blocks are sent as they were, and summaries stand in their XML unescaped.

// firstVersion assembles as they did.
type firstVersion struct {
	tokens map[int64]int64 // Stored with the messages.
}

// firstCalls are the types of calls that they know.
var firstCalls = []string{"toolCall", "toolUse", "functionCall"}

// loadFirstVersion reads what they need of a conversation, if its file is one of theirs.
func loadFirstVersion(ctx context.Context, db *data.DB, conv int64) (*firstVersion, error) {
	if db.Kind().Level != firstLevel {
		return nil, nil
	}
	tokens, err := lcm.StoredTokens(ctx, db, conv)
	return &firstVersion{tokens}, err
}

// firstLevel is the level of their files.
const firstLevel = "0.1.0"

// start returns the index where the tail of n items begins.
func (*firstVersion) start(n int, t Tail) int { return max(0, n-max(0, t.Count)) }

// turn rebuilds a stored message.
func (f *firstVersion) turn(it *item, t *lcm.RawMessage, parts []part) {
	m := Message{Role: runtimeRole(it.Role, parts)}
	if m.Role == RoleToolResult {
		m.call = callID(parts)
	}
	m.fill(t.Content.Text, parts, (*part).firstBlock)
	it.text = m.sent()
	if it.tokens = f.tokens[t.ID]; it.tokens <= 0 {
		it.tokens = token.Units.Count(it.text)
	}
	switch {
	case m.Role == RoleAssistant:
		m.rest = []field{{"usage", usage(it.tokens)}}
	case m.call != "":
		m.rest = []field{{"toolCallId", jstext.Quote(m.call)}}
	}
	it.message = m
}

// firstBlock returns the block that a part was made of: the host's own, whatever it is.
func (p *part) firstBlock() jstext.Value {
	switch {
	case p.raw.IsObject() || p.raw.IsArray():
		return p.raw
	case p.Type == "tool" && p.originalRole == "toolResult", slices.Contains(resultTypes, p.rawType):
		return p.resultBlock(p.rawType)
	}
	return p.block(true)
}

// summary shows a summary.
func (*firstVersion) summary(it *item, s *lcm.Summary, sources []string, zone *time.Location) {
	t := newTag("summary", zone)
	t.text("id", s.ID)
	t.text("kind", s.Kind)
	t.number("depth", s.Depth)
	t.number("descendant_count", s.Descendants)
	t.time("earliest_at", s.EarliestAt)
	t.time("latest_at", s.LatestAt)
	xml := t.close("summary", parents(s, sources), s.Content)
	it.message, it.tokens, it.text = textMessage(xml), token.Units.Count(xml), s.Content
}

// pair repairs the order of calls and results.
func (*firstVersion) pair(ms []Message) []Message {
	out, answered, changed := make([]Message, 0, len(ms)), map[string]bool{}, false
	put := func(r Message) {
		if !answered[r.call] {
			answered[r.call] = true
			out = append(out, r)
		}
	}
	for i := 0; i < len(ms); {
		m := ms[i]
		i++
		if m.Role == RoleToolResult { // It stands behind none of its calls.
			changed = true
			continue
		}
		out = append(out, m)
		calls := slices.DeleteFunc(slices.Clone(m.blocks), func(b jstext.Value) bool {
			return callOf(b) == "" || !slices.Contains(firstCalls, b.Field("type").Text())
		})
		if m.Role != RoleAssistant || len(calls) == 0 {
			continue
		}
		results, rest := map[string]Message{}, []Message(nil)
		for ; i < len(ms) && ms[i].Role != RoleAssistant; i++ {
			r := ms[i]
			asked := slices.ContainsFunc(calls, func(b jstext.Value) bool { return callOf(b) == r.call })
			_, twice := results[r.call]
			switch {
			case r.Role != RoleToolResult:
				rest = append(rest, r)
			case asked && !twice && !answered[r.call]:
				results[r.call] = r
			default:
				changed = true
			}
		}
		changed = changed || len(results) > 0 && len(rest) > 0
		for _, b := range calls {
			r, ok := results[callOf(b)]
			if !ok {
				changed = true
				r = missingResult(callOf(b), b.Field("name").Text())
			}
			put(r)
		}
		out = append(out, rest...)
	}
	if !changed {
		return ms
	}
	return out
}
