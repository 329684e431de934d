package transcript_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/transcript"
)

// geminiStart begins a session file of Gemini CLI 0.61.0.
const geminiStart = `{"sessionId":"g1","projectHash":"e5bc","startTime":"2026-02-01T10:00:00.000Z","lastUpdated":"2026-02-01T10:00:00.000Z","kind":"main"}`

func TestGemini(t *testing.T) {
	t.Parallel()
	const (
		at     = `"timestamp":"2026-02-01T10:00:01.000Z"`
		model  = `"api":"google-generative-ai","provider":"google","model":"gemini-2.5-pro"`
		answer = `{"id":"m1",` + at + `,"type":"gemini","content":"I will look.","thoughts":[{"subject":"Plan","description":"list"}],"tokens":null,"model":"gemini-2.5-pro"`
		calls  = `,"toolCalls":[{"id":"k1","name":"list_directory","args":{"dir_path":"."},"result":[{"functionResponse":{"id":"k1","name":"list_directory","response":{"output":"empty"}}}],"status":"success"}]`
	)
	for name, c := range map[string]struct {
		lines []string
		want  reading
	}{
		"a turn with a tool": {
			[]string{
				geminiStart, `{"$set":{"messages":[{"id":"i0",` + at + `,"type":"user","content":[{"text":"<session_context>\nThis is the Gemini CLI."}]}]}}`,
				`{"id":"u1",` + at + `,"type":"user","content":[{"text":"list it"},{"text":"\n<hook_context>recalled</hook_context>"}]}`,
				`{"$set":{"lastUpdated":"2026-02-01T10:00:02.000Z"}}`, answer + `}`, answer + calls + `}`,
				`{"id":"u2",` + at + `,"type":"user","content":[{"functionResponse":{"id":"k1","name":"list_directory","response":{"output":"empty"}}}]}`,
				`{"id":"m2",` + at + `,"type":"gemini","content":"Nothing is there.","thoughts":[],"model":"gemini-2.5-pro"}`,
				geminiStart, `{"$set":{"messages":[{"id":"u1","type":"user","content":[{"text":"list it"}]},` + answer + calls + `},{"id":"u3",` + at + `,"type":"user","content":"go on"}]}}`,
			},
			reading{Entries: []string{
				`u1 {"role":"user","content":"list it"}`,
				`m1 {"role":"assistant","content":[{"type":"thinking","thinking":"Plan\nlist"},{"type":"text","text":"I will look."}],` + model + `}`,
				`call:k1 {"role":"assistant","content":[{"type":"toolCall","id":"k1","name":"list_directory","arguments":{"dir_path":"."}}],` + model + `}`,
				`result:k1 {"role":"toolResult","content":[{"type":"text","text":"empty"}],"toolCallId":"k1","toolName":"list_directory","isError":false}`,
				`m2 {"role":"assistant","content":[{"type":"text","text":"Nothing is there."}],` + model + `}`,
				`u3 {"role":"user","content":"go on"}`,
			}},
		},
		"answers of tools that failed, say nothing, or are no text": {
			[]string{
				geminiStart,
				`{"id":"u1","type":"user","content":[{"functionResponse":{"id":"a","name":"x","response":{"error":"no such file"}}},{"functionResponse":{"id":"b","name":"x","response":{"output":""}}},{"functionResponse":{"id":"c","name":"x","response":{"n":1}}}]}`,
			},
			reading{Entries: []string{
				`result:a {"role":"toolResult","content":[{"type":"text","text":"no such file"}],"toolCallId":"a","toolName":"x","isError":true}`,
				`result:b {"role":"toolResult","content":[{"type":"tool_result","tool_use_id":"b","content":""}],"toolCallId":"b","toolName":"x","isError":false}`,
				`result:c {"role":"toolResult","content":[{"type":"text","text":"{\"n\":1}"}],"toolCallId":"c","toolName":"x","isError":false}`,
			}},
		},
		"calls and answers without an id are called by their place, also when they are written again": {
			[]string{
				geminiStart,
				`{"id":"m1","type":"gemini","content":"","model":"g","toolCalls":[{"name":"x","args":{"n":1}},{"name":"x","args":{"n":2}}]}`,
				`{"id":"m1","type":"gemini","content":"","model":"g","toolCalls":[{"name":"x","args":{"n":1},"result":[{"functionResponse":{"name":"x","response":{"output":"one"}}}]},` +
					`{"name":"x","args":{"n":2},"result":[{"functionResponse":{"name":"x","response":{"output":"two"}}}]}]}`,
				`{"id":"u1","type":"user","content":[{"functionResponse":{"name":"x","response":{"output":"three"}}},{"functionResponse":{"name":"x","response":{"output":"four"}}}]}`,
			},
			reading{Entries: []string{
				`call:m1:0 {"role":"assistant","content":[{"type":"toolCall","id":"","name":"x","arguments":{"n":1}}],"api":"google-generative-ai","provider":"google","model":"g"}`,
				`call:m1:1 {"role":"assistant","content":[{"type":"toolCall","id":"","name":"x","arguments":{"n":2}}],"api":"google-generative-ai","provider":"google","model":"g"}`,
				`result:m1:0 {"role":"toolResult","content":[{"type":"text","text":"one"}],"toolName":"x","isError":false}`,
				`result:m1:1 {"role":"toolResult","content":[{"type":"text","text":"two"}],"toolName":"x","isError":false}`,
				`result:u1:0 {"role":"toolResult","content":[{"type":"text","text":"three"}],"toolName":"x","isError":false}`,
				`result:u1:1 {"role":"toolResult","content":[{"type":"text","text":"four"}],"toolName":"x","isError":false}`,
			}},
		},
		"all that a tool answers is kept: images beside its text or in it, several answers, a plain text": {
			[]string{
				geminiStart,
				`{"id":"m1","type":"gemini","content":"","model":"g","toolCalls":[` +
					`{"id":"a","name":"x","args":{},"result":[{"functionResponse":{"id":"a","name":"x","response":{"output":"an image"}}},{"inlineData":{"mimeType":"image/png","data":"QUJD"}}]},` +
					`{"id":"b","name":"x","args":{},"result":[{"functionResponse":{"id":"b","name":"x","response":{"output":""},"parts":[{"inlineData":{"mimeType":"image/png","data":"REVG"}}]}}]},` +
					`{"id":"c","name":"x","args":{},"result":[{"functionResponse":{"id":"c","name":"x","response":{"output":"one"}}},{"functionResponse":{"id":"c","name":"x","response":{"output":"two"}}}]},` +
					`{"id":"d","name":"x","args":{},"result":"plain"}]}`,
			},
			reading{Entries: []string{
				`call:a {"role":"assistant","content":[{"type":"toolCall","id":"a","name":"x","arguments":{}}],"api":"google-generative-ai","provider":"google","model":"g"}`,
				`result:a {"role":"toolResult","content":[{"type":"text","text":"an image"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}],"toolCallId":"a","toolName":"x","isError":false}`,
				`call:b {"role":"assistant","content":[{"type":"toolCall","id":"b","name":"x","arguments":{}}],"api":"google-generative-ai","provider":"google","model":"g"}`,
				`result:b {"role":"toolResult","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"REVG"}}],"toolCallId":"b","toolName":"x","isError":false}`,
				`call:c {"role":"assistant","content":[{"type":"toolCall","id":"c","name":"x","arguments":{}}],"api":"google-generative-ai","provider":"google","model":"g"}`,
				`result:c {"role":"toolResult","content":[{"type":"text","text":"one"}],"toolCallId":"c","toolName":"x","isError":false}`,
				`result:c#1 {"role":"toolResult","content":[{"type":"text","text":"two"}],"toolCallId":"c","toolName":"x","isError":false}`,
				`call:d {"role":"assistant","content":[{"type":"toolCall","id":"d","name":"x","arguments":{}}],"api":"google-generative-ai","provider":"google","model":"g"}`,
				`result:d {"role":"toolResult","content":[{"type":"text","text":"plain"}],"toolCallId":"d","toolName":"x","isError":false}`,
			}},
		},
		"what isn't said by the user or the model": {
			[]string{
				geminiStart, `{"id":"i1","type":"info","content":"Update available"}`, `{"id":"c1","type":"user","content":[{"text":"/stats"}]}`,
				`{"id":"s1","type":"user","content":[{"text":"<state_snapshot>\nso far"}]}`, `{"id":"e1","type":"gemini","content":"","thoughts":[]}`,
				`{"id":"p1","type":"user","content":[{"text":"see"},{"inlineData":{"mimeType":"image/png","data":"aGk="}}]}`, `{"id":7}`, `["x"]`, `{"id":`,
			},
			reading{Entries: []string{
				`i1 {"role":"system","content":"Update available"}`, `c1 {"role":"system","content":"/stats"}`,
				`!s1 {"role":"system","content":"<state_snapshot>\nso far","kind":"host-summary"}`,
				`p1 {"role":"user","content":[{"type":"text","text":"see"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]}`,
			}, Bad: []int64{8, 9}},
		},
		"what the user went back before": {
			[]string{
				geminiStart, `{"id":"u1","type":"user","content":"one"}`, `{"id":"u2","type":"user","content":"left"}`, `{"$rewindTo":"u2"}`, `{"id":"u3","type":"user","content":"two"}`,
			},
			reading{Entries: []string{`u1 {"role":"user","content":"one"}`, `u3 {"role":"user","content":"two"}`}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, got := read(t, written(t, c.lines...))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if f.Kind != transcript.Gemini || f.Session.ID != "g1" || f.Session.CWD != "" || f.Session.Started.Year() != 2026 {
				t.Errorf("session %+v of kind %s", f.Session, f.Kind)
			}
		})
	}
}

// TestPlaceOfAGeminiSession: the project's folder names the working folder, and that of a helper its session.
func TestPlaceOfAGeminiSession(t *testing.T) {
	t.Parallel()
	project := filepath.Join(t.TempDir(), "proj")
	for path, text := range map[string]string{
		".project_root": "/srv/proj\n", "chats/session-1.jsonl": geminiStart + "\n",
		"chats/g1/h1.jsonl": strings.NewReplacer(`"g1"`, `"h1"`, `"main"`, `"subagent"`).Replace(geminiStart) + "\n",
	} {
		path = filepath.Join(project, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]transcript.Session{
		"chats/session-1.jsonl": {ID: "g1", CWD: "/srv/proj"}, "chats/g1/h1.jsonl": {ID: "g1/h1", CWD: "/srv/proj", Aside: true},
	} {
		got := opened(t, filepath.Join(project, path)).Session
		if got.ID != want.ID || got.CWD != want.CWD || got.Aside != want.Aside {
			t.Errorf("%s: %+v", path, got)
		}
	}
}
