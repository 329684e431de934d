package install

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"time"

	"lcm-tui/internal/hint"
)

// Change is what becomes of a client's configuration.
type Change struct {
	Part    Part
	Client  Client
	Scope   Scope
	Server  Server // What the entry starts: after an installation, or before a removal.
	Path    string // The file, as the client names it.
	Target  string // The file itself, behind links.
	Before  []byte
	After   []byte
	Creates bool // The file doesn't exist yet.
	Removes bool // The file goes, since it holds nothing else.
	Notes   []string

	file      *file
	pointer   string                       // Where our part begins in the file, as a JSON pointer; empty for a whole file.
	secretsOf func(src []byte) []textRange // What a diff hides; nil where the client's servers are changed.
	nothing   string                       // Why there is nothing to do.
	origin    origin
	isRemoval bool
	isWhole   bool // The file is ours alone; its folder goes with it.
	// isModified: a file that is ours alone isn't as this program wrote it.
	isModified bool
	lockWait   time.Duration
}

// origin is a file without our part, from which the file with it is made.
type origin struct {
	content []byte
	isNew   bool // There was no file.
}

// Request is what a change is made for.
type Request struct {
	Client Client
	Scope  Scope
	// Server is how the client is to start us; to uninstall, only its command counts.
	Server Server
	// Force takes an entry of our name for ours, whatever it starts.
	Force bool
}

// errForeign says that the entry isn't ours.
var errForeign = errors.New("the entry " + EntryName + " starts another program")

// Install returns the change that makes a client start our server. It writes nothing. The error is
// ErrNothing where it does so already.
func (r Request) Install(e Environment) (*Change, error) {
	c, d, have, err := r.look(e, "")
	if err != nil {
		return nil, err
	}
	c.Server = r.Server
	switch {
	case have != nil && have.isOurs && have.server.isEqual(r.Server):
		return nil, &hint.Error{Text: fmt.Sprintf("%s starts this server already, by %s; nothing to do%s", r.Client.Title, c.Path, offNote(have)), Err: ErrNothing}
	case have != nil && !have.isOurs && !r.Force:
		return nil, c.refuse(errForeign, "see it in the file; --force writes ours in its place")
	}
	switch {
	case have == nil:
		c.After, err = d.add(r.Server)
	case have.isOurs:
		c.After, err = d.update(r.Server)
		c.Notes = append(c.Notes, "an older entry of this program is brought up to date")
	default:
		c.After, err = d.overwrite(r.Server)
		c.Notes = append(c.Notes, "the entry "+EntryName+" of another program is replaced")
	}
	if err != nil {
		return nil, c.refuse(err, "")
	}
	if c.Creates && r.Scope == ScopeUser && !exists(c.file.folder()) {
		c.Notes = append(c.Notes, r.Client.Title+" has no configuration here yet; is it installed?")
	}
	return c, c.check(d, &r.Server)
}

// Uninstall returns the change that takes our server out. If nothing else changed since it was
// installed, the file gets every byte that it had before. The error is ErrNothing where the
// client has no such entry.
func (r Request) Uninstall(e Environment) (*Change, error) {
	c, d, have, err := r.look(e, "see it in the file; nothing was written")
	if err != nil {
		return nil, err
	}
	switch {
	case have == nil:
		return nil, &hint.Error{Text: fmt.Sprintf("%s does not start this server by %s; nothing to do", r.Client.Title, c.Path), Err: ErrNothing}
	case !have.isOurs && !r.Force:
		return nil, c.refuse(errForeign, "see it in the file; --force removes it")
	}
	c.Server, c.isRemoval = have.server, true
	if before, ok := c.original(have.server); ok {
		c.After = before
		return c, c.check(d, nil)
	}
	hadContainer, isKnown := c.hadContainer()
	if c.After, err = d.remove(isKnown && !hadContainer); err != nil {
		return nil, c.refuse(err, "remove the entry by hand")
	}
	fresh, err := c.fresh() // It may be known from a backup that has our hooks.
	isFresh := err == nil && bytes.Equal(fresh, c.Before)
	if without, err := r.Client.read(c.After); err == nil && without.isBlank() && (!isKnown || isFresh) {
		c.Removes, c.After = true, nil
		return c, nil
	}
	return c, c.check(d, nil)
}

