package search

import (
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/search"
	"lcm-tui/ui"
	"lcm-tui/views/viewtest"
)

// benchSearch returns a search that has as many hits as it keeps, but for the last batch.
func benchSearch(b *testing.B) (v *Search, last searchBatch) {
	hits := make([]search.Hit, search.MaxHits)
	for i := range hits {
		hits[i] = search.Hit{
			Kind: search.MessageKind, Conversation: 1, Message: int64(len(hits) - i), Role: "user",
			At:      data.Time{Time: viewtest.DemoNow.Add(-time.Duration(i) * time.Second)},
			Snippet: "the retry budget of the gateway is spent", Spans: []search.Span{{From: 4, To: 9}},
		}
	}
	v = NewSearch(viewtest.BenchEnv(b, viewtest.BigDAG(b)))
	v.query = search.Parse("retry", search.ParseOptions{})
	v.run.stream = newSearchStream()
	v.hits.results.Add(search.Found{Hits: hits[:len(hits)-200]})
	v.showRows()
	return v, searchBatch{stream: v.run.stream, events: []search.Event{search.Found{Hits: hits[len(hits)-200:]}}}
}

// BenchmarkSearchKey moves the cursor among ten thousand hits and draws the screen.
func BenchmarkSearchKey(b *testing.B) {
	v, _ := benchSearch(b)
	for b.Loop() {
		v.Update(ui.Press("down"))
		_ = v.View(200, 50)
	}
}

// BenchmarkSearchBatch takes two hundred hits more and draws the screen.
func BenchmarkSearchBatch(b *testing.B) {
	v, last := benchSearch(b)
	for b.Loop() {
		b.StopTimer()
		v.hits.results = search.NewResults(search.Newest)
		v.hits.results.Add(search.Found{Hits: hitsOf(v.hits.rows)})
		b.StartTimer()
		v.receiveBatch(last)
		_ = v.View(200, 50)
	}
}

// hitsOf returns the hits of rows, but for the last two hundred.
func hitsOf(rows []*hitRow) []search.Hit {
	out := make([]search.Hit, 0, len(rows))
	for _, r := range rows[:search.MaxHits-200] {
		out = append(out, *r.Hit)
	}
	return out
}
