package transcript_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/transcript"
	"lcm-tui/internal/testdb"
)

// item returns a line of Codex'.
func item(payload string) string {
	return `{"timestamp":"2026-03-01T08:00:01.000Z","type":"response_item","payload":` + payload + `}`
}

const (
	meta   = `{"timestamp":"2026-03-01T08:00:00.000Z","type":"session_meta","payload":{"id":"s3","timestamp":"2026-03-01T07:59:59.000Z","cwd":"/w","originator":"codex_cli_rs","git":{}}}`
	turn   = `{"timestamp":"2026-03-01T08:00:00.000Z","type":"turn_context","payload":{"cwd":"/w","model":"gpt-5.2"}}`
	openai = `"api":"openai-responses","provider":"openai","model":"gpt-5.2"`
)

func TestCodex(t *testing.T) {
	t.Parallel()
	lines := []string{
		meta, turn,
		item(`{"type":"message","role":"developer","content":[{"type":"input_text","text":"be brief"}]}`),
		item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"list it"}]}`),
		`{"timestamp":"x","type":"event_msg","payload":{"type":"user_message","message":"list it"}}`,
		item(`{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"content":null,"encrypted_content":"abc"}`),
		item(`{"type":"function_call","id":"fc_1","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"call_1"}`),
		item(`{"type":"function_call_output","call_id":"call_1","output":"a.txt"}`),
		item(`{"type":"custom_tool_call","status":"completed","call_id":"call_2","name":"apply_patch","input":"*** Begin"}`),
		item(`{"type":"custom_tool_call_output","call_id":"call_2","output":"done"}`),
		item(`{"type":"local_shell_call","call_id":"call_3","status":"completed","action":{"type":"exec","command":["ls"]}}`),
		item(`{"type":"web_search_call","status":"completed","action":{"type":"search","query":"sqlite"}}`),
		item(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"There."}]}`),
		item(`7`), `{"timestamp":`,
		item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"see"},{"type":"input_image","image_url":"data:image/png;base64,AA=="}]}`),
		item(`{"type":"ghost_snapshot","ghost_commit":{}}`),
	}
	want := reading{
		Entries: []string{
			`s3:3 {"role":"system","content":"be brief"}`,
			`s3:4 {"role":"user","content":"list it"}`,
			`s3:6 {"role":"assistant","content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"content":null,"encrypted_content":"abc"}],` + openai + `}`,
			`+s3:7 {"role":"assistant","content":[{"type":"function_call","call_id":"call_1","name":"shell","arguments":"{\"command\":[\"ls\"]}"}],` + openai + `}`,
			`s3:8 {"role":"toolResult","content":[{"type":"text","text":"a.txt"}],"toolCallId":"call_1","toolName":"shell"}`,
			`s3:9 {"role":"assistant","content":[{"type":"toolCall","id":"call_2","name":"apply_patch","arguments":{"input":"*** Begin"}}],` + openai + `}`,
			`s3:10 {"role":"toolResult","content":[{"type":"text","text":"done"}],"toolCallId":"call_2","toolName":"apply_patch"}`,
			`s3:11 {"role":"assistant","content":[{"type":"toolCall","id":"call_3","name":"local_shell","arguments":{"type":"exec","command":["ls"]}}],` + openai + `}`,
			`+s3:12 {"role":"assistant","content":[{"type":"text","text":"[web search] sqlite"}],` + openai + `}`,
			`+s3:13 {"role":"assistant","content":[{"type":"text","text":"There."}],` + openai + `}`,
			`s3:16 {"role":"user","content":[{"type":"text","text":"see"},{"type":"image","source":{"type":"url","url":"data:image/png;base64,AA=="}}]}`,
		},
		Bad: []int64{14, 15},
	}
	f, got := read(t, written(t, lines...))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if f.Kind != transcript.Codex || f.Session.ID != "s3" || f.Session.CWD != "/w" || f.Session.Started.Second() != 59 {
		t.Errorf("session %+v of kind %s", f.Session, f.Kind)
	}
}

