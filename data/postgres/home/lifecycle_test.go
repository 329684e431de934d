package home_test

import (
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/promoted"
	transcripts "lcm-tui/data/transcript"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/promote"
	"lcm-tui/ops/redo"
	"lcm-tui/ops/rewrite"
	"lcm-tui/ops/sessionkey"
)

// lifecycle are the operations on keys, sessions, texts by hand and entries of memory, done on a file and on a home.
var lifecycle = map[string]func(t *testing.T, db *data.DB, session string) ops.Op{
	"edit": func(t *testing.T, db *data.DB, _ string) ops.Op {
		id := condensed(t, db)
		return &rewrite.Op{
			Conversation: 1, Pick: rewrite.Pick{Summary: id}, Texts: map[string]string{id: "a text by hand, with \x00 and 日本語"},
			Options: regenerate.Options{Job: summarize.Job{Estimator: token.Of(db.Kind().Level)}},
		}
	},
	"promote": func(*testing.T, *data.DB, string) ops.Op { return &promote.Op{Conversations: []int64{1}} },
	"store": func(*testing.T, *data.DB, string) ops.Op {
		return &promote.Store{Text: "A preference: tabs, and \x00.", Tags: []string{"preference"}, Project: "p"}
	},
	"memory archive": func(t *testing.T, db *data.DB, _ string) ops.Op {
		return &promote.Change{IDs: []string{entry(t, db)}, Archive: true}
	},
	"memory edit": func(t *testing.T, db *data.DB, _ string) ops.Op {
		return &promote.Change{IDs: []string{entry(t, db)}, Text: "An entry in other words."}
	},
	"memory import": func(*testing.T, *data.DB, string) ops.Op {
		at := data.CellTime("2026-01-02 03:04:05")
		return &promote.Import{Sources: []promote.Source{{Path: "other.db", Project: "q", Entries: []promoted.Entry{{ID: "other", Content: "An entry of another database.", Tags: []string{"a"}, Confidence: 0.5, CreatedAt: at}}}}}
	},
	"key detach":    func(*testing.T, *data.DB, string) ops.Op { return &sessionkey.Detach{Conversation: 1} },
	"key take away": func(*testing.T, *data.DB, string) ops.Op { return &sessionkey.Rename{Conversation: 1} },
	"key unarchive": func(*testing.T, *data.DB, string) ops.Op { return &sessionkey.Unarchive{Conversation: 3} },
	"key move":      func(*testing.T, *data.DB, string) ops.Op { return &sessionkey.Move{Conversation: 3, To: 1} },
	"session end":   func(*testing.T, *data.DB, string) ops.Op { return &sessionkey.End{Conversation: 1, Reason: "deleted"} },
	"session end, another": func(*testing.T, *data.DB, string) ops.Op {
		return &sessionkey.End{Conversation: 1, Reason: "idle", NextSession: "next"}
	},
	"session new": func(*testing.T, *data.DB, string) ops.Op { return &sessionkey.New{Conversation: 1, Retain: 1} },
	"session new, all": func(*testing.T, *data.DB, string) ops.Op {
		return &sessionkey.New{Conversation: 1, Retain: sessionkey.KeepNone}
	},
	"session heartbeats": func(*testing.T, *data.DB, string) ops.Op { return &sessionkey.Heartbeats{} },
	"session reap": func(t *testing.T, _ *data.DB, _ string) ops.Op {
		return &sessionkey.Reap{Conversations: []int64{4}, Folders: map[transcripts.Kind]string{transcripts.ClaudeCode: t.TempDir()}}
	},
	"redo": func(t *testing.T, db *data.DB, _ string) ops.Op {
		all, err := change.History(t.Context(), db)
		testdb.Must(t, err)
		for _, r := range all {
			if r.UndoneAt.Valid() {
				return &redo.Op{Record: r.ID}
			}
		}
		t.Fatal("no record is undone")
		return nil
	},
}

// entry returns the id of an entry of promoted memory.
func entry(t *testing.T, db *data.DB) string {
	t.Helper()
	all, err := promoted.List(t.Context(), db)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d entries, %v", len(all), err)
	}
	return all[0].ID
}

// TestTheLifecycleOfAHomeIsThatOfAFile: keys, sessions, edits and entries of memory end with the same rows.
func TestTheLifecycleOfAHomeIsThatOfAFile(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Sample(t, fakehost.Head)
	h := testdb.OpenHost(t, path)
	for _, text := range []string{"please check heartbeat.md", "HEARTBEAT_OK"} {
		role := map[bool]string{true: "assistant", false: "user"}[text == "HEARTBEAT_OK"]
		if _, err := h.Message(1, fakehost.Message{Role: role, Content: text}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []fakehost.Conversation{
		{SessionID: "old", SessionKey: "agent:main:old", Archived: time.Unix(1_780_000_000, 0), Cause: "manual-reset"},
		{SessionID: "gone", SessionKey: "agent:project-0a1b2c:claude-code:gone", Active: true},
	} {
		conv, err := h.Conversation(c)
		testdb.Must(t, err)
		_, err = h.Message(conv, fakehost.Message{Role: "user", Content: "in " + c.SessionID})
		testdb.Must(t, err)
	}
	testdb.Must(t, h.Close())
	testdb.Execute(t, path,
		`UPDATE summaries SET content = 'We decided to use PostgreSQL because of its locks; src/db.go has the pool. The user prefers tabs.' WHERE conversation_id = 1 AND kind = 'leaf'`)
	file := testdb.Open(t, path)
	p, err := (&promote.Store{Text: "An entry that is there."}).Plan(t.Context(), file, noReport)
	testdb.Must(t, err)
	_, err = ops.Apply(t.Context(), file, p)
	testdb.Must(t, err)
	compareOperations(t, path, lifecycle)
}
