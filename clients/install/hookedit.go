package install

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// hookFile returns the file that has a client's hooks.
func (c Client) hookFile(e Environment, scope Scope) string {
	name := "settings.json"
	if c.Name == "codex" {
		name = "hooks.json"
	}
	return e.join(c.configFolder(e, scope), name)
}

// hooks plans the change of the hooks.
func (s Setup) hooks(e Environment, isRemoval bool) ([]*Change, error) {
	path := s.Client.hookFile(e, s.Scope)
	f, err := e.readFile(path)
	if err != nil {
		return nil, err
	}
	c := &Change{
		Part: PartHooks, Client: s.Client, Scope: s.Scope, Server: s.Hook, Path: path, Target: f.target, Before: f.content, Creates: !f.exists,
		file: f, pointer: "/hooks", isRemoval: isRemoval, secretsOf: s.Client.hookSecrets,
	}
	h := hookEdit{client: s.Client, ours: s.Hook, isRepair: s.repairs}
	found, err := h.find(f.content)
	if err != nil {
		return nil, refuse(path, err, "repair the file first; nothing was written")
	}
	if isRemoval && len(found) == 0 {
		c.nothing = fmt.Sprintf("%s has no hook of this program in %s; nothing to do", s.Client.Title, path)
		return []*Change{c}, nil
	}
	isExact := false
	if c.origin.content, c.origin.isNew, isExact = e.before(PartHooks, f); !isExact {
		c.origin, isExact = h.origin(f)
	}
	if !isExact || s.repairs {
		c.origin.isNew = !f.exists
		if c.origin.content, err = h.removeAll(f.content); err != nil {
			return nil, refuse(path, err, "remove the hooks by hand")
		}
	}
	c.After = c.origin.content
	if isRemoval {
		c.Removes = c.origin.isNew
	} else if c.After, err = h.add(c.origin.content, s.hints(f.content)); err != nil {
		return nil, refuse(path, err, "repair the file first; nothing was written")
	}
	if !isRemoval && bytes.Equal(c.After, c.Before) {
		c.nothing = fmt.Sprintf("%s runs these hooks already, by %s; nothing to do", s.Client.Title, path)
	}
	return []*Change{c}, h.check(c)
}

// written is what this program wrote into a file: hooks, and its server where both stand in one file.
type written struct {
	hookEdit
	hints  bool
	server *entry // Nil where the file has none.
}

// writtenIn returns what this program wrote into a file that has hooks of it. not ok is a file without.
func (h hookEdit) writtenIn(src []byte) (w written, ok bool) {
	found, err := h.find(src)
	if err != nil || len(found) == 0 {
		return w, false
	}
	t, err := h.read(src)
	if err != nil {
		return w, false
	}
	w.client = h.client
	eachHandler(t.decoded, func(p handlerPlace, _ map[string]any, handler any) {
		if words, _ := hookProgram(handler); p == found[0] && len(words) > 0 {
			w.ours = Server{Command: words[0], Args: words[1:]}
		}
	})
	w.hints = slices.ContainsFunc(found, func(p handlerPlace) bool { return p.event == promptEvents[h.client.Name].name })
	if d, err := h.client.read(src); err == nil {
		w.server, _ = h.client.entry(d, w.ours)
	}
	return w, true
}

// source returns what a file was before that was written into it, byte for byte: a backup, or no file, from which the
// file comes about as it is now.
func (w written) source(f *file) (o origin, ok bool) {
	for _, old := range f.backups() {
		if w.makes(old, f.content) {
			return origin{content: old}, true
		}
	}
	return origin{isNew: true}, w.makes(nil, f.content)
}

// makes reports whether a text that has none of it becomes another one when all is written into it, in either order.
func (w written) makes(old, now []byte) bool {
	if found, err := w.find(old); err != nil || len(found) > 0 {
		return false
	}
	served, err := w.withServer(old)
	if err != nil {
		return false
	}
	if first, err := w.withHooks(served); err == nil && bytes.Equal(first, now) {
		return true
	}
	hooked, err := w.withHooks(old)
	if err != nil {
		return false
	}
	second, err := w.withServer(hooked)
	return err == nil && bytes.Equal(second, now)
}

