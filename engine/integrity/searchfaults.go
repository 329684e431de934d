package integrity

// searchFaults are those of the search tables.
var searchFaults = []Fault{
	{
		ID: MessageNotIndexed, Title: "A message that search doesn't find", Symptom: SearchWrong, Severity: Error, Since: "0.1.0", Scope: ContentScope,
		RepairKind: ByRule,
		Meaning:    "Searches miss it.",
		Cause:      "Hosts may fail to write the index without saying so; hosts up to 0.6 never filled such gaps.",
		Detection:  "Messages with text that the search table lacks.",
		Expected:   "Every message with text is indexed; blank ones are not.",
		Repair:     "add it to the index",
	},
	{
		ID: MessageIndexDangling, Title: "The search index names a message that doesn't exist", Symptom: SearchWrong, Severity: Error, Since: "0.1.0", Scope: FileScope,
		RepairKind: ByRule,
		Meaning:    "Searches return rows without content.",
		Cause:      "Messages were deleted without their index rows.",
		Detection:  "Rows of the search table without a message.",
		Expected:   "Every index row has its message.",
		Repair:     "delete the index row",
	},
	{
		ID: MessageIndexStale, Title: "The search index holds another text of a message", Symptom: SearchWrong, Severity: Warn, Since: "0.1.0", Scope: ContentScope,
		RepairKind: ByRule,
		Meaning:    "Searches find text that isn't there, and miss text that is.",
		Cause:      "The message was changed without its index row.",
		Detection:  "The indexed text against the message's; references are indexed without their hint line.",
		Expected:   "Both are the same.",
		Repair:     "index it again",
	},
	{
		ID: SummaryIndexRowsWrong, Title: "A summary is missing from search, or there twice", Symptom: SearchWrong, Severity: Error, Since: "0.1.0", Scope: ContentScope,
		RepairKind: ByRule,
		Meaning:    "Searches miss it, show it twice, or show one that doesn't exist.",
		Cause:      "The index wasn't written together with the row.",
		Detection:  "The rows of the search table for each summary, and those without one.",
		Expected:   "One index row for each summary.",
		Repair:     "rebuild the index of summaries",
	},
	{
		ID: SummaryIndexStale, Title: "The search index holds another text of a summary", Symptom: SearchWrong, Severity: Warn, Since: "0.1.0", Scope: ContentScope,
		RepairKind: ByRule,
		Meaning:    "Searches find text that isn't there, and miss text that is.",
		Cause:      "A tool rewrote the summary without the indexes, or with only one of the two.",
		Detection:  "The indexed text against the summary's, in both search tables.",
		Expected:   "Both are the same. The table of trigrams may be absent altogether.",
		Repair:     "index it again",
	},
	{
		ID: SearchTableDamaged, Title: "A damaged search table", Symptom: SearchWrong, Severity: Fatal, Since: "0.1.0", Scope: FileScope,
		RepairKind: ByRule,
		Meaning:    "Searches fail, and so may storing messages.",
		Cause:      "Its inner tables were written by hand, or contradict each other after a crash.",
		Detection:  "SQLite compares each search table's index with its texts, without writing.",
		Expected:   "Index and texts agree.",
		Repair:     "drop the table with its inner tables, create it again and fill it",
	},
}
