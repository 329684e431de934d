package assemble

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// cell returns a stored text, or NULL for an empty one.
func cell(s string) data.Stored { return data.Stored{Text: s, Null: s == ""} }

func row(kind, text, callID, tool, input, output, metadata string) lcm.RawPart {
	return lcm.RawPart{
		ID: "P", Type: kind, Text: cell(text), ToolCallID: cell(callID), ToolName: cell(tool),
		ToolInput: cell(input), ToolOutput: cell(output), Metadata: cell(metadata),
	}
}

const model = `"modelProvider":"p","modelApi":"a","modelId":"m"`

func TestBlock(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		in   lcm.RawPart
		want jstext.Value
	}{
		{"the host's own block", row("text", "edited", "", "", "", "", `{"rawType":"text","raw":{"type":"text","text":"kept","x":1}}`), `{"type":"text","text":"kept","x":1}`},
		{"a block of no known type", row("agent", "", "", "", "", "", `{"raw":{"a":[1]}}`), `{"a":[1]}`},
		{"a plain text", row("text", `say "hi"`, "", "", "", "", `{"originalRole":"user"}`), `{"type":"text","text":"say \"hi\""}`},
		{"an empty text", row("text", "", "", "", "", "", ``), `{"type":"text","text":""}`},
		{"malformed metadata", row("text", "still there", "", "", "", "", `{"raw":`), `{"type":"text","text":"still there"}`},
		{"metadata that is no object", row("text", "still there", "", "", "", "", `7`), `{"type":"text","text":"still there"}`},
		{"nothing but metadata", row("file", "", "", "", "", "", `{"source": "x"}`), `{"type":"text","text":"{\"source\":\"x\"}"}`},
		{"a text of another part", row("snapshot", "words", "", "", "", "", `{}`), `{"type":"text","text":"words"}`},

		{"thinking with a signature, the model unknown", row("reasoning", "", "", "", "", "", `{"rawType":"thinking","raw":{"type":"thinking","thinking":"hm","thinkingSignature":"sig"}}`), `{"type":"thinking","thinking":"hm"}`},
		{"thinking with an empty signature", row("reasoning", "", "", "", "", "", `{"raw":{"type":"thinking","thinking":"x","thinkingSignature":"","n":1}}`), `{"type":"thinking","thinking":"x","n":1}`},
		{"thinking with a signature that is none", row("reasoning", "", "", "", "", "", `{"raw":{"type":"thinking","thinking":"x","thinkingSignature":null}}`), `{"type":"thinking","thinking":"x","thinkingSignature":null}`},
		{"thinking without a signature", row("reasoning", "", "", "", "", "", `{"raw":{"type":"thinking","thinking":"x"}}`), `{"type":"thinking","thinking":"x"}`},
		{"thinking that a provider signed itself", row("reasoning", "", "", "", "", "", `{"raw":{"type":"thinking","signature":"reasoning_content","thinking":"hm","thinkingSignature":"sig"}}`), `{"type":"thinking","signature":"reasoning_content","thinking":"hm"}`},
		{"thinking with a sentinel", row("reasoning", "", "", "", "", "", `{"rawType":"thinking","raw":{"type":"thinking","thinking":"hm","thinkingSignature":"reasoning_content"}}`), ``},
		{"reasoning of OpenAI's", row("reasoning", "", "", "", "", "", `{"raw":{"type":"thinking","thinking":"","thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[]}"}}`), `{"type":"reasoning","id":"rs_1","summary":[]}`},
		{"a signature that only looks like JSON", row("reasoning", "", "", "", "", "", `{"raw":{"type":"thinking","thinking":"x","thinkingSignature":"{oops"}}`), `{"type":"thinking","thinking":"x"}`},
		{"thinking without its block", row("reasoning", "hm", "", "", "", "", `{"rawType":"thinking"}`), `{"type":"thinking","thinking":"hm"}`},
		{"reasoning without its block", row("reasoning", "hm", "", "", "", "", `{}`), `{"type":"reasoning","text":"hm"}`},
		{"redacted thinking", row("agent", "", "", "", "", "", `{"raw":{"type":"redacted_thinking","data":"x"}}`), `{"type":"redacted_thinking","data":"x"}`},

		{"toolCall", row("tool", "", "c1", "exec", `{"a": 1}`, "", `{"rawType":"toolCall","raw":{"type":"toolCall","id":"other"}}`), `{"type":"toolCall","id":"c1","name":"exec","arguments":{"a":1}}`},
		{"tool_use", row("tool", "", "c1", "Read", `{"p":"<x>"}`, "", `{"rawType":"tool_use","raw":{"type":"tool_use"}}`), `{"type":"tool_use","id":"c1","name":"Read","input":{"p":"<x>"}}`},
		{"function_call, its arguments a text", row("tool", "", "c1", "bash", `"{\"a\":1}"`, "", `{"rawType":"function_call","raw":{"type":"function_call"}}`), `{"type":"function_call","call_id":"c1","name":"bash","arguments":"{\"a\":1}"}`},
		{"a call of no known type and no id", row("tool", "", "", "exec", `not JSON`, "", `{"originalRole":"assistant"}`), `{"type":"toolCall","id":"toolu_lcm_P","name":"exec","arguments":"not JSON"}`},
		{"a call in a part of another type", row("agent", "", "c1", "exec", "", "", `{"rawType":"toolUse","raw":{"type":"toolUse","id":"c1"}}`), `{"type":"toolUse","id":"c1","name":"exec"}`},

		{"a result from its column", row("tool", "", "c1", "exec", "", `"ok\n"`, `{"originalRole":"toolResult","rawType":"function_call_output","raw":{"type":"function_call_output","output":"old"}}`), `{"type":"function_call_output","name":"exec","output":"ok\n","call_id":"c1"}`},
		{"a result from its text", row("tool", "seen", "c1", "", "", "", `{"originalRole":"toolResult"}`), `{"type":"tool_result","output":"seen","tool_use_id":"c1"}`},
		{"a result from the host's output", row("tool", "", "c1", "", "", "", `{"rawType":"toolResult","raw":{"type":"toolResult","output":[1],"isError":false}}`), `{"type":"toolResult","output":[1],"isError":false,"tool_use_id":"c1"}`},
		{"a result from the host's content", row("tool", "", "c1", "", "", "", `{"rawType":"tool_result","raw":{"type":"tool_result","content":"no","is_error":true}}`), `{"type":"tool_result","content":"no","is_error":true,"tool_use_id":"c1"}`},
		{"a result that says twice whether it failed", row("tool", "", "c1", "exec", "", "1", `{"rawType":"function_call_output","raw":{"type":"function_call_output","isError":true,"is_error":false}}`), `{"type":"function_call_output","name":"exec","output":1,"is_error":false,"call_id":"c1"}`},
		{"a result whose first error is no boolean", row("tool", "", "c1", "", "", "1", `{"raw":{"type":"tool_result","is_error":"no","isError":true}}`), `{"type":"tool_result","output":1,"isError":true,"tool_use_id":"c1"}`},
		{"a result whose errors are no booleans", row("tool", "", "c1", "", "", "1", `{"raw":{"type":"tool_result","is_error":null,"isError":1}}`), `{"type":"tool_result","output":1,"tool_use_id":"c1"}`},
		{"a result that is only text", row("tool", "out", "c1", "exec", "", "", `{"originalRole":"toolResult","rawType":"tool_result","raw":{"type":"tool_result","text":"out","tool_use_id":"c1"}}`), `{"type":"text","text":"out"}`},
		{"and has no text column", row("tool", "", "c1", "exec", "", "", `{"rawType":"function_call_output","raw":{"type":"function_call_output","text":"out"}}`), `{"type":"text","text":"out"}`},
		{"but another text column", row("tool", "edited", "c1", "", "", "", `{"rawType":"tool_result","raw":{"type":"tool_result","text":"out"}}`), `{"type":"tool_result","output":"edited","tool_use_id":"c1"}`},
		{"but an output column", row("tool", "out", "c1", "", "", `"seen"`, `{"rawType":"tool_result","raw":{"type":"tool_result","text":"out"}}`), `{"type":"tool_result","output":"seen","tool_use_id":"c1"}`},
		{"but content", row("tool", "", "c1", "", "", "", `{"rawType":"tool_result","raw":{"type":"tool_result","text":"out","content":null}}`), `{"type":"tool_result","content":null,"tool_use_id":"c1"}`},
		{"but text that is none", row("tool", "", "c1", "", "", "", `{"rawType":"tool_result","raw":{"type":"tool_result","text":["out"]}}`), `{"type":"tool_result","output":"","tool_use_id":"c1"}`},
		{"a result of nothing", row("tool", "", "", "", "", "", `{"rawType":"tool_result"}`), `{"type":"tool_result","output":""}`},
	} {
		p := newPart(c.in)
		if got := p.block(false); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
	p := newPart(row("reasoning", "", "", "", "", "", `{"raw":{"type":"thinking","thinking":"hm","thinkingSignature":"sig"}}`))
	if got := p.block(true); got != p.raw {
		t.Errorf("the signature is gone: %s", got)
	}
}

