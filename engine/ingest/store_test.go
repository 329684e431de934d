package ingest_test

import (
	"strings"
	"testing"

	"lcm-tui/data"
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
		`{"role":"user","content":"[{\"type\":\"text\",\"text\":\"a list\"}]"}`:                                                           "a list",
		`{"role":"user","content":" [\"a\",\" \",\"{\\\"data\\\":\\\"b\\\"}\"] "}`:                                                        "a\nb",
		`{"role":"user","content":"[]"}`:                                                                                                  "[]",
		`{"role":"user","content":"\"quoted\""}`:                                                                                          `"quoted"`,
		`{"role":"user","content":{"result":{"data":{"value":"deep"}}}}`:                                                                  "deep",
		`{"role":"user","content":{"output":" ","value":"second","text":"\n"}}`:                                                           "second",
		`{"role":"user","content":{"words":["a",{"text":"b"}],"message":"","items":["c"],"data":"d"}}`:                                    "a\nb",
		`{"role":"user","content":{"summary":"s","text":"t"}}`:                                                                            "t",
		`{"role":"user","content":{"type":"toolCall","text":"t"}}`:                                                                        `{"type":"toolCall","text":"t"}`,
		`{"role":"user","content":{"type":"toolCall","text":"t","toolOutputExternalized":true}}`:                                          "t",
		`{"role":"user","content":[[[[[[["six"]]]]]]]}`:                                                                                   `[[[[[[["six"]]]]]]]`,
		`{"role":"user","content":[[[[[["five"]]]]]]}`:                                                                                    "five",
		`{"role":"user","content":[[[[[[{"text":"an object at six"}]]]]]]}`:                                                               "an object at six",
		`{"role":"user","content":[{"type":"image","data":"not base64","mimeType":"image/png"}]}`:                                         "not base64",
		`{"role":"user","content":false}`:                                                                                                 "false",
		`{"role":"user","content":null}`:                                                                                                  "",
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
		`{"role":"user","command":"ls","output":"a"}`:                                                       ingest.Empty,
		`{"role":"toolResult","toolCallId":"c"}`:                                                            ingest.Empty,
		`{"role":"user","content":null}`:                                                                    "",
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
		{"a user's file in blocks", `{"role":"user","content":[{"type":"text","text":"see"},{"type":"text","text":` + string(jstext.Quote(`<FILE MIME=text/x-c++ name=''>`+long+`</File>`)) + `}]}`, "see\n[LCM File: file_", "", `"externalizationReason":"large_file_block"}`},
		{"blocks of a user's message", `{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":` + q + `}]}`, "[LCM Raw Payload: file_", "raw-user-payload.txt", `"rawPayloadExternalized":true`},
		{"a user's document", `{"role":"user","content":[{"type":"document","title":"t"},{"type":"text","text":` + q + `}]}`, "[LCM Raw Payload: file_", "raw-user-payload.json", `"rawPayloadExternalized":true`},
		{"another program's image", `{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"` + pixel + `"}}]}`, "[User image: user-image.jpg", "user-image.jpg", `"native_image"`},
		{"an image by its address", `{"role":"user","content":[{"type":"image","source":{"type":"url","url":"data:image/png;base64,` + pixel + `"}}]}`, "[User image: user-image.png", "user-image.png", `"native_image"`},
		{"a named image", `{"role":"user","content":[{"type":"text","text":"[media attached: /tmp/a.png]"},{"type":"image","mimeType":"image/png","data":"` + pixel + `"}]}`, "[media attached: /tmp/a.png]\n[User image: a.png", "a.png", `"originalRole":"user"`},
	} {
		r := ingest.Rules{Threshold: 400, AllImages: true}
		s, _ := r.Store(jstext.Parse(c.in), "salt")
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
		again, _ := r.Store(jstext.Parse(c.in), "salt")
		other, _ := r.Store(jstext.Parse(c.in), "pepper")
		if again.Content != s.Content || other.Content == s.Content {
			t.Errorf("%s: the file's id doesn't follow from the salt", c.name)
		}
	}
	if s, _ := (ingest.Rules{Threshold: 400, First: true}).Store(jstext.Parse(`{"role":"user","content":`+q+`}`), ""); len(s.Files) > 0 {
		t.Error("the first hosts knew files only in a user's text")
	}
}

