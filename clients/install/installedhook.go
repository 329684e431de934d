package install

import (
	"fmt"
	"time"
)

// InstalledHook is a hook of this program as it stands in a client's file.
type InstalledHook struct {
	Event   string
	Path    string        // The file.
	Words   []string      // The program and its arguments.
	IsExec  bool          // The client starts it without a shell.
	Timeout time.Duration // After which the client stops it.
}

// InstalledHooks returns our hooks in the user's file and in that of the project. An error says that a file isn't
// valid.
func (i *Inspection) InstalledHooks(c Client) (list []InstalledHook, err error) {
	for _, scope := range []Scope{ScopeUser, ScopeProject} {
		p := &place{Inspection: i, client: c, scope: scope}
		p.read()
		for _, f := range p.found {
			return nil, fmt.Errorf("%s: %s", f.Path, f.Text)
		}
		if p.hooks == nil || scope == ScopeProject && p.hookPath == c.hookFile(i.Environment, ScopeUser) {
			continue
		}
		for _, h := range p.ourHooks() {
			words, isExec := hookProgram(h.members)
			unit := time.Second
			if c.Name == "gemini" {
				unit = time.Millisecond
			}
			limit := time.Duration(h.timeout * float64(unit))
			if h.timeout <= 0 {
				limit = time.Minute
			}
			list = append(list, InstalledHook{Event: h.event, Path: p.hookPath, Words: words, IsExec: isExec, Timeout: limit})
		}
	}
	return list, nil
}

// ShellLine returns a command line that a shell splits into these words.
func ShellLine(words []string) string { return shellLine(Server{Command: words[0], Args: words[1:]}) }
