package clients

import (
	"path/filepath"

	"lcm-tui/internal/lazyregexp"
)

// Client is a coding agent, in the word that commands use.
type Client string

// The clients whose hooks call this program.
const (
	ClaudeCode Client = "claude-code"
	Codex      Client = "codex"
	Gemini     Client = "gemini"
)

// All lists the clients.
func All() []Client { return []Client{ClaudeCode, Codex, Gemini} }

// folders are, of each client, the variable that names its folder, the folder in the home folder, and that of the
// session files in it. The variable of Gemini CLI names a home folder.
var folders = map[Client]struct{ variable, below, home, sessions string }{
	ClaudeCode: {"CLAUDE_CONFIG_DIR", "", ".claude", "projects"},
	Codex:      {"CODEX_HOME", "", ".codex", "sessions"},
	Gemini:     {"GEMINI_CLI_HOME", ".gemini", ".gemini", "tmp"},
}

// Sessions returns the folder of a client's session files, there or not; empty where it isn't known.
func (c Client) Sessions(env func(string) string) string {
	f, ok := folders[c]
	if !ok {
		return ""
	}
	if named := env(f.variable); filepath.IsAbs(named) {
		return filepath.Join(named, f.below, f.sessions)
	}
	if home := env("HOME"); home != "" {
		return filepath.Join(home, f.home, f.sessions)
	}
	return ""
}

// SessionFolders returns the folders of all clients' session files, there or not.
func SessionFolders(env func(string) string) (out []string) {
	for _, c := range All() {
		if folder := c.Sessions(env); folder != "" {
			out = append(out, folder)
		}
	}
	return out
}

// notInName matches what Claude Code replaces in the name of a project's folder.
var notInName = lazyregexp.New(`[^A-Za-z0-9]`)

// ProjectFolder returns the name of the folder in which Claude Code keeps the session files of a project.
func ProjectFolder(project string) string { return notInName.ReplaceAllString(project, "-") }
