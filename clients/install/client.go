package install

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// EntryName is the name of our server in every configuration.
const EntryName = "lcm"

// Scope says whose configuration is meant.
type Scope string

// The scopes.
const (
	ScopeUser    Scope = "user"    // Every project of the user.
	ScopeProject Scope = "project" // The project in the working folder.
)

// Environment says where clients keep their configuration.
type Environment struct {
	Variable func(name string) string // An environment variable, as os.Getenv gives it.
	Home     string                   // The user's folder.
	WorkDir  string                   // The folder of the project.
	OS       string                   // As in runtime.GOOS.
	Receipts string                   // The file that notes what was installed; empty where none is kept.

	planned map[string]*file // Files as the changes before leave them, by path.
}

// Server is how a client starts our server.
type Server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// format is how a client writes its configuration.
type format int

const (
	formatJSON  format = iota // JSON as the standard has it.
	formatJSONC               // JSON with comments and trailing commas.
	formatTOML
)

// Client is a program that starts MCP servers.
type Client struct {
	Name  string // As it is typed.
	Title string // As its maker writes it.

	format    format
	container string // The key of all servers.
	// hasType: an entry names its transport; hasEnv: it has an object of variables.
	hasType, hasEnv bool
	hasLock         bool                       // It locks the user's file while it writes.
	user, project   func(e Environment) string // The file of a scope; nil where we write none.
}

// clients are all that we know, in the order of the help.
var clients = []Client{
	{Name: "claude-code", Title: "Claude Code", container: "mcpServers", hasType: true, hasEnv: true, hasLock: true, user: claudeFile, project: inProject(".mcp.json")},
	{Name: "codex", Title: "Codex", format: formatTOML, container: "mcp_servers", user: codexFile, project: inProject(".codex", "config.toml")},
	{Name: "gemini", Title: "Gemini CLI", format: formatJSONC, container: "mcpServers", user: geminiFile, project: inProject(".gemini", "settings.json")},
	{Name: "cursor", Title: "Cursor", format: formatJSONC, container: "mcpServers", user: inHome(".cursor", "mcp.json"), project: inProject(".cursor", "mcp.json")},
	{Name: "vscode", Title: "VS Code", format: formatJSONC, container: "servers", hasType: true, user: codeFile, project: inProject(".vscode", "mcp.json")},
	{Name: "openclaw", Title: "OpenClaw"},
}

// Names returns the names of the clients.
func Names() (names []string) {
	for _, c := range clients {
		names = append(names, c.Name)
	}
	return names
}

// ClientNamed returns the client of a name.
func ClientNamed(name string) (c Client, ok bool) {
	i := slices.IndexFunc(clients, func(c Client) bool { return c.Name == name })
	if i < 0 {
		return Client{}, false
	}
	return clients[i], true
}

// IsWritable reports whether we change the client's configuration. Otherwise there is only a
// snippet to paste.
func (c Client) IsWritable() bool { return c.user != nil }

// Path returns the file that holds the servers of a scope.
func (c Client) Path(e Environment, scope Scope) (string, error) {
	find := c.user
	if scope == ScopeProject {
		find = c.project
	}
	path := find(e)
	if path == "" || path[0] == '.' || !filepath.IsAbs(path) && e.OS != "windows" {
		return "", fmt.Errorf("find the configuration of %s: the home folder isn't known", c.Title)
	}
	return path, nil
}

// join joins names to a path of the system.
func (e Environment) join(folder string, names ...string) string {
	if folder == "" {
		return ""
	}
	if e.OS == "windows" {
		return strings.Join(append([]string{strings.TrimRight(folder, `\/`)}, names...), `\`)
	}
	return filepath.Join(append([]string{folder}, names...)...)
}

// folder returns the folder that a variable names, else one in the home folder.
func (e Environment) folder(variable string, names ...string) string {
	if v := strings.TrimSpace(e.Variable(variable)); v != "" {
		return v
	}
	return e.join(e.Home, names...)
}

func inHome(names ...string) func(Environment) string {
	return func(e Environment) string { return e.join(e.Home, names...) }
}

func inProject(names ...string) func(Environment) string {
	return func(e Environment) string { return e.join(e.WorkDir, names...) }
}

// claudeFile returns .claude.json; a file of an older version, .config.json, counts before it.
func claudeFile(e Environment) string {
	if old := e.join(e.folder("CLAUDE_CONFIG_DIR", ".claude"), ".config.json"); exists(old) {
		return old
	}
	return e.join(e.folder("CLAUDE_CONFIG_DIR"), ".claude.json")
}

func codexFile(e Environment) string { return e.join(e.folder("CODEX_HOME", ".codex"), "config.toml") }

func geminiFile(e Environment) string {
	return e.join(e.folder("GEMINI_CLI_HOME"), ".gemini", "settings.json")
}

// codeFile returns the file of the profile that VS Code uses by default.
func codeFile(e Environment) string {
	switch e.OS {
	case "windows":
		return e.join(e.folder("APPDATA", "AppData", "Roaming"), "Code", "User", "mcp.json")
	case "darwin":
		return e.join(e.Home, "Library", "Application Support", "Code", "User", "mcp.json")
	}
	return e.join(e.folder("XDG_CONFIG_HOME", ".config"), "Code", "User", "mcp.json")
}
