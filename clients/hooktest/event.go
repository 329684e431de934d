package hooktest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// session is the session of the events.
const session = "00000000-0000-4000-8000-000000000000"

// members are what the event of a name has beside what all have.
var members = map[string]map[string]any{
	"SessionStart":     {"source": "startup"},
	"UserPromptSubmit": {"prompt": "What did we say about hello?"},
	"BeforeAgent":      {"prompt": "What did we say about hello?"},
	"PreCompact":       {"trigger": "manual", "custom_instructions": ""},
	"PostCompact":      {"trigger": "manual", "compact_summary": "A summary."},
	"Stop":             {"stop_hook_active": false, "last_assistant_message": "hello"},
	"SubagentStop":     {"agent_id": "a1", "agent_type": "helper", "last_assistant_message": "hello"},
	"SessionEnd":       {"reason": "other"},
}

// newEvent returns what a client writes to the hook of an event.
func newEvent(name, transcript, folder string) []byte {
	event := map[string]any{"session_id": session, "transcript_path": transcript, "cwd": folder, "hook_event_name": name}
	for key, value := range members[name] {
		event[key] = value
	}
	b, _ := json.Marshal(event) // Texts and truth values always can be.
	return append(b, '\n')
}

// lines are the session files of clients, of a question and its answer. @CWD stands for the folder.
var lines = map[string]string{
	"claude-code": `{"parentUuid":null,"isSidechain":false,"cwd":@CWD,"sessionId":"` + session + `","type":"user","message":{"role":"user","content":"hello"},"uuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-01-01T00:00:00.000Z"}
{"parentUuid":"00000000-0000-4000-8000-000000000001","isSidechain":false,"cwd":@CWD,"sessionId":"` + session + `","type":"assistant","message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"text","text":"hello"}],"stop_reason":"end_turn"},"uuid":"00000000-0000-4000-8000-000000000002","timestamp":"2026-01-01T00:00:01.000Z"}
`,
	"codex": `{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"` + session + `","cwd":@CWD,"cli_version":"1"}}
{"timestamp":"2026-01-01T00:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}}
{"timestamp":"2026-01-01T00:00:02.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hello"}]}}
{"timestamp":"2026-01-01T00:00:03.000Z","type":"event_msg","payload":{"type":"task_complete"}}
`,
	"gemini": `{"sessionId":"` + session + `","projectHash":"0","startTime":"2026-01-01T00:00:00.000Z","lastUpdated":"2026-01-01T00:00:00.000Z","kind":"main"}
{"id":"u1","timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":[{"text":"hello"}]}
{"id":"m1","timestamp":"2026-01-01T00:00:02.000Z","type":"gemini","content":"hello","thoughts":[],"tokens":null,"model":"m"}
`,
}

// writeTranscript writes the session file of a client below its folder for sessions, and returns its path; empty for a
// client that keeps none.
func writeTranscript(client, sessions, folder string) (path string, err error) {
	text, ok := lines[client]
	if !ok {
		return "", nil
	}
	cwd, err := json.Marshal(folder)
	if err != nil {
		return "", err
	}
	path = filepath.Join(sessions, "test", "rollout-"+session+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, []byte(strings.ReplaceAll(text, "@CWD", string(cwd))), 0o600)
}