// look reads the configuration and finds our entry, which may be nil. next is what to do where servers can't stand in it; empty is the text
// to paste.
func (r Request) look(e Environment, next string) (*Change, document, *entry, error) {
	path, err := r.Client.Path(e, r.Scope)
	if err != nil {
		return nil, nil, nil, err
	}
	f, err := e.readFile(path)
	if err != nil {
		return nil, nil, nil, err
	}
	c := &Change{Part: PartMCP, pointer: "/" + r.Client.container + "/" + EntryName, Client: r.Client, Scope: r.Scope, Server: r.Server, Path: path, Target: f.target, Before: f.content, Creates: !f.exists, file: f, lockWait: lockWait}
	d, err := r.Client.read(f.content)
	if err != nil {
		return nil, nil, nil, c.refuse(err, "repair the file first; nothing was written")
	}
	have, err := r.Client.entry(d, r.Server)
	if err != nil {
		return nil, nil, nil, c.refuse(err, next)
	}
	return c, d, have, nil
}

// refuse says why the file isn't changed. Without a hint it is the text to paste.
func (c *Change) refuse(err error, next string) error {
	if next == "" {
		next = "nothing was written; paste this into the file:\n" + c.Client.Snippet(c.Server)
	}
	return refuse(c.Path, err, next)
}

func offNote(e *entry) string {
	if e.isOff {
		return ", but the entry is turned off there"
	}
	return ""
}

// original returns the content of the newest backup without our entry from which the installation
// makes the file as it is now, byte for byte.
func (c *Change) original(s Server) (content []byte, ok bool) {
	for _, old := range c.file.backups() {
		d, err := c.Client.read(old)
		if err != nil {
			continue
		}
		if e, err := c.Client.entry(d, s); err != nil || e != nil {
			continue
		}
		if after, err := d.add(s); err == nil && bytes.Equal(after, c.Before) {
			return old, true
		}
	}
	if w, ok := (hookEdit{client: c.Client, ours: s}).writtenIn(c.Before); ok { // They stay, in the same file.
		if o, ok := w.source(c.file); ok {
			content, err := w.withHooks(o.content)
			return content, err == nil
		}
	}
	return nil, false
}

// hadContainer reports whether the newest backup without our entry has a place for servers.
// isKnown is false without such a backup.
func (c *Change) hadContainer() (had, isKnown bool) {
	for _, old := range c.file.backups() {
		d, err := c.Client.read(old)
		if err != nil {
			continue
		}
		servers, err := c.Client.servers(d)
		if _, has := servers[EntryName]; err != nil || has {
			continue
		}
		return servers != nil, true
	}
	return false, false
}

// check proves that only our entry differs: the texts before and after are parsed and
// compared without it. want is nil where it has to be gone.
func (c *Change) check(before document, want *Server) error {
	after, err := c.Client.read(c.After)
	if err != nil {
		return c.refuse(fmt.Errorf("the change would not be valid: %w", err), "")
	}
	have, err := c.Client.entry(after, c.Server)
	if err != nil {
		return c.refuse(fmt.Errorf("the change would not be valid: %w", err), "")
	}
	isRight := have == nil
	if want != nil {
		isRight = have != nil && have.server.isEqual(*want)
	}
	if !isRight || !isSameValue(c.Client.withoutEntry(before), c.Client.withoutEntry(after)) {
		return c.refuse(errors.New("the file is written in a way that this program can't edit safely"), "")
	}
	return nil
}

// withoutEntry returns the values of a configuration without our entry; an empty container counts
// as none.
func (c Client) withoutEntry(d document) map[string]any {
	top, _ := d.values().(map[string]any)
	top = maps.Clone(top)
	servers, ok := top[c.container].(map[string]any)
	if !ok {
		return top
	}
	servers = maps.Clone(servers)
	delete(servers, EntryName)
	top[c.container] = servers
	if len(servers) == 0 {
		delete(top, c.container)
	}
	return top
}

// Apply writes the change, if the file is still as it was read. It returns the path of the
// backup, which is empty where there was nothing to keep.
func (c *Change) Apply(now time.Time) (backup string, err error) {
	if c.Part == PartMCP && c.Client.hasLock && c.Scope == ScopeUser && !c.Creates {
		unlock, err := c.file.lock(c.lockWait)
		if err != nil {
			return "", err
		}
		defer unlock()
	}
	if !c.Removes {
		return c.file.write(c.After, c.Scope == ScopeUser, now)
	}
	if c.isWorthKeeping() {
		if backup, err = c.file.backUp(now); err != nil {
			return "", err
		}
	}
	if err := c.file.remove(); err != nil || !c.isWhole {
		return backup, err
	}
	_ = os.Remove(c.file.folder()) // It stays where it has other files.
	return backup, nil
}

// isWorthKeeping reports whether a file that goes has something that this program did not write.
func (c *Change) isWorthKeeping() bool {
	if c.Part != PartMCP {
		return c.isModified
	}
	fresh, err := c.fresh()
	return err != nil || !bytes.Equal(fresh, c.Before)
}

// fresh returns the file as an installation creates it.
func (c *Change) fresh() ([]byte, error) {
	d, err := c.Client.read(nil)
	if err != nil {
		return nil, err
	}
	return d.add(c.Server)
}