func (w written) withHooks(src []byte) ([]byte, error) { return w.add(src, w.hints) }

// withServer writes the server, if there is one, into a text that doesn't have it.
func (w written) withServer(src []byte) ([]byte, error) {
	if w.server == nil {
		return src, nil
	}
	d, err := w.client.read(src)
	if err != nil {
		return nil, err
	}
	if have, err := w.client.entry(d, w.server.server); err != nil || have != nil {
		return nil, errors.Join(err, errors.New("the text has a server of our name"))
	}
	return d.add(w.server.server)
}

// origin returns what a file was before our hooks were written into it, byte for byte, with our server where it is in the
// same file.
func (h hookEdit) origin(f *file) (o origin, ok bool) {
	var err error
	w, ok := h.writtenIn(f.content)
	if !ok {
		return o, false
	}
	if o, ok = w.source(f); !ok || w.server == nil {
		return o, ok
	}
	o.isNew = false
	o.content, err = w.withServer(o.content)
	return o, err == nil
}

// hints reports whether prompts get hints: as the user says, else as it is in the file, which was read before.
func (s Setup) hints(src []byte) bool {
	if s.Hints != nil {
		return *s.Hints
	}
	found, _ := hookEdit{client: s.Client, ours: s.Hook}.find(src)
	return slices.ContainsFunc(found, func(p handlerPlace) bool { return p.event == promptEvents[s.Client.Name].name })
}

// hookEdit edits the hooks of a client. Every edit parses the text again, since it moves what follows.
type hookEdit struct {
	client Client
	ours   Server
	// isRepair: what other programs of this kind left counts as ours, and so does a server that the
	// client doesn't read here.
	isRepair bool
}

// read parses a file of hooks, whose top is an object.
func (h hookEdit) read(src []byte) (*jsonText, error) {
	t, err := readJSON(src, h.client.format == formatJSONC)
	if err != nil {
		return nil, err
	}
	top, ok := t.decoded.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the file holds %s, not an object", typeName(t.decoded))
	}
	hooks, has := top["hooks"]
	events, ok := hooks.(map[string]any)
	if has && hooks != nil && !ok {
		return nil, fmt.Errorf("hooks is %s, not an object", typeName(hooks))
	}
	for _, event := range slices.Sorted(maps.Keys(events)) {
		if _, ok := events[event].([]any); !ok && events[event] != nil {
			return nil, fmt.Errorf("hooks.%s is %s, not a list", event, typeName(events[event]))
		}
	}
	return t, nil
}

// handlerPlace is where a handler stands.
type handlerPlace struct {
	event          string
	group, handler int
	alone          bool // Its group has no other.
}

// eventPointer returns the JSON pointer of an event.
func eventPointer(event string) string {
	return "/hooks/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(event)
}

// find returns our handlers, the last of each event first.
func (h hookEdit) find(src []byte) (found []handlerPlace, err error) {
	t, err := h.read(src)
	if err != nil {
		return nil, err
	}
	eachHandler(t.decoded, func(p handlerPlace, _ map[string]any, handler any) {
		if isOurHook(handler, h.ours) || h.isRepair && isOldHook(handler) {
			found = append(found, p)
		}
	})
	slices.Reverse(found)
	return found, nil
}

// eachHandler calls f with each handler of a file, in the order of events.
func eachHandler(decoded any, f func(p handlerPlace, group map[string]any, handler any)) {
	top, _ := decoded.(map[string]any)
	events, _ := top["hooks"].(map[string]any)
	for _, event := range slices.Sorted(maps.Keys(events)) {
		groups, _ := events[event].([]any)
		for i, g := range groups {
			group, _ := g.(map[string]any)
			handlers, _ := group["hooks"].([]any)
			for j, handler := range handlers {
				f(handlerPlace{event, i, j, len(handlers) == 1}, group, handler)
			}
		}
	}
}

