package rewrite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/ops"
	"lcm-tui/ops/rewrite"
)

// leaves writes a file with a conversation of n leaves over eight messages each.
func leaves(path string, n int) error {
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		return err
	}
	body := strings.Repeat("The nightly job overlaps with the backups. ", 19)
	err = h.Tx(func(h *fakehost.Writer) error {
		conv, err := h.Conversation(fakehost.Conversation{Active: true})
		for leaf := 0; err == nil && leaf < n; leaf++ {
			ids := make([]int64, 8)
			for i := range ids {
				if ids[i], err = h.Message(conv, fakehost.Message{Role: "user", Content: fmt.Sprint(leaf, i, body)}); err != nil {
					return err
				}
			}
			_, err = h.Leaf(conv, ids, fmt.Sprint("about job ", leaf))
		}
		return err
	})
	return errors.Join(err, h.Close())
}

// BenchmarkRewrite300 rewrites 300 leaves by a model that takes a second for each,
// eight at a time: 37.5 seconds are the model's own. LCM_LEAVES_DB names where to
// keep the file.
func BenchmarkRewrite300(b *testing.B) {
	path := os.Getenv("LCM_LEAVES_DB")
	if path == "" {
		path = filepath.Join(b.TempDir(), "lcm.db")
	}
	if _, err := os.Stat(path); err != nil {
		if err := leaves(path, 300); err != nil {
			b.Fatal(err)
		}
	}
	db, err := data.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	depth := int64(0)
	for b.Loop() {
		o := op(&script{answer: short, takes: time.Second}, rewrite.Pick{Depth: &depth})
		o.Jobs = 8
		p, err := o.Plan(b.Context(), db, noReport)
		if err != nil {
			b.Fatal(err)
		}
		id, err := ops.Apply(b.Context(), db, p)
		if err != nil {
			b.Fatal(err)
		}
		if err := ops.Undo(b.Context(), db, id); err != nil {
			b.Fatal(err)
		}
	}
}
