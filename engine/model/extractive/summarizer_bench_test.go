package extractive_test

import (
	"testing"

	"lcm-tui/engine/model/extractive"
	"lcm-tui/engine/summarize"
)

// BenchmarkExtract summarizes a source as large as it may get.
func BenchmarkExtract(b *testing.B) {
	source := noise(3, 4000)
	m := extractive.Summarizer{}
	for b.Loop() {
		if _, err := m.Summarize(b.Context(), summarize.Request{Source: source, Target: 2400}); err != nil {
			b.Fatal(err)
		}
	}
}
