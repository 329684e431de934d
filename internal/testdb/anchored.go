package testdb

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
)

// AnchoredDifferences returns, in words, what a host of 1.0 does otherwise in a database after an operation than
// before it: rows that it stores, or not, and conversations that it ends. It is played on copies: a
// start, turns between further starts, and the replay of a whole history after one. visible has the
// visible paths by session id; conversations without one aren't played. In short tests only the replay is played, which
// begins with a start and a turn.
func AnchoredDifferences(t testing.TB, before, after string, visible map[string][]fakehost.VisibleEntry) (out []string) {
	t.Helper()
	for name, scene := range testlength.SomeOf(anchoredScenes) {
		want, got := playAnchored(t, before, visible, scene), playAnchored(t, after, visible, scene)
		for text, n := range want {
			if got[text] < n {
				out = append(out, fmt.Sprintf("%s: %d of %d: %s", name, got[text], n, text))
			}
		}
		for text, n := range got {
			if want[text] < n {
				out = append(out, fmt.Sprintf("%s: %d times instead of %d: %s", name, n, want[text], text))
			}
		}
	}
	slices.Sort(out)
	return out
}

// anchoredScene is what happens to a host of 1.0 with one session.
type anchoredScene func(h *fakehost.Host, conv int64, visible []fakehost.VisibleEntry) error

var anchoredScenes = map[string]anchoredScene{
	"a start": func(h *fakehost.Host, conv int64, visible []fakehost.VisibleEntry) error {
		_, err := fakehost.Bootstrap(h, conv, visible)
		return err
	},
	"turns between starts": func(h *fakehost.Host, conv int64, visible []fakehost.VisibleEntry) error {
		for i := range 3 {
			if _, err := fakehost.Bootstrap(h, conv, visible); err != nil {
				return err
			}
			next := NextEntries(visible, fmt.Sprint("turn ", i))
			if _, err := fakehost.CommitTurn(h, conv, fmt.Sprint(conv, " ", i), MessagesOf(next)...); err != nil {
				return err
			}
			visible = append(slices.Clip(visible), next...)
		}
		_, err := fakehost.Bootstrap(h, conv, visible)
		return err
	},
	"a replay after a start": func(h *fakehost.Host, conv int64, visible []fakehost.VisibleEntry) error {
		if _, err := fakehost.Bootstrap(h, conv, visible); err != nil {
			return err
		}
		next := NextEntries(visible, "replay")
		if _, err := fakehost.CommitTurn(h, conv, fmt.Sprint(conv, " replay"), MessagesOf(next)...); err != nil {
			return err
		}
		_, err := h.Replay(conv, MessagesOf(append(slices.Clip(visible), next...)))
		return err
	},
}

// Entries returns the first entries of a session, one a minute: what a user says, which now and then is the same, and answers
// that have event keys.
func Entries(n int) (out []fakehost.VisibleEntry) {
	for i := range n {
		e := fakehost.VisibleEntry{ID: fmt.Sprint("e", i), Role: "user", Content: fmt.Sprint("number ", i), At: time.Date(2026, 5, 1, 8, i, 0, 352e6, time.UTC)}
		if i%2 == 1 {
			e.Role, e.EventKey = "assistant", fmt.Sprint("assistant-response:", i)
		}
		if i%10 == 0 {
			e.Content = "ok"
		}
		out = append(out, e)
	}
	return out
}

// NextEntries returns a turn that follows a visible path: what the user says, and an answer. The name makes
// its texts and ids its own.
func NextEntries(visible []fakehost.VisibleEntry, name string) []fakehost.VisibleEntry {
	last := visible[len(visible)-1].At
	return []fakehost.VisibleEntry{
		{ID: "user " + name, Role: "user", Content: "what comes next in " + name, At: last.Add(time.Minute + 352*time.Millisecond)},
		{ID: "answer " + name, Role: "assistant", Content: "this comes next in " + name, At: last.Add(2*time.Minute + 352*time.Millisecond)},
	}
}

// MessagesOf returns entries as the messages of a turn.
func MessagesOf(entries []fakehost.VisibleEntry) (out []fakehost.Message) {
	for _, e := range entries {
		out = append(out, fakehost.Message{Role: e.Role, Content: e.Content, At: e.At, EventKey: e.EventKey})
	}
	return out
}

// playAnchored plays a scene on a copy of a database, for all active conversations with a visible
// path. It returns how often the host stored each text, and which conversations are active then.
func playAnchored(t testing.TB, path string, visible map[string][]fakehost.VisibleEntry, scene anchoredScene) map[string]int {
	t.Helper()
	h, err := fakehost.Start(Copy(t, path), fakehost.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	type session struct {
		conv int64
		id   string
	}
	var sessions []session
	err = h.Each("SELECT conversation_id, session_id FROM conversations WHERE active = 1 ORDER BY 1", nil, func(scan func(...any) error) error {
		var s session
		err := scan(&s.conv, &s.id)
		if len(visible[s.id]) > 0 {
			sessions = append(sessions, s)
		}
		return err
	})
	var last int64
	if err == nil {
		err = h.Read([]any{&last}, "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'messages'), 0)")
	}
	for _, s := range sessions {
		if err == nil {
			err = scene(h, s.conv, visible[s.id])
		}
	}
	stored := map[string]int{}
	if err == nil {
		err = h.Each("SELECT conversation_id, role, content FROM messages WHERE message_id > ?", []any{last}, func(scan func(...any) error) error {
			var conv int64
			var role, content string
			err := scan(&conv, &role, &content)
			stored[fmt.Sprintf("conversation %d stores %s %.80q", conv, role, content)]++
			return err
		})
	}
	if err == nil {
		err = h.Each("SELECT session_id, count(*) FROM conversations WHERE active = 1 GROUP BY 1", nil, func(scan func(...any) error) error {
			var id string
			var n int
			err := scan(&id, &n)
			if len(visible[id]) > 0 {
				stored["conversations of "+id+" go on"] = n
			}
			return err
		})
	}
	if err != nil || len(sessions) == 0 {
		t.Fatalf("%d sessions were played: %v", len(sessions), err)
	}
	return stored
}
