package install_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/clients/install"
)

// TestPlaces: where each client keeps its servers, by system and by its own variables.
func TestPlaces(t *testing.T) {
	t.Parallel()
	variables := map[string]string{
		"CLAUDE_CONFIG_DIR": "/c/claude", "CODEX_HOME": "/c/codex", "GEMINI_CLI_HOME": "/c/gemini", "XDG_CONFIG_HOME": "/c/xdg", "APPDATA": `D:\Roaming`,
	}
	for _, x := range []struct {
		client, system string
		scope          install.Scope
		hasVariables   bool
		want           string
	}{
		{"claude-code", "linux", install.ScopeUser, false, "/home/zoë/.claude.json"},
		{"claude-code", "linux", install.ScopeUser, true, "/c/claude/.claude.json"},
		{"claude-code", "linux", install.ScopeProject, true, "/src/project/.mcp.json"},
		{"codex", "darwin", install.ScopeUser, false, "/home/zoë/.codex/config.toml"},
		{"codex", "linux", install.ScopeUser, true, "/c/codex/config.toml"},
		{"codex", "linux", install.ScopeProject, true, "/src/project/.codex/config.toml"},
		{"gemini", "linux", install.ScopeUser, false, "/home/zoë/.gemini/settings.json"},
		{"gemini", "linux", install.ScopeUser, true, "/c/gemini/.gemini/settings.json"},
		{"gemini", "linux", install.ScopeProject, false, "/src/project/.gemini/settings.json"},
		{"cursor", "linux", install.ScopeUser, true, "/home/zoë/.cursor/mcp.json"},
		{"cursor", "linux", install.ScopeProject, true, "/src/project/.cursor/mcp.json"},
		{"vscode", "linux", install.ScopeUser, false, "/home/zoë/.config/Code/User/mcp.json"},
		{"vscode", "linux", install.ScopeUser, true, "/c/xdg/Code/User/mcp.json"},
		{"vscode", "darwin", install.ScopeUser, false, "/home/zoë/Library/Application Support/Code/User/mcp.json"},
		{"vscode", "windows", install.ScopeUser, false, `C:\Users\zoë\AppData\Roaming\Code\User\mcp.json`},
		{"vscode", "windows", install.ScopeUser, true, `D:\Roaming\Code\User\mcp.json`},
		{"vscode", "linux", install.ScopeProject, false, "/src/project/.vscode/mcp.json"},
		{"claude-code", "windows", install.ScopeUser, false, `C:\Users\zoë\.claude.json`},
		{"codex", "windows", install.ScopeUser, false, `C:\Users\zoë\.codex\config.toml`},
	} {
		e := install.Environment{Variable: func(string) string { return "" }, Home: "/home/zoë", WorkDir: "/src/project", OS: x.system}
		if x.system == "windows" {
			e.Home = `C:\Users\zoë\`
		}
		if x.hasVariables {
			e.Variable = func(name string) string { return variables[name] }
		}
		if got, err := request(t, x.client).Client.Path(e, x.scope); err != nil || got != x.want {
			t.Errorf("%s %s %s: %s, %v, want %s", x.client, x.system, x.scope, got, err, x.want)
		}
	}
	if path, err := request(t, "codex").Client.Path(install.Environment{Variable: func(string) string { return "" }, OS: "linux"}, install.ScopeUser); err == nil {
		t.Errorf("without a home: %s", path)
	}
}

// TestOldClaudeFile: a file of an older version of Claude Code counts before the one that it
// would create now.
func TestOldClaudeFile(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	old := filepath.Join(e.Home, ".claude", ".config.json")
	write(t, old, "{}")
	if got, err := request(t, "claude-code").Client.Path(e, install.ScopeUser); err != nil || got != old {
		t.Errorf("%s, %v", got, err)
	}
}

// TestWindowsPaths: a path with backslashes is the same after it was written and read, in every
// format.
func TestWindowsPaths(t *testing.T) {
	t.Parallel()
	for _, command := range []string{`C:\Program Files\lcm\lcm-tui.exe`, `C:\it's\lcm-tui.exe`, `/tab	and "quote"/lcm-tui`, "/é/漢/lcm-tui"} {
		for _, client := range []string{"claude-code", "codex", "gemini", "cursor", "vscode"} {
			e, r := newEnvironment(t), request(t, client)
			r.Server = install.Server{Command: command, Args: []string{"mcp", "--db", command + `\lcm.db`, "it's \"\\"}}
			c, err := r.Install(e)
			apply(t, c, err)
			if _, err := r.Install(e); err == nil || !strings.Contains(err.Error(), "already") {
				t.Errorf("%s: %s: it isn't known again: %v\n%s", client, command, err, read(t, c.Path))
			}
		}
	}
}

// TestDiff: the change is shown with its surroundings, but not the secrets that others have
// there; of a file on one line only the part that changes.
func TestDiff(t *testing.T) {
	t.Parallel()
	for client, x := range map[string]struct{ content, want string }{
		"cursor": {
			"{\n  \"mcpServers\": {\n    \"a\": {\"env\": {\"X\": \"hunter2\"}, \"args\": [\"--api-key\", \"hunter2\", \"--token=hunter2\", \"open\"]}\n  }\n}\n",
			"--- PATH\n+++ PATH\n@@ -1,5 +1,13 @@\n {\n   \"mcpServers\": {\n+    \"lcm\": {\n+      \"command\": \"/opt/lcm/lcm-tui\",\n+      \"args\": [\n+        \"mcp\",\n+        \"--db\",\n+        \"/data/my lcm.db\"\n+      ]\n+    },\n     \"a\": {\"env\": {\"X\": \"…\"}, \"args\": [\"--api-key\", \"…\", \"…\", \"open\"]}\n   }\n }\n",
		},
		"codex": {
			"[mcp_servers.a]\nargs = ['--token=hunter2']\nenv = { A = \"hunter2\" }\n",
			"--- PATH\n+++ PATH\n@@ -1,3 +1,7 @@\n [mcp_servers.a]\n args = …\n env = { A = … }\n+\n+[mcp_servers.lcm]\n+command = \"/opt/lcm/lcm-tui\"\n+args = [\"mcp\", \"--db\", \"/data/my lcm.db\"]\n",
		},
	} {
		e, r := newEnvironment(t), request(t, client)
		path := configure(t, e, r, x.content)
		c, err := r.Install(e)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(c.Diff(), path, "PATH"); got != x.want {
			t.Errorf("%s:\n%s", client, got)
		}
	}
	e, r := newEnvironment(t), request(t, "claude-code")
	configure(t, e, r, `{"history": [`+strings.Repeat(`"a question", `, 300)+`"é"], "mcpServers": {"a": {}}, "z": [`+strings.Repeat(`1, `, 500)+`1]}`)
	c, err := r.Install(e)
	if err != nil || len(c.Diff()) > 1500 || !strings.Contains(c.Diff(), ours.Command) || !strings.Contains(c.Diff(), " …\n") {
		t.Errorf("one line: %v\n%s", err, c.Diff())
	}
	e, r = newEnvironment(t), request(t, "cursor")
	c, err = r.Install(e)
	if err != nil || !strings.HasPrefix(c.Diff(), "--- /dev/null\n+++ "+c.Path+"\n@@ -0,0 +1,") {
		t.Errorf("a new file: %v\n%s", err, c.Diff())
	}
	if _, err := os.Stat(c.Path); err == nil {
		t.Error("the preview wrote a file")
	}
}
