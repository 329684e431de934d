package ingest_test

import (
	"strings"
	"testing"

	"lcm-tui/data/jstext"
	"lcm-tui/engine/ingest"
)

// pixel is the smallest image.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// TestContent: what is said in a message, of shapes that the reference engine was
// given.
func TestContent(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"role":"user","content":""}`:                                                                                                    "",
		`{"role":"user","content":" \n\t "}`:                                                                                              " \n\t ",
		`{"role":"assistant","content":[]}`:                                                                                               "",
		`{"role":"assistant","content":[{"type":"text","text":""}]}`:                                                                      `[{"type":"text","text":""}]`,
		`{"role":"assistant","content":[{"type":"thinking","thinking":"hm"}]}`:                                                            "",
		`{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"so"}]}`:                                "so",
		`{"role":"user","content":"{\"text\":\"structured payload\",\"value\":42}"}`:                                                      "structured payload",
		`{"role":"user","content":"{\"a\":1}"}`:                                                                                           `{"a":1}`,
		`{"role":"assistant","content":[{"type":"text","text":"[\"array\",\"payload\"]"}]}`:                                               `["array","payload"]`,
		`{"role":"user","content":{"text":"object content","nested":{"value":"deep"}}}`:                                                   "object content",
		`{"role":"assistant","content":[{"type":"unknown_block","payload":{"a":1}},{"type":"text","text":"unknown block next to text"}]}`: "unknown block next to text",
		`{"role":"toolResult","content":[{"type":"tool_result","tool_use_id":"x","content":"out"}]}`:                                      "",
		`{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`:                                               "a\nb",
	} {
		s, skip := ingest.Rules{}.Store(jstext.Parse(in), "")
		if skip != "" || s.Content != want {
			t.Errorf("%s: content %q, want %q %s", in, s.Content, want, skip)
		}
	}
}

// TestIdentity: hosts before 0.13 hashed what a channel put before a message too.
func TestIdentity(t *testing.T) {
	t.Parallel()
	answer := func(id string) jstext.Value {
		text := "Conversation info (untrusted metadata):\n```json\n{\"chat_id\":1,\"message_id\":\"" + id + "\"}\n```\n\nhello"
		return `{"role":"user","content":` + jstext.Quote(text) + `}`
	}
	for raw, same := range map[bool]bool{true: false, false: true} {
		r := ingest.Rules{Raw: raw}
		a, _ := r.Store(answer("1"), "")
		b, _ := r.Store(answer("2"), "")
		if (a.Identity == b.Identity) != same {
			t.Errorf("raw %v: two deliveries of one message have %s and %s", raw, a.Identity, b.Identity)
		}
	}
}

func TestSkipped(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]ingest.Skip{
		`{"role":"bashExecution","command":"ls","output":"a"}`:                                              ingest.Foreign,
		`{"role":"assistant","content":[],"stopReason":"error"}`:                                            ingest.Failed,
		`{"role":"assistant","content":[{"type":"text","text":" "}],"stopReason":"aborted"}`:                ingest.Failed,
		`{"role":"assistant","content":[{"type":"text","text":"half"}],"stopReason":"aborted"}`:             "",
		`{"role":"user","content":"[OpenClaw heartbeat poll]"}`:                                             ingest.Heartbeat,
		`{"role":"user","content":[{"type":"text","text":"[OpenClaw heartbeat poll] and what it is for"}]}`: "",
	} {
		if _, skip := (ingest.Rules{}).Store(jstext.Parse(in), ""); skip != want {
			t.Errorf("%s: left out %q, want %q", in, skip, want)
		}
	}
	if s, skip := (ingest.Rules{First: true}).Store(jstext.Parse(`{"role":"bashExecution","command":"ls","output":"a"}`), ""); skip != "" || s.Role != "assistant" || s.Content != "$ ls\na" {
		t.Errorf("the first hosts stored %+v, %q", s, skip)
	}
}

