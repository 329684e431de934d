package sessionkey_test

import (
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ops/transplant"
)

// move returns a move to the place of conversation 1, with all of its messages or without.
func move(messages bool) *sessionkey.Move {
	o := &sessionkey.Move{Conversation: 2, To: 1}
	if messages {
		o.Messages = &transplant.Op{Source: 1, Target: 2, Messages: true, All: true, Reactivated: true}
	}
	return o
}

// warned reports whether a plan warns that a replay is stored again.
func warned(p ops.Plan) bool {
	return strings.Contains(strings.Join(p.Warnings, "\n"), "stores all of it")
}

// TestReplaysAfterMove: with the messages of the conversation whose place it gets, a host stores what
// it would have stored without the move, also when it is handed the whole history again. Where it would
// store more, the plan says so.
func TestReplaysAfterMove(t *testing.T) {
	t.Parallel()
	const picture = "UPDATE messages SET content = '[User image: a.png (image/png, 70 bytes) | LCM file: file_0123456789abcdef]', identity_hash = NULL WHERE message_id = 3"
	for name, c := range testlength.SomeOf(map[string]struct {
		change   string // Of the rows, before the host begins.
		messages bool
		comes    bool // The history comes again.
	}{
		"with the messages":                 {"", true, false},
		"without them":                      {"", false, true},
		"some left the context":             {"DELETE FROM context_items WHERE message_id <= 4", true, false},
		"all left the context":              {"DELETE FROM context_items WHERE conversation_id = 1", true, false},
		"texts repeat":                      {"UPDATE messages SET content = 'ok', identity_hash = NULL WHERE conversation_id = 1 AND role = 'user'", true, false},
		"texts are empty":                   {"UPDATE messages SET content = '', identity_hash = NULL WHERE conversation_id = 1 AND role = 'user'", true, false},
		"texts are in both":                 {"UPDATE messages SET content = 'the same at ' || (seq % 2), identity_hash = NULL, created_at = '2026-01-01 00:00:00'", true, false},
		"a text names a file":               {"UPDATE messages SET content = 'see file_0123456789abcdef', identity_hash = NULL WHERE message_id = 2", true, false},
		"a payload lies in a file":          {picture, true, true},
		"one of the old one lies in a file": {"UPDATE messages SET content = '[User image: a.png (image/png, 70 bytes) | LCM file: file_0123456789abcdef]', identity_hash = NULL WHERE message_id = 9", true, false},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, fakehost.Head)
			w.exec(t, "INSERT INTO large_files (file_id, conversation_id, storage_uri) VALUES ('file_0123456789abcdef', 1, '/nowhere/file_0123456789abcdef.txt')")
			if c.change != "" {
				w.exec(t, c.change)
			}
			must(t, w.host.Restart())
			before := testdb.Host(t, w.path, true)
			after := testdb.Hosted{Path: testdb.Copy(t, w.path), Sessions: before.Sessions}
			db := testdb.Open(t, after.Path)
			p, err := move(c.messages).Plan(t.Context(), db, noReport)
			must(t, err)
			_, err = ops.Apply(t.Context(), db, p)
			must(t, err)
			must(t, db.Close())
			differences := strings.Join(testdb.HostDifferences(t, before, after), "\n")
			if (differences != "") != c.comes || c.comes && !strings.Contains(differences, "a replay of the whole history") {
				t.Errorf("it differs in:\n%s", differences)
			}
			if warned(p) != c.comes {
				t.Errorf("the plan warns: %q", p.Warnings)
			}
		})
	}
}
