package integrity

import (
	"cmp"

	"lcm-tui/internal/sorting"
)

// SymptomFindings are the findings of a symptom.
type SymptomFindings struct {
	Symptom  Symptom
	Findings []Finding // Of all its faults, in the order of Faults.
	Faults   []FaultFindings
}

// FaultFindings are the findings of a fault under one symptom, the worst first.
type FaultFindings struct {
	Fault    Fault
	Findings []Finding
}

// BySymptom are the findings as a user looks for them: by symptom, then by fault. What
// holds the worst finding comes first, among equals in the order of Symptoms. A finding that
// is milder than its fault, since the rows explain it, is under GoodToKnow: a symptom holds
// only what causes it. So a fault may be under two symptoms.
func (d Diagnosis) BySymptom() (out []SymptomFindings) {
	of := map[SymptomID][]Finding{}
	for _, f := range d.Findings {
		of[f.symptom()] = append(of[f.symptom()], f)
	}
	for _, s := range Symptoms() {
		if len(of[s.ID]) > 0 {
			out = append(out, SymptomFindings{Symptom: s, Faults: byFault(of[s.ID])})
		}
	}
	for i := range out {
		for _, f := range out[i].Faults {
			out[i].Findings = append(out[i].Findings, f.Findings...)
		}
	}
	sorting.Stable(out, func(a, b *SymptomFindings) int { return worstFirst(a.Findings, b.Findings) })
	return out
}

// byFault are findings by fault. They come in the order of Faults.
func byFault(list []Finding) (out []FaultFindings) {
	for _, f := range list {
		if n := len(out); n == 0 || out[n-1].Fault.ID != f.Fault {
			out = append(out, FaultFindings{Fault: f.Kind()})
		}
		last := &out[len(out)-1]
		last.Findings = append(last.Findings, f)
	}
	for _, f := range out {
		sorting.Stable(f.Findings, func(a, b *Finding) int { return cmp.Compare(a.Severity.rank(), b.Severity.rank()) })
	}
	sorting.Stable(out, func(a, b *FaultFindings) int { return worstFirst(a.Findings, b.Findings) })
	return out
}

// worstFirst compares findings by the worst of them.
func worstFirst(a, b []Finding) int { return cmp.Compare(Worst(a).rank(), Worst(b).rank()) }

// symptom is the symptom that the finding is under.
func (f Finding) symptom() SymptomID {
	fault := f.Kind()
	if f.Severity == Info && fault.Severity != Info {
		return GoodToKnow
	}
	return fault.Symptom
}