// TestInjectedByCodex: what Codex itself puts before a model is no message of the
// session, unless something else stands beside it.
func TestInjectedByCodex(t *testing.T) {
	t.Parallel()
	promptLine := func(role, kinds string) string {
		return item(`{"type":"message","role":"` + role + `","content":[{"type":"input_text","text":"` + role + `"}],"content_item_kinds":` + kinds + `}`)
	}
	_, got := read(t, written(t, meta,
		promptLine("developer", `["hooks.additional_context"]`), promptLine("user", `["environments.context","host_skills.list"]`), promptLine("developer", `["permissions.sandbox"]`),
		promptLine("user", `["user.text","environments.context"]`), promptLine("user", `[]`), promptLine("user", `null`), promptLine("user", `"hooks.x"`), promptLine("user", `[7]`),
		`{"timestamp":"2026-03-01T08:00:01.000Z","type":"response_item","content_item_kinds":["hooks.additional_context"],"payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"beside"}]}}`))
	want := reading{}
	for _, line := range []string{"5", "6", "7", "8", "9"} {
		want.Entries = append(want.Entries, `s3:`+line+` {"role":"user","content":"user"}`)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestBareCodex: older files have no envelopes.
func TestBareCodex(t *testing.T) {
	t.Parallel()
	f, got := read(t, written(t,
		`{"id":"s4","timestamp":"2025-05-01T08:00:00.000Z","instructions":null}`, `{"record_type":"state"}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}`,
		`{"type":"function_call","id":"fc","name":"shell","arguments":"{}","call_id":"c1"}`,
		`{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"x\"}"}`))
	if f.Session.ID != "s4" || len(got.Entries) != 3 || got.Bad != nil {
		t.Errorf("%+v: %v", f.Session, got)
	}
}

func FuzzCodex(f *testing.F) {
	fuzz(f, meta, turn, item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}`),
		item(`{"type":"local_shell_call","call_id":null,"action":[]}`), item(`{"type":"custom_tool_call","input":{}}`), `{"type":"reasoning"}`)
}

// TestTurnsOfCodexThatWereDropped: they aren't read. What Codex writes as the user begins no turn.
func TestTurnsOfCodexThatWereDropped(t *testing.T) {
	t.Parallel()
	says := func(role, text string) string {
		return item(`{"type":"message","role":"` + role + `","content":[{"type":"input_text","text":"` + text + `"}]}`)
	}
	back := func(turns string) string {
		return `{"timestamp":"x","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":` + turns + `}}`
	}
	head := []string{meta, says("user", "<environment_context>/w"), says("user", "one"), says("assistant", "1"), says("user", "two"), says("assistant", "2"), says("user", "three"), says("user", "<turn_aborted>")}
	for name, c := range map[string]struct {
		then []string
		want []string
	}{
		"none":              {nil, []string{"2", "3", "4", "5", "6", "7", "8"}},
		"one":               {[]string{back("1"), says("user", "four")}, []string{"2", "3", "4", "5", "6", "10"}},
		"one after another": {[]string{back("1"), says("user", "four"), back("2"), says("user", "five")}, []string{"2", "3", "4", "12"}},
		"more than all":     {[]string{back("9"), says("user", "four")}, []string{"2", "10"}},
		"a number of none":  {[]string{back("0"), back(`"1"`), back("-1")}, []string{"2", "3", "4", "5", "6", "7", "8"}},
		"said by somebody":  {[]string{says("user", `\"thread_rolled_back\"`)}, []string{"2", "3", "4", "5", "6", "7", "8", "9"}},
	} {
		_, got := read(t, written(t, slices.Concat(head, c.then)...))
		var lines []string
		for _, e := range got.Entries {
			id, _, _ := strings.Cut(e, " ")
			lines = append(lines, id[strings.IndexByte(id, ':')+1:])
		}
		if diff := cmp.Diff(c.want, lines); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// TestWhatAPartOfASessionLeavesBehind: of the files before, in the folders of any day, what is behind the place where each was left;
// nothing where one of them is missing, or where they name each other.
func TestWhatAPartOfASessionLeavesBehind(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, base string) string {
		path := filepath.Join(folder, filepath.FromSlash(name))
		testdb.Must(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, []byte(`{"timestamp":"2026-02-01T10:00:00.000Z","type":"session_meta","payload":{"id":"s"`+base+`}}`+"\n"), 0o600)))
		return path
	}
	goesOn := func(part string, end int) string {
		return fmt.Sprintf(`,"history_base":{"thread_id":%q,"end_ordinal_exclusive":%d}`, part, end)
	}
	write("2026/02/01/rollout-1-s.jsonl", "")
	write("2026/02/28/rollout-2-s_a.jsonl", goesOn("s", 10))
	last := write("2026/03/01/rollout-3-s_b.jsonl", goesOn("a", 15))
	f, err := transcript.Open(t.Context(), last)
	testdb.Must(t, err)
	left, err := f.LeftBehind(t.Context())
	testdb.Must(t, err)
	for entry, want := range map[string]bool{
		"s:10": false, "s:11": true, "s_a:5": false, "s_a:6": true, "s_a:6#1": true, "s_b:99": false, "s_other:1": true, "t:99": false, "s:x": false, "": false,
	} {
		if got := left(entry); got != want {
			t.Errorf("%q is left behind: %v", entry, got)
		}
	}
	for name, path := range map[string]string{
		"missing": write("2026/03/02/rollout-4-s_c.jsonl", goesOn("lost", 3)),
		"itself":  write("2026/03/02/rollout-5-s_d.jsonl", goesOn("d", 0)),
		"circle":  write("2026/03/02/rollout-6-s_e.jsonl", goesOn("f", 0)),
		"other":   write("2026/03/02/rollout-7-s_f.jsonl", goesOn("g", 0)),
		"again":   write("2026/03/02/rollout-8-s_g.jsonl", goesOn("f", 0)),
		"first":   filepath.Join(folder, "2026", "02", "01", "rollout-1-s.jsonl"),
		"renamed": write("2026/03/02/notes_b.jsonl", goesOn("s", 10)),
	} {
		f, err := transcript.Open(t.Context(), path)
		testdb.Must(t, err)
		if left, err := f.LeftBehind(t.Context()); left != nil || err != nil {
			t.Errorf("%s: something is left behind (%v)", name, err)
		}
	}
}