// TestImagesThatStay: a host moves the images in the form of its own tools only, and none that
// stand within a block.
func TestImagesThatStay(t *testing.T) {
	t.Parallel()
	const source = `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + pixel + `"}}`
	for _, block := range []string{
		source,
		`{"type":"tool_result","tool_use_id":"c","content":[` + source + `]}`,
		`{"type":"tool_result","tool_use_id":"c","content":[{"type":"image","mimeType":"image/png","data":"` + pixel + `"}]}`,
		`{"type":"image_url","image_url":{"url":"data:image/png;base64,` + pixel + `"}}`,
		`{"type":"image","mimeType":"image/png","data":"` + pixel + pixel + `"}`, // It doesn't decode.
	} {
		in := jstext.Parse(`{"role":"toolResult","toolCallId":"toolu_1","content":[` + block + `]}`)
		if s, _ := (ingest.Rules{Threshold: 25_000}).Store(in, ""); len(s.Files) != 0 || !strings.Contains(s.Parts[0].Metadata.Text, `"raw":`+block) {
			t.Errorf("%s: %d files, metadata %s", block, len(s.Files), s.Parts[0].Metadata.Text)
		}
		s, _ := (ingest.Rules{Threshold: 25_000, AllImages: true}).Store(in, "")
		if decodes := !strings.Contains(block, pixel+pixel); (len(s.Files) == 1) != decodes || strings.Contains(s.Parts[0].Metadata.Text, pixel) == decodes {
			t.Errorf("%s of another program: %d files, metadata %s", block, len(s.Files), s.Parts[0].Metadata.Text)
		}
	}
}

// TestBase: a file is called like its payload, or after its type.
func TestBase(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]ingest.File{
		"file_0.gz": {ID: "file_0", Name: "../a.tar.GZ"}, "file_0.csv": {ID: "file_0", MIME: "text/csv"}, "file_0.txt": {ID: "file_0", Name: "a.b/c"},
	} {
		if got := f.Base(); got != want {
			t.Errorf("%+v: %s, want %s", f, got, want)
		}
	}
}