// removeAll takes our handlers out, with groups, events and an object of hooks that have nothing else.
func (h hookEdit) removeAll(src []byte) ([]byte, error) {
	if h.isRepair && h.client.Name == "claude-code" {
		t, err := h.read(src)
		if err != nil {
			return nil, err
		}
		d := &jsonDocument{jsonText: t, client: h.client}
		if d.find(EntryName) != nil {
			if src, err = d.remove(true); err != nil {
				return nil, err
			}
		}
	}
	for {
		found, err := h.find(src)
		if err != nil || len(found) == 0 {
			return src, err
		}
		t, err := h.read(src)
		if err != nil {
			return nil, err
		}
		hooks := t.root.Find("/hooks")
		event := t.root.Find(eventPointer(found[0].event))
		switch at := found[0]; {
		case !at.alone:
			t.removeElement(t.root.Find(eventPointer(at.event)+"/"+strconv.Itoa(at.group)+"/hooks"), at.handler)
		case len(event.Value.(*hujson.Array).Elements) > 1:
			t.removeElement(event, at.group)
		case len(hooks.Value.(*hujson.Object).Members) > 1:
			t.remove(hooks, found[0].event)
		default:
			t.remove(t.root, "hooks")
		}
		src = t.root.Pack()
	}
}

// add writes a group for each event, with hints also for prompts. What is null gets a value.
func (h hookEdit) add(src []byte, hints bool) ([]byte, error) {
	events := hookTables[h.client.Name]
	if hints {
		events = append(slices.Clip(events), promptEvents[h.client.Name])
	}
	for _, event := range events {
		t, err := h.read(src)
		if err != nil {
			return nil, err
		}
		group := h.client.newHookGroup(event, h.ours)
		hooks, list := t.root.Find("/hooks"), t.root.Find("/hooks/"+event.name)
		switch {
		case hooks == nil:
			t.insert(t.root, "hooks", map[string]any{event.name: []any{group}})
		case textOf(hooks) == "null":
			t.set(hooks, map[string]any{event.name: []any{group}})
		case list == nil:
			t.insert(hooks, event.name, []any{group})
		case textOf(list) == "null":
			t.set(list, []any{group})
		default:
			t.appendElement(list, group)
		}
		src = t.root.Pack()
	}
	return src, nil
}

// check proves that only our handlers differ.
func (h hookEdit) check(c *Change) error {
	if c.Removes {
		return nil
	}
	values := make([]any, 2)
	for i, src := range [][]byte{c.Before, c.After} {
		without, err := h.removeAll(src)
		if err != nil {
			return refuse(c.Path, fmt.Errorf("the change would not be valid: %w", err), "")
		}
		t, err := h.read(without)
		if err != nil {
			return refuse(c.Path, err, "")
		}
		values[i] = withoutEmptyHooks(t.decoded)
	}
	if !isSameValue(values[0], values[1]) {
		return refuse(c.Path, errors.New("the file is written in a way that this program can't edit safely"), "edit it by hand")
	}
	return nil
}

// withoutEmptyHooks returns values in which no event is empty or null, nor all hooks.
func withoutEmptyHooks(decoded any) any {
	top := maps.Clone(decoded.(map[string]any))
	events, _ := top["hooks"].(map[string]any)
	events = maps.Clone(events)
	maps.DeleteFunc(events, func(_ string, groups any) bool {
		list, _ := groups.([]any)
		return len(list) == 0
	})
	if top["hooks"] = events; len(events) == 0 {
		delete(top, "hooks")
	}
	return top
}

// hookSecrets finds what a diff of a file of hooks doesn't show.
func (c Client) hookSecrets(src []byte) []textRange {
	t, err := readJSON(src, c.format == formatJSONC)
	if err != nil || len(src) == 0 {
		return nil
	}
	return jsonSecrets(t.root, nil, false, nil)
}
