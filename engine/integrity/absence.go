package integrity

import (
	"slices"
	"strings"
)

// compared are, by the first letter of a fault's id, the tables that have to be read
// whole to find it: where one isn't, what is missing is no fault of the host.
var compared = map[byte]string{
	'C': "context_items messages summaries summary_messages summary_parents",
	'L': "context_items messages summaries summary_messages summary_parents",
	'M': "messages message_parts",
	'Q': "summaries summary_messages summary_parents messages",
	'G': "large_files messages message_parts",
	'V': "conversations messages",
	'X': "messages summaries",
	'A': "conversations messages",
}

// certain reports whether a fault can be told from the tables that could be read whole.
func (c *checker) certain(fault FaultID) bool {
	if fault == ReferenceDangling || fault == IDCounterBehind {
		return len(c.unreadTables()) == 0
	}
	for _, table := range strings.Fields(compared[fault[0]]) {
		if slices.Contains(c.unreadTables(), table) {
			return false
		}
	}
	return true
}

// unreadTables are the core tables that couldn't be read whole.
func (c *checker) unreadTables() []string {
	if c.db.Kind().Relative {
		return nil
	}
	return c.db.Incomplete()
}
