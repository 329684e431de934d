package compact_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
)

// recorder is a model that numbers its answers and notes what each call was shown. Its answers to the
// call number wordy and to the next are longer than their source, and so save nothing.
type recorder struct {
	asked []string
	wordy int
}

func (*recorder) Name() string { return "test/recorder" }

func (l *recorder) Summarize(_ context.Context, r summarize.Request) (summarize.Reply, error) {
	l.asked = append(l.asked, fmt.Sprintf("depth %d, behind %q: %s", r.Depth, r.Previous, r.Source))
	text := fmt.Sprintf("answer %d, in a few words", len(l.asked))
	if l.wordy > 0 && (len(l.asked) == l.wordy || len(l.asked) == l.wordy+1) {
		text = "In other words: " + r.Source
	}
	return summarize.Reply{Text: text, Model: l.Name()}, nil
}

// TestStepsAskAsOneSweep: passes that are written one by one ask a model for the same as a sweep
// in one go, and end where it ends.
func TestStepsAskAsOneSweep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		wordy  int
		change func(*engine.Request)
		calls  int
	}{
		{"until nothing is left", 0, func(*engine.Request) {}, 8},
		{"until the summaries take little enough", 0, func(r *engine.Request) { r.Config.SummaryPrefixTargetTokens = 100 }, 6},
		{"until so few tokens are left", 0, func(r *engine.Request) { r.StopAt, r.Config.SummaryPrefixTargetTokens = 130, 100 }, 3},
		{"until a leaf saves nothing", 3, func(r *engine.Request) { r.Config.SummaryPrefixTargetTokens = 100 }, 4},
		{"summaries are condensed behind a leaf that saves nothing", 3, func(*engine.Request) {}, 5},
		{"until condensed summaries save less than a leaf took", 6, func(*engine.Request) {}, 8},
		{"until a condensed summary saves nothing", 8, func(*engine.Request) {}, 9},
		{"until the most passes", 0, func(r *engine.Request) { r.Config.MaxSweepIterations = 8 }, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			whole, stepwise := recorder{wordy: c.wordy}, recorder{wordy: c.wordy}
			db := shortMessages(t)
			compaction := func(m summarize.Model) *compact.Op {
				o := op(m)
				o.Request.Fallback, o.Request.Config.LeafChunkTokens, o.Request.Config.CondensedTargetTokens = true, 20, 1
				c.change(&o.Request)
				return o
			}
			if _, err := compaction(&whole).Plan(t.Context(), db, noReport); err != nil {
				t.Fatal(err)
			}
			runSteps(t, db, compaction(&stepwise))
			if len(whole.asked) != c.calls {
				t.Errorf("%d calls in one go, want %d", len(whole.asked), c.calls)
			}
			if diff := cmp.Diff(whole.asked, stepwise.asked); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// shortMessages returns a database with a conversation of 16 messages of ten tokens, of which two
// amid the others are blank.
func shortMessages(t *testing.T) *data.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true})
	for i := 0; err == nil && i < 16; i++ {
		text := fmt.Sprintf("message %02d%s", i, strings.Repeat(" x", 15))
		if i == 6 || i == 7 {
			text = " "
		}
		_, err = h.Message(conv, fakehost.Message{Role: "user", Content: text, Tokens: 10})
	}
	if err != nil {
		t.Fatal(err)
	}
	return testdb.Open(t, path)
}

// runSteps writes the passes of an operation one by one.
func runSteps(t *testing.T, db *data.DB, o *compact.Op) {
	t.Helper()
	o.EachPass = true
	for range 2 { // Whoever asks for the first step again begins again.
		if _, ok := o.Step(0); !ok {
			t.Fatal("no first step")
		}
	}
	for n := 0; ; n++ {
		step, ok := o.Step(n)
		if !ok {
			return
		}
		p, err := step.Plan(t.Context(), db, noReport)
		if errors.Is(err, ops.ErrNothing) {
			return
		}
		if err == nil {
			_, err = ops.Apply(t.Context(), db, p)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
