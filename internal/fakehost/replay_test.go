package fakehost_test

import (
	"fmt"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
)

const countMessages = "SELECT count(*) FROM messages"

// story returns a host with a history of 60 messages.
func story(t *testing.T, ids bool) (h *fakehost.Host, history []fakehost.Message) {
	t.Helper()
	history = turns(0, 60, ids)
	h = begin(t, fakehost.Head, fakehost.Defaults())
	must[[]int64](t)(h.Append(1, history...))
	return h, history
}

// drop deletes messages and what depends on them, as another program would.
func drop(t *testing.T, h *fakehost.Host, where string) {
	t.Helper()
	for _, table := range []string{"context_items", "summary_messages", "messages"} {
		if err := h.Exec("DELETE FROM " + table + " WHERE message_id IN (SELECT message_id FROM messages WHERE " + where + ")"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReplay: what comes when the whole history is handed over again, after rows were
// changed behind the host's back.
func TestReplay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string // Of the rows; "-" drops those of a condition.
		want   int    // Rows that come.
	}{
		"nothing was changed":                  {"SELECT 1", 0},
		"the old half was deleted":             {"-seq <= 30", 62},
		"the newest were deleted":              {"-seq > 50", 62},
		"a text was replaced, not its hash":    {"UPDATE messages SET content = 'else' WHERE seq = 7", 0},
		"a text was replaced, and its hash":    {"UPDATE messages SET content = 'else', identity_hash = 'other' WHERE seq = 7", 62},
		"a text was replaced, its hash gone":   {"UPDATE messages SET content = 'else', identity_hash = NULL WHERE seq = 7", 62},
		"only a hash is gone":                  {"UPDATE messages SET identity_hash = NULL WHERE seq = 7", 0},
		"a message was stored a second time":   {"INSERT INTO messages (conversation_id, seq, role, content, token_count, identity_hash) SELECT 1, 99, role, content, token_count, identity_hash FROM messages WHERE seq = 7", 0},
		"two messages have changed places":     {"UPDATE messages SET seq = CASE seq WHEN 7 THEN -8 ELSE -7 END WHERE seq IN (7, 8)", 0},
		"all messages are gone from the table": {"-1", 62},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, history := story(t, true)
			change(t, h, c.change)
			if err := h.Restart(); err != nil {
				t.Fatal(err)
			}
			turn := turns(60, 2, true)
			must[[]int64](t)(h.Append(1, turn...))
			was := number(t, h, countMessages)
			added := must[int](t)(h.Replay(1, append(history, turn...)))
			if added != c.want || number(t, h, countMessages) != was+c.want {
				t.Errorf("%d came, want %d", added, c.want)
			}
		})
	}
}

// TestReplayKnowsTools: of a history that is stored again, calls and results that the
// host has by their ids are left out, plain text never is.
func TestReplayKnowsTools(t *testing.T) {
	t.Parallel()
	var history []fakehost.Message
	for i := range 20 {
		id := fmt.Sprintf("call_%020d", i)
		history = append(history,
			fakehost.Message{Role: "user", Content: fmt.Sprintf("question %d", i)},
			fakehost.Message{Role: "assistant", Parts: []fakehost.Part{{Type: "tool", ToolCallID: id, ToolName: "exec", ToolInput: `{"n":1}`}}},
			fakehost.Message{Role: "tool", Content: fmt.Sprintf("result %d", i), Parts: []fakehost.Part{{Type: "tool", ToolCallID: id, ToolName: "exec", ToolOutput: `"x"`}}},
			fakehost.Message{Role: "assistant", Content: fmt.Sprintf("answer %d", i)})
	}
	h := begin(t, fakehost.Head, fakehost.Defaults())
	must[[]int64](t)(h.Append(1, history...))
	if err := h.Exec("UPDATE messages SET content = 'else', identity_hash = 'other' WHERE seq = 1"); err != nil {
		t.Fatal(err)
	}
	if added := must[int](t)(h.Replay(1, history)); added != 40 {
		t.Errorf("%d of 80 came again, want the 40 without a tool", added)
	}
}

