package hook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"lcm-tui/clients"
	"lcm-tui/clients/hook"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/backfill"
)

// day is a day of Claude Code on one project: its session files grow, and its hooks run.
type day struct {
	*machine
	log  strings.Builder
	last map[string]string // The entry at the end of each file.
	n    int               // Of the entries so far.
}

// entry returns a line of a session, as Claude Code 2.1.330 writes it: typ is its type, and rest are its own members.
func (d *day) entry(session, typ, rest string) string {
	parent := "null"
	if last := d.last[session]; last != "" {
		parent = quoted(last)
	}
	d.n++
	id := fmt.Sprintf("e%02d", d.n)
	d.last[session] = id
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":%s,"sessionId":%q,"version":"2.1.330","type":%q,%s,"uuid":%q,"timestamp":"2026-02-01T10:%02d:00.000Z"}`,
		parent, quoted(d.project), session, typ, rest, id, d.n)
}

func (d *day) user(session, text string) string {
	return d.entry(session, "user", `"message":{"role":"user","content":`+quoted(text)+`}`)
}

func (d *day) answer(session, id, block, stop string) string {
	return d.entry(session, "assistant", fmt.Sprintf(`"message":{"id":%q,"type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[%s],"stop_reason":%s}`, id, block, stop))
}

func textBlock(text string) string { return `{"type":"text","text":` + quoted(text) + `}` }

// write appends lines to the file of a session.
func (d *day) write(session string, lines ...string) {
	d.t.Helper()
	path := filepath.Join(d.Sessions, "w", session+".jsonl")
	testdb.Must(d.t, os.MkdirAll(filepath.Dir(path), 0o700))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	testdb.Must(d.t, err)
	_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
	testdb.Must(d.t, err)
	testdb.Must(d.t, f.Close())
}

// event runs a hook and notes what it answered.
func (d *day) event(session, name, source string) {
	d.t.Helper()
	e := hook.Event{Name: name, Session: session, CWD: d.project, Transcript: filepath.Join(d.Sessions, "w", session+".jsonl")}
	if name == "SessionEnd" {
		e.Reason = source
	} else {
		e.Source = source
	}
	a, err := d.Handle(d.t.Context(), e)
	if err != nil {
		d.t.Errorf("%s %s of %s: %v", name, source, session, err)
	}
	fmt.Fprintf(&d.log, "== %s %s of %s: %d messages\n", name, source, session, a.Messages)
	if text := a.Context + a.Instructions; text != "" {
		d.log.WriteString(strings.TrimRight(text, "\n") + "\n")
	}
}

// TestADayOfClaudeCode: start, turns, a compaction, a resume, a fork and a clear give these rows and these texts.
func TestADayOfClaudeCode(t *testing.T) {
	t.Parallel()
	d := &day{machine: newMachine(t, clients.ClaudeCode), last: map[string]string{}}
	d.event("a", "SessionStart", "startup") // There is no file yet.
	d.write("a", d.user("a", "The gateway listens on port 7443. List the files."))
	d.write("a", d.answer("a", "m1", `{"type":"thinking","thinking":"ls","signature":"s"}`, "null"), d.answer("a", "m1", `{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}`, `"tool_use"`),
		d.entry("a", "user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"main.go"}]},"toolUseResult":{"stdout":"main.go"}`))
	d.write("a", `{"type":"file-history-snapshot","messageId":"e04"}`, d.answer("a", "m2", textBlock("There is main.go."), `"end_turn"`))
	d.event("a", "Stop", "")
	d.write("a", d.entry("a", "attachment", `"attachment":{"type":"hook_success"}`), d.user("a", "<command-name>/cost</command-name>"), d.user("a", "Which port?"), d.answer("a", "m3", textBlock("7443."), `"end_turn"`))
	d.event("a", "Stop", "")

	d.event("a", "PreCompact", "")
	d.event("a", "SessionStart", "compact")
	before := d.last["a"]
	d.last["a"] = ""
	d.write("a", d.entry("a", "system", `"subtype":"compact_boundary","logicalParentUuid":`+quoted(before)+`,"content":"Conversation compacted"`),
		d.entry("a", "user", `"isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"This session goes on: the gateway listens on 7443."}`))
	d.event("a", "PostCompact", "")
	d.write("a", d.user("a", "And the host?"), d.answer("a", "m4", textBlock("localhost."), `"end_turn"`))
	d.event("a", "Stop", "")
	d.event("a", "SessionEnd", "other")

	d.event("a", "SessionStart", "resume")
	d.write("a", d.user("a", "Thanks."), d.answer("a", "m5", textBlock("At your service."), `"end_turn"`))
	d.event("a", "Stop", "")

	d.event("b", "SessionStart", "fork") // It copies what follows the compaction, with the ids.
	b, err := os.ReadFile(filepath.Join(d.Sessions, "w", "a.jsonl"))
	testdb.Must(t, err)
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(b), `"sessionId":"a"`, `"sessionId":"b"`)), "\n")
	boundary := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "compact_boundary") })
	d.write("b", lines[boundary:]...)
	d.last["b"] = d.last["a"]
	d.write("b", d.user("b", "Try another port."), d.answer("b", "m6", textBlock("8443 then."), `"end_turn"`))
	d.event("b", "Stop", "")
	d.event("b", "SessionEnd", "other")

	d.event("a", "SessionEnd", "clear")
	d.event("c", "SessionStart", "clear")
	d.write("c", d.user("c", "Something else."), d.answer("c", "m7", textBlock("Gladly."), `"end_turn"`))
	d.event("c", "Stop", "")
	d.event("c", "SessionEnd", "other")
	d.event("d", "SessionStart", "startup")

	for _, table := range [][2]string{
		{"conversations", "SELECT conversation_id || ' ' || session_key || ' ' || active || ' ' || coalesce(archive_cause, '') FROM conversations ORDER BY 1"},
		{"messages", `SELECT conversation_id || '.' || seq || ' ' || role || ' ' || transcript_entry_id || ' ' || content || ' ' || coalesce((SELECT group_concat(part_type || coalesce(':' || tool_name, ''), ' ')
			FROM message_parts p WHERE p.message_id = m.message_id), '') FROM messages m ORDER BY conversation_id, seq`},
		{"contexts", "SELECT conversation_id || ' ' || group_concat(seq, ' ') FROM (SELECT i.conversation_id, m.seq FROM context_items i JOIN messages m USING (message_id) ORDER BY 1, i.ordinal) GROUP BY conversation_id ORDER BY conversation_id"},
	} {
		fmt.Fprintf(&d.log, "== %s\n%s\n", table[0], strings.Join(testdb.Rows(t, d.path, table[1]), "\n"))
	}
	ledger, err := d.Notes.Ledger(t.Context(), 100)
	testdb.Must(t, err)
	for _, in := range ledger {
		fmt.Fprintf(&d.log, "ledger: %s of %s: %d characters, %v\n", in.Event, in.Session, in.Characters, in.IDs)
	}
	golden.RequireEqual(t, strings.ReplaceAll(d.log.String(), backfill.ProjectOf(d.project), "PROJECT"))
}
