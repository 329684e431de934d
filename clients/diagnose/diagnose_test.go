package diagnose_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/clients"
	"lcm-tui/clients/diagnose"
	"lcm-tui/internal/testdb"
)

const (
	ours    = "/opt/lcm-tui hook claude-code"
	project = "/home/me/my.project"
)

// began is when the sessions of the tests began.
var began = time.Date(2026, 2, 1, 10, 0, 0, 0, time.UTC)

// attachment returns the entry of a hook that ran, as Claude Code of today writes it.
func attachment(id, typ, event, command, more string) string {
	return fmt.Sprintf(`{"parentUuid":"p","attachment":{"type":%q,"hookName":"%s:x","hookEvent":%q,"command":%q,"toolUseID":"use-%s"%s},"type":"attachment","uuid":%q,"timestamp":"2026-02-01T10:00:01.000Z","version":"2.1.330"}`,
		typ, event, event, command, event, more, id)
}

// progress returns the entry of a hook that began, as older clients wrote it.
func progress(id, use, command string) string {
	return fmt.Sprintf(`{"type":"progress","data":{"type":"hook_progress","hookEvent":"Stop","command":%q},"toolUseID":%q,"uuid":%q,"timestamp":"2026-02-01T10:00:01.000Z","version":"2.0.1"}`, command, use, id)
}

// tool returns the call of a tool and its result.
func tool(name, result string) []string {
	return []string{
		fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":%q,"input":{}}]},"uuid":"a","timestamp":"2026-02-01T10:00:01.000Z"}`, name),
		fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":%q}]}]},"uuid":"b","timestamp":"2026-02-01T10:00:02.000Z"}`, result),
	}
}

const quiet = `{"type":"user","message":{"content":"hello"},"uuid":"q","timestamp":"2026-02-01T10:00:00.000Z","version":"2.1.330"}`

// machine has session files of both clients.
type machine struct {
	*testing.T
	diagnose.Request
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	return &machine{t, diagnose.Request{
		Folders: map[clients.Client]string{clients.ClaudeCode: t.TempDir(), clients.Codex: t.TempDir()}, Project: project,
		Since: time.Now().Add(-time.Hour), Installed: map[clients.Client]time.Time{}, Fired: map[clients.Client]time.Time{},
	}}
}

// claude writes a session file of Claude Code in the folder of a project.
func (m *machine) claude(project, session string, lines ...string) (path string) {
	m.Helper()
	path = filepath.Join(m.Folders[clients.ClaudeCode], clients.ProjectFolder(project), session+".jsonl")
	m.write(path, lines)
	return path
}

// codex writes a session file of Codex.
func (m *machine) codex(project, session string, lines ...string) {
	m.Helper()
	meta := fmt.Sprintf(`{"timestamp":"2026-02-01T10:00:00.000Z","type":"session_meta","payload":{"id":%q,"cwd":%q,"cli_version":"0.169.0"}}`, session, project)
	m.write(filepath.Join(m.Folders[clients.Codex], "2026", "02", "01", "rollout-"+session+".jsonl"), append([]string{meta}, lines...))
}

func (m *machine) write(path string, lines []string) {
	m.Helper()
	testdb.Must(m.T, os.MkdirAll(filepath.Dir(path), 0o700))
	testdb.WriteText(m.T, path, strings.Join(lines, "\n")+"\n")
}

func (m *machine) run() *diagnose.Report {
	m.Helper()
	r, err := diagnose.Run(m.Context(), m.Request)
	testdb.Must(m.T, err)
	return r
}

// problems lists what was found, one line each.
func problems(r *diagnose.Report) (out []string) {
	for _, s := range r.Sessions {
		for _, p := range s.Problems {
			out = append(out, fmt.Sprintf("%s %s %dx %s", p.Type, p.Event, p.Count, p.Details))
		}
	}
	return out
}

