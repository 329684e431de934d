package fakehost_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
)

// TestImportOfReplacedTexts: a transcript without ids that was rewritten shorter is imported again
// where texts were replaced or rows deleted, and refused as a replay where nothing was; with ids
// nothing comes but what is new.
func TestImportOfReplacedTexts(t *testing.T) {
	t.Parallel()
	const replaced = "UPDATE messages SET content = 'stub ' || seq WHERE seq <= 50"
	shorter := func(all []fakehost.Message) []fakehost.Message { return all[:45] }
	for name, c := range map[string]struct {
		ids    bool
		change string
		file   func(all []fakehost.Message) []fakehost.Message
		want   int
	}{
		"unchanged, no ids":                    {false, "", shorter, 0},
		"unchanged, ids":                       {true, "", shorter, 0},
		"texts replaced, no ids":               {false, replaced, shorter, 45},
		"texts replaced, ids":                  {true, replaced, shorter, 0},
		"old half deleted, no ids, kept in it": {false, "-seq <= 30", func(all []fakehost.Message) []fakehost.Message { return all[10:55] }, 45},
		"old half deleted, ids, kept in it":    {true, "-seq <= 30", func(all []fakehost.Message) []fakehost.Message { return all[10:55] }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, history := story(t, c.ids)
			file := fakehost.Transcript{Path: "session.jsonl", Header: "s", Entries: history}
			if _, added, err := h.CatchUp(key, file); err != nil || added != 0 {
				t.Fatal(added, err)
			}
			change(t, h, c.change)
			file.Entries = c.file(history)
			if _, added, err := h.CatchUp(key, file); err != nil || added != c.want {
				t.Errorf("%d came, want %d (%v)", added, c.want, err)
			}
		})
	}
}

// TestRepeatedReplacedTexts: without ids, a text that repeats is counted by content: once the
// earlier ones were replaced, the same count is reached too early, and what follows comes again.
func TestRepeatedReplacedTexts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ids    bool
		change string
		again  bool
	}{
		"unchanged":       {false, "", false},
		"replaced":        {false, "UPDATE messages SET content = 'stub ' || seq WHERE seq <= 28", true},
		"replaced, ids":   {true, "UPDATE messages SET content = 'stub ' || seq WHERE seq <= 28", false},
		"deleted":         {false, "-seq <= 28", true},
		"deleted, ids":    {true, "-seq <= 28", false},
		"newest replaced": {false, "UPDATE messages SET content = 'stub' WHERE seq = 60", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			history := turns(0, 60, c.ids)
			for i := 1; i < len(history); i += 2 {
				history[i].Content = "ok"
			}
			h := begin(t, fakehost.Head, fakehost.Defaults())
			must[[]int64](t)(h.Append(1, history...))
			file := fakehost.Transcript{Path: "session.jsonl", Header: "s", Entries: history}
			if _, added, err := h.CatchUp(key, file); err != nil || added != 0 {
				t.Fatal(added, err)
			}
			change(t, h, c.change)
			file.Entries = append(file.Entries, turns(60, 2, c.ids)...)
			if _, added, err := h.CatchUp(key, file); err != nil || (added > 2) != c.again || added < 2 {
				t.Errorf("%d came, two are new, others again: %v (%v)", added, c.again, err)
			}
		})
	}
}

// TestImportLimit: into an empty conversation goes what fits of the newest messages.
func TestImportLimit(t *testing.T) {
	t.Parallel()
	history := turns(0, 60, true)
	for i := range history {
		history[i].Content += strings.Repeat(" words", 800)
	}
	h := begin(t, fakehost.Head, fakehost.Defaults())
	_, added, err := h.CatchUp(key, fakehost.Transcript{Path: "session.jsonl", Entries: history})
	if err != nil || added != 4 {
		t.Errorf("%d came, want the newest 4 of about 1,200 tokens (%v)", added, err)
	}
}

// TestReplayOfForgottenSources: rows that were deleted below a summary come back with the history,
// and texts that were replaced, with their hashes, don't.
func TestReplayOfForgottenSources(t *testing.T) {
	t.Parallel()
	for change1, want := range map[string]int{"-seq <= 50": 60, "UPDATE messages SET content = 'stub ' || seq WHERE seq <= 50": 0} {
		h, history := story(t, true)
		ids := make([]int64, 50)
		for i := range ids {
			ids[i] = int64(i + 1)
		}
		must[string](t)(h.Leaf(1, ids, "what was said"))
		change(t, h, change1)
		if added := must[int](t)(h.Replay(1, history)); added != want {
			t.Errorf("%s: %d came, want %d", change1, added, want)
		}
	}
}

// TestReplayOfOutputsInFiles: the output of a tool may be replaced by the host's own reference to
// a file that holds it, whatever the hash; without the last line of the reference, and with its
// hash, all comes again.
func TestReplayOfOutputsInFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hint, hash bool
		want       int
	}{
		"whole, the old hash":                 {true, false, 0},
		"whole, its own hash":                 {true, true, 0},
		"without the last line, the old hash": {false, false, 0},
		"without the last line, its own hash": {false, true, 60},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, history := story(t, true)
			body := history[6].Content
			f := fakehost.LargeFile{Conversation: 1, Name: "output.txt", Folder: t.TempDir()}
			id := must[string](t)(h.File(f, []byte(body)))
			text := f.Output(id, "exec", len(body))
			if !c.hint {
				text, _, _ = strings.Cut(text, "\n\nCall lcm_describe")
			}
			if err := h.Exec("UPDATE messages SET content = ? WHERE seq = 7", text); err != nil {
				t.Fatal(err)
			}
			if c.hash {
				if err := h.Exec("UPDATE messages SET identity_hash = ? WHERE seq = 7", fakehost.IdentityHash("user", text)); err != nil {
					t.Fatal(err)
				}
			}
			if added := must[int](t)(h.Replay(1, history)); added != c.want {
				t.Errorf("%d came, want %d", added, c.want)
			}
		})
	}
}