func TestTurn(t *testing.T) {
	t.Parallel()
	const cost = `,"cacheRead":0,"cacheWrite":0,`
	for _, c := range []struct {
		name, role, content, sender string
		parts                       []lcm.RawPart
		want                        string
		tokens                      int64
	}{
		{"a user without parts", "user", "hello", "", nil, `{"role":"user","content":"hello"}`, 2},
		{"a system message", "system", "restarted", "", nil, `{"role":"user","content":"restarted"}`, 3},
		{"a user of one text", "user", "ignored", "", []lcm.RawPart{row("text", "hi", "", "", "", "", "")}, `{"role":"user","content":"hi"}`, 1},
		{
			"a user of two", "user", "", "",
			[]lcm.RawPart{row("text", "hi", "", "", "", "", ""), row("text", "ho", "", "", "", "", "")},
			`{"role":"user","content":[{"type":"text","text":"hi"},{"type":"text","text":"ho"}]}`, 15,
		},
		{"a sender", "user", "hi", `{"senderId":"7"}`, nil, `{"role":"user","content":"hi","__openclaw":{"senderId":"7"}}`, 5},
		{"a sender that is no object", "user", "hi", `"me`, nil, `{"role":"user","content":"hi"}`, 1},
		{
			"an assistant with a sender", "assistant", "hi", `{"senderId":"7"}`, nil,
			`{"role":"assistant","content":[{"type":"text","text":"hi"}],"usage":{"input":0,"output":8` + cost + `"totalTokens":8,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}}`, 8,
		},
		{
			"an assistant that names its model", "assistant", "", "",
			[]lcm.RawPart{row("text", "hi", "", "", "", "", `{`+model+`,"responseModelId":"r"}`)},
			`{"role":"assistant","content":[{"type":"text","text":"hi"}],"provider":"p","api":"a","model":"m","responseModel":"r","usage":{"input":0,"output":8` + cost + `"totalTokens":8,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}}`, 8,
		},
		{
			"reasoning beside the content of a model that is named", "assistant", "", "",
			[]lcm.RawPart{row("text", "hi", "", "", "", "", `{"topLevelReasoningField":"reasoning_content","topLevelReasoningContent":"well, now",`+model+`}`)},
			`{"role":"assistant","content":[{"type":"text","text":"hi"}],"provider":"p","api":"a","model":"m","reasoning_content":"well, now","usage":{"input":0,"output":10` + cost + `"totalTokens":10,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}}`, 10,
		},
		{
			"reasoning beside the content", "assistant", "", "",
			[]lcm.RawPart{row("text", "hi", "", "", "", "", `{"topLevelReasoningField":"reasoning_content","topLevelReasoningContent":"well, now"}`)},
			`{"role":"assistant","content":[{"type":"text","text":"hi"}],"reasoning_content":"well, now","usage":{"input":0,"output":10` + cost + `"totalTokens":10,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}}`, 10,
		},
		{
			"a result", "tool", "", "",
			[]lcm.RawPart{row("text", "ok", "c1", "", "", "", `{"originalRole":"toolResult","isError":true}`)},
			`{"role":"toolResult","content":[{"type":"text","text":"ok"}],"toolCallId":"c1","toolName":"unknown","isError":true}`, 8,
		},
		{
			"a result that metadata alone know", "tool", "", "",
			[]lcm.RawPart{row("text", "ok", "", "", "", "", `{"raw":{"type":"text","text":"ok","tool_call_id":"c2","name":"ls"}}`)},
			`{"role":"toolResult","content":[{"type":"text","text":"ok","tool_call_id":"c2","name":"ls"}],"toolCallId":"c2","toolName":"ls"}`, 16,
		},
		{
			"a result of no call", "tool", "lost", "", nil,
			`{"role":"assistant","content":[{"type":"text","text":"lost"}],"usage":{"input":0,"output":8` + cost + `"totalTokens":8,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}}`, 8,
		},
		{"the part's role, not the row's", "assistant", "", "", []lcm.RawPart{row("text", "hi", "", "", "", "", `{"originalRole":"user"}`)}, `{"role":"user","content":"hi"}`, 1},
		{
			"a role that hosts don't have", "user", "", "",
			[]lcm.RawPart{row("text", "$ ls", "", "", "", "", `{"originalRole":"bashExecution"}`), row("text", "", "", "", "", "", `{"originalRole":"assistant"}`)},
			`{"role":"user","content":[{"type":"text","text":"$ ls"},{"type":"text","text":""}]}`, 15,
		},
	} {
		turn := &lcm.RawMessage{Content: cell(c.content), Sender: cell(c.sender), Parts: c.parts}
		it := &item{ContextPlace: lcm.ContextPlace{Role: c.role}}
		(&contents{}).turn(it, turn, &warnings{})
		b, err := it.message.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, string(b)); diff != "" || it.tokens != c.tokens {
			t.Errorf("%s: %d tokens, want %d; %s", c.name, it.tokens, c.tokens, diff)
		}
	}
}