// TestEveryRow: each entry of a client is the problem that it stands for, and no other.
func TestEveryRow(t *testing.T) {
	t.Parallel()
	stop := func(id, typ, more string) string { return attachment(id, typ, "Stop", ours, more) }
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"a run that is well":    {[]string{stop("1", "hook_success", `,"stdout":"x","content":"x","exitCode":0`)}, nil},
		"context for the model": {[]string{stop("1", "hook_success", `,"exitCode":0`), stop("2", "hook_additional_context", `,"content":["x"]`)}, nil},
		"output that looks like JSON": {
			[]string{stop("1", "hook_success", `,"stdout":"{a","content":"{a","exitCode":0`)},
			[]string{"bad-output Stop 1x the client could not read the JSON that the hook printed"},
		},
		"program not there, without a shell": {
			[]string{stop("1", "hook_non_blocking_error", `,"stderr":"ENOENT: no such file or directory, posix_spawn '/opt/lcm-tui'","exitCode":1`)},
			[]string{"hook-missing Stop 1x ENOENT: no such file or directory, posix_spawn '/opt/lcm-tui'"},
		},
		"program not there, in a shell": {
			[]string{stop("1", "hook_non_blocking_error", `,"stderr":"/bin/sh: 1: /opt/lcm-tui: not found","exitCode":127`)},
			[]string{"hook-missing Stop 1x /bin/sh: 1: /opt/lcm-tui: not found"},
		},
		"a failure, twice": {
			[]string{
				attachment("1", "hook_non_blocking_error", "Stop", ours, `,"stderr":"no room","exitCode":1`),
				strings.ReplaceAll(attachment("2", "hook_non_blocking_error", "Stop", ours, `,"stderr":"no room","exitCode":1`), "use-Stop", "use-2"),
			},
			[]string{"hook-error Stop 2x no room"},
		},
		"during execution": {[]string{stop("1", "hook_error_during_execution", `,"content":"went wrong"`)}, []string{"hook-error Stop 1x went wrong"}},
		"time over":        {[]string{stop("1", "hook_cancelled", `,"timedOut":true,"timeoutMs":2000`)}, []string{"hook-timeout Stop 1x stopped after 2000 ms"}},
		"stopped by the user": {
			[]string{stop("1", "hook_cancelled", `,"timedOut":false`)}, nil,
		},
		"blocked": {[]string{stop("1", "hook_blocking_error", `,"stderr":"no"`)}, []string{"hook-blocked Stop 1x no"}},
		"ended":   {[]string{stop("1", "hook_stopped_continuation", `,"content":"no"`)}, []string{"hook-blocked Stop 1x no"}},
		"twice at one event": {
			[]string{stop("1", "hook_success", ""), stop("2", "hook_success", "")},
			[]string{"duplicate-hook Stop 1x the hook ran more than once at one event: it is registered in two places"},
		},
		"two events": {[]string{stop("1", "hook_success", ""), attachment("2", "hook_success", "SessionEnd", ours, "")}, nil},
		"an old program": {
			[]string{attachment("1", "hook_success", "Stop", "lossless-claude session-end", "")},
			[]string{"old-binary Stop 1x the hook runs another program than lcm-tui hook; lcm-tui install claude-code replaces it"},
		},
		"a hook of others": {[]string{attachment("1", "hook_non_blocking_error", "Stop", "/opt/lint", `,"stderr":"x","exitCode":1`)}, nil},
		"the errors of a stop": {
			[]string{`{"type":"system","subtype":"stop_hook_summary","hookInfos":[{"command":"` + ours + `","durationMs":3}],"hookErrors":["no room"],"toolUseID":"u","uuid":"1"}`},
			[]string{"hook-error Stop 1x no room"},
		},
		"the errors of a stop whose hook is noted": {
			[]string{
				stop("1", "hook_non_blocking_error", `,"stderr":"no room","exitCode":1`),
				`{"type":"system","subtype":"stop_hook_summary","hookInfos":[{"command":"` + ours + `"}],"hookErrors":["no room"],"toolUseID":"use-Stop","uuid":"2"}`,
			},
			[]string{"hook-error Stop 1x no room"},
		},
		"the errors of a stop with a hook of others": {
			[]string{`{"type":"system","subtype":"stop_hook_summary","hookInfos":[{"command":"` + ours + `"},{"command":"/opt/lint"}],"hookErrors":["2 problems"],"toolUseID":"u","uuid":"1"}`}, nil,
		},
		"a server that ended": {tool("mcp__lcm__lcm_grep", "MCP error -32000: Connection closed"), []string{"mcp-died mcp__lcm__lcm_grep 1x MCP error -32000: Connection closed"}},
		"a tool of the plugin that failed": {
			tool("mcp__plugin_lcm_lcm__lcm_grep", "the database is locked"), []string{"mcp-error mcp__plugin_lcm_lcm__lcm_grep 1x the database is locked"},
		},
		"a tool of others":                     {tool("mcp__files__read", "Connection closed"), nil},
		"an older client: a hook that is well": {[]string{progress("1", "u", "lcm-tui hook claude-code"), quiet}, nil},
		"an older client: a hook that failed": {
			[]string{progress("1", "u", "lcm-tui hook claude-code"), quiet, `{"type":"system","level":"error","content":"Stop hook: no room","uuid":"2"}`},
			[]string{"hook-error Stop 1x Stop hook: no room"},
		},
		"an older client: an error long after": {
			[]string{progress("1", "u", "lcm-tui hook claude-code"), quiet, "{}", "{}", "{}", "{}", "{}", `{"type":"system","level":"error","content":"x","uuid":"2"}`}, nil,
		},
		"an older client: an old program, twice": {
			[]string{progress("1", "u", "lcm restore"), progress("2", "u", "lcm restore")},
			[]string{
				"old-binary Stop 2x the hook runs another program than lcm-tui hook; lcm-tui install claude-code replaces it",
				"duplicate-hook Stop 1x the hook ran more than once at one event: it is registered in two places",
			},
		},
		"an older client: a server that ended": {
			[]string{`{"type":"system","content":"MCP server lcm disconnected","uuid":"1"}`}, []string{"mcp-died  1x MCP server lcm disconnected"},
		},
		"a line that is no JSON, one that is cut": {[]string{`{"hook`, stop("1", "hook_blocking_error", `,"stderr":"no"`), `{"type":"attachment","attachment":{"type":"hook_bl`}, []string{"hook-blocked Stop 1x no"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			m.claude(project, "s1", c.lines...)
			r := m.run()
			if got := problems(r); !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
			if r.Scanned != 1 {
				t.Errorf("%d sessions were read", r.Scanned)
			}
		})
	}
}

