package testdb

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"lcm-tui/internal/fakehost"
)

// Hosted is a database and the sessions that a gateway has in it.
type Hosted struct {
	Path     string
	Sessions []fakehost.Session
	// played is what a host stores in it in each scene, which is found out once. Nil where Host did not make it.
	played *played
}

// played is what a host stored in each scene.
type played struct {
	once   sync.Once
	stored []map[string]int
}

// Host makes a database one that a host keeps at this moment: every active conversation with a
// key and messages follows a transcript of all of them, of today with ids of entries, or as old
// agents wrote it without. It writes transcripts and checkpoints, and with ids those of messages
// that have none.
func Host(t testing.TB, path string, ids bool) Hosted {
	t.Helper()
	h, err := fakehost.Start(path, fakehost.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if ids {
		err = h.Exec("UPDATE messages SET transcript_entry_id = 'entry' || message_id WHERE coalesce(transcript_entry_id, '') = ''")
	} else {
		err = h.Exec("UPDATE messages SET transcript_entry_id = NULL")
	}
	if err == nil {
		err = h.Exec("DELETE FROM conversation_bootstrap_state")
	}
	hosted := Hosted{Path: path, played: &played{}}
	sessions := map[int64]fakehost.Session{}
	if err == nil {
		err = h.Each(`SELECT conversation_id, session_key, session_id FROM conversations c WHERE active = 1 AND coalesce(session_key, '') <> ''
			AND EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = c.conversation_id) ORDER BY 1`, nil, func(scan func(...any) error) error {
			var conv int64
			var s fakehost.Session
			err := scan(&conv, &s.Key, &s.ID)
			sessions[conv] = s
			return err
		})
	}
	folder := t.TempDir()
	for conv, s := range sessions {
		s.Transcript.Path = filepath.Join(folder, fmt.Sprint(conv, ".jsonl"))
		s.Transcript.Header = s.ID
		if err == nil {
			s.Transcript.Entries, err = h.History(conv)
		}
		if err == nil {
			err = s.Transcript.Save()
		}
		if err == nil {
			_, _, err = h.OpenSession(s)
		}
		hosted.Sessions = append(hosted.Sessions, s)
	}
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(hosted.Sessions, func(a, b fakehost.Session) int { return strings.Compare(a.Key, b.Key) })
	return hosted
}

// SameForHost fails the test unless a host stores in a database after an operation exactly what
// it would have stored without the operation: no row comes back, and none is lost. It plays, on
// copies and for all sessions, a start with the next turn, a replay of the whole history, a
// transcript that was rewritten shorter in two ways, and one that has grown.
//
// Before isn't changed any more after Host, as what is played on it is played once.
//
//	before := testdb.Host(t, testdb.Copy(t, path), true)
//	after := testdb.Hosted{Path: testdb.Copy(t, before.Path), Sessions: before.Sessions} // Other keys after a rename.
//	… the operation on after.Path …
//	testdb.SameForHost(t, before, after)
func SameForHost(t testing.TB, before, after Hosted) {
	t.Helper()
	for _, difference := range HostDifferences(t, before, after) {
		t.Error(difference)
	}
}

// HostDifferences returns what SameForHost finds, in words.
func HostDifferences(t testing.TB, before, after Hosted) (out []string) {
	t.Helper()
	if len(before.Sessions) == 0 || len(before.Sessions) != len(after.Sessions) {
		t.Fatalf("%d sessions before, %d after", len(before.Sessions), len(after.Sessions))
	}
	if before.played == nil {
		before.played = &played{}
	}
	before.played.once.Do(func() {
		for _, s := range scenes {
			stored, _ := s.play(t, before)
			before.played.stored = append(before.played.stored, stored)
		}
	})
	if len(before.played.stored) != len(scenes) {
		t.Fatal("the host wasn't played on the database before the operation")
	}
	for i, s := range scenes {
		want := before.played.stored[i]
		got, lost := s.play(t, after)
		for text, n := range want {
			if got[text] < n {
				out = append(out, fmt.Sprintf("%s: %d of %d are stored: %s", s.name, got[text], n, text))
			}
		}
		for text, n := range got {
			if want[text] < n {
				out = append(out, fmt.Sprintf("%s: %d times instead of %d: %s", s.name, n, want[text], text))
			}
		}
		if lost > 0 {
			out = append(out, fmt.Sprintf("%s: %d rows are gone that the operation left", s.name, lost))
		}
	}
	slices.Sort(out)
	return out
}

// scene is something that happens to a host with one session.
type scene struct {
	name string
	run  func(h *fakehost.Host, s fakehost.Session) error
}

var scenes = []scene{
	{"a start and the next turn", func(h *fakehost.Host, s fakehost.Session) error {
		conv, _, err := h.OpenSession(s)
		if err != nil {
			return err
		}
		turn := nextTurn(s)
		if _, err := h.Append(conv, turn...); err != nil {
			return err
		}
		s.Transcript.Entries = append(slices.Clip(s.Transcript.Entries), turn...)
		return reopen(h, s)
	}},
	{"a replay of the whole history", func(h *fakehost.Host, s fakehost.Session) error {
		conv, _, err := h.OpenSession(s)
		turn := nextTurn(s)
		if err == nil {
			_, err = h.Append(conv, turn...)
		}
		if err == nil {
			_, err = h.Replay(conv, append(slices.Clip(s.Transcript.Entries), turn...))
		}
		return err
	}},
	{"a transcript of the older half", func(h *fakehost.Host, s fakehost.Session) error {
		s.Transcript.Entries = append(slices.Clip(s.Transcript.Entries[:(len(s.Transcript.Entries)+1)/2]), nextTurn(s)...)
		return reopen(h, s)
	}},
	{"a transcript of the newer half", func(h *fakehost.Host, s fakehost.Session) error {
		s.Transcript.Entries = append(slices.Clip(s.Transcript.Entries[len(s.Transcript.Entries)/2:]), nextTurn(s)...)
		return reopen(h, s)
	}},
	{"a transcript that has grown", func(h *fakehost.Host, s fakehost.Session) error {
		s.Transcript.Entries = append(slices.Clip(s.Transcript.Entries), nextTurn(s)...)
		return reopen(h, s)
	}},
}

// reopen plays a start with what the transcript has now.
func reopen(h *fakehost.Host, s fakehost.Session) error {
	_, _, err := h.OpenSession(s)
	return err
}

// nextTurn returns what is said next in a session.
func nextTurn(s fakehost.Session) []fakehost.Message {
	turn := []fakehost.Message{{Role: "user", Content: "and what comes next in " + s.ID + "?"}, {Role: "assistant", Content: "the next answer in " + s.ID}}
	if n := len(s.Transcript.Entries); n > 0 && s.Transcript.Entries[n-1].EntryID != "" {
		turn[0].EntryID, turn[1].EntryID = "next-user-"+s.ID, "next-answer-"+s.ID
	}
	return turn
}

// play runs a scene for all sessions on a copy of the database. It returns how often the host
// stored each text, and how many rows it lost that were there.
func (s scene) play(t testing.TB, hosted Hosted) (stored map[string]int, lost int) {
	t.Helper()
	h, err := fakehost.Start(Copy(t, hosted.Path), fakehost.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	var last int64
	var before, kept int
	if err := h.Read([]any{&last, &before}, "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'messages'), 0), count(*) FROM messages"); err != nil {
		t.Fatal(err)
	}
	err = h.Restart()
	for _, session := range hosted.Sessions {
		if err == nil {
			err = s.run(h, session)
		}
	}
	if err == nil {
		err = h.Read([]any{&kept}, "SELECT count(*) FROM messages WHERE message_id <= ?", last)
	}
	stored = map[string]int{}
	if err == nil {
		err = h.Each("SELECT role, content FROM messages WHERE message_id > ?", []any{last}, func(scan func(...any) error) error {
			var role, content string
			err := scan(&role, &content)
			stored[fmt.Sprintf("%s %.80q", role, content)]++
			return err
		})
	}
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return stored, before - kept
}
