package views

import "lcm-tui/ui"

// The keys that screens of several packages have.
//
// They are spelled once, so that a key means the same wherever it is.
var (
	KeyCompare   = ui.Act("x", "x", "compare with the transcript")
	KeyHistory   = ui.Act("H", "H", "history")
	KeyHealth    = ui.Act("h", "h", "health of the file")
	KeySettings  = ui.Act("S", "S", "settings")
	KeySessions  = ui.Act("T", "T", "session files")
	KeyDiff      = ui.Act("x", "x", "compare with this one")
	KeyExport    = ui.Act("X", "X", "export")
	KeyCopyText  = ui.Act("Y", "Y", "copy the text")
	KeyFind      = ui.Act("F", "F", "find everywhere").In("Find").AsKeyOnly()
	KeyAsk       = ui.Act("A", "A", "ask a question").In("Find").AsKeyOnly()
	KeySecrets   = ui.Act("p", "p", "secrets: passwords, keys and tokens")
	KeyUnmark    = ui.Act("U", "U", "unmark all") // All conversations.
	KeyMark      = ui.Act("space", "space", "mark")
	KeySession   = ui.Act("e", "e", "edit the session: rename, move, archive")
	KeyLifecycle = ui.Act("N", "N", "begin or end the session: new, reset, end")
	KeySpace     = ui.Act("z", "z", "space: what fills the file")
	KeyTrash     = ui.Act("t", "t", "trash: what was pruned")
	KeyDatabases = ui.Act("d", "d", "open another database").In("File").InFooter()
	KeyFleet     = ui.Act("f", "f", "fleet: copies of other machines")
	KeyPrune     = ui.Act("P", "P", "prune the marked")
	KeyMemory    = ui.Act("m", "m", "memory of coding agents: hooks, session files, work")
	KeyEntries   = ui.Act("e", "e", "entries of promoted memory")
)