// TestNeverFired: hooks were installed before the session began, and no client called one since.
func TestNeverFired(t *testing.T) {
	t.Parallel()
	context := `{"timestamp":"2026-02-01T10:00:01.000Z","type":"response_item","payload":{"content_item_kinds":["hooks.additional_context"]}}`
	for name, c := range map[string]struct {
		installed, fired time.Time
		lines            []string
		want             int
	}{
		"installed before":          {began.Add(-time.Hour), time.Time{}, nil, 2},
		"installed later":           {began.Add(time.Hour), time.Time{}, nil, 0},
		"called before the session": {began.Add(-2 * time.Hour), began.Add(-time.Hour), nil, 2},
		"called since":              {began.Add(-time.Hour), began.Add(time.Minute), nil, 0},
		"it ran in the session":     {began.Add(-time.Hour), time.Time{}, []string{context, attachment("1", "hook_success", "Stop", ours, "")}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t)
			for _, client := range []clients.Client{clients.ClaudeCode, clients.Codex} {
				m.Installed[client], m.Fired[client] = c.installed, c.fired
			}
			m.claude(project, "s1", append([]string{quiet}, c.lines...)...)
			m.codex(project, "s2", c.lines...)
			r := m.run()
			if r.ErrorCount != c.want || r.Has(diagnose.NeverFired) != (c.want > 0) {
				t.Errorf("%q", problems(r))
			}
		})
	}
	m := newMachine(t)
	m.claude(project, "s1", quiet)
	if r := m.run(); r.ErrorCount != 0 {
		t.Errorf("nothing is installed: %q", problems(r))
	}
}

// TestReport: only sessions of the project that were written lately count, a fork brings nothing new, and the report
// sums up.
func TestReport(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	failed := attachment("1", "hook_cancelled", "Stop", ours, `,"timedOut":true,"timeoutMs":2000`)
	old := attachment("2", "hook_success", "Stop", "lcm restore", "")
	m.claude(project, "s1", failed, `{"type":"custom-title","customTitle":"the parser","sessionId":"s1"}`)
	m.claude(project, "s2", failed, old) // A fork of it.
	m.claude("/other", "s3", failed)
	m.codex("/other", "s4")
	late := m.claude(project, "s5", attachment("5", "hook_blocking_error", "Stop", ours, ""))
	testdb.Must(t, os.Chtimes(late, time.Time{}, time.Now().Add(-2*time.Hour)))
	r := m.run()
	if r.Scanned != 2 || r.ErrorCount != 1 || r.WarningCount != 1 || r.WithErrors != 1 || *r.MostCommon != (diagnose.Count{Type: diagnose.HookTimeout, Count: 1}) {
		t.Errorf("%+v %q", r, problems(r))
	}
	if s := r.Sessions[0]; s.ID != "s1" || s.Name != "the parser" || s.ClientVersion != "2.1.330" || s.Last != "2026-02-01T10:00:01.000Z" {
		t.Errorf("%+v", s)
	}
	m.Project = ""
	if r := m.run(); r.Scanned != 4 {
		t.Errorf("all projects: %+v", r)
	}
}

