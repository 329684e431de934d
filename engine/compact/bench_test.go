package compact_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lcm-tui/engine/compact"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
)

// instant is a model that answers at once.
type instant struct{}

func (instant) Name() string { return "test/instant" }

func (instant) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	return summarize.Reply{Text: "A plain summary of this stretch."}, nil
}

// long writes a conversation of which nothing is compacted yet: every third message
// is the call of a tool, every sixth the long result of one.
func long(path string, messages int) error {
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		return err
	}
	err = h.Tx(func(h *fakehost.Writer) error {
		conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true})
		for i := 0; i < messages && err == nil; i++ {
			m := fakehost.Message{Role: "user", Content: fmt.Sprintf("%d: %s", i, strings.Repeat("The pool stays at 24 for now. ", 14))}
			switch i % 6 {
			case 1, 4:
				m.Role = "assistant"
				m.Content, m.Parts = "", []fakehost.Part{{Type: "tool", ToolName: "exec", ToolCallID: fmt.Sprintf("call_%d", i), ToolInput: `{"command":"go test ./..."}`}}
			case 2:
				m.Role, m.Content = "tool", strings.Repeat("ok \tlcm/engine/compact\t0.4s\n", 100)
			case 5:
				m.Role = "assistant"
			}
			_, err = h.Message(conv, m)
		}
		return err
	})
	return errors.Join(err, h.Close())
}

// BenchmarkSweep is what the engine itself takes for a full sweep over a long
// conversation, to its last message, without the model.
func BenchmarkSweep(b *testing.B) {
	path := filepath.Join(b.TempDir(), "lcm.db")
	if err := long(path, 12_000); err != nil {
		b.Fatal(err)
	}
	db := open(b, path)
	r := compact.Request{Mode: compact.Sweep, Config: compact.Defaults(), Force: true, Job: summarize.Job{Thinking: true}}
	r.Config.MaxSweepIterations, r.Config.SweepDeadlineMS = 0, 0
	r.Config.SummaryPrefixTargetTokens, r.Config.CondensedTargetTokens, r.Config.LeafChunkTokens = 1, 8, 20_000
	b.ReportAllocs()
	var last compact.Outcome
	for b.Loop() {
		o, err := compact.Run(b.Context(), db, 1, r, instant{}, nil)
		if err != nil {
			b.Fatal(err)
		}
		last = o
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/(1<<20), "MiB-from-system")
	b.ReportMetric(float64(len(last.Passes)), "passes")
	b.ReportMetric(float64(len(last.Before)), "places")
}
