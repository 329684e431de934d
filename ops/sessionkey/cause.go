package sessionkey

// CauseEnded is the cause of an archive where none is given: the session has ended.
const CauseEnded = "session-end"

// Causes are what hosts note as the cause of an archive. After a reset by hand, parts of a conversation
// that a rollover split are not joined again.
var Causes = []string{CauseEnded, "session-deleted", "manual-reset", "rollover-fallback", "cron-rotation"}

// causeWords say what a cause means.
var causeWords = map[string]string{
	CauseEnded:          "the session ended",
	"session-deleted":   "the session was deleted",
	"manual-reset":      "the session was reset by hand",
	"rollover-fallback": "its transcript was gone, so the host began another",
	"cron-rotation":     "the next run of its job began",
}

// CauseText says in words why a conversation was archived. A cause that isn't known stays as it is;
// empty is none.
func CauseText(cause string) string {
	if words, ok := causeWords[cause]; ok {
		return words
	}
	return cause
}
