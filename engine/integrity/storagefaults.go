package integrity

// storageFaults are those of the file itself.
var storageFaults = []Fault{
	{
		ID: PagesDamaged, Title: "Damaged pages",
		One: "damaged page", Many: "damaged pages",
		Symptom: HostFailsToStart, Severity: Fatal, Since: "0.1.0", Scope: FileScope,
		RepairKind: ByChoice, Operation: "salvage",
		Meaning:   "Part of the file can't be read, or its indexes contradict its tables. The host may refuse to start, and rows may be lost.",
		Cause:     "A disk error, a copy that was made while the host was writing, or a copy without the -wal file.",
		Detection: "SQLite's own check of every page, index and constraint, and every read of this check that fails.",
		Expected:  "SQLite's check says ok.",
		Repair:    "read every row that is left into a new file; the damaged file is only read",
	},
	{
		ID: ReferenceDangling, Title: "A reference to a row that doesn't exist",
		One: "reference to a missing row", Many: "references to missing rows",
		Symptom: MemoryLost, Severity: Error, Since: "0.1.0", Scope: FileScope,
		RepairKind: ByRule,
		Meaning:    "Links lead nowhere: the context is shorter than it claims, or a summary can't be expanded.",
		Cause:      "A program that doesn't enforce foreign keys deleted rows and left what refers to them.",
		Detection:  "Every foreign key of every table is followed.",
		Expected:   "Every reference finds its row.",
		Repair:     "delete the link, the context item or the part that refers to nothing",
	},
	{
		ID: TablesIncomplete, Title: "Tables are missing or outdated",
		One: "missing or stale table", Many: "missing or stale tables",
		Symptom: HostFailsToStart, Severity: Error, Since: "0.1.0", Scope: FileScope,
		RepairKind: ByChoice,
		Meaning:    "The host may fail at start, or its search may find nothing.",
		Cause:      "An upgrade that was interrupted, or a search table made by a very old version.",
		Detection:  "The list of tables: the eight core tables, and each search table with its five shadow tables.",
		Expected:   "All core tables exist. Search tables may be absent altogether where SQLite was built without FTS5.",
		Repair:     "create the missing table, and rebuild search tables",
	},
	{
		ID: IDCounterBehind, Title: "An id counter is behind its table",
		One: "id counter behind its table", Many: "id counters behind their tables",
		Symptom: RowsIncomplete, Severity: Warn, Since: "0.1.0", Scope: FileScope,
		RepairKind: ByRule,
		Meaning:    "The next row may get the id of a row that was deleted, and inherit what still refers to it.",
		Cause:      "Rows were copied into the file by hand or by a merging tool.",
		Detection:  "The counters of sqlite_sequence against the highest ids of conversations and messages.",
		Expected:   "The counter is at the highest id or past it.",
		Repair:     "set the counter to the highest id",
	},
}
