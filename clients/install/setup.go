package install

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/internal/hint"
)

// Part is one of the things that a client gets.
type Part string

// The parts of an installation.
const (
	PartHooks    Part = "hooks"    // Our program at events of the client.
	PartMCP      Part = "mcp"      // The server with the tools.
	PartSkill    Part = "skill"    // Texts about the tools, which an agent reads when it needs them.
	PartCommands Part = "commands" // Slash commands.
	PartRules    Part = "rules"    // A short text that an agent always sees.
)

// partOrder is the order in which parts are written.
var partOrder = []Part{PartMCP, PartHooks, PartSkill, PartCommands, PartRules}

// PartNames returns the names of all parts.
func PartNames() []string { return []string{"hooks", "mcp", "skill", "commands", "rules"} }

// DefaultParts returns what a client gets where nothing else is named.
func (c Client) DefaultParts(scope Scope) (parts []Part) {
	for _, p := range []Part{PartMCP, PartHooks, PartSkill} {
		if c.HasPart(p, scope) {
			parts = append(parts, p)
		}
	}
	return parts
}

// HasPart reports whether this program writes a part for the client.
func (c Client) HasPart(p Part, scope Scope) bool {
	t := textPlaceOf(c.Name)
	switch p {
	case PartMCP:
		return c.IsWritable()
	case PartHooks:
		return hookTables[c.Name] != nil
	case PartSkill:
		return t.skills(scope) != nil
	case PartCommands:
		return t.commands != nil
	case PartRules:
		return t.rules(scope) != nil
	}
	return false
}

// Setup is all that a client gets.
type Setup struct {
	Request
	Parts []Part
	Hook  Server // How hooks start us.
	Hints *bool  // Whether prompts get hints; nil leaves it as it is.

	repairs bool // Entries of other programs of this kind are replaced.
}

// Steps are the changes of an installation or a removal, in their order.
type Steps struct {
	Changes []*Change
	Notes   []string

	environment Environment
}

// Install returns the changes that give a client its parts. It writes nothing. The error is ErrNothing
// where the client has all of them.
func (s Setup) Install(e Environment) (*Steps, error) {
	if slices.Contains(s.Parts, PartHooks) || slices.Contains(s.Parts, PartSkill) {
		if p := s.Client.plugin(e); p != "" && !s.Force {
			return nil, &hint.Error{
				Text: s.Client.Title + " has the plugin " + p + ", which brings hooks, tools and skills; they would be there twice",
				Next: "remove the plugin in " + s.Client.Title + " first, or keep it and install nothing",
			}
		}
	}
	return s.each(e, false)
}

// Uninstall returns the changes that take out what was installed, in the opposite order. Without parts
// it is all that is found.
func (s Setup) Uninstall(e Environment) (*Steps, error) { return s.each(e, true) }

// each plans one change after another, each on what the one before leaves.
func (s Setup) each(e Environment, isRemoval bool) (*Steps, error) {
	e.planned = map[string]*file{}
	steps := &Steps{environment: e}
	order := slices.Clone(partOrder)
	if isRemoval {
		slices.Reverse(order)
	}
	for _, part := range order {
		if len(s.Parts) > 0 && !slices.Contains(s.Parts, part) || !s.Client.HasPart(part, s.Scope) {
			continue
		}
		changes, err := s.part(e, part, isRemoval)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			steps.add(c)
		}
	}
	if len(steps.Changes) > 0 {
		return steps, nil
	}
	return nil, &hint.Error{Text: strings.Join(steps.Notes, "\n"), Err: ErrNothing}
}

// add notes a change, on which later ones build. One that changes nothing is only a note.
func (s *Steps) add(c *Change) {
	if c.nothing != "" {
		s.Notes = append(s.Notes, c.nothing)
		return
	}
	next := *c.file
	next.content, next.exists, next.planned = c.After, !c.Removes, true
	if c.Creates {
		if next.mode = 0o644; c.Scope == ScopeUser {
			next.mode = 0o600
		}
	}
	s.environment.planned[c.Path] = &next
	s.Changes = append(s.Changes, c)
}

// part plans the changes of one part.
func (s Setup) part(e Environment, part Part, isRemoval bool) ([]*Change, error) {
	plan := map[Part]func(Environment, bool) ([]*Change, error){
		PartMCP: s.server, PartHooks: s.hooks, PartSkill: s.skills, PartCommands: s.commands, PartRules: s.rules,
	}
	return plan[part](e, isRemoval)
}

// server plans the change of the MCP server.
func (s Setup) server(e Environment, isRemoval bool) ([]*Change, error) {
	plan := s.Request.Install
	if isRemoval {
		plan = s.Request.Uninstall
	}
	c, err := plan(e)
	if errors.Is(err, ErrNothing) {
		return []*Change{{nothing: err.Error()}}, nil
	}
	if err != nil {
		return nil, err
	}
	c.origin.content, c.origin.isNew = c.Before, c.Creates
	return []*Change{c}, nil
}

// Apply writes the changes in their order, each in one step, and notes each. Backups are those of the changes,
// empty where none was made. An error says what was written before it.
func (s *Steps) Apply(now time.Time) (backups []string, err error) {
	for i, c := range s.Changes {
		backup, err := c.Apply(now)
		if err == nil {
			backups = append(backups, backup)
			err = s.environment.note(c, now)
			i++
		}
		if err != nil && i > 0 {
			var written []string
			for _, before := range s.Changes[:i] {
				written = append(written, before.Path)
			}
			return backups, &hint.Error{Text: fmt.Sprintf("%v; changed before that: %s", err, strings.Join(written, ", ")), Next: hint.Of(err), Err: err}
		}
		if err != nil {
			return backups, err
		}
	}
	return backups, nil
}

// plugin returns the name of a plugin of ours that the client has; empty without one.
func (c Client) plugin(e Environment) string {
	for _, p := range c.plugins(e) {
		if p.enabled {
			return p.name
		}
	}
	return ""
}

// configFolder returns the folder of the client's configuration in a scope.
func (c Client) configFolder(e Environment, scope Scope) string {
	names := map[string][3]string{
		"claude-code": {"CLAUDE_CONFIG_DIR", ".claude"}, "codex": {"CODEX_HOME", ".codex"}, "gemini": {"", ".gemini"},
	}[c.Name]
	switch {
	case scope == ScopeProject:
		return e.join(e.WorkDir, names[1])
	case c.Name == "gemini":
		return filepath.Dir(geminiFile(e))
	}
	return e.folder(names[0], names[1])
}