// TestFiles: payloads go into files from the threshold on, and references stand in
// their places.
func TestFiles(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a line of output\n", 100)
	q := string(jstext.Quote(long))
	for _, c := range []struct{ name, in, prefix, file, meta string }{
		{"a tool's output", `{"role":"toolResult","toolCallId":"call_1","toolName":"exec","isError":false,"content":[{"type":"text","text":` + q + `}]}`, "[LCM Tool Output: file_", "exec.txt", `"toolOutputExternalized":true`},
		{"a tool's output as a string", `{"role":"toolResult","toolCallId":"call_1","toolName":"exec","content":` + q + `}`, "[LCM Tool Output: file_", "exec.txt", `"raw":{"type":"tool_result","text":"[LCM`},
		{"blocks within a result", `{"role":"toolResult","toolCallId":"c","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":` + q + `}]}]}`, "[LCM Tool Output: file_", "unknown.txt", `"tool_use_id":"c"`},
		{"a function's output", `{"role":"toolResult","toolCallId":"c","content":[{"type":"function_call_output","call_id":"c","output":` + q + `}]}`, "[LCM Tool Output: file_", "unknown.txt", `"call_id":"c"`},
		{"a user's file", `{"role":"user","content":` + string(jstext.Quote(`see <file name="a/b.log" mime="text/plain">`+long+`</file>`)) + `}`, "see [LCM File: file_", "a/b.log", `"fileBlocksExternalized":true`},
		{"a whole message", `{"role":"user","content":` + q + `}`, "[LCM Raw Payload: file_", "raw-user-payload.txt", `"rawPayloadExternalized":true`},
		{"blocks of a whole message", `{"role":"assistant","content":[{"type":"text","text":` + q + `}]}`, "[LCM Raw Payload: file_", "raw-assistant-payload.json", `"originalByteSize":`},
		{"an image", `{"role":"user","content":[{"type":"image","mimeType":"image/png","data":"` + pixel + `"}]}`, "[User image: user-image.png (image/png, 70 bytes) | LCM file: file_", "user-image.png", `"imageExternalized":true`},
		{"another host's image", `{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"` + pixel + `"}}]}`, "[User image: user-image.jpg", "user-image.jpg", `"native_image"`},
		{"an image by its address", `{"role":"user","content":[{"type":"image","source":{"type":"url","url":"data:image/png;base64,` + pixel + `"}}]}`, "[User image: user-image.png", "user-image.png", `"native_image"`},
		{"a named image", `{"role":"user","content":[{"type":"text","text":"[media attached: /tmp/a.png]"},{"type":"image","mimeType":"image/png","data":"` + pixel + `"}]}`, "[media attached: /tmp/a.png]\n[User image: a.png", "a.png", `"originalRole":"user"`},
	} {
		s, _ := ingest.Rules{Threshold: 400}.Store(jstext.Parse(c.in), "salt")
		if len(s.Files) != 1 || s.Files[0].Name != c.file || !strings.HasPrefix(s.Content, c.prefix) || !strings.Contains(s.Content, s.Files[0].ID) {
			t.Errorf("%s: %q with %d files", c.name, s.Content, len(s.Files))
			continue
		}
		if len(s.Parts) == 0 || !strings.Contains(s.Parts[0].Metadata.Text, c.meta) {
			t.Errorf("%s: parts %+v lack %s", c.name, s.Parts, c.meta)
		}
		if strings.Contains(s.Files[0].Base(), "/") {
			t.Errorf("%s: the file's name is a path: %s", c.name, s.Files[0].Base())
		}
		again, _ := ingest.Rules{Threshold: 400}.Store(jstext.Parse(c.in), "salt")
		other, _ := ingest.Rules{Threshold: 400}.Store(jstext.Parse(c.in), "pepper")
		if again.Content != s.Content || other.Content == s.Content {
			t.Errorf("%s: the file's id doesn't follow from the salt", c.name)
		}
	}
	if s, _ := (ingest.Rules{Threshold: 400, First: true}).Store(jstext.Parse(`{"role":"user","content":`+q+`}`), ""); len(s.Files) > 0 {
		t.Error("the first hosts knew files only in a user's text")
	}
}

func TestImageInAResult(t *testing.T) {
	t.Parallel()
	in := `{"role":"toolResult","toolCallId":"toolu_1","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + pixel + `"}}]}]}`
	s, _ := ingest.Rules{Threshold: 25_000}.Store(jstext.Parse(in), "")
	if len(s.Files) != 1 || strings.Contains(s.Parts[0].Metadata.Text, pixel) || !strings.Contains(s.Parts[0].Metadata.Text, "[Tool image: tool-image.png") {
		t.Errorf("%d files, metadata %s", len(s.Files), s.Parts[0].Metadata.Text)
	}
}

// FuzzStore: no message is too odd.
func FuzzStore(f *testing.F) {
	f.Add(`{"role":"assistant","content":[{"type":"toolCall","id":1,"arguments":null},[],"x",{"type":[]}]}`)
	f.Add(`{"role":"toolResult","content":{"output":[[[[[[[["x"]]]]]]]]}}`)
	f.Add(`{"role":"user","content":[{"type":"image","data":"!","mimeType":"image/png"}],"__openclaw":{"senderId":{}}}`)
	f.Add(`{"role":"user","content":null}`)
	f.Fuzz(func(t *testing.T, in string) {
		m := jstext.Parse(in)
		for _, r := range []ingest.Rules{{Threshold: 10}, {First: true, Threshold: 10}} {
			s, skip := r.Store(m, "")
			if skip != "" {
				continue
			}
			for i, p := range s.Parts {
				if p.Ordinal != int64(i) || !jstext.Parse(p.Metadata.Text).IsObject() {
					t.Errorf("part %d of %s is %+v", i, in, p)
				}
			}
			if s.Content == "" && len(s.Parts) == 0 && m.Field("content") != "[]" {
				t.Errorf("nothing is left of %s", in)
			}
		}
	})
}
