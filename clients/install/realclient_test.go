package install_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lcm-tui/clients/install"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/demo"
)

// clientsVariable names the folder that has the clients in node_modules.
const clientsVariable = "LCM_CLIENTS"

// programFolder is where the program is built; empty where no test needed it.
var programFolder string

func TestMain(m *testing.M) {
	exit := m.Run()
	if programFolder != "" {
		_ = os.RemoveAll(programFolder)
	}
	os.Exit(exit)
}

// built is the program, built once for all tests of this process.
var built = sync.OnceValues(func() (path string, err error) {
	if programFolder, err = os.MkdirTemp("", "lcm-tui-clients-"); err != nil {
		return "", err
	}
	path = filepath.Join(programFolder, "lcm-tui")
	out, err := exec.CommandContext(context.Background(), "go", "build", "-o", path, "lcm-tui").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return path, err
})

// machine is a home folder and a project of their own, a database, and the real clients.
type machine struct {
	t                           *testing.T
	program, home, project, bin string
	database                    string
	variables                   []string
}

// newMachine skips the test where the clients aren't installed.
func newMachine(t *testing.T) *machine {
	t.Helper()
	folder := os.Getenv(clientsVariable)
	if folder == "" {
		t.Skip(clientsVariable + " names no folder with the clients")
	}
	bin, err := filepath.Abs(filepath.Join(folder, "node_modules", ".bin"))
	if err != nil {
		t.Fatal(err)
	}
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	e := newEnvironment(t)
	m := &machine{t: t, program: program, home: e.Home, project: e.WorkDir, bin: bin, database: filepath.Join(e.Home, "lcm.db")}
	if err := demo.Write(m.database, at); err != nil {
		t.Fatal(err)
	}
	before := read(t, m.database)
	t.Cleanup(func() {
		if read(t, m.database) != before {
			t.Error("the database has changed")
		}
	})
	m.variables = []string{
		"HOME=" + m.home, "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "TMPDIR=" + t.TempDir(), "TERM=dumb",
		"GEMINI_CLI_TRUST_WORKSPACE=true", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
	}
	return m
}

// run runs a program and returns what it printed: its result, and its notes.
func (m *machine) run(name string, args ...string) (out, notes string) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), 2*time.Minute)
	defer cancel()
	if !filepath.IsAbs(name) {
		name = filepath.Join(m.bin, name)
	}
	var o, e bytes.Buffer
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env, c.Stdout, c.Stderr = m.project, m.variables, &o, &e
	if err := c.Run(); err != nil {
		m.t.Fatalf("%s %q: %v\n%s%s", name, args, err, &o, &e)
	}
	return o.String(), e.String()
}

// install registers the server by our own command.
func (m *machine) install(client string, args ...string) {
	m.t.Helper()
	m.run(m.program, append([]string{"install", client, "--what", "mcp", "--apply", "--db", m.database}, args...)...)
}

// server returns what the entry starts.
func (m *machine) server() install.Server {
	return install.Server{Command: m.program, Args: []string{"mcp", "--db", m.database}}
}

// session speaks the protocol with our server as a client of a name.
type session struct {
	t     *testing.T
	write func(message map[string]any)
	read  func() map[string]json.RawMessage
	id    int
}

func (m *machine) open(client string) *session {
	m.t.Helper()
	c := exec.CommandContext(m.t.Context(), m.program, m.server().Args...)
	c.Env = m.variables
	in, errIn := c.StdinPipe()
	out, errOut := c.StdoutPipe()
	if err := errors.Join(errIn, errOut, c.Start()); err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = errors.Join(in.Close(), c.Wait()) })
	lines := bufio.NewReader(out)
	s := &session{t: m.t}
	s.write = func(message map[string]any) {
		message["jsonrpc"] = "2.0"
		b, err := json.Marshal(message)
		if err == nil {
			_, err = in.Write(append(b, '\n'))
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
	s.read = func() (message map[string]json.RawMessage) {
		line, err := lines.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &message)
		}
		if err != nil {
			s.t.Fatalf("%s: %v", line, err)
		}
		return message
	}
	s.ask("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]string{"name": client, "version": "1"}}, nil)
	s.write(map[string]any{"method": "notifications/initialized"})
	return s
}

// ask sends a request and decodes its result.
func (s *session) ask(method string, params, result any) {
	s.t.Helper()
	s.id++
	s.write(map[string]any{"id": s.id, "method": method, "params": params})
	for {
		answer := s.read()
		if string(answer["id"]) != fmt.Sprint(s.id) {
			continue // A notification.
		}
		if answer["error"] != nil {
			s.t.Fatalf("%s: %s", method, answer["error"])
		}
		if result != nil {
			if err := json.Unmarshal(answer["result"], result); err != nil {
				s.t.Fatal(err)
			}
		}
		return
	}
}

