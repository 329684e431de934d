package lcm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testlength"
)

// conversationOf returns a file with one conversation of messages, whose seqs are 1, 2, ….
func conversationOf(t *testing.T, ms ...fakehost.Message) *data.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	conv, err := h.Conversation(fakehost.Conversation{Active: true})
	for _, m := range ms {
		if err == nil {
			_, err = h.Message(conv, m)
		}
	}
	if err == nil {
		err = h.Exec("UPDATE messages SET created_at = replace(created_at, ' ', 'T') || 'Z' WHERE seq % 2 = 0")
	}
	if err := errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func TestFindMessage(t *testing.T) {
	t.Parallel()
	db := conversationOf(t,
		fakehost.Message{Role: "user", Content: "Please look at the Pipeline"},
		fakehost.Message{Role: "assistant", Parts: []fakehost.Part{
			{Type: "reasoning", Text: "A pipeline, hm"},
			{Type: "tool", ToolCallID: "call_1", ToolName: "exec", ToolInput: `{"command":"rg PIPELINE"}`},
		}},
		fakehost.Message{Role: "tool", Content: "100% of _it_", Parts: []fakehost.Part{
			{Type: "tool", ToolCallID: "call_1", ToolName: "exec", ToolOutput: `"the ÄPFEL pipe"`},
		}},
		fakehost.Message{Role: "assistant", Content: "It's 'quoted' and done"},
		fakehost.Message{Role: "tool", Content: "ok", Parts: []fakehost.Part{
			{Type: "text", Text: "ok", Metadata: `{"toolCallId":"call_of_metadata"}`},
			{Type: "file", Metadata: "no JSON"},
		}},
	)
	const end = math.MaxInt64
	for _, c := range []struct {
		needle string
		from   int64
		back   bool
		want   int64 // 0 is none.
	}{
		{"pipeline", 0, false, 1},
		{"PIPEline", 1, false, 2},
		{"pipeline", 2, false, 0},
		{"pipeline", end, true, 2},
		{"pipeline", 2, true, 1},
		{"pipeline", 1, true, 0},
		{"pipe", 2, false, 3},
		{"EXEC", 0, false, 2},
		{"äpfel", 0, false, 0}, // Only the case of ASCII letters doesn't matter.
		{"ÄPFEL", 0, false, 3},
		{"%", 0, false, 3},
		{"_it_", 0, false, 3},
		{"'quoted'", 0, false, 4},
		{"", 0, false, 0},
		{"hm", 0, false, 2},
		{"call_1", 0, false, 2},
		{"call_1", 2, false, 3},
		{"CALL_of_metadata", 0, false, 5},
		{"toolCallId", 0, false, 0}, // The names of fields aren't shown.
	} {
		seq, ok, err := lcm.FindMessage(t.Context(), db, 1, c.needle, c.from, c.back)
		if err != nil || ok != (c.want != 0) || ok && seq != c.want {
			t.Errorf("%q from %d, back %v: %d, %v, %v; want %d", c.needle, c.from, c.back, seq, ok, err, c.want)
		}
	}
	if _, ok, err := lcm.FindMessage(t.Context(), db, 2, "pipeline", 0, false); ok || err != nil {
		t.Errorf("found in another conversation: %v, %v", ok, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := lcm.FindMessage(ctx, db, 1, "pipeline", 0, false); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestCountMatches: how many messages hold a text, and how many of them up to a seq.
func TestCountMatches(t *testing.T) {
	t.Parallel()
	db := conversationOf(t,
		fakehost.Message{Role: "user", Content: "a pipe"},
		fakehost.Message{Role: "user", Content: "nothing"},
		fakehost.Message{Role: "tool", Parts: []fakehost.Part{{Type: "tool", ToolCallID: "pipe_1"}}},
	)
	for _, c := range []struct {
		needle           string
		seq, upTo, total int64
	}{{"PIPE", 1, 1, 2}, {"pipe", 3, 2, 2}, {"pipe", 0, 0, 2}, {"none", 3, 0, 0}, {"", 3, 0, 0}} {
		upTo, total, err := lcm.CountMatches(t.Context(), db, 1, c.needle, c.seq)
		if err != nil || upTo != c.upTo || total != c.total {
			t.Errorf("%q up to %d: %d of %d (%v), want %d of %d", c.needle, c.seq, upTo, total, err, c.upTo, c.total)
		}
	}
}

func TestSeqAt(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	var ms []fakehost.Message
	for i := range 10 {
		ms = append(ms, fakehost.Message{Role: "user", Content: "x", At: start.Add(time.Duration(i) * time.Hour)})
	}
	db := conversationOf(t, ms...)
	for _, c := range []struct {
		at   time.Time
		want int64
	}{
		{start.Add(-time.Hour), 1},
		{start, 1},
		{start.Add(time.Second), 2},
		{start.Add(time.Hour), 2},
		{start.Add(90 * time.Minute), 3},
		{start.Add(9 * time.Hour).In(time.FixedZone("x", 3600)), 10},
		{start.Add(10 * time.Hour), 0},
	} {
		seq, ok, err := lcm.SeqAt(t.Context(), db, 1, c.at)
		if err != nil || ok != (c.want != 0) || seq != c.want {
			t.Errorf("%v: %d, %v, %v; want %d", c.at, seq, ok, err, c.want)
		}
	}
}

func TestWalkMessages(t *testing.T) {
	t.Parallel()
	var ms []fakehost.Message
	for i := range 10 {
		ms = append(ms, fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprint(i + 1)})
	}
	db := conversationOf(t, ms...)
	for _, c := range []struct {
		walk lcm.SeqPage
		want string
	}{
		{lcm.SeqPage{From: 3, Limit: 3}, "[3 4 5]"},
		{lcm.SeqPage{From: 3, Limit: 9, Back: true}, "[1 2 3]"},
		{lcm.SeqPage{From: math.MaxInt64, Limit: 2, Back: true}, "[9 10]"},
		{lcm.SeqPage{From: math.MinInt64, Limit: 2}, "[1 2]"},
		{lcm.SeqPage{From: 4, Limit: 2, Role: "user"}, "[5 7]"},
		{lcm.SeqPage{From: 4, Limit: 2, Role: "user", Back: true}, "[1 3]"},
		{lcm.SeqPage{From: 11, Limit: 2}, "[]"},
	} {
		got, err := lcm.MessagesFrom(t.Context(), db, 1, c.walk)
		if err != nil {
			t.Fatal(err)
		}
		seqs := []int64{}
		for _, m := range got {
			seqs = append(seqs, m.Seq)
			if len(m.Parts) != 1 || !m.InContext {
				t.Errorf("message %d is not complete", m.Seq)
			}
		}
		if fmt.Sprint(seqs) != c.want {
			t.Errorf("%+v: %v, want %s", c.walk, seqs, c.want)
		}
	}
}

// TestFindMessageOfEveryLevel: every level can be searched, with the tables and columns that it has.
func TestFindMessageOfEveryLevel(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range append(fakehost.Levels(), fakehost.Beta, fakehost.Fork) {
		path := filepath.Join(t.TempDir(), "lcm.db")
		if err := samples.Write(path, level); err != nil {
			t.Fatal(err)
		}
		db, err := data.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok, err := lcm.FindMessage(t.Context(), db, 1, "e", 0, false); !ok || err != nil {
			t.Errorf("%s: %v, %v", level, ok, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
