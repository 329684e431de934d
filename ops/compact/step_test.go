package compact_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/ops"
)

// recorder is a model that numbers its answers and notes what each call was shown.
type recorder struct{ asked []string }

func (*recorder) Name() string { return "test/recorder" }

func (l *recorder) Summarize(_ context.Context, r summarize.Request) (summarize.Reply, error) {
	l.asked = append(l.asked, fmt.Sprintf("depth %d, behind %q: %s", r.Depth, r.Previous, r.Source))
	return summarize.Reply{Text: fmt.Sprint("answer ", len(l.asked)), Model: l.Name()}, nil
}

// TestStepsAskAsOneSweep: passes that are written one by one ask a model for the same as a sweep
// in one go.
func TestStepsAskAsOneSweep(t *testing.T) {
	t.Parallel()
	var whole, stepwise recorder
	db, _ := sample(t, fakehost.Head)
	if _, err := op(&whole).Plan(t.Context(), db, noReport); err != nil {
		t.Fatal(err)
	}
	o := op(&stepwise)
	o.EachPass = true
	for range 2 { // Whoever asks for the first step again begins again.
		if _, ok := o.Step(0); !ok {
			t.Fatal("no first step")
		}
	}
	for n := 0; ; n++ {
		step, ok := o.Step(n)
		if !ok {
			break
		}
		p, err := step.Plan(t.Context(), db, noReport)
		if errors.Is(err, ops.ErrNothing) {
			break
		}
		if err == nil {
			_, err = ops.Apply(t.Context(), db, p)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(whole.asked) < 3 {
		t.Fatalf("only %d calls", len(whole.asked))
	}
	if diff := cmp.Diff(whole.asked, stepwise.asked); diff != "" {
		t.Error(diff)
	}
}