// TestKeys: what a host does after session keys were changed behind its back. Conversation 1 is
// the live one, 2 an archived one of another key with its own transcript; the live session goes on
// with two more messages.
func TestKeys(t *testing.T) {
	t.Parallel()
	const (
		rename = "UPDATE conversations SET session_key = 'agent:main:new' WHERE conversation_id = 1"
		detach = ";UPDATE conversation_bootstrap_state SET session_file_path = '' WHERE conversation_id = "
		swap   = "UPDATE conversations SET active = 0, archived_at = datetime('now') WHERE conversation_id = 1;" +
			"UPDATE conversations SET active = 1, archived_at = NULL, archive_cause = NULL, session_key = '" + key + "' WHERE conversation_id = 2"
		takeOver = swap + ";UPDATE conversations SET session_id = 'gone' WHERE conversation_id = 1;UPDATE conversations SET session_id = 'live' WHERE conversation_id = 2;" +
			"DELETE FROM conversation_bootstrap_state WHERE conversation_id = 2;UPDATE conversation_bootstrap_state SET conversation_id = 2 WHERE conversation_id = 1"
	)
	for name, c := range map[string]struct {
		change string
		key    string // That of the next contact.
		fresh  bool   // The next contact begins another session.
		gone   bool   // The transcripts that conversations followed are gone; the live one stays where the session goes on.
		conv   int64  // Where it lands.
		total  int    // Messages of the whole file afterwards: 12 are there before.
		frozen bool
	}{
		"nothing":                             {"", key, false, false, 1, 14, false},
		"rename, session and file stay":       {rename, key, false, false, 1, 14, false},
		"rename, another session":             {rename, "agent:main:new", true, false, 1, 14, false},
		"rename, another session, file gone":  {rename, "agent:main:new", true, true, 3, 14, false},
		"rename, detached":                    {rename + detach + "1", "agent:main:new", false, false, 1, 14, false},
		"rename, detached, another session":   {rename + detach + "1", "agent:main:new", true, false, 1, 14, false},
		"rename, detached, file gone":         {rename + detach + "1", "agent:main:new", true, true, 1, 14, false},
		"rename, checkpoint deleted":          {rename + ";DELETE FROM conversation_bootstrap_state WHERE conversation_id = 1", "agent:main:new", true, false, 1, 12, true},
		"no key, session stays":               {"UPDATE conversations SET session_key = NULL WHERE conversation_id = 1", key, false, false, 1, 14, false},
		"archived while it lives":             {"UPDATE conversations SET active = 0 WHERE conversation_id = 1", key, false, false, 3, 20, false},
		"swapped":                             {swap, key, false, false, 2, 20, false},
		"swapped, the old file gone":          {swap, key, false, true, 3, 20, false},
		"swapped with session and checkpoint": {takeOver, key, false, false, 2, 14, false},
		"swapped, detached":                   {swap + detach + "2", key, false, false, 2, 20, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			live := fakehost.Session{Key: key, ID: "live", Transcript: fakehost.Transcript{Path: filepath.Join(folder, "live.jsonl"), Header: "live", Entries: turns(0, 6, true)}}
			old := fakehost.Session{Key: "agent:main:old", ID: "old", Transcript: fakehost.Transcript{Path: filepath.Join(folder, "old.jsonl"), Header: "old", Entries: turns(100, 6, true)}}
			h := begin(t, fakehost.Head, fakehost.Defaults())
			for _, s := range []fakehost.Session{live, old} {
				if err := s.Transcript.Save(); err != nil {
					t.Fatal(err)
				}
				if _, added, err := h.OpenSession(s); err != nil || added != 6 {
					t.Fatal(added, err)
				}
			}
			change(t, h, "UPDATE conversations SET active = 0, archived_at = datetime('now') WHERE conversation_id = 2;"+c.change)
			next := live
			next.Key, next.Transcript.Entries = c.key, turns(0, 8, true)
			if c.fresh {
				next = fakehost.Session{Key: c.key, ID: "next", Transcript: fakehost.Transcript{Path: filepath.Join(folder, "next.jsonl"), Header: "next", Entries: turns(200, 2, true)}}
			}
			if c.gone {
				for _, path := range []string{live.Transcript.Path, old.Transcript.Path} {
					if path != next.Transcript.Path {
						if err := os.Remove(path); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			conv, _, err := h.OpenSession(next)
			if err != nil || conv != c.conv {
				t.Errorf("it goes on in conversation %d, want %d (%v)", conv, c.conv, err)
			}
			if n := number(t, h, countMessages); n != c.total {
				t.Errorf("%d messages in the file, want %d", n, c.total)
			}
			if ids := must[[]int64](t)(h.Append(conv, turns(300, 1, false)...)); (len(ids) == 0) != c.frozen {
				t.Errorf("the next turn: %d stored, frozen %v", len(ids), c.frozen)
			}
		})
	}
}

// TestTwoActiveConversations: a host that finds two active rows of one key can't have made them.
func TestTwoActiveConversations(t *testing.T) {
	t.Parallel()
	h := begin(t, fakehost.Head, fakehost.Defaults())
	other := must[int64](t)(h.Conversation(fakehost.Conversation{SessionKey: key}))
	if err := h.Exec("UPDATE conversations SET active = 1, archived_at = NULL WHERE conversation_id = ?", other); err == nil || !strings.Contains(err.Error(), "UNIQUE") {
		t.Errorf("a second active row: %v", err)
	}
}
