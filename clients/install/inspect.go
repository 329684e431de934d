package install

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/internal/hint"
)

// Finding is what is wrong with an installation.
type Finding struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	Client   string `json:"client"`
	Path     string `json:"path"`
	Pointer  string `json:"pointer,omitempty"` // Where in the file, as a JSON pointer.
	Text     string `json:"text"`
	Repair   string `json:"repair"`
}

// The severities of findings.
const (
	SeverityWarn  = "warn"
	SeverityError = "error"
)

// Handshake starts a server as a client would, asks for its tools, and says what went wrong.
type Handshake func(ctx context.Context, s Server) error

// Inspection looks at what clients have of this program. It reads files only; the handshake alone starts
// a program: ours, as it is written in an entry.
type Inspection struct {
	Environment Environment
	Program     string // The path of this program.
	Database    string // The file that is used where an entry names none.
	Handshake   Handshake
	// Uses says what became of the hooks, by client; nil where that isn't known.
	Uses map[string]Use
	// HookLog is the file in which hooks note their runs; empty where there is none.
	HookLog string
	Now     time.Time // For ages; the zero time leaves out what depends on them.
}

// Use is what is known of the work of a client.
type Use struct {
	Session time.Time       // When a session file was written last; zero where there is none.
	Fired   map[string]bool // The events at which a hook ran.
	// Dying are the session files that it deletes within seven days and that aren't imported as a whole, and Soon those
	// of them within two.
	Dying, Soon int
}

// place is one client in one scope.
type place struct {
	*Inspection
	client   Client
	scope    Scope
	found    []Finding
	hooks    *jsonText // The file of hooks; nil where it isn't there or isn't valid.
	hookPath string
	server   *entry // The entry of the server; nil without one.
	mcpPath  string
	ours     []inspectedHook
}

// add notes a finding.
func (p *place) add(id, severity, path, pointer, text, repair string) {
	p.found = append(p.found, Finding{id, severity, p.client.Name, path, pointer, text, repair})
}

// Run looks at a client, or at all where none is named. What is worst comes first.
func (i *Inspection) Run(ctx context.Context, only string) (found []Finding) {
	found = []Finding{}
	used := map[string]string{} // Databases, with a client that uses each.
	for _, c := range clients {
		if !c.IsWritable() || only != "" && c.Name != only {
			continue
		}
		for _, scope := range []Scope{ScopeUser, ScopeProject} {
			p := &place{Inspection: i, client: c, scope: scope}
			p.read()
			p.checkServer(ctx)
			p.checkHooks()
			p.checkTexts()
			if scope == ScopeUser {
				p.checkPlugins()
			}
			if len(p.ours) > 0 {
				p.checkTrust()
			}
			p.checkSilence()
			for _, path := range p.databases() {
				used[path] = c.Name
			}
			for _, f := range p.found {
				if !slices.Contains(found, f) { // The project may be the home folder.
					found = append(found, f)
				}
			}
		}
	}
	found = append(found, i.checkFiles(used)...)
	found = append(found, i.checkHookLog(only)...)
	found = append(found, i.checkRetention(only)...)
	slices.SortStableFunc(found, func(a, b Finding) int { return strings.Compare(a.Severity, b.Severity) }) // error, warn.
	return found
}

// read reads the files of the client, and notes those that aren't valid.
func (p *place) read() {
	e := p.Environment
	if hookTables[p.client.Name] != nil {
		p.hookPath = p.client.hookFile(e, p.scope)
		f, err := readFile(p.hookPath)
		if err == nil && f.exists {
			p.hooks, err = hookEdit{client: p.client}.read(f.content)
		}
		p.addUnread(p.hookPath, err)
	}
	path, err := p.client.Path(e, p.scope)
	if err != nil {
		return
	}
	p.mcpPath = path
	f, err := readFile(path)
	if err == nil {
		var d document
		if d, err = p.client.read(f.content); err == nil {
			p.server, err = p.client.entry(d, Server{Command: p.Program})
		}
	}
	if path != p.hookPath {
		p.addUnread(path, err)
	}
}

// addUnread notes a file that can't be read, or that isn't valid.
func (p *place) addUnread(path string, err error) {
	if err == nil {
		return
	}
	repair := hint.Of(err)
	if repair == "" {
		repair = "repair the file by hand; this program never edits a file that is not valid"
	}
	p.add("I05", SeverityError, path, "", err.Error()+"; the client may ignore the whole file", repair)
}

// checkServer looks at the entry of the server.
func (p *place) checkServer(ctx context.Context) {
	if p.server == nil {
		return
	}
	pointer := "/" + p.client.container + "/" + EntryName
	command := p.server.server.Command
	if !p.server.isOurs {
		p.checkOld(command, pointer, p.mcpPath)
		return
	}
	if !p.checkProgram(command, pointer, p.mcpPath) || p.Handshake == nil || p.server.isOff {
		return
	}
	if err := p.Handshake(ctx, p.server.server); err != nil {
		p.add("I12", SeverityError, p.mcpPath, pointer, "the server does not answer: "+err.Error(), "run the command of the entry in a shell and see what it says")
	}
}

// checkOld notes an entry of another program of this kind.
func (p *place) checkOld(command, pointer, path string) {
	if !isOldProgram(command) {
		return
	}
	severity := SeverityWarn
	if p.lookUp(command) == "" {
		severity = SeverityError
	}
	p.add("I03", severity, path, pointer, "the entry starts "+command+", an older program for the same work", "--fix replaces it")
}

// checkProgram notes a program of ours that can't be started, or that isn't this one. It reports whether it
// can be started.
func (p *place) checkProgram(command, pointer, path string) bool {
	found := p.lookUp(command)
	switch {
	case found == "":
		p.add("I01", SeverityError, path, pointer, command+" is not there, or can't be executed", "--fix writes the path of this program")
		return false
	case !isSameFile(found, p.Program):
		p.add("I02", SeverityWarn, path, pointer, "the entry starts "+command+", not this program, "+p.Program, "--fix writes the path of this program")
	}
	return true
}

// lookUp returns the file of a command, in PATH where it has no folder; empty where it can't be executed.
func (i *Inspection) lookUp(command string) string {
	if strings.ContainsAny(command, `/\`) {
		if isExecutable(command, i.Environment.OS) {
			return command
		}
		return ""
	}
	for _, folder := range filepath.SplitList(i.Environment.Variable("PATH")) {
		if path := filepath.Join(folder, command); isExecutable(path, i.Environment.OS) {
			return path
		}
	}
	return ""
}

// isExecutable reports whether a file can be started. Windows has no mode for that.
func isExecutable(path, system string) bool {
	info, err := os.Stat(path)
	if err != nil && system == "windows" {
		info, err = os.Stat(path + ".exe")
	}
	return err == nil && info.Mode().IsRegular() && (system == "windows" || info.Mode()&0o111 != 0)
}

// isSameFile reports whether two paths lead to one file.
func isSameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
