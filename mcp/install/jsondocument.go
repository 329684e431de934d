package install

import (
	"encoding/json"
	"strings"
)

// jsonDocument is the configuration of a client in JSON.
type jsonDocument struct {
	*jsonText
	client Client
}

// jsonEntry is our entry as clients write it.
type jsonEntry struct {
	Type    string    `json:"type,omitempty"`
	Command string    `json:"command"`
	Args    []string  `json:"args"`
	Env     *struct{} `json:"env,omitempty"`
}

// newJSONEntry has the members that the client writes itself.
func (c Client) newJSONEntry(s Server) jsonEntry {
	e := jsonEntry{Command: s.Command, Args: s.Args}
	if c.hasType {
		e.Type = "stdio"
	}
	if c.hasEnv {
		e.Env = &struct{}{}
	}
	return e
}

// member is our entry and the object that it is in; nil where there is none. The caller
// knows that a container is an object.
func (d *jsonDocument) member() (servers *jsonValue, m *jsonMember) {
	container := d.root.member(d.client.container)
	if container == nil {
		return nil, nil
	}
	return container.value, container.value.member(EntryName)
}

func (d *jsonDocument) values() any { return d.root.plain() }

// plain is a value as package json has it; numbers are as they are written.
func (v *jsonValue) plain() any {
	switch v.kind {
	case jsonObject:
		members := map[string]any{}
		for _, m := range v.members {
			members[m.key.text] = m.value.plain()
		}
		return members
	case jsonArray:
		list := []any{}
		for _, e := range v.elements {
			list = append(list, e.plain())
		}
		return list
	case jsonNumber:
		return json.Number(v.text)
	case jsonLiteral:
		return map[string]any{"true": true, "false": false, "null": nil}[v.text]
	}
	return v.text
}

func (d *jsonDocument) add(s Server) ([]byte, error) {
	if servers, _ := d.member(); servers != nil {
		return d.insert(servers, EntryName, d.client.newJSONEntry(s)), nil
	}
	return d.insert(d.root, d.client.container, map[string]any{EntryName: d.client.newJSONEntry(s)}), nil
}

func (d *jsonDocument) update(s Server) ([]byte, error) {
	_, m := d.member()
	changes := map[*jsonValue]any{m.value.member("command").value: s.Command, m.value.member("args").value: s.Args}
	return d.setAll(changes), nil
}

func (d *jsonDocument) overwrite(s Server) ([]byte, error) {
	servers, m := d.member()
	line := ""
	if !d.isOneLine(servers) && d.isFirstOnLine(m.key.start) {
		line = d.newline + d.indentOf(m.key.start)
	}
	return d.replace(m.value.start, m.value.end, d.encode(d.client.newJSONEntry(s), line)), nil
}

func (d *jsonDocument) remove(whole bool) ([]byte, error) {
	servers, m := d.member()
	container := d.root.member(d.client.container)
	text := append(append([]byte("{"), d.src[container.key.start:container.value.end]...), '}')
	if whole && len(servers.members) == 1 && json.Valid(text) { // A comment in it is worth keeping.
		return d.jsonText.remove(d.root, container), nil
	}
	return d.jsonText.remove(servers, m), nil
}

func (d *jsonDocument) isBlank() bool {
	rest := len(d.root.members)
	if servers, _ := d.member(); servers != nil && len(servers.members) == 0 {
		rest--
	}
	return rest == 0 && json.Valid(d.src) // A comment is worth keeping, and package json takes none.
}

func (d *jsonDocument) secrets() []textRange {
	var ours *jsonValue
	if _, m := d.member(); m != nil {
		ours = m.value
	}
	return d.root.secrets(ours, false, nil)
}

// secrets collects the strings that may hold a secret: those of a key or behind an argument
// that sounds like one, and those below it. What our entry starts is none.
func (v *jsonValue) secrets(ours *jsonValue, isSecret bool, found []textRange) []textRange {
	if v.kind == jsonString && isSecret {
		found = append(found, textRange{v.start + 1, v.end - 1})
	}
	for _, m := range v.members {
		if v != ours || m.key.text != "command" && m.key.text != "args" {
			found = m.value.secrets(ours, isSecret || mayHoldSecret(m.key.text), found)
		}
	}
	wasFlag := false
	for _, e := range v.elements {
		isFlag, hasValue := mayHoldSecret(e.text), strings.Contains(e.text, "=")
		found = e.secrets(ours, isSecret || wasFlag || isFlag && hasValue, found)
		wasFlag = isFlag && !hasValue
	}
	return found
}
