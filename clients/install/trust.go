package install

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// partTrust is the note in Codex's configuration that its user trusts our hooks.
const partTrust Part = "trust"

// Trust returns the change that has Codex trust our hooks in the user's file as they stand there; nil where it
// does. Hooks that the user turned off stay off. It writes nothing.
func (i *Inspection) Trust() (*Steps, error) {
	c, _ := ClientNamed("codex")
	p := &place{Inspection: i, client: c, scope: ScopeUser}
	p.read()
	if p.hooks == nil || p.found != nil {
		return nil, nil // Nothing is there, or I05 says what is wrong.
	}
	path := codexFile(i.Environment)
	f, err := readFile(path)
	if err != nil {
		return nil, err
	}
	content := f.content
	for _, h := range p.ourHooks() {
		if content, err = trustHook(content, p.codexKey(h), codexHash(h)); err != nil {
			return nil, refuse(path, err, "start codex and type /hooks")
		}
	}
	if bytes.Equal(content, f.content) {
		return nil, nil
	}
	steps := &Steps{environment: i.Environment}
	steps.environment.planned = map[string]*file{}
	steps.add(&Change{
		Part: partTrust, Client: c, Scope: ScopeUser, Path: path, Target: f.target, Before: f.content, After: content, Creates: !f.exists,
		file: f, pointer: "/hooks/state", origin: origin{content: f.content, isNew: !f.exists},
	})
	return steps, nil
}

// codexKey returns the name by which Codex knows a handler: its file and place.
func (p *place) codexKey(h inspectedHook) string {
	return fmt.Sprintf("%s:%s:%d:%d", p.hookPath, snakeCase(h.event), h.group, h.handler)
}

// trustHook writes the hash of one handler into a configuration. Nothing else in it changes.
func trustHook(content []byte, key, hash string) ([]byte, error) {
	t, err := readTOML(content)
	if err != nil {
		return nil, err
	}
	path := []string{"hooks", "state", key}
	if a := t.assignment(slices.Concat(path, []string{"trusted_hash"})); a != nil {
		return replaceBytes(content, a.value, a.end, tomlString(hash)), nil
	}
	if t.assignment([]string{"hooks"}) != nil || t.assignment([]string{"hooks", "state"}) != nil || t.assignment(path) != nil {
		return nil, errInline
	}
	line := "trusted_hash = " + tomlString(hash) + "\n"
	for _, table := range t.tables {
		if slices.Equal(table.path, path) {
			header := bytes.IndexByte(content[table.start:], '\n')
			if header < 0 {
				return nil, errors.New("the table of a hook has no end")
			}
			at := table.start + header + 1
			return replaceBytes(content, at, at, strings.ReplaceAll(line, "\n", t.newline)), nil
		}
	}
	text := "[hooks.state." + tomlString(key) + "]\n" + line
	return append(bytes.Clone(content), t.separator()+strings.ReplaceAll(text, "\n", t.newline)...), nil
}
