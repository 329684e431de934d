package transcript_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/transcript"
)

// coded returns a line of Claude Code's.
func coded(typ, id, parent, rest string) string {
	p := "null"
	if parent != "" {
		p = `"` + parent + `"`
	}
	return `{"parentUuid":` + p + `,"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s2","version":"2.0.1","type":"` + typ + `",` + rest +
		`,"uuid":"` + id + `","timestamp":"2026-02-01T10:00:00.000Z"}`
}

// answer returns a line of an assistant's answer.
func answer(id, parent, of, block string) string {
	return coded("assistant", id, parent, `"message":{"id":"`+of+`","type":"message","role":"assistant","model":"claude-opus-4-5","content":[`+block+`],"stop_reason":null,"usage":{"input_tokens":1}}`)
}

const (
	asked = `"message":{"role":"user","content":"list it"}`
	use1  = `{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"ls"}}`
	use2  = `{"type":"tool_use","id":"toolu_2","name":"Read","input":{}}`
	model = `"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-5"`
)

func result(of, rest string) string {
	return `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + of + `","content":"out"}` + rest + `]},"toolUseResult":{"stdout":"out"}`
}

func gave(id, of, name, failed string) string {
	return id + ` {"role":"toolResult","content":[{"type":"text","text":"out"}],"toolCallId":"` + of + `","toolName":"` + name + `","isError":` + failed + `}`
}

