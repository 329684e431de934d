package integrity

import "slices"

// comparedTables are the tables that have to be read completely to detect the faults of an
// area: nobody knows whether a host ever wrote a row that is missing.
var comparedTables = map[Area][]string{
	ContextArea:      {"context_items", "messages", "summaries", "summary_messages", "summary_parents"},
	LinkArea:         {"context_items", "messages", "summaries", "summary_messages", "summary_parents"},
	MessageArea:      {"messages", "message_parts"},
	SummaryArea:      {"summaries", "summary_messages", "summary_parents", "messages"},
	FileArea:         {"large_files", "messages", "message_parts"},
	ConversationArea: {"conversations", "messages"},
	SearchArea:       {"messages", "summaries"},
	HostStateArea:    {"conversations", "messages"},
	PendingArea:      {"conversations", "messages", "summaries", "context_items"},
	AnchorArea:       {"conversations", "messages", "context_items"},
}

// isCertain reports whether a fault can be detected from the tables that could be read
// completely.
func (c *checker) isCertain(fault FaultID) bool {
	incomplete := c.incompleteTables()
	if fault == ReferenceDangling || fault == IDCounterBehind { // They concern every table.
		return len(incomplete) == 0
	}
	return !slices.ContainsFunc(comparedTables[fault.Area()], func(table string) bool {
		return slices.Contains(incomplete, table)
	})
}

// incompleteTables are the core tables that couldn't be read completely.
func (c *checker) incompleteTables() []string {
	if c.db.Kind().Relative {
		return nil
	}
	return c.db.IncompleteTables()
}