// TestAForkCountsWhatIsNew: of a problem that a fork copied and that came again, it counts what came again.
func TestAForkCountsWhatIsNew(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	failed := func(id string) string {
		return strings.Replace(attachment(id, "hook_blocking_error", "Stop", ours, `,"stderr":"boom"`), "use-Stop", "use-"+id, 1)
	}
	m.claude(project, "s1", failed("1"), failed("2"), failed("3"))
	m.claude(project, "s2", failed("1"), failed("2"), failed("3"), failed("4"))
	r := m.run()
	if r.ErrorCount != 4 || r.WithErrors != 2 || r.MostCommon.Count != 4 {
		t.Errorf("%+v %q", r, problems(r))
	}
}

// TestOneEntryMayShowSeveralProblems: tools that a model called at once have their answers in one entry; each that failed counts,
// and none of them is a copy of another.
func TestOneEntryMayShowSeveralProblems(t *testing.T) {
	t.Parallel()
	var calls, results []string
	for i, text := range []string{"is locked", "is locked", "is damaged"} {
		calls = append(calls, fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":"mcp__lcm__lcm_grep","input":{}}`, i))
		results = append(results, fmt.Sprintf(`{"type":"tool_result","tool_use_id":"t%d","is_error":true,"content":%q}`, i, text))
	}
	m := newMachine(t)
	m.claude(project, "s1", `{"type":"assistant","message":{"content":[`+strings.Join(calls, ",")+`]},"uuid":"a"}`,
		`{"type":"user","message":{"content":[`+strings.Join(results, ",")+`]},"uuid":"b"}`)
	if r := m.run(); r.ErrorCount != 3 || len(problems(r)) != 2 {
		t.Errorf("%d errors: %q", r.ErrorCount, problems(r))
	}
}

// TestOwnFactsOfASession: the version and the times of a session are those of its entries, and not what stands in the texts of
// tools under the same names; and a file of Codex that doesn't say where it ran is of no project.
func TestOwnFactsOfASession(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.claude(project, "s1", attachment("1", "hook_blocking_error", "Stop", ours, ""),
		`{"message":{"content":[{"type":"tool_use","id":"t","name":"Write","input":{"version":"9.9.9","timestamp":"1999-01-01T00:00:00Z"}}]},"type":"assistant","uuid":"2","timestamp":"2026-02-01T10:00:05.000Z","toolUseResult":{"timestamp":"2001-01-01T00:00:00Z"},"version":"2.1.331"}`)
	r := m.run()
	if s := r.Sessions[0]; s.ClientVersion != "2.1.331" || s.Last != "2026-02-01T10:00:05.000Z" {
		t.Errorf("%+v", s)
	}
	m.write(filepath.Join(m.Folders[clients.Codex], "rollout-3.jsonl"), []string{`{"timestamp":"2026-02-01T10:00:00Z","type":"event_msg","payload":{}}`})
	if r := m.run(); r.Scanned != 1 {
		t.Errorf("%d sessions of the project", r.Scanned)
	}
}

// BenchmarkRun reads 5,000 sessions of 100 entries.
func BenchmarkRun(b *testing.B) {
	folder := b.TempDir()
	entry := fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"text","text":%q}]},"uuid":"a","timestamp":"2026-02-01T10:00:00.000Z","version":"2.1.330"}`, strings.Repeat("word ", 100))
	text := strings.Repeat(entry+"\n", 100) + attachment("1", "hook_success", "Stop", ours, "") + "\n"
	for i := range 5000 {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("s%d.jsonl", i)), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	r := diagnose.Request{Folders: map[clients.Client]string{clients.ClaudeCode: folder}}
	for b.Loop() {
		if report, err := diagnose.Run(b.Context(), r); err != nil || report.Scanned != 5000 {
			b.Fatalf("%+v, %v", report, err)
		}
	}
}
