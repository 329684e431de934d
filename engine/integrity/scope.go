package integrity

import "slices"

// Scope is how much of a file has to be read to detect a fault.
type Scope int

// The scopes, the smallest first.
const (
	FileScope      Scope = iota // What all conversations share; no conversation is looked at by itself.
	StructureScope              // The context, summaries and notes of each conversation.
	ContentScope                // Its messages and their parts too.
)

// needs reports whether a fault is asked for that a check of a smaller scope can't detect.
func (c *checker) needs(s Scope) bool {
	return c.Faults == nil || slices.ContainsFunc(c.Faults, func(id FaultID) bool { return c.scopeOf(id) >= s })
}

// scopeOf is the scope of a fault in this check. SQLite follows the references of the whole
// file; those of one conversation are followed with its context and links.
func (c *checker) scopeOf(id FaultID) Scope {
	if id == ReferenceDangling && c.Conversation != 0 {
		return StructureScope
	}
	return byID[id].Scope
}