// TestCatchUp: what comes from the transcript at the next start, after rows were changed
// behind the host's back.
func TestCatchUp(t *testing.T) {
	t.Parallel()
	const text = "UPDATE messages SET content = 'else' WHERE seq = "
	grown := func(all []fakehost.Message) []fakehost.Message {
		return append(all, turns(60, 4, all[0].EntryID != "")...)
	}
	rewritten := func(all []fakehost.Message) []fakehost.Message { return all[:25] }
	same := func(all []fakehost.Message) []fakehost.Message { return all }
	for name, c := range map[string]struct {
		ids    bool
		change string
		file   func(all []fakehost.Message) []fakehost.Message
		want   int
	}{
		"nothing, ids":                                {true, "", same, 0},
		"nothing, no ids":                             {false, "", same, 0},
		"grown, ids":                                  {true, "", grown, 4},
		"grown, no ids":                               {false, "", grown, 4},
		"old half deleted, grown, ids":                {true, "-seq <= 30", grown, 4},
		"newest deleted, ids":                         {true, "-seq > 50", same, 0},
		"all deleted, grown, ids":                     {true, "-1", grown, 4},
		"all and the checkpoint deleted":              {true, "-1;DELETE FROM conversation_bootstrap_state", same, 60},
		"old half deleted, rewritten without it, ids": {true, "-seq <= 30", rewritten, 25},
		"a text replaced, grown, ids":                 {true, text + "7", grown, 4},
		"a text replaced, grown, no ids":              {false, text + "7", grown, 4},
		"the newest text replaced, grown, no ids":     {false, text + "60", grown, 5},
		"the conversation deleted":                    {true, "-1;DELETE FROM conversations", same, 60},
		"the path emptied, grown":                     {true, "UPDATE conversation_bootstrap_state SET session_file_path = ''", grown, 4},
		"the path emptied, another file":              {true, "UPDATE conversation_bootstrap_state SET session_file_path = ''", func([]fakehost.Message) []fakehost.Message { return turns(100, 6, true) }, 6},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, history := story(t, c.ids)
			read := func(entries []fakehost.Message) (int64, int) {
				conv, added, err := h.CatchUp(key, fakehost.Transcript{Path: "session.jsonl", Header: "s", Entries: entries})
				if err != nil {
					t.Fatal(err)
				}
				return conv, added
			}
			if _, added := read(history); added != 0 {
				t.Fatalf("%d came from a transcript that is stored", added)
			}
			change(t, h, c.change)
			conv, added := read(c.file(history))
			if added != c.want {
				t.Errorf("%d came, want %d", added, c.want)
			}
			if ids := must[[]int64](t)(h.Append(conv, turns(200, 2, false)...)); len(ids) != 2 {
				t.Error("the next turn isn't stored")
			}
		})
	}
}

// change does to the rows what a case says.
func change(t *testing.T, h *fakehost.Host, what string) {
	t.Helper()
	for step := range strings.SplitSeq(what, ";") {
		if where, ok := strings.CutPrefix(step, "-"); ok {
			drop(t, h, where)
		} else if err := h.Exec(step); step != "" && err != nil {
			t.Fatal(err)
		}
	}
}

// TestRepeatedTextsComeTwice: without entry ids a message is known by how often its text
// came before, which is wrong once rows are gone.
func TestRepeatedTextsComeTwice(t *testing.T) {
	t.Parallel()
	var history []fakehost.Message
	for i := range 60 {
		m := turns(i, 1, false)[0]
		if i%2 == 1 {
			m.Content = "ok"
		}
		history = append(history, m)
	}
	h := begin(t, fakehost.Head, fakehost.Defaults())
	must[[]int64](t)(h.Append(1, history...))
	file := fakehost.Transcript{Path: "session.jsonl", Entries: history}
	if _, added, err := h.CatchUp(key, file); err != nil || added != 0 {
		t.Fatal(added, err)
	}
	drop(t, h, "seq <= 30")
	file.Entries = append(file.Entries, turns(60, 2, false)...)
	// The fifteenth "ok" that is stored is the thirtieth entry: 30 come again, 2 are new.
	if _, added, err := h.CatchUp(key, file); err != nil || added != 32 {
		t.Errorf("%d came, want 32 (%v)", added, err)
	}
}

// TestFrozen: without a checkpoint, and with a transcript that lacks the newest stored
// message, the host stores nothing any more.
func TestFrozen(t *testing.T) {
	t.Parallel()
	h, history := story(t, true)
	file := fakehost.Transcript{Path: "session.jsonl", Entries: history[:40]}
	if _, added, err := h.CatchUp(key, file); err != nil || added != 0 {
		t.Fatal(added, err)
	}
	if ids := must[[]int64](t)(h.Append(1, turns(60, 2, false)...)); len(ids) != 0 {
		t.Error("it stores a turn")
	}
}
