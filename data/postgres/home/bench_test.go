package home_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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

// BenchmarkAppendersAndCompactors measures how long a write takes where four programs append to each of two conversations and one
// compacts each.
func BenchmarkAppendersAndCompactors(b *testing.B) {
	address := testhome.New(b)
	begun(b, testhome.Open(b, address), 2)
	var done atomic.Bool
	var compactions atomic.Int64
	var compactors sync.WaitGroup
	for n := range 2 {
		db := testhome.Open(b, address)
		compactors.Go(func() {
			for !done.Load() {
				if compactOnce(b.Context(), db, int64(n+1)) == nil {
					compactions.Add(1)
				}
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
	var next, again atomic.Int64
	b.SetParallelism(4)
	b.RunParallel(func(pb *testing.PB) {
		db := testhome.Open(b, address)
		for pb.Next() {
			n := next.Add(1)
			tries, err := appendMessage(b.Context(), db, n%2+1, fmt.Sprint("message ", n))
			if again.Add(int64(tries)); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(again.Load())/float64(next.Load()), "again/op")
	done.Store(true)
	compactors.Wait()
	b.ReportMetric(float64(compactions.Load()), "compactions")
}
