package search_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"lcm-tui/engine/search"
	"lcm-tui/internal/testdb"
)

var benchQueries = []struct{ name, query string }{
	{"common word", "index"},
	{"rare word", "台帳の移行は木曜日に"},
	{"no hit", "qqqxxyyzz"},
	{"two words", "index schema"},
	{"phrase", `"roll index back"`},
	{"short prefix", "rol*"},
	{"one letter", "m*"},
	{"filter", "index role:tool after:2025-06-01"},
	{"conversation", "index in:1"},
	{"regexp", `/ops-\d+/`},
	{"regexp of two words", `/rollback.*m100000/`},
}

// BenchmarkFirstRows measures the time until the first hits come, or the end where there are
// none, and then stops the search.
func BenchmarkFirstRows(b *testing.B) {
	db := testdb.Large(b)
	for _, q := range benchQueries {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				ctx, cancel := context.WithCancel(b.Context())
				_ = search.Run(ctx, db, search.Parse(q.query, search.ParseOptions{}), search.Options{}, func(e search.Event) {
					if f, ok := e.(search.Found); ok && len(f.Hits) > 0 {
						cancel()
					}
				})
				cancel()
			}
		})
	}
}

// BenchmarkWholeSearch measures a search to its end, and the memory that its results take.
func BenchmarkWholeSearch(b *testing.B) {
	db := testdb.Large(b)
	for _, q := range benchQueries {
		b.Run(q.name, func(b *testing.B) {
			var peak atomic.Uint64
			stop := make(chan struct{})
			go watchMemory(&peak, stop)
			n := 0
			for b.Loop() {
				results := search.NewResults(search.Newest)
				err := search.Run(b.Context(), db, search.Parse(q.query, search.ParseOptions{}), search.Options{}, func(e search.Event) { results.Add(e) })
				if err != nil {
					b.Fatal(err)
				}
				n = len(results.Rows())
			}
			close(stop)
			b.ReportMetric(float64(n), "rows")
			b.ReportMetric(float64(peak.Load())/(1<<20), "MB-peak")
		})
	}
}

func watchMemory(peak *atomic.Uint64, stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(20 * time.Millisecond):
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak.Store(max(peak.Load(), m.HeapInuse+m.StackInuse))
		}
	}
}

// BenchmarkCancel measures how long a search goes on after its context ended.
func BenchmarkCancel(b *testing.B) {
	db := testdb.Large(b)
	for _, q := range benchQueries {
		b.Run(q.name, func(b *testing.B) {
			var longest time.Duration
			for i := 0; b.Loop(); i++ {
				ctx, cancel := context.WithCancel(b.Context())
				done := make(chan struct{})
				go func() {
					defer close(done)
					_ = search.Run(ctx, db, search.Parse(q.query, search.ParseOptions{}), search.Options{}, func(search.Event) {})
				}()
				time.Sleep(time.Duration(i%20) * 10 * time.Millisecond)
				start := time.Now()
				cancel()
				<-done
				longest = max(longest, time.Since(start))
			}
			b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest")
		})
	}
}
