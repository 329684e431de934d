//go:build !linux

package filesystem

// HoldersUnder can't tell here who has a file open.
func HoldersUnder(string, ...string) Holders { return Holders{} }

// nameOf can't tell here how a process is called.
func nameOf(int) string { return "another program" }
