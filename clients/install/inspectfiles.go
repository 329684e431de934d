package install

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
)

// databases returns the files that entries of a client use.
func (p *place) databases() (files []string) {
	note := func(args []string) {
		path := p.Database
		if i := slices.Index(args, "--db"); i >= 0 && i+1 < len(args) {
			path = args[i+1]
		}
		if path != "" {
			files = append(files, path)
		}
	}
	if p.server != nil && p.server.isOurs {
		note(p.server.server.Args)
	}
	for _, h := range p.ours {
		words, _ := hookProgram(h.members)
		note(words)
	}
	return files
}

// checkFiles looks at the databases that clients use, and at what this program notes: others must not read them.
func (i *Inspection) checkFiles(used map[string]string) (found []Finding) {
	if r := i.Environment.Receipts; r != "" && exists(r) {
		used[r] = ""
	}
	for _, path := range slices.Sorted(maps.Keys(used)) {
		add := func(text, repair string) {
			found = append(found, Finding{ID: "I16", Severity: SeverityError, Client: used[path], Path: path, Text: text, Repair: repair})
		}
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			add("the database is not there", "import sessions, or name another database with install --db")
			continue
		case err != nil:
			add(err.Error(), "make the file readable")
			continue
		}
		if file, err := os.OpenFile(path, os.O_WRONLY, 0); err != nil {
			add("the file can't be written: "+err.Error(), "give the file to your user")
		} else {
			_ = file.Close()
		}
		if mode := info.Mode().Perm(); i.Environment.OS != "windows" && mode&0o077 != 0 {
			add(fmt.Sprintf("other users may use the file: its mode is %04o", mode), "--fix sets 0600")
		}
	}
	return found
}

// Fix is what repairs findings: changes of files, and files that become private.
type Fix struct {
	Steps   []*Steps
	Private []string
}

// fixable are the findings that an installation over the old one repairs.
var fixable = []string{"I01", "I02", "I03", "I04", "I06", "I10", "I11", "I18"}

// Fix returns what repairs the findings that this program can repair. It writes nothing. setup makes a client's
// installation.
func (i *Inspection) Fix(found []Finding, setup func(Client) Setup) (*Fix, error) {
	f := &Fix{}
	seen := map[string]bool{} // The project may be the home folder.
	for _, c := range clients {
		for _, scope := range []Scope{ScopeUser, ScopeProject} {
			p := &place{Inspection: i, client: c, scope: scope}
			if !c.IsWritable() || !p.isAbout(found) {
				continue
			}
			p.read()
			if p.found != nil {
				continue // A file isn't valid.
			}
			s := setup(c)
			s.Scope, s.repairs, s.Force = scope, true, true
			steps, err := p.repair(s)
			if errors.Is(err, ErrNothing) {
				continue
			}
			if err != nil {
				return nil, err
			}
			steps.Changes = slices.DeleteFunc(steps.Changes, func(c *Change) bool { return seen[c.Path] })
			for _, change := range steps.Changes {
				seen[change.Path] = true
			}
			f.Steps = append(f.Steps, steps)
		}
	}
	for _, one := range found {
		if info, err := os.Stat(one.Path); one.ID == "I16" && err == nil && info.Mode().Perm()&0o077 != 0 {
			f.Private = append(f.Private, one.Path)
		}
	}
	return f, nil
}

// isAbout reports whether one of the findings that can be repaired is about the client's files in this scope.
func (p *place) isAbout(found []Finding) bool {
	paths := []string{}
	if hookTables[p.client.Name] != nil {
		paths = append(paths, p.client.hookFile(p.Environment, p.scope))
	}
	if path, err := p.client.Path(p.Environment, p.scope); err == nil {
		paths = append(paths, path)
	}
	if p.client.HasPart(PartSkill, p.scope) {
		for _, file := range p.client.skillFiles(p.Environment, p.scope) {
			paths = append(paths, file[0])
		}
	}
	return slices.ContainsFunc(found, func(f Finding) bool {
		return f.Client == p.client.Name && slices.Contains(fixable, f.ID) && slices.Contains(paths, f.Path)
	})
}

// repair installs again what the client has. What a plugin brings is taken out.
func (p *place) repair(s Setup) (*Steps, error) {
	e := p.Environment
	if p.client.plugin(e) != "" {
		s.Parts = []Part{PartHooks, PartSkill}
		return s.Uninstall(e)
	}
	if p.server != nil && (p.server.isOurs || isOldProgram(p.server.server.Command)) || p.hasUnreadServer() {
		s.Parts = append(s.Parts, PartMCP)
	}
	if p.server != nil && p.server.isOurs { // Its flags stay.
		s.Server.Args = p.server.server.Args
	}
	if p.hooks != nil {
		eachHandler(p.hooks.decoded, func(_ handlerPlace, _ map[string]any, handler any) {
			words, _ := hookProgram(handler)
			if isOurHook(handler, s.Hook) {
				s.Hook.Args = words[1:]
			}
			if isOurHook(handler, s.Hook) || isOldHook(handler) {
				s.Parts = append(s.Parts, PartHooks)
			}
		})
		if e.receipt(PartHooks, p.hookPath) != nil || p.hasUnreadServer() {
			s.Parts = append(s.Parts, PartHooks)
		}
	}
	if p.client.HasPart(PartSkill, p.scope) {
		if files := p.client.skillFiles(e, p.scope); exists(files[0][0]) {
			s.Parts = append(s.Parts, PartSkill)
		}
	}
	if len(s.Parts) == 0 {
		return nil, ErrNothing
	}
	return s.Install(e)
}

// hasUnreadServer reports whether our server stands in the file of hooks, where Claude Code doesn't read it.
func (p *place) hasUnreadServer() bool {
	if p.hooks == nil || p.client.Name != "claude-code" {
		return false
	}
	return (&jsonDocument{jsonText: p.hooks, client: p.client}).find(EntryName) != nil
}

// MakePrivate takes the rights of others from the files of a fix.
func (f *Fix) MakePrivate() error {
	var failed error
	for _, path := range f.Private {
		failed = errors.Join(failed, os.Chmod(path, 0o600))
	}
	return failed
}
