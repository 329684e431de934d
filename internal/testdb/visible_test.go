package testdb_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestPlayedStartIsThatOfTheHost: the first start of a host of 1.0 on the files that one wrote stores what
// the real one was seen to store.
func TestPlayedStartIsThatOfTheHost(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]map[int64]int{"rich": {9: 1, 12: 1, 13: 1, 14: 1}, "upgraded": {}, "small": {}} {
		h, err := fakehost.Start(testdb.Fixture(t, "v1.0/"+name+".db"), fakehost.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		visible := testdb.Visible(t, filepath.Join(testdb.Fixtures(t), "v1.0/state-"+name))
		sessions := map[int64]string{}
		err = h.Each("SELECT conversation_id, session_id FROM conversations WHERE active = 1", nil, func(scan func(...any) error) error {
			var conv int64
			var session string
			err := scan(&conv, &session)
			sessions[conv] = session
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		stored := 0
		for _, conv := range slices.Sorted(maps.Keys(sessions)) {
			entries := visible[sessions[conv]]
			if len(entries) == 0 {
				continue
			}
			stored++
			out, err := fakehost.WouldImport(h, conv, entries)
			if err != nil || out.Archived || out.Frozen || len(out.Imported) != want[conv] {
				t.Errorf("%s, conversation %d: %+v, %v, want %d entries", name, conv, out, err, want[conv])
			}
			if n := len(entries); len(out.Imported) == 1 && out.Imported[0] != entries[n-1].ID {
				t.Errorf("%s, conversation %d: it isn't the last entry that is stored", name, conv)
			}
		}
		if stored == 0 {
			t.Errorf("%s: no conversation has a session", name)
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestHostThatStoresMoreIsSeen: what an edit brings back is a difference.
func TestHostThatStoresMoreIsSeen(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	before := testdb.Fixture(t, "v1.0/rich.db")
	visible := testdb.Visible(t, filepath.Join(testdb.Fixtures(t), "v1.0/state-rich"))
	for _, c := range []struct {
		edit string
		same bool
	}{
		{"UPDATE message_parts SET text_content = 'other'", true},
		{"UPDATE messages SET content = 'stub' WHERE conversation_id = 2 AND seq > 90", false},
		{"DELETE FROM message_transcript_anchor_trust WHERE conversation_id = 2", false},
		{"UPDATE conversations SET bootstrapped_at = NULL, active = 0 WHERE conversation_id = 8", false},
	} {
		after := testdb.Copy(t, before)
		w, err := fakehost.Open(after)
		if err == nil {
			err = w.Exec(c.edit)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		if d := testdb.AnchoredDifferences(t, before, after, visible); (len(d) == 0) != c.same {
			t.Errorf("%s: the differences are %q", c.edit, d)
		}
	}
}