// TestBackfill: files older than 0.8.1 are read as the host would have filled them, with SQLite's json_extract.
func TestBackfill(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, call, metadata, want string }{
		{
			"a call that is all in the metadata", "",
			`{"rawType":"toolCall","raw":{"type":"toolCall","id":"call_1","name":"exec","arguments":{"a":1}}}`,
			`{"type":"toolCall","id":"call_1","name":"exec","arguments":{"a":1}}`,
		},
		{
			"a column that is filled stays", "kept",
			`{"raw":{"type":"function_call","call_id":"x","name":"bash","arguments":"{\"a\":1}"}}`,
			`{"type":"function_call","call_id":"kept","name":"bash","arguments":{"a":1}}`,
		},
		{
			"the message's own id comes before its block's, whatever it is", "",
			`{"toolCallId":17,"toolName":null,"raw":{"type":"toolUse","id":"call_1","name":"exec","input":{}}}`,
			`{"type":"toolUse","id":"17","name":"exec","input":{}}`,
		},
		{
			"an empty name is one", "",
			`{"toolName":"","raw":{"type":"toolUse","id":"call_1","name":"exec","input":{}}}`,
			`{"type":"toolUse","id":"call_1","input":{}}`,
		},
		{
			"true is 1 and false is 0", "",
			`{"raw":{"type":"toolUse","id":true,"name":false,"input":false}}`,
			`{"type":"toolUse","id":"1","name":"0","input":0}`,
		},
	} {
		p := newPart(row("agent", "", c.call, "", "", "", c.metadata))
		p.backfill()
		if got := string(p.block(false)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// FuzzTurn: whatever stands in the columns, a message comes out that is JSON.
func FuzzTurn(f *testing.F) {
	f.Add("assistant", "text", "hi", "c1", `{"a":1}`, `"out"`, `{"rawType":"toolCall","raw":{"type":"toolCall","id":"x"}}`, `{"senderId":"1"}`)
	f.Add("tool", "tool", "\xff\x00", "", "{", "[", `{"raw":[{"type":"thinking"}],"isError":true}`, `[]`)
	f.Add("user", "reasoning", "", "", "", "", `{"raw":{"type":"thinking","thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"\"}"}}`, `{`)
	f.Fuzz(func(t *testing.T, role, kind, text, id, input, output, metadata, sender string) {
		turn := &lcm.RawMessage{Content: cell(text), Sender: cell(sender), Parts: []lcm.RawPart{row(kind, text, id, id, input, output, metadata)}}
		for _, old := range []bool{false, true} {
			it := &item{ContextPlace: lcm.ContextPlace{Role: role}}
			(&contents{old: old}).turn(it, turn, &warnings{})
			for _, m := range paired([]selectedMessage{{it.message, true}, {it.message, true}}) {
				b, err := m.MarshalJSON()
				if err != nil || !json.Valid(b) {
					t.Fatalf("%q (%v)", b, err)
				}
				_ = m.Text() + m.About()
			}
		}
	})
}
