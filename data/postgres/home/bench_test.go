package home_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lcm-tui/data"
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

// BenchmarkAppendAtEnd measures how long it takes where nobody asks before where the conversation ends.
func BenchmarkAppendAtEnd(b *testing.B) {
	address := testhome.New(b)
	db := testhome.Open(b, address)
	begun(b, db, 1)
	n := 0
	for b.Loop() {
		n++
		if err := appendAtEnd(b.Context(), db, 1, fmt.Sprint("message ", n)); err != nil {
			b.Fatal(err)
		}
	}
}

// appendersAndCompactors measures how long a write takes where four programs append to each of two conversations and one compacts each.
// write returns how often it planned again.
func appendersAndCompactors(b *testing.B, write func(ctx context.Context, db *data.DB, conversation int64, text string) (again int, err error)) {
	b.Helper()
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
	appenders := make(chan *data.DB, 8)
	for range cap(appenders) {
		appenders <- testhome.Open(b, address)
	}
	var next, again atomic.Int64
	b.SetParallelism(4)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		db := <-appenders
		for pb.Next() {
			n := next.Add(1)
			tries, err := write(b.Context(), db, n%2+1, fmt.Sprint("message ", n))
			if again.Add(int64(tries)); err != nil {
				b.Error(err)
			}
		}
	})
	b.StopTimer()
	b.ReportMetric(float64(again.Load())/float64(next.Load()), "again/op")
	done.Store(true)
	compactors.Wait()
	b.ReportMetric(float64(compactions.Load()), "compactions")
}

// BenchmarkAppendersAndCompactors: the appenders ask before where the conversation ends.
func BenchmarkAppendersAndCompactors(b *testing.B) { appendersAndCompactors(b, appendMessage) }

// BenchmarkAppendersAtEndAndCompactors: the appenders don't ask.
func BenchmarkAppendersAtEndAndCompactors(b *testing.B) {
	appendersAndCompactors(b, func(ctx context.Context, db *data.DB, conversation int64, text string) (int, error) {
		return 0, appendAtEnd(ctx, db, conversation, text)
	})
}
