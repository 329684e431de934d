package integrity_test

import (
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/testlength"
)

// TestConversations: conversations that contradict each other or themselves, and those that
// only look so.
func TestConversations(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const (
		free    = "DROP INDEX conversations_active_session_key_idx"
		live    = "UPDATE conversations SET active = 1, archived_at = NULL WHERE conversation_id = 2"
		sameKey = "UPDATE conversations SET session_key = 'agent:main:main' WHERE conversation_id = 2"
		session = "UPDATE conversations SET session_id = (SELECT session_id FROM conversations WHERE conversation_id = 1) WHERE conversation_id = 2"
		// The second conversation goes on where the first was archived.
		split = "UPDATE conversations SET active = 0, archived_at = '2026-01-06 00:00:00' WHERE conversation_id = 1"
	)
	checkDamages(t, 0, map[string]damage{
		"two active ones of a key":        {[]string{free, live, sameKey}, integrity.SessionKeyDuplicate, integrity.Error},
		"one of them archived":            {[]string{free, sameKey}, integrity.SessionKeyDuplicate, ""},
		"no key at all":                   {[]string{free, live, "UPDATE conversations SET session_key = NULL"}, integrity.SessionKeyDuplicate, ""},
		"a session under two keys":        {[]string{live, session}, integrity.SessionIDDuplicate, integrity.Info},
		"a session without keys":          {[]string{live, session, "UPDATE conversations SET session_key = NULL"}, integrity.SessionIDDuplicate, integrity.Warn},
		"history left behind":             {[]string{split, sameKey, live}, integrity.HistorySplit, integrity.Warn},
		"after a reset":                   {[]string{split, sameKey, live, "UPDATE conversations SET archive_cause = 'manual-reset' WHERE conversation_id = 1"}, integrity.HistorySplit, ""},
		"of a job":                        {[]string{split, live, "UPDATE conversations SET session_key = 'agent:main:cron:a'"}, integrity.HistorySplit, ""},
		"without messages":                {[]string{split, sameKey, live, "DELETE FROM messages WHERE conversation_id = 1"}, integrity.HistorySplit, ""},
		"nothing goes on":                 {[]string{split, sameKey}, integrity.HistorySplit, ""},
		"the older one goes on":           {[]string{sameKey}, integrity.HistorySplit, ""},
		"not active, not archived":        {[]string{"UPDATE conversations SET active = 0"}, integrity.ArchiveStateWrong, integrity.Warn},
		"active and archived":             {[]string{"UPDATE conversations SET archived_at = '2026-01-06 00:00:00'"}, integrity.ArchiveStateWrong, integrity.Warn},
		"neither yes nor no":              {[]string{"UPDATE conversations SET active = 7 WHERE conversation_id = 1"}, integrity.ArchiveStateWrong, integrity.Warn},
		"an active one is active":         {nil, integrity.ArchiveStateWrong, ""},
		"an active one without a context": {[]string{"DELETE FROM context_items WHERE conversation_id = 1"}, integrity.ContextEmpty, integrity.Error},
		"right after /new":                {[]string{"DELETE FROM context_items WHERE conversation_id = 1", "UPDATE conversation_bootstrap_state SET soft_reset_pruned_at = '2027-01-01 00:00:00'"}, integrity.ContextEmpty, ""},
		"without messages or context":     {[]string{"DELETE FROM context_items WHERE conversation_id = 1", "DELETE FROM messages WHERE conversation_id = 1"}, integrity.ContextEmpty, ""},
	})
}
