package repair

import (
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lcm-tui/engine/integrity"
)

// name returns the name of the function of a stage.
func (s stage) name() string {
	full := runtime.FuncForPC(reflect.ValueOf(s.run).Pointer()).Name()
	return full[strings.LastIndex(full, ".")+1:]
}

// TestEveryRepairableFaultHasOneStage, and no other fault has one.
func TestEveryRepairableFaultHasOneStage(t *testing.T) {
	t.Parallel()
	by := map[integrity.FaultID][]string{}
	for _, s := range stages {
		for _, fault := range s.repairs {
			by[fault] = append(by[fault], s.name())
		}
	}
	for _, f := range integrity.Faults() {
		switch got := by[f.ID]; {
		case f.IsRepairable() && len(got) != 1:
			t.Errorf("%s (%s) is repaired by %q", f.ID, f.Title, got)
		case !f.IsRepairable() && len(got) > 0:
			t.Errorf("%s (%s) can't be repaired, and %q repairs it", f.ID, f.Title, got)
		}
	}
}

// TestStagesRunInOrder: what a stage needs is provided by the stages before it, and no stage
// after it provides that once more.
func TestStagesRunInOrder(t *testing.T) {
	t.Parallel()
	for i, s := range stages {
		for _, need := range s.needs {
			provides := func(o stage) bool { return slices.Contains(o.provides, need) }
			if !slices.ContainsFunc(stages[:i], provides) {
				t.Errorf("%s needs %q, and no stage before it provides that", s.name(), need)
			}
			for _, later := range stages[i+1:] {
				if provides(later) && !slices.Contains(s.provides, need) {
					t.Errorf("%s needs %q, and %s after it changes that", s.name(), need, later.name())
				}
			}
		}
	}
}

// TestEveryAspectIsNeeded: what a stage provides is needed by a stage after it.
func TestEveryAspectIsNeeded(t *testing.T) {
	t.Parallel()
	for i, s := range stages {
		for _, provided := range s.provides {
			if !slices.ContainsFunc(stages[i+1:], func(o stage) bool { return slices.Contains(o.needs, provided) }) {
				t.Errorf("%s provides %q, and no stage after it needs that", s.name(), provided)
			}
		}
	}
}

// TestCountsInWords: the worst faults come first, and those of which there is none are left out.
func TestCountsInWords(t *testing.T) {
	t.Parallel()
	counts := map[integrity.FaultID]int{integrity.SummaryFallback: 4, integrity.SummaryCycle: 1, integrity.ContextEmpty: 0}
	if got, want := countFaults(counts), "1 cycle, 4 truncated summaries"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
