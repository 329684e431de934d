package install_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/clients/install"
)

// ours is the server of the tests.
var ours = install.Server{Command: "/opt/lcm/lcm-tui", Args: []string{"mcp", "--db", "/data/my lcm.db"}}

// at is the moment of every change.
var at = time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)

// newEnvironment returns a home folder and a project, both empty.
func newEnvironment(t testing.TB) install.Environment {
	t.Helper()
	root := t.TempDir()
	e := install.Environment{Variable: func(string) string { return "" }, Home: filepath.Join(root, "home"), WorkDir: filepath.Join(root, "project"), OS: "linux"}
	for _, folder := range []string{e.Home, e.WorkDir} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// request returns about a client in the user's scope.
func request(t testing.TB, client string) install.Request {
	t.Helper()
	c, ok := install.ClientNamed(client)
	if !ok {
		t.Fatalf("no client %s", client)
	}
	return install.Request{Client: c, Scope: install.ScopeUser, Server: ours}
}

// configure writes a client's configuration and returns its path.
func configure(t testing.TB, e install.Environment, r install.Request, content string) (path string) {
	t.Helper()
	path, err := r.Client.Path(e, r.Scope)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, content)
	return path
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// apply writes a change.
func apply(t testing.TB, c *install.Change, err error) (backup string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	backup, err = c.Apply(at)
	if err != nil {
		t.Fatal(err)
	}
	return backup
}

// example is a configuration before and after the installation.
type example struct{ name, client, before, after string }

var examples = []example{
	{"a member more, and no other line changes", "cursor", `{
  "mcpServers": {
    "github": {
      "command": "docker"
    }
  },
  "theme": "dark"
}
`, `{
  "mcpServers": {
    "lcm": {
      "command": "/opt/lcm/lcm-tui",
      "args": [
        "mcp",
        "--db",
        "/data/my lcm.db"
      ]
    },
    "github": {
      "command": "docker"
    }
  },
  "theme": "dark"
}
`},
	{"the container is made", "claude-code", "{\n\t\"numStartups\": 3\n}", "{\n\t\"mcpServers\": {\n\t\t\"lcm\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"/opt/lcm/lcm-tui\",\n\t\t\t\"args\": [\n\t\t\t\t\"mcp\",\n\t\t\t\t\"--db\",\n\t\t\t\t\"/data/my lcm.db\"\n\t\t\t],\n\t\t\t\"env\": {}\n\t\t}\n\t},\n\t\"numStartups\": 3\n}"},
	{"comments keep their place", "vscode", `{
  // The servers of the team.
  "servers": { // shared
    // GitHub
    "github": {"url": "https://x"}, // last
  },
  /* inputs */
  "inputs": [],
}
`, `{
  // The servers of the team.
  "servers": { // shared
    "lcm": {
      "type": "stdio",
      "command": "/opt/lcm/lcm-tui",
      "args": [
        "mcp",
        "--db",
        "/data/my lcm.db"
      ]
    },
    // GitHub
    "github": {"url": "https://x"}, // last
  },
  /* inputs */
  "inputs": [],
}
`},
	{"one line stays one", "gemini", `{"mcpServers":{"a":{"command":"x"}},"ui":{}}`, `{"mcpServers":{"lcm": {"command":"/opt/lcm/lcm-tui","args":["mcp","--db","/data/my lcm.db"]}, "a":{"command":"x"}},"ui":{}}`},
	{"Windows line breaks", "cursor", "{\r\n    \"mcpServers\": {}\r\n}\r\n", "{\r\n    \"mcpServers\": {\r\n        \"lcm\": {\r\n            \"command\": \"/opt/lcm/lcm-tui\",\r\n            \"args\": [\r\n                \"mcp\",\r\n                \"--db\",\r\n                \"/data/my lcm.db\"\r\n            ]\r\n        }\r\n    }\r\n}\r\n"},
	{"a byte order mark", "gemini", "\ufeff{\"a\": 1}", "\ufeff{\"mcpServers\": {\"lcm\":{\"command\":\"/opt/lcm/lcm-tui\",\"args\":[\"mcp\",\"--db\",\"/data/my lcm.db\"]}}, \"a\": 1}"},
	{"an older version of ours is brought up to date, with what the user added", "cursor", `{
  "mcpServers": {
    "lcm": {
      "command": "/usr/local/bin/lcm-tui",
      "args": ["mcp"],
      "env": {"TZ": "UTC"},
      "timeout": 9
    }
  }
}`, `{
  "mcpServers": {
    "lcm": {
      "command": "/opt/lcm/lcm-tui",
      "args": ["mcp","--db","/data/my lcm.db"],
      "env": {"TZ": "UTC"},
      "timeout": 9
    }
  }
}`},
	{"a table at the end", "codex", "model = \"gpt-5\" # mine\n\n[mcp_servers.github]\ncommand = \"docker\"\n", "model = \"gpt-5\" # mine\n\n[mcp_servers.github]\ncommand = \"docker\"\n\n[mcp_servers.lcm]\ncommand = \"/opt/lcm/lcm-tui\"\nargs = [\"mcp\", \"--db\", \"/data/my lcm.db\"]\n"},
	{"no line break at the end, Windows line breaks", "codex", "[profiles.x]\r\nmodel = 'a'", "[profiles.x]\r\nmodel = 'a'\r\n\r\n[mcp_servers.lcm]\r\ncommand = \"/opt/lcm/lcm-tui\"\r\nargs = [\"mcp\", \"--db\", \"/data/my lcm.db\"]\r\n"},
	{"tables of several kinds", "codex", "mcp_servers.a.command = \"x\"\n[[hooks]]\nrun = \"\"\"\n[mcp_servers.lcm]\n\"\"\"\n[[hooks]]\nrun = 'b'\n", "mcp_servers.a.command = \"x\"\n[[hooks]]\nrun = \"\"\"\n[mcp_servers.lcm]\n\"\"\"\n[[hooks]]\nrun = 'b'\n\n[mcp_servers.lcm]\ncommand = \"/opt/lcm/lcm-tui\"\nargs = [\"mcp\", \"--db\", \"/data/my lcm.db\"]\n"},
	{"a table on one line, brought up to date", "codex", "[mcp_servers]\nlcm = { args = ['mcp'], command = 'lcm-tui', enabled = true } # memory\nx = { command = 'y' }\n", "[mcp_servers]\nlcm = { args = [\"mcp\", \"--db\", \"/data/my lcm.db\"], command = \"/opt/lcm/lcm-tui\", enabled = true } # memory\nx = { command = 'y' }\n"},
	{"dotted keys, brought up to date", "codex", "mcp_servers.lcm.command = \"lcm-tui\"\nmcp_servers.lcm.args = [\n  \"mcp\", # the server\n]\n", "mcp_servers.lcm.command = \"/opt/lcm/lcm-tui\"\nmcp_servers.lcm.args = [\"mcp\", \"--db\", \"/data/my lcm.db\"]\n"},
	{"an empty file", "codex", "", "[mcp_servers.lcm]\ncommand = \"/opt/lcm/lcm-tui\"\nargs = [\"mcp\", \"--db\", \"/data/my lcm.db\"]\n"},
}

// TestInstall: only our entry is written, in the style of the file, and taking it out gives
// back every byte.
func TestInstall(t *testing.T) {
	t.Parallel()
	for _, x := range examples {
		t.Run(x.client+": "+x.name, func(t *testing.T) {
			t.Parallel()
			e, r := newEnvironment(t), request(t, x.client)
			path := configure(t, e, r, x.before)
			c, err := r.Install(e)
			if backup := apply(t, c, err); read(t, backup) != x.before {
				t.Errorf("the backup: %q", read(t, backup))
			}
			if got := read(t, path); got != x.after {
				t.Errorf("installed:\n%s\nwant:\n%s", got, x.after)
			}
			if c, err := r.Install(e); !errors.Is(err, install.ErrNothing) {
				t.Errorf("a second time: %v, %v", c, err)
			}
			isUpdate := strings.Contains(x.name, "up to date")
			c, err = r.Uninstall(e)
			apply(t, c, err)
			if isUpdate { // What stood before the older entry isn't known.
				return
			}
			if got := read(t, path); got != x.before {
				t.Errorf("uninstalled:\n%q\nwant:\n%q", got, x.before)
			}
			if c, err := r.Uninstall(e); !errors.Is(err, install.ErrNothing) {
				t.Errorf("uninstalled a second time: %v, %v", c, err)
			}
		})
	}
}
