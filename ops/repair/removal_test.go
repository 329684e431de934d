package repair_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// end ends a conversation long ago, after so many messages more.
func end(t *testing.T, path string, conv int64, more int) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	err = h.Tx(func(h *fakehost.Writer) error {
		for i := range more {
			if _, err := h.Message(conv, fakehost.Message{Role: "user", Content: fmt.Sprintf("and then came number %d of those that follow", i)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	altered(t, path, fmt.Sprintf("UPDATE conversations SET active = 0, archived_at = '2026-01-06 10:00:00', updated_at = '2026-01-06 10:00:00' WHERE conversation_id = %d", conv),
		fmt.Sprintf("UPDATE conversation_compaction_maintenance SET running = 0 WHERE conversation_id = %d", conv))
}

func ask(t *testing.T, path, query string) int {
	t.Helper()
	n, err := testdb.Count(path, query)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// inContext are two messages of the context.
const inContext = "(SELECT message_id FROM context_items WHERE conversation_id = 1 AND message_id IS NOT NULL ORDER BY ordinal LIMIT 2)"

// removing are the faults that messages are removed for, and what makes them in a context.
var removing = []struct {
	script string
	fault  integrity.FaultID
	more   string
}{
	{"message-double", integrity.MessageDuplicate, "SELECT 1"},
	{"message-decorated", integrity.MessageDuplicate, "SELECT 1"},
	{"message-masked", integrity.MessageDuplicate, "SELECT 1"},
	{"message-replay", integrity.MessageRunDuplicate, "SELECT 1"},
	{"entry-double", integrity.TranscriptEntryDuplicate, "UPDATE messages SET transcript_entry_id = 'twice' WHERE message_id IN " + inContext},
	{"tool-result-double", integrity.ToolResultDuplicate, "SELECT 1"},
	{"empty-message", integrity.MessageEmpty, "UPDATE messages SET content = ' ' WHERE message_id IN " + inContext + "; DELETE FROM message_parts WHERE message_id IN " + inContext},
}

// TestRowsOfAConversationThatGoesOnStay: a host that is given its history again would store
// what is missing a second time. What is stored twice leaves the context, and nothing else.
func TestRowsOfAConversationThatGoesOnStay(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, c := range removing {
		t.Run(c.script, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head, c.script)
			altered(t, path, c.more)
			rows := func() string {
				return fmt.Sprint(ask(t, path, "SELECT count(*) FROM messages"), ask(t, path, "SELECT count(*) FROM message_parts"),
					ask(t, path, "SELECT count(identity_hash) FROM messages"), ask(t, path, "SELECT count(*) FROM summary_messages"),
					ask(t, path, "SELECT total(seq) + total(message_id) FROM messages"))
			}
			was, items := rows(), ask(t, path, "SELECT count(*) FROM context_items")
			m := &repair.Op{All: true, Faults: []integrity.FaultID{c.fault}, FilesDir: files(path)}
			if c.fault != integrity.MessageEmpty {
				m.Choices = map[string]string{string(c.fault): "drop"}
			}
			db := open(t, path)
			p, err := m.Plan(t.Context(), db, noReport)
			if err != nil {
				t.Fatal(err)
			}
			for _, edit := range p.Changes {
				if edit.After == nil && edit.Table != "context_items" {
					t.Errorf("%s goes", edit.Label())
				}
			}
			if !strings.Contains(strings.Join(p.Notes, "\n"), "the context only") || p.Backup != "" {
				t.Errorf("%q, backup %q", p.Notes, p.Backup)
			}
			id, err := ops.Apply(t.Context(), db, p)
			if err != nil {
				t.Fatal(err)
			}
			if got := rows(); got != was {
				t.Errorf("rows: %s, then %s", was, got)
			}
			if now := ask(t, path, "SELECT count(*) FROM context_items"); now >= items {
				t.Errorf("%d places, then %d", items, now)
			}
			after := check(t, open(t, path))
			if n := count(after, c.fault) + count(after, "C09"); n != 0 {
				t.Errorf("still %d: %v", n, places(after))
			}
			if q, err := (&repair.Op{All: true, Faults: []integrity.FaultID{c.fault}}).Plan(t.Context(), open(t, path), noReport); !errors.Is(err, ops.ErrNothing) {
				t.Errorf("a second time: %v, %s", err, q.Title)
			}
			if err := ops.Undo(t.Context(), db, id); err != nil {
				t.Fatal(err)
			}
			if now := ask(t, path, "SELECT count(*) FROM context_items"); now != items {
				t.Errorf("%d places, undone %d", items, now)
			}
		})
	}
}

// TestRowsGoWhereAConversationIsOver, but for its newest messages.
func TestRowsGoWhereAConversationIsOver(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, c := range removing {
		for more, goes := range map[int]bool{0: false, 600: true} {
			t.Run(fmt.Sprint(c.script, " before ", more), func(t *testing.T) {
				t.Parallel()
				path := broken(t, fakehost.Head, c.script)
				altered(t, path, c.more)
				end(t, path, 1, more)
				was := ask(t, path, "SELECT count(*) FROM messages")
				m := &repair.Op{All: true, Faults: []integrity.FaultID{c.fault}}
				if c.fault != integrity.MessageEmpty {
					m.Choices = map[string]string{string(c.fault): "drop"}
				}
				db := open(t, path)
				before := dump(t, path)
				p, err := m.Plan(t.Context(), db, noReport)
				if err != nil {
					t.Fatal(err)
				}
				id, err := ops.Apply(t.Context(), db, p)
				if err != nil {
					t.Fatal(err)
				}
				gone := was - ask(t, path, "SELECT count(*) FROM messages")
				if (gone > 0) != goes || goes != (p.Backup != "") {
					t.Errorf("%d of %d rows went, backup %q, %q", gone, was, p.Backup, p.Notes)
				}
				if n := count(check(t, open(t, path)), c.fault); n != 0 {
					t.Errorf("%d findings are left", n)
				}
				if err := ops.Undo(t.Context(), db, id); err != nil {
					t.Fatal(err)
				}
				if dump(t, path) != before {
					t.Error("undo doesn't bring everything back")
				}
			})
		}
	}
}

// TestWhatSaysTheSameMustBeReached: of two messages that say the same none leaves the
// context where the other isn't reached from it.
func TestWhatSaysTheSameMustBeReached(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "message-double")
	db := open(t, path)
	var double integrity.Finding
	for _, f := range check(t, db) {
		if f.Fault == integrity.MessageDuplicate && f.Severity == integrity.Error {
			double = f
		}
	}
	if len(double.Rows) != 2 {
		t.Fatalf("%+v", double)
	}
	kept := double.Rows[0]
	altered(t, path, "DELETE FROM context_items WHERE message_id = "+kept, "DELETE FROM summary_messages WHERE message_id = "+kept)
	reached := ask(t, path, reachedSQL)
	o := &repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.MessageDuplicate}, Choices: map[string]string{repair.Key(double): "drop"}}
	p, err := o.Plan(t.Context(), open(t, path), noReport)
	var nothing *repair.NothingError
	if errors.As(err, &nothing) {
		if !strings.Contains(nothing.Hint(), "isn't reached from the context") {
			t.Error(nothing.Hint())
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ops.Apply(t.Context(), open(t, path), p); err != nil {
		t.Fatal(err)
	}
	if now := ask(t, path, reachedSQL); now != reached-1 { // The other pair.
		t.Errorf("%d reached, then %d: %q", reached, now, p.Notes)
	}
}

// TestWhetherAConversationGoesOn: what isn't known counts as going on.
func TestWhetherAConversationGoesOn(t *testing.T) {
	t.Parallel()
	const (
		ended  = "UPDATE conversations SET active = 0, archived_at = '2026-01-06 10:00:00', updated_at = '2026-01-06 10:00:00'"
		listed = `{"agent:main:subagent:1": {"sessionId": "another"}}`
	)
	for name, c := range map[string]struct {
		statements []string
		index      string // sessions.json; empty is none.
		transcript bool
		database   bool
		over       bool
	}{
		"archived long ago":        {statements: []string{ended}, over: true},
		"archived an hour ago":     {statements: []string{"UPDATE conversations SET active = 0, archived_at = '2026-01-06 10:00:00', updated_at = '2026-03-01 11:00:00'"}},
		"archived, nobody knows":   {statements: []string{"UPDATE conversations SET active = 0, updated_at = 'long ago'"}},
		"archived and compacted":   {statements: []string{ended, "INSERT OR REPLACE INTO conversation_compaction_maintenance (conversation_id, running) VALUES (1, 1)"}},
		"active, nothing is known": {},
		"no column that tells":     {statements: []string{"DROP INDEX IF EXISTS conversations_active_session_key_idx", "ALTER TABLE conversations RENAME COLUMN active TO busy"}},
		"odd":                      {statements: []string{"UPDATE conversations SET active = 'perhaps'"}},
		"active, unlisted":         {index: `{"agent:main:main": {"sessionId": "another"}}`, over: true},
		"active, listed by key":    {index: listed},
		"active, listed by id":     {index: `{"agent:x": {"sessionId": "SESSION"}}`},
		"a broken index":           {index: `{"agent:x": `},
		"a transcript":             {index: `{}`, transcript: true},
		"a newer host":             {index: `{}`, database: true},
		"a new message":            {index: `{}`, statements: []string{"UPDATE messages SET created_at = '2026-03-01 09:00:00' WHERE message_id = 7"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head, "subagent")
			agent := t.TempDir()
			sessions := filepath.Join(agent, "sessions")
			transcript := filepath.Join(sessions, "a.jsonl")
			write := func(file, text string) {
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if c.index != "" {
				row, err := lcm.ReadConversation(t.Context(), open(t, path), 1)
				if err != nil {
					t.Fatal(err)
				}
				write(filepath.Join(sessions, "sessions.json"), strings.ReplaceAll(c.index, "SESSION", row.SessionID))
				c.statements = append(c.statements, "UPDATE conversation_bootstrap_state SET session_file_path = '"+transcript+"'")
			}
			if c.transcript {
				write(transcript, "{}")
			}
			if c.database {
				write(filepath.Join(agent, "agent", "openclaw-agent.sqlite"), "")
			}
			altered(t, path, c.statements...)
			o := &repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.JobConversation}, Choices: map[string]string{"V06": "delete"}}
			p, err := o.Plan(t.Context(), open(t, path), noReport)
			var nothing *repair.NothingError
			switch {
			case errors.As(err, &nothing) && !c.over && strings.Contains(nothing.Hint(), "can be deleted a day after its last change"):
			case err != nil:
				t.Fatal(err)
			case !c.over:
				t.Errorf("deleted: %s", p.Title)
			}
		})
	}
}

// TestAConversationThatGoesOnAgainKeepsItsRows: what was over when the repair was planned
// has to be over when it is written.
func TestAConversationThatGoesOnAgainKeepsItsRows(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "message-double")
	end(t, path, 1, 600)
	db := open(t, path)
	p, err := (&repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.MessageDuplicate}, Choices: map[string]string{"M01": "drop"}}).Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	h, err := fakehost.Open(path)
	if err == nil {
		_, err = h.Message(1, fakehost.Message{Role: "user", Content: "here I am again"})
	}
	if err := errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	was := ask(t, path, "SELECT count(*) FROM messages")
	var stale *data.StaleError
	if _, err := ops.Apply(t.Context(), db, p); !errors.As(err, &stale) || ask(t, path, "SELECT count(*) FROM messages") != was {
		t.Errorf("got %v", err)
	}
}
