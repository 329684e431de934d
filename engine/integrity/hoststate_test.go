package integrity_test

import (
	"path/filepath"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/testlength"
)

// TestHostState: which notes of a host are wrong. Whatever the host corrects by itself is
// Info, and where the folder of a session file isn't on this machine nothing is known.
func TestHostState(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	folder := t.TempDir()
	bootstrap := func(path, size, offset string) string {
		return "UPDATE conversation_bootstrap_state SET session_file_path = '" + path + "', last_seen_size = " + size + ", last_processed_offset = " + offset
	}
	maintain := func(set string) string { return "UPDATE conversation_compaction_maintenance SET " + set }
	const archive = "UPDATE conversations SET active = 0, archived_at = '2026-01-07 00:00:00' WHERE conversation_id = 1"
	checkDamages(t, 1, map[string]damage{
		"a session file that is gone":           {[]string{bootstrap(filepath.Join(folder, "gone.jsonl"), "9", "9")}, integrity.BootstrapStateWrong, integrity.Warn},
		"of an archived conversation":           {[]string{bootstrap(filepath.Join(folder, "gone.jsonl"), "9", "9"), archive}, integrity.BootstrapStateWrong, ""},
		"a folder of another machine":           {[]string{bootstrap("/no/such/folder/s.jsonl", "9", "9")}, integrity.BootstrapStateWrong, ""},
		"an empty path":                         {[]string{bootstrap("", "0", "0")}, integrity.BootstrapStateWrong, ""},
		"read beyond the noted size":            {[]string{bootstrap("/no/such/folder/s.jsonl", "9", "10")}, integrity.BootstrapStateWrong, integrity.Info},
		"a negative offset":                     {[]string{bootstrap("/no/such/folder/s.jsonl", "9", "-1")}, integrity.BootstrapStateWrong, integrity.Info},
		"a placeholder":                         {[]string{bootstrap("/no/such/folder/s.jsonl", "0", "0")}, integrity.BootstrapStateWrong, integrity.Info},
		"running for a minute":                  {[]string{maintain("running = 1, last_started_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 minute')")}, integrity.CompactionStuck, ""},
		"running for two hours":                 {[]string{maintain("running = 1, last_started_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-2 hours')")}, integrity.CompactionStuck, integrity.Warn},
		"running, and nobody knows since when":  {[]string{maintain("running = 1, last_started_at = NULL")}, integrity.CompactionStuck, integrity.Warn},
		"waiting, of an active conversation":    {[]string{maintain("pending = 1")}, integrity.CompactionOwedByArchived, ""},
		"waiting, of an archived conversation":  {[]string{maintain("pending = 1"), archive}, integrity.CompactionOwedByArchived, integrity.Warn},
		"four failures":                         {[]string{maintain("pending = 1, retry_attempts = 4")}, integrity.CompactionFailing, ""},
		"five failures":                         {[]string{maintain("pending = 1, retry_attempts = 5")}, integrity.CompactionFailing, integrity.Warn},
		"five failures, and not waiting":        {[]string{maintain("pending = 0, retry_attempts = 5")}, integrity.CompactionFailing, ""},
		"one message, and five turns":           {[]string{"DELETE FROM messages WHERE message_id > 1", "UPDATE conversation_compaction_telemetry SET turns_since_leaf_compaction = 5"}, integrity.IngestionStopped, integrity.Warn},
		"one message, and four turns":           {[]string{"DELETE FROM messages WHERE message_id > 1", "UPDATE conversation_compaction_telemetry SET turns_since_leaf_compaction = 4"}, integrity.IngestionStopped, ""},
		"many messages, and many turns":         {[]string{"UPDATE conversation_compaction_telemetry SET turns_since_leaf_compaction = 50"}, integrity.IngestionStopped, ""},
		"a brief without an existing summary":   {[]string{"UPDATE focus_brief_sources SET summary_id = 'sum_gone'"}, integrity.FocusBriefWrong, integrity.Error},
		"an inactive one without":               {[]string{"UPDATE focus_brief_sources SET summary_id = 'sum_gone'", "UPDATE focus_briefs SET status = 'inactive'"}, integrity.FocusBriefWrong, ""},
		"a brief of a summary of another place": {[]string{"UPDATE focus_brief_sources SET summary_id = 'sum_690ab324ba5c54f0'"}, integrity.FocusBriefWrong, ""},
	})
}
