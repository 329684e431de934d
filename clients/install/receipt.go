package install

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/regularfile"
)

// Receipt notes what was written into a file, so that exactly this can be taken out.
type Receipt struct {
	Client  string    `json:"client"`
	Scope   Scope     `json:"scope"`
	Part    Part      `json:"part"`
	Path    string    `json:"path"`
	Pointer string    `json:"pointer,omitempty"` // Where our part begins, as a JSON pointer; empty for a whole file.
	Before  string    `json:"before,omitempty"`  // SHA-256 of the file before; empty where there was none.
	After   string    `json:"sha256"`            // SHA-256 of the file as it was written.
	At      time.Time `json:"at"`
	Made    string    `json:"made,omitempty"` // The outermost folder that was made for the file; empty where its folder was there.
}

// hashOf returns the SHA-256 of a text in hexadecimal.
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// receipts returns what is noted, the oldest first. A file that can't be read counts as none: what is
// removed then is found in the files of the clients.
func (e Environment) receipts() (list []Receipt) {
	if e.Receipts == "" {
		return nil
	}
	b, err := regularfile.Read(e.Receipts, maxSize)
	if err != nil || json.Unmarshal(b, &list) != nil {
		return nil
	}
	return list
}

// receipt returns the note about a part of a file; nil without one.
func (e Environment) receipt(part Part, path string) *Receipt {
	for _, r := range e.receipts() {
		if r.Part == part && r.Path == path {
			return &r
		}
	}
	return nil
}

// HooksSince returns since when a client has hooks of this program; false where none are noted.
func (e Environment) HooksSince(client string) (since time.Time, ok bool) {
	for _, r := range e.receipts() {
		if r.Part == PartHooks && r.Client == client && (!ok || r.At.Before(since)) && (r.Scope == ScopeUser || e.isInProject(r.Path)) {
			since, ok = r.At, true
		}
	}
	return since, ok
}

// isInProject reports whether a file lies in the project's folder.
func (e Environment) isInProject(path string) bool { return liesBelow(path, e.WorkDir) }

// note brings the notes up to date with a change that was written.
func (e Environment) note(c *Change, now time.Time) error {
	if e.Receipts == "" || c.Part == partTrust { // Trust is the client's, and goes with its user.
		return nil
	}
	made := c.file.made
	list := slices.DeleteFunc(e.receipts(), func(r Receipt) bool {
		isOld := r.Part == c.Part && r.Path == c.Path
		if isOld {
			made = cmp.Or(r.Made, made)
		}
		return isOld
	})
	if c.isRemoval && made != "" {
		leaveFolders(list, c.Path, made)
	}
	if !c.isRemoval {
		r := Receipt{Client: c.Client.Name, Scope: c.Scope, Part: c.Part, Path: c.Path, Pointer: c.pointer, After: hashOf(c.After), At: now.UTC(), Made: made}
		if !c.origin.isNew {
			r.Before = hashOf(c.origin.content)
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		if err := os.Remove(e.Receipts); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("note the installation: %w", err)
		}
		return nil
	}
	b, err := json.MarshalIndent(list, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(e.Receipts), 0o700)
	}
	if err == nil {
		err = atomicfile.Write(e.Receipts, append(b, '\n'), atomicfile.Options{Replace: true})
	}
	if err != nil {
		return fmt.Errorf("note the installation: %w", err)
	}
	return nil
}

// leaveFolders removes the empty folders that were made for a file. What is noted of another file in one of them takes over the
// others, which go with that file.
func leaveFolders(others []Receipt, path, made string) {
	for i, r := range others {
		if liesBelow(r.Path, made) && (r.Made == "" || liesBelow(r.Made, made)) {
			others[i].Made = made
		}
	}
	for folder := filepath.Dir(path); folder == made || liesBelow(folder, made); folder = filepath.Dir(folder) {
		if err := os.Remove(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return // It has other files.
		}
	}
}

// liesBelow reports whether a path lies in a folder.
func liesBelow(path, folder string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && below != "." && filepath.IsLocal(below)
}

// before returns the content that a file had before our part was written into it, byte for byte, where nothing
// else has changed since. isNew says that there was no file.
func (e Environment) before(part Part, f *file) (content []byte, isNew, ok bool) {
	r := e.receipt(part, f.path)
	switch {
	case r == nil || r.After != hashOf(f.content):
		return nil, false, false
	case r.Before == "":
		return nil, true, true
	}
	for _, old := range f.backups() {
		if hashOf(old) == r.Before {
			return bytes.Clone(old), false, true
		}
	}
	return nil, false, false
}
