package data

import (
	"slices"
	"time"
)

// settlesIn is how long after a host chose what to compact it may still write: longer
// than it waits for a summary.
const settlesIn = 10 * time.Minute

// IsSettled reports whether an item has been in its place for so long that a host which
// chose places before has ended by now. What replaces an item that isn't settled may be
// deleted by its ordinal, for one that the host has summarized.
func (c ContextItem) IsSettled(now time.Time) bool {
	i := slices.Index(c.columns, "created_at")
	if !c.stored || i < 0 {
		return false
	}
	at, ok := ParseTime(asText(c.cells[i]))
	return !ok || now.Sub(at) >= settlesIn
}
