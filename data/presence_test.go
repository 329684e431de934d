package data_test

import (
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
)

// TestPresence: beside another process only what is known to be quiet counts as such.
func TestPresence(t *testing.T) {
	t.Parallel()
	const ago = "UPDATE messages SET created_at = '2020-01-01 00:00:00'"
	for name, c := range map[string]struct {
		change string
		want   data.HostState
	}{
		"a message of now":       {"SELECT 1", data.HostLive},
		"all of long ago":        {ago, data.HostQuiet},
		"no message":             {"DELETE FROM context_items; DELETE FROM messages", data.HostQuiet},
		"a time that is no time": {ago + "; UPDATE messages SET created_at = 'soon' WHERE seq = (SELECT max(seq) FROM messages)", data.HostLive},
		"no times at all":        {ago + "; ALTER TABLE messages RENAME COLUMN created_at TO made_at", data.HostLive},
		"a compaction of now": {
			ago + "; INSERT INTO conversation_compaction_maintenance (conversation_id, running, last_started_at) VALUES (1, 1, '" + data.FormatTimeMillis(time.Now()) + "')",
			data.HostLive,
		},
		"a compaction of long ago": {
			ago + "; INSERT INTO conversation_compaction_maintenance (conversation_id, running, last_started_at) VALUES (1, 1, '2020-01-01T00:00:00.000Z')",
			data.HostQuiet,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, db := beside(t, fakehost.Head)
			must(t, h.Exec(c.change))
			other := open(t, db.Path()) // It sees the table as it is now.
			other.Holders = db.Holders
			if p, err := other.Presence(t.Context(), 1); err != nil || p.State != c.want {
				t.Errorf("%v, want %s (%v)", p, c.want, err)
			}
		})
	}
}
