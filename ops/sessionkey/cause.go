package sessionkey

// CauseEnded is the cause of an archive where none is given: the session has ended.
const CauseEnded = "session-end"

// CauseDeleted is the cause where the session was deleted, and CauseReset where it was reset by hand.
const (
	CauseDeleted = "session-deleted"
	CauseReset   = "manual-reset"
)

// Causes are what hosts note as the cause of an archive. After a reset by hand, parts of a conversation
// that a rollover split are not joined again.
var Causes = []string{CauseEnded, CauseDeleted, CauseReset, "rollover-fallback", "cron-rotation"}

// causeWords say what a cause means.
var causeWords = map[string]string{
	CauseEnded:          "the session ended",
	CauseDeleted:        "the session was deleted",
	CauseReset:          "the session was reset by hand",
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