func TestClaudeCode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  reading
	}{
		"results of blocks, of nothing, and of what isn't a block": {
			[]string{
				coded("user", "u1", "", asked), answer("a1", "u1", "msg_1", use1),
				coded("user", "r1", "a1", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}]}`),
				coded("user", "r2", "r1", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_2","content":""}]}`),
				coded("user", "r3", "r2", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_3","content":["x"]}]}`),
			},
			reading{Entries: []string{
				`u1 {"role":"user","content":"list it"}`, `a1 {"role":"assistant","content":[` + use1 + `],` + model + `}`,
				`r1 {"role":"toolResult","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}],"toolCallId":"toolu_1","toolName":"Bash","isError":false}`,
				`r2 {"role":"toolResult","content":[{"type":"tool_result","tool_use_id":"toolu_2","content":""}],"toolCallId":"toolu_2","isError":false}`,
				`r3 {"role":"toolResult","content":[{"type":"tool_result","tool_use_id":"toolu_3","content":["x"]}],"toolCallId":"toolu_3","isError":false}`,
			}},
		},
		"an answer in pieces, and its result": {
			[]string{
				`{"type":"summary","summary":"x","leafUuid":"y"}`, coded("user", "u1", "", asked),
				answer("a1", "u1", "msg_1", `{"type":"thinking","thinking":"hm","signature":"s"}`), answer("a2", "a1", "msg_1", use1),
				coded("user", "r1", "a2", result("toolu_1", `,{"type":"text","text":"and?"}`)),
			},
			reading{Entries: []string{
				`u1 {"role":"user","content":"list it"}`,
				`a1 {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"}],` + model + `}`,
				`+a2 {"role":"assistant","content":[` + use1 + `],` + model + `}`,
				gave("r1", "toolu_1", "Bash", "false"),
				`r1#1 {"role":"user","content":[{"type":"text","text":"and?"}]}`,
			}},
		},
		"results of calls side by side hang beside the path": {
			[]string{
				coded("user", "u1", "", asked), answer("a1", "u1", "m", use1), answer("a2", "a1", "m", use2),
				coded("user", "r1", "a1", result("toolu_1", "")), coded("user", "r2", "a2", result("toolu_2", "")),
				coded("user", "u2", "r2", `"message":{"role":"user","content":"go on"}`),
			},
			reading{Entries: []string{
				`u1 {"role":"user","content":"list it"}`,
				`a1 {"role":"assistant","content":[` + use1 + `],` + model + `}`,
				`+a2 {"role":"assistant","content":[` + use2 + `],` + model + `}`,
				gave("r1", "toolu_1", "Bash", "false"), gave("r2", "toolu_2", "Read", "false"),
				`u2 {"role":"user","content":"go on"}`,
			}},
		},
		"of calls side by side the first answers last": {
			[]string{
				coded("user", "u1", "", asked), answer("a1", "u1", "m", use1), answer("a2", "a1", "m", use2),
				coded("user", "r2", "a2", result("toolu_2", "")), coded("user", "r1", "a1", result("toolu_1", "")),
				coded("user", "u2", "r1", `"message":{"role":"user","content":"go on"}`),
			},
			reading{Entries: []string{
				`u1 {"role":"user","content":"list it"}`,
				`a1 {"role":"assistant","content":[` + use1 + `],` + model + `}`,
				`+a2 {"role":"assistant","content":[` + use2 + `],` + model + `}`,
				gave("r2", "toolu_2", "Read", "false"), gave("r1", "toolu_1", "Bash", "false"),
				`u2 {"role":"user","content":"go on"}`,
			}},
		},
		"prompts that waited while the model worked": {
			[]string{
				coded("user", "u1", "", asked), answer("a1", "u1", "m", use1), coded("user", "r1", "a1", result("toolu_1", "")),
				coded("attachment", "q1", "r1", `"attachment":{"type":"queued_command","prompt":"and the tests","source_uuid":"x"}`),
				coded("attachment", "q2", "q1", `"attachment":{"type":"queued_command","prompt":[{"type":"text","text":"see"}],"commandMode":"prompt"}`),
				coded("attachment", "q3", "q2", `"attachment":{"type":"queued_command","prompt":"<task-notification>done</task-notification>","commandMode":"task-notification"}`),
				coded("attachment", "q4", "q3", `"attachment":{"type":"queued_command","prompt":"caveat","isMeta":true}`),
				coded("attachment", "q5", "q4", `"attachment":{"type":"hook_success","content":"x"}`),
			},
			reading{Entries: []string{
				`u1 {"role":"user","content":"list it"}`, `a1 {"role":"assistant","content":[` + use1 + `],` + model + `}`,
				gave("r1", "toolu_1", "Bash", "false"),
				`q1 {"role":"user","content":"and the tests"}`, `q2 {"role":"user","content":[{"type":"text","text":"see"}]}`,
				`q3 {"role":"system","content":"<task-notification>done</task-notification>"}`,
			}},
		},
		"a rewound question, a helper's work, a compaction": {
			[]string{
				coded("user", "u1", "", asked), coded("user", "x", "u1", `"message":{"role":"user","content":"rewound"}`),
				`{"parentUuid":null,"isSidechain":true,"sessionId":"s2","type":"user","message":{"role":"user","content":"for a helper"},"uuid":"h"}`,
				coded("system", "c", "", `"logicalParentUuid":"u1","subtype":"compact_boundary","content":"Conversation compacted"`),
				coded("user", "u2", "c", `"message":{"role":"user","content":"go on"}`), `{"type":"file-history-snapshot","messageId":"u2"}`,
			},
			reading{Entries: []string{
				`u1 {"role":"user","content":"list it"}`, `u2 {"role":"user","content":"go on"}`,
			}},
		},
		"what the client wrote itself": {
			[]string{
				coded("user", "u1", "", asked),
				coded("user", "m", "u1", `"isMeta":true,"message":{"role":"user","content":"Caveat: the messages below"}`),
				coded("user", "n", "m", `"message":{"role":"user","content":"<command-name>/cost</command-name>\n<command-args></command-args>"}`),
				coded("user", "o", "n", `"message":{"role":"user","content":"<local-command-stdout>7 $</local-command-stdout>"}`),
				coded("system", "b", "o", `"subtype":"compact_boundary","content":"Conversation compacted"`),
				coded("user", "s", "b", `"isCompactSummary":true,"message":{"role":"user","content":"This session goes on from another."}`),
				coded("user", "u2", "s", `"message":{"role":"user","content":"what does <command-name> mean?"}`),
			},
			reading{Entries: []string{
				`u1 {"role":"user","content":"list it"}`,
				`n {"role":"system","content":"<command-name>/cost</command-name>\n<command-args></command-args>"}`,
				`o {"role":"system","content":"<local-command-stdout>7 $</local-command-stdout>"}`,
				`!s {"role":"system","content":"This session goes on from another.","kind":"host-summary"}`,
				`u2 {"role":"user","content":"what does <command-name> mean?"}`,
			}},
		},
		"a bad line": {
			[]string{coded("user", "u1", "", asked), `{"parentUuid":"u1","type":"assistant",`, coded("user", "u2", "gone", `"message":7`), coded("user", "u3", "u2", asked)},
			reading{Entries: []string{`u1 {"role":"user","content":"list it"}`, `u3 {"role":"user","content":"list it"}`}, Bad: []int64{2, 3}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, got := read(t, written(t, c.lines...))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if f.Kind != transcript.ClaudeCode || f.Session.ID != "s2" || f.Session.CWD != "/w" {
				t.Errorf("session %+v of kind %s", f.Session, f.Kind)
			}
		})
	}
}

