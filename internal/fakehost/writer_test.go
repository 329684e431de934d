package fakehost_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// levels are all of them.
var levels = append(fakehost.Levels(), fakehost.Beta, fakehost.Fork)

// fresh returns a path for a file that is not there yet.
func fresh(t *testing.T) string { return filepath.Join(t.TempDir(), "lcm.db") }

func TestCreate(t *testing.T) {
	t.Parallel()
	for _, level := range levels {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			path := fresh(t)
			h, err := fakehost.Create(path, level)
			if err != nil {
				t.Fatal(err)
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			testdb.CheckHealthy(t, path, level)
			st, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if st.Mode().Perm() != 0o600 {
				t.Errorf("mode = %v, want 0600", st.Mode())
			}
			if _, err := fakehost.Create(path, level); !errors.Is(err, os.ErrExist) {
				t.Errorf("Create on an existing file = %v, want os.ErrExist", err)
			}
		})
	}
	if _, err := fakehost.Create(fresh(t), "7.7"); err == nil {
		t.Error("Create at an unknown level succeeded")
	}
}

func TestWriter(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:a:main", Active: true})
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for i := range 6 {
		id, err := h.Message(conv, fakehost.Message{Role: "user", Content: fmt.Sprintf("<%d> is & was 台", i)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if _, err := h.Leaf(conv, []int64{ids[0], ids[2]}, "no"); !errors.Is(err, fakehost.ErrNotAdjacent) {
		t.Errorf("Leaf over a gap = %v, want ErrNotAdjacent", err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if h, err = fakehost.Open(path); err != nil {
		t.Fatal(err)
	}
	first, err := h.Leaf(conv, ids[1:3], "one")
	if err != nil {
		t.Fatal(err)
	}
	second, err := h.Leaf(conv, ids[3:4], "two")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Condense(conv, []string{first, second}, "both"); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("no")
	err = h.Tx(func(h *fakehost.Writer) error {
		if _, err := h.Message(conv, fakehost.Message{Role: "user", Content: "gone"}); err != nil {
			return err
		}
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("Tx = %v, want its function's error", err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	testdb.CheckHealthy(t, path, fakehost.Head)
	want := "0 message 1|1 summary 0|2 message 5|3 message 6"
	got := testdb.Rows(t, path, "SELECT ordinal || ' ' || item_type || ' ' || COALESCE(message_id, 0) FROM context_items ORDER BY ordinal")
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("context = %s, want %s", s, want)
	}
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		now, old int
	}{{"", 0, 0}, {"a", 1, 1}, {"abcde", 2, 2}, {"台帳", 3, 1}, {"🎉", 2, 1}, {"a🎉", 3, 1}, {"𠀀", 2, 1}} {
		if n, o := fakehost.Estimate(c.text), fakehost.EstimateOld(c.text); n != c.now || o != c.old {
			t.Errorf("%q: %d and %d tokens, want %d and %d", c.text, n, o, c.now, c.old)
		}
	}
}
