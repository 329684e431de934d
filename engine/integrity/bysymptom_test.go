package integrity_test

import (
	"slices"
	"testing"

	"lcm-tui/engine/integrity"
)

func diagnosis(findings ...integrity.Finding) integrity.Diagnosis {
	return integrity.Diagnosis{Findings: findings}
}

func finding(id integrity.FaultID, s integrity.Severity) integrity.Finding {
	return integrity.Finding{Fault: id, Severity: s}
}

// TestWhatIsWorstComesFirst: symptoms, the faults of a symptom and their findings.
func TestWhatIsWorstComesFirst(t *testing.T) {
	t.Parallel()
	groups := diagnosis(
		finding(integrity.ContextOrdinalGaps, integrity.Info),
		finding(integrity.CoveredMessageInContext, integrity.Error),
		finding(integrity.SummaryCycle, integrity.Fatal),
		finding(integrity.MessageDuplicate, integrity.Warn),
		finding(integrity.MessageDuplicate, integrity.Error),
		finding(integrity.SummaryLargerThanSource, integrity.Warn),
	).BySymptom()
	var got []string
	for _, g := range groups {
		for _, f := range g.Faults {
			for _, n := range f.Findings {
				got = append(got, string(n.Fault)+" "+string(n.Severity))
			}
		}
	}
	want := []string{"L05 fatal", "M01 error", "M01 warn", "C06 error", "Q03 warn", "C05 info"}
	if !slices.Equal(got, want) {
		t.Errorf("in the order %v, want %v", got, want)
	}
}

// TestAnExplainedFindingIsNoSymptom: what is milder than its fault, because the rows explain
// it, isn't listed under the symptom of the fault.
func TestAnExplainedFindingIsNoSymptom(t *testing.T) {
	t.Parallel()
	groups := diagnosis(
		finding(integrity.MessageUnreferenced, integrity.Info),
		finding(integrity.MessageUnreferenced, integrity.Warn),
	).BySymptom()
	if len(groups) != 2 || groups[0].Symptom.ID != integrity.MemoryLost || groups[1].Symptom.ID != integrity.GoodToKnow {
		t.Fatalf("%+v", groups)
	}
	for i, severity := range []integrity.Severity{integrity.Warn, integrity.Info} {
		if f := groups[i].Findings; len(f) != 1 || f[0].Severity != severity {
			t.Errorf("group %d holds %+v", i, f)
		}
	}
}
