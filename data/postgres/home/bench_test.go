package home_test

import (
	"fmt"
	"testing"

	"lcm-tui/internal/testhome"
)

// BenchmarkAppend measures how long it takes to append a message to a conversation.
func BenchmarkAppend(b *testing.B) {
	address := testhome.New(b)
	db := testhome.Open(b, address)
	begun(b, db, 1)
	n := 0
	for b.Loop() {
		n++
		if _, err := appendMessage(b.Context(), db, 1, fmt.Sprint("message ", n)); err != nil {
			b.Fatal(err)
		}
	}
}
