package views

import "lcm-tui/ui"

// keyCompare is that of the context; in the lists of conversations, messages and session files v has
// another use.
var (
	keyCompare     = ui.Act("x v", "x", "compare with the transcript")
	keyCompareList = ui.Act("x", "x", "compare with the transcript")
)

var keyHistory = ui.Act("H", "H", "history")

var keyHealth = ui.Act("h", "h", "health of the file")

var keySettings = ui.Act("S", "S", "settings")

var keySessions = ui.Act("T", "T", "session files")

// keyDiff compares the database with another file.
var keyDiff = ui.Act("x", "x", "compare with this one")

var keyExport = ui.Act("X", "X", "export")

var keyCopyText = ui.Act("Y", "Y", "copy the text")

var keyFind = ui.Act("F", "F", "find everywhere").In("Find").AsKeyOnly()

var keySecrets = ui.Act("p", "p", "secrets: passwords, keys and tokens")

var keyMark = ui.Act("space", "space", "mark")

var keySession = ui.Act("K", "K", "session: rename, move, archive")

var keySpace = ui.Act("z", "z", "space: what fills the file")

var keyTrash = ui.Act("t", "t", "trash: what was pruned")

var keyDatabases = ui.Act("d", "d", "open another database").In("File").InFooter()

var keyPrune = ui.Act("P", "P", "prune the marked")