// call returns the text of a tool.
func (s *session) call(c toolCall) string {
	s.t.Helper()
	var result struct{ Content json.RawMessage }
	s.ask("tools/call", map[string]any{"name": c.tool, "arguments": json.RawMessage(c.arguments)}, &result)
	return text(result.Content)
}

// tools returns the names of all tools.
func (s *session) tools() (names []string) {
	s.t.Helper()
	var list struct{ Tools []struct{ Name string } }
	s.ask("tools/list", map[string]any{}, &list)
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// script has a call of each tool of the server that is about the database of the test.
func (m *machine) script(s *session) (calls []toolCall) {
	m.t.Helper()
	db, err := data.Open(m.t.Context(), m.database)
	if err != nil {
		m.t.Fatal(err)
	}
	defer db.Close()
	all, err := lcm.Conversations(m.t.Context(), db)
	if err != nil {
		m.t.Fatal(err)
	}
	var conv int64
	var id string
	for _, c := range all {
		items, err := lcm.Context(m.t.Context(), db, c.ID)
		if err != nil {
			m.t.Fatal(err)
		}
		if i := slices.IndexFunc(items, func(i lcm.ContextItem) bool { return i.Summary != "" }); i >= 0 {
			conv, id = c.ID, items[i].Summary
		}
	}
	arguments := map[string]string{
		"lcm_conversations": `{"limit":3}`,
		"lcm_describe":      fmt.Sprintf(`{"id":%q,"allConversations":true}`, id),
		"lcm_expand":        fmt.Sprintf(`{"summaryIds":[%q],"allConversations":true}`, id),
		"lcm_expand_query":  fmt.Sprintf(`{"prompt":"What was decided?","summaryIds":[%q],"conversationId":%d}`, id, conv),
		"lcm_grep":          `{"pattern":"index","mode":"full_text","allConversations":true}`,
		"lcm_recent":        fmt.Sprintf(`{"conversationId":%d,"limit":5}`, conv),
		"lcm_status":        `{}`,
		"lcm_doctor":        `{}`,
		"lcm_search":        `{"query":"index"}`,
		"lcm_stats":         `{}`,
	}
	for _, tool := range s.tools() {
		if arguments[tool] == "" {
			m.t.Errorf("no call of %s", tool)
			continue
		}
		calls = append(calls, toolCall{tool, arguments[tool]})
	}
	return calls
}

// checkTurn compares what the model got with what our server answers.
func checkTurn(t *testing.T, s *session, model *fakeModel, out string, strip func(string) string) {
	t.Helper()
	for i, c := range model.calls {
		want := s.call(c)
		if got := strip(model.result(i)); got != want || want == "" {
			t.Errorf("%s: the model got\n%q\nwant\n%q\n%s", c.tool, got, want, out)
		}
	}
}

// TestClaudeCode: it connects, and in a whole turn the model gets exactly our texts, and behind
// them Claude Code's own reminders, such as of the tokens that are left.
func TestClaudeCode(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.install("claude-code")
	if out, _ := m.run("claude", "mcp", "list"); !strings.Contains(out, "Connected") {
		t.Errorf("claude mcp list: %s", out)
	}
	s := m.open("claude-code")
	model := &fakeModel{calls: m.script(s)}
	m.variables = append(m.variables, "ANTHROPIC_BASE_URL="+model.serveMessages(t), "ANTHROPIC_API_KEY=none")
	_, notes := m.run("claude", "-p", "What do you remember?", "--model", "claude-sonnet-4-5", "--allowedTools", "mcp__lcm")
	checkTurn(t, s, model, notes, func(got string) string {
		text, _, _ := strings.Cut(got, "\n<system-reminder>\n")
		return text
	})
}

// TestCodex: it lists the server, and in a whole turn the model gets exactly our texts behind
// Codex's own line about the time.
func TestCodex(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	s := m.open("codex-mcp-client")
	model := &fakeModel{calls: m.script(s)}
	write(t, filepath.Join(m.home, ".codex", "config.toml"), fmt.Sprintf(`model = "fake"
model_provider = "fake"
approval_policy = "never"

[model_providers.fake]
name = "fake"
base_url = "%s/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`, model.serveResponses(t)))
	m.install("codex")
	if out, _ := m.run("codex", "mcp", "list"); !strings.Contains(out, m.program) || !strings.Contains(out, "enabled") {
		t.Errorf("codex mcp list: %s", out)
	}
	_, notes := m.run("codex", "exec", "--skip-git-repo-check", "What do you remember?")
	checkTurn(t, s, model, notes, func(got string) string {
		_, text, _ := strings.Cut(got, "\nOutput:")
		return text
	})
}

// TestGemini: it connects.
func TestGemini(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.install("gemini")
	if out, notes := m.run("gemini", "mcp", "list"); !strings.Contains(out+notes, "lcm") || !strings.Contains(out+notes, "Connected") {
		t.Errorf("gemini mcp list: %s%s", out, notes)
	}
}

// TestFolders: where a variable names another folder for a client's configuration, the client
// finds what we wrote there.
func TestFolders(t *testing.T) {
	t.Parallel()
	for client, x := range map[string]struct{ variable, program string }{
		"claude-code": {"CLAUDE_CONFIG_DIR", "claude"}, "codex": {"CODEX_HOME", "codex"}, "gemini": {"GEMINI_CLI_HOME", "gemini"},
	} {
		m := newMachine(t)
		folder := filepath.Join(m.home, "elsewhere")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		m.variables = append(m.variables, x.variable+"="+folder)
		m.install(client)
		if out, notes := m.run(x.program, "mcp", "list"); !strings.Contains(out+notes, m.program) {
			t.Errorf("%s: %s%s", client, out, notes)
		}
	}
}

// TestOwnCommands: what the clients' own commands write means the same as what we write, and we
// know it for ours.
func TestOwnCommands(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	for _, name := range []string{"claude-code", "codex", "gemini"} {
		for _, scope := range []install.Scope{install.ScopeUser, install.ScopeProject} {
			if name == "codex" && scope == install.ScopeProject {
				continue // Its command has no scopes.
			}
			r := request(t, name)
			r.Scope, r.Server = scope, m.server()
			e := install.Environment{Variable: func(string) string { return "" }, Home: m.home, WorkDir: m.project, OS: "linux"}
			words := strings.Fields(r.Client.Command(r.Server, scope))
			out, _ := m.run(words[0], words[1:]...)
			path, err := r.Client.Path(e, scope)
			if err != nil {
				t.Fatal(err)
			}
			theirs := read(t, path)
			if _, err := r.Install(e); !errors.Is(err, install.ErrNothing) {
				t.Errorf("%s %s: %v\n%s\n%s", name, scope, err, out, theirs)
			}
			c, err := r.Uninstall(e)
			apply(t, c, err)
			c, err = r.Install(e)
			apply(t, c, err)
			if a, b := values(t, name, theirs), values(t, name, read(t, path)); !bytes.Equal(a, b) {
				t.Errorf("%s %s: they write\n%s\nwe write\n%s", name, scope, a, b)
			}
		}
	}
}

// values returns the servers of a configuration, as JSON with sorted keys.
func values(t *testing.T, client, content string) []byte {
	t.Helper()
	all := install.Values(t, client, content)
	b, err := json.MarshalIndent(all["mcpServers"], "", " ")
	if client == "codex" {
		b, err = json.MarshalIndent(all["mcp_servers"], "", " ")
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestInspector: the MCP inspector lists and calls every tool, over standard input and output
// and over HTTP.
func TestInspector(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	s := m.open("inspector-cli")
	calls := m.script(s)
	ways := map[string][]string{"stdio": append([]string{"--cli", m.program}, m.server().Args...)}
	ways["http"] = m.serveHTTP()
	for way, args := range ways {
		out, _ := m.run("mcp-inspector", append(slices.Clone(args), "--method", "tools/list")...)
		for _, c := range calls {
			if !strings.Contains(out, `"name": "`+c.tool+`"`) {
				t.Errorf("%s: tools/list has no %s: %s", way, c.tool, out)
			}
			call := append(slices.Clone(args), "--method", "tools/call", "--tool-name", c.tool)
			var arguments map[string]json.RawMessage
			if err := json.Unmarshal([]byte(c.arguments), &arguments); err != nil {
				t.Fatal(err)
			}
			for name, value := range arguments {
				call = append(call, "--tool-arg", name+"="+strings.Trim(string(value), `"`))
			}
			out, _ := m.run("mcp-inspector", call...)
			var result struct {
				Content json.RawMessage
				IsError bool
			}
			if err := json.Unmarshal([]byte(out), &result); err != nil || result.IsError || text(result.Content) != s.call(c) {
				t.Errorf("%s: %s: %v\n%s", way, c.tool, err, out)
			}
		}
	}
}

// serveHTTP starts our server on loopback and returns the arguments by which the inspector
// reaches it.
func (m *machine) serveHTTP() (args []string) {
	m.t.Helper()
	token := filepath.Join(m.home, "token")
	c := exec.CommandContext(m.t.Context(), m.program, append(m.server().Args, "--http", "127.0.0.1:0", "--token-file", token)...)
	c.Env = m.variables
	out, err := c.StderrPipe()
	if err := errors.Join(err, c.Start()); err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = errors.Join(c.Process.Signal(os.Interrupt), c.Wait()) })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if _, rest, ok := strings.Cut(lines.Text(), "serving "); ok {
			url, _, _ := strings.Cut(rest, ";")
			go func() { _, _ = bufio.NewReader(out).WriteTo(&bytes.Buffer{}) }()
			return []string{"--cli", url, "--transport", "http", "--header", "Authorization: Bearer " + strings.TrimSpace(read(m.t, token))}
		}
	}
	m.t.Fatal("the server did not say where it is")
	return nil
}
