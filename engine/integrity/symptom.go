package integrity

import (
	"cmp"
	"slices"
)

// SymptomID names a symptom.
type SymptomID string

// The symptoms, the worst first.
const (
	HostFailsToStart       SymptomID = "host-fails-to-start"
	MemoryLost             SymptomID = "memory-lost"
	NothingStored          SymptomID = "nothing-stored"
	SummariesDamaged       SymptomID = "summaries-damaged"
	MemoryDuplicated       SymptomID = "memory-duplicated"
	ContextGrows           SymptomID = "context-grows"
	ModelMisled            SymptomID = "model-misled"
	RequestRejected        SymptomID = "request-rejected"
	SummariesNotExpandable SymptomID = "summaries-not-expandable"
	SearchIncomplete       SymptomID = "search-incomplete"
	TimesWrong             SymptomID = "times-wrong"
	CountsWrong            SymptomID = "counts-wrong"
	RowsNotRecognized      SymptomID = "rows-not-recognized"
	DatabaseLarge          SymptomID = "database-large"
	GoodToKnow             SymptomID = "good-to-know"
)

// Symptom is what a user notices, and the faults that cause it.
type Symptom struct {
	ID     SymptomID
	Title  string
	Faults []FaultID // The worst first. Every fault is in exactly one symptom.
}

// Symptoms are all symptoms, the worst first.
func Symptoms() []Symptom { return symptoms }

var symptoms = withFaults([]Symptom{
	{ID: HostFailsToStart, Title: "The host may fail to start"},
	{ID: MemoryLost, Title: "The agent has forgotten"},
	{ID: NothingStored, Title: "Nothing is stored any more"},
	{ID: SummariesDamaged, Title: "Summaries are garbage"},
	{ID: MemoryDuplicated, Title: "Memory is doubled"},
	{ID: ContextGrows, Title: "The context keeps growing"},
	{ID: ModelMisled, Title: "The model is shown the wrong things"},
	{ID: RequestRejected, Title: "Providers may reject the request"},
	{ID: SummariesNotExpandable, Title: "Summaries can't be expanded"},
	{ID: SearchIncomplete, Title: "Search misses things"},
	{ID: TimesWrong, Title: "Times are wrong"},
	{ID: CountsWrong, Title: "Counts are wrong"},
	{ID: RowsNotRecognized, Title: "The host may not know its own rows"},
	{ID: DatabaseLarge, Title: "The database is huge"},
	{ID: GoodToKnow, Title: "Good to know"},
})

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

// Of are the findings of the symptom.
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
