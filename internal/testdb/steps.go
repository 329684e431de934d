package testdb

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
)

// Broken makes a database of the newest level with one fault, and returns its path.
func Broken(t *testing.T, fault string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Sample(path, fakehost.Head, fault); err != nil {
		t.Fatal(err)
	}
	return path
}

// OpenHost opens the file as its host, which is closed at the end of the test.
func OpenHost(t *testing.T, path string) *fakehost.Writer {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// Retitle returns the smallest write: a conversation gets another title.
func Retitle(t *testing.T, db *data.DB, title string) change.Batch {
	t.Helper()
	rows, err := data.Images(t.Context(), db, "conversations", data.Row{"conversation_id": int64(1)})
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	after := data.Row{}
	for k, v := range rows[0] {
		after[k] = v
	}
	after["title"] = title
	return change.Batch{Op: "test", Title: "retitle", Changes: []change.Change{
		{Table: "conversations", Key: []string{"conversation_id"}, Before: rows[0], After: after},
	}}
}

// LimitPages makes the disk full for the writes of a handle: the file may have n pages.
func LimitPages(db *data.DB, n int) {
	db.WriterParameters = url.Values{"_pragma": {"foreign_keys(1)", fmt.Sprintf("max_page_count(%d)", n)}}
}

// Browse reads everything there is to read and returns how much that was.
func Browse(t *testing.T, db *data.DB) (n int) {
	t.Helper()
	ctx := t.Context()
	convs, err := lcm.Conversations(ctx, db)
	Must(t, err)
	_, err = lcm.AllStats(ctx, db)
	Must(t, err)
	_, err = lcm.LastActivity(ctx, db)
	Must(t, err)
	for _, c := range convs {
		ms, err := lcm.Messages(ctx, db, c.ID, lcm.Page{Limit: 10_000, Clip: data.WholeText})
		Must(t, err)
		ss, err := lcm.Summaries(ctx, db, c.ID, data.WholeText)
		Must(t, err)
		items, err := lcm.Context(ctx, db, c.ID)
		Must(t, err)
		fs, err := lcm.LargeFiles(ctx, db, c.ID)
		Must(t, err)
		bs, err := lcm.FocusBriefs(ctx, db, c.ID)
		Must(t, err)
		ls, err := lcm.Links(ctx, db, c.ID)
		Must(t, err)
		sp, err := lcm.Spans(ctx, db, c.ID)
		Must(t, err)
		_, err = lcm.UncoveredSeqs(ctx, db, c.ID)
		Must(t, err)
		n += len(ms) + len(ss) + len(items) + len(fs) + len(bs) + len(ls) + len(sp)
	}
	_, err = change.History(ctx, db)
	Must(t, err)
	_, err = db.Changed(ctx)
	Must(t, err)
	return n
}

// Execute runs statements on the file at path, as another program.
func Execute(t *testing.T, path string, statements ...string) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if err := h.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
}

// WantKind fails unless an error is of a kind and has a hint and the path of the file.
func WantKind(t *testing.T, what string, err, kind error) {
	t.Helper()
	var e *data.Error
	if !errors.Is(err, kind) || !errors.As(err, &e) || e.Hint() == "" || !strings.Contains(err.Error(), e.Path) {
		t.Errorf("%s: %v, want %v", what, err, kind)
	}
}

// WriteText writes a file, with its folders.
func WriteText(t *testing.T, path, text string) {
	t.Helper()
	Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	Must(t, os.WriteFile(path, []byte(text), 0o600))
}

// Must ends the test at an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Beside returns a file of a level with a conversation of 20 messages, the host that it belongs to, and a
// handle that sees it.
func Beside(t *testing.T, level fakehost.Level) (*fakehost.Host, *data.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, level)
	if err == nil {
		_, err = w.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true})
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	h, err := fakehost.Start(path, fakehost.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	for i := range 20 {
		m := fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("message %d", i), At: time.Now().UTC()}
		if _, err := h.Append(1, m); err != nil {
			t.Fatal(err)
		}
	}
	db := Open(t, path)
	BesideHost(db)
	return h, db
}

// Choose has the host choose what it compacts of conversation 1.
func Choose(t *testing.T, h *fakehost.Host, first, last int64) fakehost.Choice {
	t.Helper()
	c, ok, err := h.Choose(1, first, last)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return c
}

// Finish has the host write the summary of its choice, and returns its id.
func Finish(t *testing.T, h *fakehost.Host, c fakehost.Choice) string {
	t.Helper()
	id, err := h.Write(c, "the host's")
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// Preparing returns a host of the 1.0 generation that has prepared summaries of conversation 1, which are
// ready to be published, and another conversation.
func Preparing(t *testing.T) (h *fakehost.Host, db *data.DB, batch string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, fakehost.Beta)
	Must(t, err)
	for _, key := range []string{"agent:main:main", "agent:main:other"} {
		_, err := w.Conversation(fakehost.Conversation{SessionKey: key, Active: true})
		Must(t, err)
	}
	Must(t, w.Close())
	h, err = fakehost.Start(path, fakehost.Config{FreshTailCount: 4, LeafChunkTokens: 40})
	Must(t, err)
	t.Cleanup(func() { _ = h.Close() })
	for i := range 20 {
		m := fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("message %d %s", i, strings.Repeat("of many words ", 4)), At: time.Now().UTC()}
		for conv := range int64(2) {
			_, err := h.Append(conv+1, m)
			Must(t, err)
		}
	}
	batch, nodes, ok, err := h.Plan(1)
	if err != nil || !ok || len(nodes) < 2 {
		t.Fatalf("%d nodes, planned %t: %v", len(nodes), ok, err)
	}
	for i, n := range nodes {
		n, ok, err := h.Claim(n)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		Must(t, h.Finish(n, fmt.Sprintf("summary %d", i)))
	}
	db = Open(t, path)
	WithoutHost(db)
	return h, db, batch
}
