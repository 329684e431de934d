package main

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestPercentiles(t *testing.T) {
	t.Parallel()
	n := measurement{unit: "ms"}
	for _, ms := range []int{5, 1, 4, 2, 3} {
		n.add(time.Duration(ms) * time.Millisecond)
	}
	if got := n.median(); got != 3 {
		t.Errorf("median of five %v, want 3", got)
	}
	n.add(100 * time.Millisecond)
	if got := n.median(); got != 3.5 {
		t.Errorf("median of six %v, want 3.5", got)
	}
	if got := n.percentile(0.95); got != 100 {
		t.Errorf("p95 %v, want 100", got)
	}
	if got := n.format(n.percentile(1)); got != "100 ms" {
		t.Errorf("max %q", got)
	}
}

func TestPrintTable(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	err := printTable(&b, []*measurement{
		{what: "a key", samples: []float64{1.5, 2.5}, unit: "ms", target: "16 ms"},
		{what: "ratio", samples: []float64{0.5}, target: "≤ 1"},
		{what: "memory", unit: "MiB", target: "64 MiB"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `
measured  median     p95     max  target  samples
a key     2.0 ms  2.5 ms  2.5 ms   16 ms        2
ratio       0.50    0.50    0.50     ≤ 1        1
memory         –       –       –  64 MiB        0
`
	if got := "\n" + b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPeakMemory(t *testing.T) {
	t.Parallel()
	if got, ok := peak("Name:\tx\nVmPeak:\t  9 kB\nVmHWM:\t   51200 kB\nVmRSS:\t 1 kB\n"); !ok || got != 50 {
		t.Errorf("peak %v, %v", got, ok)
	}
	if _, ok := peak("nothing of the kind\n"); ok {
		t.Error("found a peak in nothing")
	}
}

func TestLargestConversations(t *testing.T) {
	t.Parallel()
	graph, full, err := largestConversations([]conversation{
		{ID: 1, Key: "agent:a", Active: true, Summaries: 300, MaxDepth: 0, ContextItems: 350},
		{ID: 2, Key: "agent:b", Active: true, Summaries: 500, MaxDepth: 4, ContextItems: 40},
		{ID: 3, Key: "agent:c", Active: false, Summaries: 900, MaxDepth: 5, ContextItems: 900},
		{ID: 4, Key: "agent:d", Active: true, ContextItems: 9000},
	})
	if err != nil || graph.ID != 2 || full.ID != 1 {
		t.Errorf("graph of %d, context of %d, %v", graph.ID, full.ID, err)
	}
	if _, _, err := largestConversations(nil); err == nil {
		t.Error("found a conversation in an empty file")
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"make"}, {"measure", "-path", "x", "more"}, {"other", "-path", "x"}} {
		if err := run(t.Context(), args, nil); !errors.Is(err, errUsage) {
			t.Errorf("%q: %v", args, err)
		}
	}
	var help strings.Builder
	if err := run(t.Context(), []string{"--help"}, &help); err != nil || help.String() != usage+"\n" {
		t.Errorf("--help: %v, and printed %q", err, help.String())
	}
}
