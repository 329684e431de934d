package filesystem

import (
	"path/filepath"
	"strings"
)

// Holders are the other processes that have a database file open.
type Holders struct {
	Names []string // Each with its process id.
	Known bool     // There are no others.
}

// HoldersOf finds the other processes that have a database open.
func HoldersOf(path string) Holders { return HoldersUnder(path, filepath.Base(path)) }

// Away reports whether no other process has the file open. Where the system doesn't tell, one
// may have.
func (h Holders) Away() bool { return h.Known && len(h.Names) == 0 }

// String says in words who has the file open.
func (h Holders) String() string {
	switch {
	case len(h.Names) > 0:
		return strings.Join(h.Names, ", ") + " has the file open"
	case h.Known:
		return "no other process has the file open"
	}
	return "it isn't known whether another process has the file open"
}
