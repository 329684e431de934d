package testdb_test

import (
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestHostDifferences: what may be done behind a host's back, and what brings rows back or loses
// turns.
func TestHostDifferences(t *testing.T) {
	t.Parallel()
	const rehash = "UPDATE messages SET identity_hash = 'other' WHERE content LIKE '[LCM Forgotten: %'"
	for _, c := range testlength.Some([]struct {
		name       string
		ids        bool
		forget     string
		statements []string
		want       string // Part of a difference; empty for none.
	}{
		{"nothing", true, "0", nil, ""},
		{"nothing, no ids", false, "0", nil, ""},
		{"texts, hashes stay", true, "seq <= 30", nil, ""},
		{"texts, beside a payload in a file", true, "seq <= 30", []string{"payload"}, "a replay of the whole history: 1 times instead of 0"},
		{"texts, hashes change", true, "seq <= 30", []string{rehash}, "a replay of the whole history: 1 times instead of 0"},
		{"texts, no ids", false, "seq <= 50", nil, "a transcript of the older half: 1 times instead of 0"},
		{"rows are deleted", true, "0", []string{"PRAGMA foreign_keys = OFF", "DELETE FROM messages WHERE conversation_id = 1 AND seq <= 30"}, "a replay of the whole history: 1 times instead of 0"},
		{"the checkpoint is deleted", true, "0", []string{"DELETE FROM conversation_bootstrap_state"}, "a transcript of the older half: 0 of"},
		{"the path is emptied", true, "0", []string{"UPDATE conversation_bootstrap_state SET session_file_path = ''"}, ""},
		{"a live conversation is archived", true, "0", []string{"UPDATE conversations SET active = 0, archived_at = datetime('now') WHERE conversation_id = 1"}, "a start and the next turn: 1 times instead of 0"},
		{"an archived one loses its messages", true, "0", []string{"PRAGMA foreign_keys = OFF", "DELETE FROM messages WHERE conversation_id NOT IN (SELECT conversation_id FROM conversations WHERE active = 1)"}, ""},
	}) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := hostedSample(t, slices.Contains(c.statements, "payload"))
			before := testdb.Host(t, path, c.ids)
			after := testdb.Hosted{Path: testdb.Copy(t, path), Sessions: before.Sessions}
			testdb.Forget(t, after.Path, c.forget)
			h, err := fakehost.Open(after.Path)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range slices.DeleteFunc(slices.Clone(c.statements), func(s string) bool { return s == "payload" }) {
				if err := h.Exec(s); err != nil {
					t.Fatal(err)
				}
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			got := strings.Join(testdb.HostDifferences(t, before, after), "\n")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("want %q among\n%.2000s", c.want, got)
			}
		})
	}
}

// hostedSample returns a database with a long live conversation, a short one, and an archived one. A payload
// of the long one lies in a file, or none does.
func hostedSample(t *testing.T, payload bool) string {
	t.Helper()
	path := testdb.Sample(t, fakehost.Head)
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if !payload { // The hash is filled in at the next start.
		err = h.Exec("UPDATE messages SET content = 'the report', identity_hash = NULL WHERE content LIKE '%[LCM File: file_%'")
	}
	for conv := int64(1); err == nil && conv <= 2; conv++ {
		for i := range 30 {
			if _, err = h.Message(1, fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: strings.Repeat("said ", i+int(conv)*40)}); err != nil {
				break
			}
		}
	}
	if cerr := h.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}
