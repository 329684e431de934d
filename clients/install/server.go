package install

import (
	"fmt"
	"slices"
	"strings"
)

// entry is what a configuration has under our name.
type entry struct {
	server Server
	isOurs bool // It starts this program, whichever version and wherever it lies.
	isOff  bool // The client doesn't start it.
}

// newEntry looks at the members of an entry.
func newEntry(members map[string]any, ours Server) *entry {
	var e entry
	e.server.Command, _ = members["command"].(string)
	list, areArgs := members["args"].([]any)
	for _, a := range list {
		s, ok := a.(string)
		areArgs = areArgs && ok
		e.server.Args = append(e.server.Args, s)
	}
	e.isOurs = areArgs && slices.Contains(e.server.Args, "mcp") && (isProgram(e.server.Command) || e.server.Command == ours.Command)
	e.isOff = members["disabled"] == true || members["enabled"] == false
	return &e
}

// isProgram reports whether a command is this program by its name.
func isProgram(command string) bool {
	name := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	return strings.TrimSuffix(name, ".exe") == "lcm-tui"
}

// isEqual reports whether two servers are started alike.
func (s Server) isEqual(other Server) bool {
	return s.Command == other.Command && slices.Equal(s.Args, other.Args)
}

// document is a configuration in which our entry is changed. Each change returns the whole
// new text. All but add and overwrite need an entry.
type document interface {
	// values are all values of the text.
	values() any
	// add writes the entry, which isn't there.
	add(s Server) ([]byte, error)
	// update changes the command and its arguments, and leaves what else the entry has.
	update(s Server) ([]byte, error)
	// overwrite writes the entry in the place of another.
	overwrite(s Server) ([]byte, error)
	// remove takes the entry out, and with whole also a container that gets empty by that.
	remove(whole bool) ([]byte, error)
	// isBlank reports whether the text has nothing but an empty container.
	isBlank() bool
	// secrets are the parts of the text that aren't shown.
	secrets() []textRange
}

// textRange is a part of a text, in bytes.
type textRange struct{ start, end int }

// read parses the text of a client's configuration.
func (c Client) read(src []byte) (document, error) {
	if c.format == formatTOML {
		return readTOML(src)
	}
	t, err := readJSON(src, c.format == formatJSONC)
	if err != nil {
		return nil, err
	}
	return &jsonDocument{jsonText: t, client: c}, nil
}

// servers returns the entries of all servers; nil where there is no place for them. It is an error
// if that has another type.
func (c Client) servers(d document) (map[string]any, error) {
	top, ok := d.values().(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the file holds %s, not an object", typeName(d.values()))
	}
	value, ok := top[c.container]
	if !ok {
		return nil, nil
	}
	servers, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is %s, not %s", c.container, typeName(value), typeName(servers))
	}
	return servers, nil
}

// entry returns what stands under our name; nil without one.
func (c Client) entry(d document, ours Server) (*entry, error) {
	servers, err := c.servers(d)
	if err != nil {
		return nil, err
	}
	value, ok := servers[EntryName]
	if !ok {
		return nil, nil
	}
	members, _ := value.(map[string]any)
	return newEntry(members, ours), nil
}

// typeName returns the type of a value in words.
func typeName(value any) string {
	switch value.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case string:
		return "a text"
	case bool:
		return "true or false"
	case nil:
		return "null"
	}
	return "a number or a date"
}