// TestMetadata: what a part keeps beside its columns.
func TestMetadata(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"role":"assistant","model":"m","api":"a","provider":"p","responseModel":"r","content":"x"}`: `{"originalRole":"assistant","modelProvider":"p","modelApi":"a","modelId":"m","responseModelId":"r"}`,
		`{"role":"assistant","model":"m","provider":"p","content":"x"}`:                               `{"originalRole":"assistant"}`,
		`{"role":"assistant","reasoning_content":"why","content":"x"}`:                                `{"originalRole":"assistant","topLevelReasoningField":"reasoning_content","topLevelReasoningContent":"why"}`,
		`{"role":"assistant","reasoning_content":" ","reasoning_text":"why","content":"x"}`:           `{"originalRole":"assistant"}`,
		`{"role":"user","reasoning_content":"why","content":"x"}`:                                     `{"originalRole":"user"}`,
		`{"role":"assistant","model":"m","api":"a","provider":"p","reasoning_content":"w","content":7}`: `{"originalRole":"assistant","topLevelReasoningField":"reasoning_content","topLevelReasoningContent":"w",` +
			`"source":"non-array-content","raw":7}`,
		`{"role":"toolResult","toolCallId":"c","toolName":"t","isError":true,"content":null}`: `{"originalRole":"toolResult","source":"non-array-content","raw":null}`,
		`{"role":"toolResult","toolCallId":"","call_id":"c","content":[null]}`:                `{"originalRole":"toolResult","toolCallId":"","rawType":"agent","raw":null}`,
		`{"role":"tool","toolUseId":"c","content":[{}]}`:                                      `{"originalRole":"tool","toolCallId":"c","rawType":"agent","raw":{}}`,
	} {
		s, skip := ingest.Rules{}.Store(jstext.Parse(in), "")
		if skip != "" || s.Parts[0].Metadata.Text != want {
			t.Errorf("%s: %s %s\nwant %s", in, skip, s.Parts[0].Metadata.Text, want)
		}
	}
}

// TestToolColumns: an empty id of a call is an id, and a null is JSON.
func TestToolColumns(t *testing.T) {
	t.Parallel()
	cell := func(s data.Stored) string {
		if s.Null {
			return "NULL"
		}
		return "'" + s.Text + "'"
	}
	for in, want := range map[string]string{
		`{"role":"toolResult","toolCallId":"","content":[{"type":"text","text":"x"}]}`:                           `'' NULL NULL NULL`,
		`{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"x","toolCallId":""}]}`:          `'' NULL NULL NULL`,
		`{"role":"toolResult","id":"i","call_id":"c","content":[{"type":"text","text":"x","id":"b"}]}`:           `'c' NULL NULL NULL`,
		`{"role":"assistant","id":"i","content":[{"type":"toolCall","id":"b","name":"t","arguments":null}]}`:     `'b' 't' 'null' NULL`,
		`{"role":"assistant","content":[{"type":"tool","tool_input":"in","tool_output":{"a":1},"call_id":"c"}]}`: `'c' NULL 'in' NULL`,
		`{"role":"assistant","content":[{"type":"tool","input":"in","output":[1],"tool_name":"t"}]}`:             `NULL 't' '"in"' '[1]'`,
	} {
		s, _ := ingest.Rules{}.Store(jstext.Parse(in), "")
		p := s.Parts[0]
		if got := cell(p.ToolCallID) + " " + cell(p.ToolName) + " " + cell(p.ToolInput) + " " + cell(p.ToolOutput); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestMirrors: a delivery mirror is left out behind the same answer with reasoning only.
func TestMirrors(t *testing.T) {
	t.Parallel()
	store := func(in string) *ingest.Stored {
		s, skip := ingest.Rules{Threshold: 50}.Store(jstext.Parse(in), "")
		if skip != "" {
			t.Fatalf("%s is left out: %s", in, skip)
		}
		return &s
	}
	long := strings.Repeat("a long answer ", 50)
	const reasoned, mirror = `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"so"}]}`, `{"role":"assistant","model":"delivery-mirror","content":"so"}`
	for _, c := range []struct {
		name, newest, mirror string
		want                 bool
	}{
		{"a reasoned answer", reasoned, mirror, true},
		{"reasoning beside the content", `{"role":"assistant","reasoning_content":"hm","content":"so"}`, mirror, true},
		{"any provider", reasoned, `{"role":"assistant","model":"delivery-mirror","provider":"x","content":[{"type":"text","text":"so"}]}`, true},
		{"a plain answer", `{"role":"assistant","content":"so"}`, mirror, false},
		{"another text", reasoned, `{"role":"assistant","model":"delivery-mirror","content":"so "}`, false},
		{"another model", reasoned, `{"role":"assistant","model":"m","content":"so"}`, false},
		{"another role", `{"role":"user","content":[{"type":"reasoning"},{"type":"text","text":"so"}]}`, mirror, false},
		{"no text", `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"}]}`, `{"role":"assistant","model":"delivery-mirror","content":" "}`, false},
		{"an answer in a file", `{"role":"assistant","reasoning_content":"hm","content":"` + long + `"}`, `{"role":"assistant","model":"delivery-mirror","content":"` + long + `"}`, false},
	} {
		if got := store(c.mirror).Repeats(store(c.newest)); got != c.want {
			t.Errorf("behind %s: left out %v, want %v", c.name, got, c.want)
		}
	}
	if store(mirror).Repeats(nil) {
		t.Error("the first message is left out")
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