// TestHelper: the file of a helper alone is a conversation of its own.
func TestHelper(t *testing.T) {
	t.Parallel()
	f, got := read(t, written(t,
		`{"parentUuid":null,"isSidechain":true,"agentId":"a7","sessionId":"s2","type":"user","message":{"role":"user","content":"find it"},"uuid":"h1"}`,
		`{"parentUuid":"h1","isSidechain":true,"agentId":"a7","sessionId":"s2","type":"assistant","message":{"id":"m","role":"assistant","content":"here"},"uuid":"h2"}`))
	if f.Session.ID != "s2/a7" || len(got.Entries) != 2 {
		t.Errorf("%+v: %v", f.Session, got)
	}
}

// TestHelperAmong: a session that begins with a helper's work is the agent's all the
// same.
func TestHelperAmong(t *testing.T) {
	t.Parallel()
	f, got := read(t, written(t,
		`{"parentUuid":null,"isSidechain":true,"sessionId":"s2","type":"user","message":{"role":"user","content":"Warmup"},"uuid":"h1"}`,
		coded("user", "u1", "", asked)))
	if want := []string{`u1 {"role":"user","content":"list it"}`}; f.Session.ID != "s2" || !cmp.Equal(got.Entries, want) {
		t.Errorf("%+v: %v", f.Session, got)
	}
}

// TestUnfinished: a file that ends within an answer says so. Which answers have an end
// follows from what stands behind them.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	ended := strings.Replace(answer("a2", "a1", "m", use1), `"stop_reason":null`, `"stop_reason":"tool_use"`, 1)
	open := []string{coded("user", "u1", "", asked), answer("a1", "u1", "m", use2)}
	for name, c := range map[string]struct {
		more []string
		want bool
	}{
		"a piece without an end":        {nil, true},
		"another piece":                 {[]string{answer("a2", "a1", "m", use1)}, true},
		"a line that is no entry":       {[]string{`{"type":"last-prompt","sessionId":"s2"}`}, true},
		"a reason to stop":              {[]string{ended}, false},
		"a result":                      {[]string{coded("user", "r1", "a1", result("toolu_2", ""))}, false},
		"a summary of the turn's hooks": {[]string{coded("system", "h", "a1", `"subtype":"stop_hook_summary","hookCount":1`)}, false},
	} {
		if f, _ := read(t, written(t, append(slices.Clone(open), c.more...)...)); f.Unfinished() != c.want {
			t.Errorf("%s: unfinished %v, want %v", name, f.Unfinished(), c.want)
		}
	}
	for name, c := range map[string]struct {
		more []string
		want bool
	}{
		"an item":             {nil, true},
		"a count of tokens":   {[]string{`{"type":"event_msg","payload":{"type":"token_count"}}`}, true},
		"the end of the turn": {[]string{`{"type":"event_msg","payload":{"type":"task_complete"}}`}, false},
		"a result":            {[]string{item(`{"type":"function_call_output","call_id":"c","output":"x"}`)}, false},
		"the next turn": {[]string{
			`{"type":"event_msg","payload":{"type":"task_complete"}}`, item(`{"type":"message","role":"assistant","content":[]}`),
		}, true},
	} {
		lines := []string{meta, item(`{"type":"function_call","name":"shell","arguments":"{}","call_id":"c"}`)}
		if f, _ := read(t, written(t, append(lines, c.more...)...)); f.Unfinished() != c.want {
			t.Errorf("Codex, %s: unfinished %v, want %v", name, f.Unfinished(), c.want)
		}
	}
	if f, _ := read(t, written(t, header, claw("a", "", "1"))); f.Unfinished() {
		t.Error("OpenClaw writes whole messages, but this one is unfinished")
	}
}

func FuzzClaudeCode(f *testing.F) {
	fuzz(f, coded("user", "u1", "", asked), answer("a1", "u1", "m", use1), coded("user", "r1", "a1", result("toolu_1", `,{"type":"text","text":"x"}`)),
		coded("system", "c", "", `"logicalParentUuid":"u1","content":"x"`))
}

// TestTheFolderOfASession: the first lines of Claude Code name the session, and a later one its folder.
func TestTheFolderOfASession(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s2.jsonl")
	text := `{"type":"queue-operation","operation":"enqueue","sessionId":"s2","timestamp":"2026-02-01T09:00:00.000Z"}` + "\n" + coded("user", "u1", "", asked) + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := opened(t, path).Session; s.ID != "s2" || s.CWD != "/w" || s.Started.Hour() != 9 {
		t.Errorf("%+v", s)
	}
}
