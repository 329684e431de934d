package assemble

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/lcm"
)

func TestFirstVersionsTurns(t *testing.T) {
	t.Parallel()
	const cost = `,"cacheRead":0,"cacheWrite":0,`
	for _, c := range []struct {
		name, role, content string
		parts               []lcm.RawPart
		want                string
		tokens              int64
	}{
		{"an estimate that is stored", "user", "hello", nil, `{"role":"user","content":"hello"}`, 7},
		{"a wide text counts by its length", "user", "日本語の要約", nil, `{"role":"user","content":"日本語の要約"}`, 2},
		{
			"a block as it was, with its signature", "assistant", "",
			[]lcm.RawPart{row("tool", "", "c1", "ls", `{"a":1}`, "", `{"rawType":"toolCall","raw":{"type":"toolCall","id":"other","x":1}}`)},
			`{"role":"assistant","content":[{"type":"toolCall","id":"other","x":1}],"usage":{"input":0,"output":7` + cost + `"totalTokens":7,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}}`, 7,
		},
		{
			"a result names its call and nothing more", "tool", "",
			[]lcm.RawPart{row("text", "ok", "c1", "exec", "", "", `{"originalRole":"toolResult","isError":true,"toolName":"exec"}`)},
			`{"role":"toolResult","content":[{"type":"text","text":"ok"}],"toolCallId":"c1"}`, 7,
		},
		{
			"a result of no call stays one", "tool", "",
			[]lcm.RawPart{row("tool", "ok", "", "", "", "", `{"originalRole":"toolResult"}`)},
			`{"role":"toolResult","content":[{"type":"tool_result","output":"ok"}]}`, 7,
		},
	} {
		f := &firstVersion{tokens: map[int64]int64{1: 7}}
		if c.tokens != 7 {
			f.tokens = nil
		}
		it := &item{ContextPlace: lcm.ContextPlace{Role: c.role}}
		(&contents{first: f}).turn(it, &lcm.RawMessage{ID: 1, Content: cell(c.content), Parts: c.parts}, &warnings{})
		b, err := it.message.MarshalJSON()
		if diff := cmp.Diff(c.want, string(b)); diff != "" || err != nil || it.tokens != c.tokens {
			t.Errorf("%s: %d tokens, want %d; %s (%v)", c.name, it.tokens, c.tokens, diff, err)
		}
	}
}

func TestFirstVersionsPairing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"all in order", "u a+c:1 r:1 a", "u a+c:1 r:1 a"},
		{"a call that nothing answers", "u a+c:1 u2", "u a+c:1 m:1 u2"},
		{"a call of OpenAI's isn't known, so its result is nobody's", "u f:1 r:1 a", "u f:1 a"},
		{"blank text and thoughts stay", "u b t", "u  \n\u00a0\ufeff t"},
		{"a result that stands too late", "c:1 u2 r:1", "c:1 r:1 u2"},
		{"but not behind the next answer", "c:1 a r:1", "c:1 m:1 a"},
		{"two results of one call", "c:1 r:1#a r:1#b a", "c:1 r:1#a a"},
		{"a call made twice has one result", "c:1 r:1#a c:1 r:1#b", "c:1 r:1#a c:1"},
		{"results in another order and nothing else to repair", "c:1+c:2 r:2 r:1", "c:1+c:2 r:2 r:1"},
		{"a result that nobody called for", "r:9 u", "u"},
	} {
		if got := outline((*firstVersion)(nil).pair(messagesOf(script(c.in)))); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFirstVersionsTail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ n, count, want int }{{10, 3, 7}, {2, 3, 0}, {2, 0, 2}, {2, -1, 2}} {
		if got := (*firstVersion)(nil).start(c.n, Tail{Count: c.count}); got != c.want {
			t.Errorf("of %d items %d are the tail: it begins at %d, want %d", c.n, c.count, got, c.want)
		}
	}
}
