package integrity

// fileFaults are those of large files, which lie beside the database.
var fileFaults = []Fault{
	{
		ID: MessageFileRowMissing, Title: "A message refers to a file that has no row",
		One: "reference to a missing file row", Many: "references to missing file rows",
		Symptom: NotExpandable, Severity: Error, Since: "0.1.0", Scope: ContentScope,
		RepairKind: ByRule,
		Meaning:    "The agent can't read the payload.",
		Cause:      "The row was deleted.",
		Detection:  "The file id in each reference that stands for a payload.",
		Expected:   "Every reference has its row.",
		Repair:     "create the row again where the file is in the files folder; else the payload is lost",
	},
	{
		ID: PayloadFileRowMissing, Title: "A payload's file has no row",
		One: "payload without its file row", Many: "payloads without their file rows",
		Symptom: NotExpandable, Severity: Error, Since: "0.10.0", Scope: ContentScope,
		RepairKind: ByRule,
		Meaning:    "The host looks for the payload and doesn't find it, although the message still holds it.",
		Cause:      "The row was deleted.",
		Detection:  "Each message's large_content is looked up.",
		Expected:   "Every id has its row.",
		Repair:     "clear the column",
	},
	{
		ID: FileWrong, Title: "A file is missing, elsewhere, or of another size",
		One: "missing or moved file", Many: "missing or moved files",
		Symptom: NotExpandable, Severity: Error, Since: "0.1.0", Scope: ContentScope,
		RepairKind: NoRepair,
		Meaning:    "The agent can't read it, or would read something else.",
		Cause:      "It was deleted or changed, the folder was moved, or the row was changed.",
		Detection:  "The path of each row, with symbolic links followed, must lead to a file of that size in the files folder.",
		Expected:   "The file is at its path. Where the whole folder isn't on this machine, nothing is known.",
		Repair:     "restore it from a message that still holds it, or from a backup",
	},
	{
		ID: FileUnreferenced, Title: "An unreferenced file",
		One: "unreferenced file", Many: "unreferenced files",
		Symptom: Unused, Severity: Info, Since: "0.1.0", Scope: ContentScope,
		RepairKind: ByChoice,
		Choices: []Choice{
			{"forget", "delete the row; the file stays on disk"},
			{Keep, "leave everything as it is"},
		},
		Meaning:   "It takes up space.",
		Cause:     "What referred to it was deleted or pruned: hosts never delete files.",
		Detection: "The ids of files in messages, parts and summaries of their conversation, and the files folder against the table.",
		Expected:  "Something refers to every file.",
		Repair:    "delete row and file after a backup",
	},
}
