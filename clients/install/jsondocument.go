package install

import (
	"strings"

	"github.com/tailscale/hujson"
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

// find returns the value of keys below the container of all servers; nil where there is none.
func (d *jsonDocument) find(keys ...string) *hujson.Value {
	return d.root.Find("/" + strings.Join(append([]string{d.client.container}, keys...), "/"))
}

func (d *jsonDocument) values() any { return d.decoded }

func (d *jsonDocument) add(s Server) ([]byte, error) {
	if servers := d.find(); servers != nil {
		d.insert(servers, EntryName, d.client.newJSONEntry(s))
	} else {
		d.insert(d.root, d.client.container, map[string]any{EntryName: d.client.newJSONEntry(s)})
	}
	return d.root.Pack(), nil
}

func (d *jsonDocument) update(s Server) ([]byte, error) {
	d.set(d.find(EntryName, "command"), s.Command)
	d.set(d.find(EntryName, "args"), s.Args)
	return d.root.Pack(), nil
}

func (d *jsonDocument) overwrite(s Server) ([]byte, error) {
	servers := d.find()
	members := servers.Value.(*hujson.Object).Members
	m := &members[indexOf(servers.Value.(*hujson.Object), EntryName)]
	line := ""
	if at := m.Name.StartOffset; !d.isOneLine(servers) && d.isFirstOnLine(at) {
		line = d.newline + d.indentOf(at)
	}
	m.Value.Value = d.encode(d.client.newJSONEntry(s), line)
	return d.root.Pack(), nil
}

func (d *jsonDocument) remove(whole bool) ([]byte, error) {
	servers := d.find()
	if whole && len(servers.Value.(*hujson.Object).Members) == 1 && servers.IsStandard() { // A comment in it is worth keeping.
		d.jsonText.remove(d.root, d.client.container)
	} else {
		d.jsonText.remove(servers, EntryName)
	}
	return d.root.Pack(), nil
}

func (d *jsonDocument) isBlank() bool {
	rest := len(d.root.Value.(*hujson.Object).Members)
	if servers := d.find(); servers != nil && len(servers.Value.(*hujson.Object).Members) == 0 {
		rest--
	}
	return rest == 0 && d.root.IsStandard() // A comment is worth keeping.
}

func (d *jsonDocument) secrets() []textRange {
	return jsonSecrets(d.root, d.find(EntryName), false, nil)
}

// jsonSecrets collects the strings that may hold a secret: those of a key or behind an argument
// that sounds like one, and those below it. What our entry starts is none.
func jsonSecrets(v, ours *hujson.Value, isSecret bool, found []textRange) []textRange {
	switch c := v.Value.(type) {
	case hujson.Literal:
		if isSecret && c.Kind() == '"' {
			found = append(found, textRange{v.StartOffset + 1, v.EndOffset - 1})
		}
	case *hujson.Object:
		for i := range c.Members {
			if name := nameOf(&c.Members[i]); v != ours || name != "command" && name != "args" {
				found = jsonSecrets(&c.Members[i].Value, ours, isSecret || mayHoldSecret(name), found)
			}
		}
	case *hujson.Array:
		wasFlag := false
		for i := range c.Elements {
			text := textOf(&c.Elements[i])
			isFlag, hasValue := mayHoldSecret(text), strings.Contains(text, "=")
			found = jsonSecrets(&c.Elements[i], ours, isSecret || wasFlag || isFlag && hasValue, found)
			wasFlag = isFlag && !hasValue
		}
	}
	return found
}
