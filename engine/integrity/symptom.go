package integrity

import (
	"cmp"
	"slices"
	"sync"

	"lcm-tui/internal/sorting"
)

// SymptomID names a symptom.
type SymptomID string

// The symptoms, the worst first.
const (
	HostFailsToStart  SymptomID = "host-fails-to-start"
	MemoryLost        SymptomID = "memory-lost"
	MessagesNotStored SymptomID = "messages-not-stored"
	SummariesDamaged  SymptomID = "summaries-damaged"
	MemoryDuplicated  SymptomID = "memory-duplicated"
	CompactionFails   SymptomID = "compaction-fails"
	ContextTooLarge   SymptomID = "context-too-large"
	ModelMisled       SymptomID = "model-misled"
	RequestRejected   SymptomID = "request-rejected"
	NotExpandable     SymptomID = "not-expandable"
	SearchWrong       SymptomID = "search-wrong"
	TimesWrong        SymptomID = "times-wrong"
	CountsWrong       SymptomID = "counts-wrong"
	RowsIncomplete    SymptomID = "rows-incomplete"
	SecretsStored     SymptomID = "secrets-stored"
	DatabaseLarge     SymptomID = "database-large"
	Unused            SymptomID = "unused"
	GoodToKnow        SymptomID = "good-to-know"
)

// Symptom is what a user notices, and the faults that cause it. Its title is true of each
// finding under it.
type Symptom struct {
	ID     SymptomID
	Title  string
	Faults []FaultID // The worst first. Every fault is in exactly one symptom.
}

// Symptoms returns all symptoms, the worst first.
func Symptoms() []Symptom { return symptoms() }

// symptoms are made once they are asked for: most commands never do.
var symptoms = sync.OnceValue(func() []Symptom {
	return withFaults([]Symptom{
		{ID: HostFailsToStart, Title: "The host may fail to start"},
		{ID: MemoryLost, Title: "The agent has forgotten"},
		{ID: MessagesNotStored, Title: "New messages may be lost or misplaced"},
		{ID: SummariesDamaged, Title: "Damaged summaries"},
		{ID: MemoryDuplicated, Title: "Memory is duplicated"},
		{ID: CompactionFails, Title: "Compaction fails or goes wrong"},
		{ID: ContextTooLarge, Title: "The context is larger than it should be"},
		{ID: ModelMisled, Title: "The model is shown the wrong things"},
		{ID: RequestRejected, Title: "Providers may reject the request"},
		{ID: NotExpandable, Title: "Summaries or files can't be opened"},
		{ID: SearchWrong, Title: "Search misses or shows the wrong things"},
		{ID: TimesWrong, Title: "Times are wrong"},
		{ID: CountsWrong, Title: "Counts are wrong"},
		{ID: RowsIncomplete, Title: "Rows are incomplete or contradict each other"},
		{ID: SecretsStored, Title: "Passwords and keys are stored"},
		{ID: DatabaseLarge, Title: "The database is large"},
		{ID: Unused, Title: "May no longer be needed"},
		{ID: GoodToKnow, Title: "Good to know"},
	})
})

// Title returns the symptom's name for users.
func (id SymptomID) Title() string {
	for _, s := range symptoms() {
		if s.ID == id {
			return s.Title
		}
	}
	return ""
}

// withFaults gives each symptom the faults that name it.
func withFaults(all []Symptom) []Symptom {
	for i := range all {
		s := &all[i]
		s.Faults = Select(func(f Fault) bool { return f.Symptom == s.ID })
		slices.SortStableFunc(s.Faults, func(a, b FaultID) int {
			return cmp.Compare(byID[a].Severity.rank(), byID[b].Severity.rank())
		})
	}
	return all
}

// Of returns the findings of the symptom.
func (s Symptom) Of(all []Finding) (out []Finding) {
	for _, id := range s.Faults {
		for _, f := range all {
			if f.Fault == id {
				out = append(out, f)
			}
		}
	}
	return out
}

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

// BySymptom returns the findings as a user looks for them: by symptom, then by fault. What
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

// byFault returns findings by fault. They come in the order of Faults.
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

// symptom returns the symptom that the finding is under.
func (f Finding) symptom() SymptomID {
	fault := f.Kind()
	if f.Severity == Info && fault.Severity != Info {
		return GoodToKnow
	}
	return fault.Symptom
}
