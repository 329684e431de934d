package integrity_test

import (
	"path/filepath"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/demo"
)

// BenchmarkCheck is what a look at a file of some size takes, and at one of its
// conversations.
func BenchmarkCheck(b *testing.B) {
	path := filepath.Join(b.TempDir(), "lcm.db")
	if err := demo.WriteLarge(path, demo.Size{Messages: 20_000, Parts: 27_000, Conversations: 60, Summaries: 700, BodyBytes: 820}, nil); err != nil {
		b.Fatal(err)
	}
	db, err := data.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	for name, conv := range map[string]int64{"file": 0, "conversation": 1} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := integrity.Check(b.Context(), db, integrity.Request{Conversation: conv}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
