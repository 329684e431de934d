package retrieve_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// sessions returns a database of conversations: id, session id, session key, active, created at.
func sessions(t *testing.T) *data.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range [][]any{
		{1, "one", "agent:main:main", 0, "2026-01-01 00:00:00"},
		{2, "two", "agent:main:main", 1, "2026-01-02 00:00:00"},
		{3, "three", "agent:main:main", 0, "2026-01-03 00:00:00"},
		{4, "four", "agent:main:cron:daily:run:7", 1, "2026-01-04 00:00:00"},
		{5, "four-old", "agent:main:cron:daily:run:7", 0, "2026-01-03 00:00:00"},
		{6, "keyless", nil, 0, "2026-01-01 00:00:00"},
		{7, "keyless", nil, 1, "2026-01-01 00:00:00"},
		{8, "ended", "agent:ops:main", 0, "2026-01-01 00:00:00"},
	} {
		if err := w.Exec("INSERT INTO conversations (conversation_id, session_id, session_key, active, created_at) VALUES (?, ?, ?, ?, ?)", row...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return testdb.Open(t, path)
}

func TestScope(t *testing.T) {
	t.Parallel()
	db := sessions(t)
	for name, c := range map[string]struct {
		request retrieve.ScopeRequest
		ids     []int64
		header  string
	}{
		"a conversation needn't exist":             {retrieve.ScopeRequest{Conversation: new(int64(99)), AllConversations: true}, []int64{99}, "99"},
		"all wins over a session":                  {retrieve.ScopeRequest{AllConversations: true, SessionKey: "agent:main:main"}, nil, "all conversations"},
		"the family of a key, the active first":    {retrieve.ScopeRequest{SessionKey: "agent:main:main"}, []int64{2, 3, 1}, "session family rooted at 2 (3 segments)"},
		"the session id of a keyed conversation":   {retrieve.ScopeRequest{SessionID: "two"}, []int64{2, 3, 1}, "session family rooted at 2 (3 segments)"},
		"a stale key gives way to the session id":  {retrieve.ScopeRequest{SessionKey: "agent:main:main", SessionID: "keyless"}, []int64{7, 6}, "session family rooted at 7 (2 segments)"},
		"an ended session id doesn't beat the key": {retrieve.ScopeRequest{SessionKey: "agent:main:main", SessionID: "ended"}, []int64{2, 3, 1}, "session family rooted at 2 (3 segments)"},
		"an unknown key gives way to the id":       {retrieve.ScopeRequest{SessionKey: "no such", SessionID: "two"}, []int64{2, 3, 1}, "session family rooted at 2 (3 segments)"},
		"a scheduled run is alone":                 {retrieve.ScopeRequest{SessionKey: "agent:main:cron:daily:run:7"}, []int64{4}, "4"},
		"without a key by the session id":          {retrieve.ScopeRequest{SessionID: "keyless"}, []int64{7, 6}, "session family rooted at 7 (2 segments)"},
		"an agent":                                 {retrieve.ScopeRequest{Agent: "main"}, []int64{5, 4, 3, 2, 1}, "agent main (5 conversations)"},
	} {
		s, err := c.request.Resolve(t.Context(), db)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.ids, s.IDs()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if s.String() != c.header {
			t.Errorf("%s: the header says %q, want %q", name, s.String(), c.header)
		}
	}
}

func TestScopeIsNeverGuessed(t *testing.T) {
	t.Parallel()
	db := sessions(t)
	for _, r := range []retrieve.ScopeRequest{{}, {SessionKey: "agent:ops:main"}, {SessionID: "ended"}, {SessionKey: " "}, {Agent: "nobody"}} {
		s, err := r.Resolve(t.Context(), db)
		if !errors.Is(err, retrieve.ErrNoScope) || !s.Empty() || s.All() {
			t.Errorf("%+v: %v, %v, want no scope", r, s, err)
		}
	}
}

func TestNoConversationsIsNotAll(t *testing.T) {
	t.Parallel()
	none, all, two := retrieve.Conversations(), retrieve.AllConversations(), retrieve.Conversations(2, 2)
	if none.All() || !none.Empty() || none.Contains(1) || !all.Contains(1) || two.Contains(1) || len(two.IDs()) != 1 {
		t.Errorf("none %v, all %v, two %v", none, all, two)
	}
	for _, c := range []struct{ in, want retrieve.Scope }{{all.Intersect(two), two}, {two.Intersect(all), two}, {two.Intersect(none), none}, {none.Intersect(all), none}} {
		if c.in.String() != c.want.String() {
			t.Errorf("both: %v, want %v", c.in, c.want)
		}
	}
}
