package integrity

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/sorting"
)

// Finding is a fault of a certain row, or of the file.
type Finding struct {
	Fault        FaultID  `json:"fault"`
	Severity     Severity `json:"severity"`
	Conversation int64    `json:"conversation_id"` // 0: the file.
	Table        string   `json:"table"`
	Row          string   `json:"row"` // The key: a summary_id, a message_id, the ordinal of a context item.
	Detail       string   `json:"detail"`
	Repair       string   `json:"repair"`
	// Rows are the keys of all rows concerned, where there is more than one. Of duplicates
	// the first is the one that stays.
	Rows []string `json:"rows,omitempty"`
	// Summaries are further summaries that the finding is about.
	Summaries []string `json:"-"`
	// Originals are the messages that a run of duplicates repeats, one for each of Rows.
	Originals []string `json:"-"`
	// NeedsNoChoice says that nothing has to be chosen for this finding, although its fault is
	// repaired by choice: the rows leave no doubt.
	NeedsNoChoice bool `json:"-"`
	// Unrepairable says that the file doesn't hold what the repair of this finding needs.
	Unrepairable bool `json:"-"`

	// AcrossConversations says that only several conversations together show the finding.
	AcrossConversations bool `json:"-"`
}

// Concerns reports whether a finding is about a summary: about its row, its links, or its
// context items.
func (f Finding) Concerns(summary string) bool {
	return f.Row == summary || slices.Contains(f.Rows, summary) || slices.Contains(f.Summaries, summary)
}

// Kind returns the entry of the finding's fault.
func (f Finding) Kind() Fault { return byID[f.Fault] }

// Counts is how many findings there are of each severity.
type Counts struct {
	Fatal int `json:"fatal"`
	Error int `json:"error"`
	Warn  int `json:"warn"`
	Info  int `json:"info"`
}

// Add counts one finding.
func (c *Counts) Add(s Severity) { *c.counter(s)++ }

// Of returns the number of findings of a severity.
func (c Counts) Of(s Severity) int { return *c.counter(s) }

func (c *Counts) counter(s Severity) *int {
	switch s {
	case Fatal:
		return &c.Fatal
	case Error:
		return &c.Error
	case Warn:
		return &c.Warn
	}
	return &c.Info
}

// Diagnosis is what a check found, in the order of Faults, then by conversation and row.
type Diagnosis struct {
	Findings []Finding `json:"findings"`
	Counts   Counts    `json:"counts"`
}

// newDiagnosis sorts findings and counts them.
func newDiagnosis(found []Finding) Diagnosis {
	place := map[FaultID]int{}
	for i, f := range Faults() {
		place[f.ID] = i
	}
	sorting.Stable(found, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(place[a.Fault], place[b.Fault]), cmp.Compare(a.Conversation, b.Conversation),
			strings.Compare(a.Table, b.Table), compareKeys(a.Row, b.Row), strings.Compare(a.Detail, b.Detail), slices.Compare(a.Rows, b.Rows))
	})
	return Diagnosis{Findings: append([]Finding{}, found...)}.withCounts()
}

// withCounts returns the diagnosis with its findings counted.
func (d Diagnosis) withCounts() Diagnosis {
	d.Counts = Counts{}
	for _, f := range d.Findings {
		d.Counts.Add(f.Severity)
	}
	return d
}

// AtLeast returns the part of the diagnosis that is so bad or worse.
func (d Diagnosis) AtLeast(s Severity) Diagnosis {
	out := Diagnosis{Findings: []Finding{}}
	for _, f := range d.Findings {
		if f.Severity.AtLeast(s) {
			out.Findings = append(out.Findings, f)
		}
	}
	return out.withCounts()
}

// compareKeys compares numbers as numbers and other keys as text.
func compareKeys(a, b string) int {
	x, errX := strconv.ParseInt(a, 10, 64)
	y, errY := strconv.ParseInt(b, 10, 64)
	if errX == nil && errY == nil {
		return cmp.Compare(x, y)
	}
	return strings.Compare(a, b)
}

// findings is a list that the steps of a check add to. Its methods may be called from more
// than one goroutine.
type findings struct {
	conv int64
	mu   sync.Mutex
	list []*Finding
}

// location is the table and the key of a row.
type location struct{ table, row string }

func contextItemAt(ordinal int64) location {
	return location{"context_items", strconv.FormatInt(ordinal, 10)}
}
func messageAt(id int64) location      { return location{"messages", strconv.FormatInt(id, 10)} }
func partAt(id string) location        { return location{"message_parts", id} }
func summaryAt(id string) location     { return location{"summaries", id} }
func conversationAt(id int64) location { return location{"conversations", strconv.FormatInt(id, 10)} }
func rowAt(table, key string) location { return location{table, key} }

// formatID returns an id as a finding names it.
func formatID(id int64) string { return strconv.FormatInt(id, 10) }

func formatIDs(ids []int64) (out []string) {
	for _, id := range ids {
		out = append(out, formatID(id))
	}
	return out
}

// add adds a finding with the severity and the repair of its fault.
func (f *findings) add(fault FaultID, where location, detail string, rows ...string) *Finding {
	page := byID[fault]
	n := &Finding{
		Fault: fault, Severity: page.Severity, Conversation: f.conv, Table: where.table, Row: where.row,
		Detail: detail, Repair: page.Repair, Rows: rows,
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, n)
	return n
}

// append adds what was found elsewhere.
func (f *findings) append(o *findings) { f.list = append(f.list, o.list...) }

// addSummaryOf adds the summary that a context item names to those that the finding is
// about.
func (f *Finding) addSummaryOf(i lcm.RawContextItem) {
	if i.Summary != "" {
		f.Summaries = append(f.Summaries, i.Summary)
	}
}

// downgrade makes a finding Info, where the rows explain what was found.
func (f *Finding) downgrade() { f.Severity = Info }
