package integrity

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"lcm-tui/data"
)

// Finding is one fault at one place.
type Finding struct {
	Fault        FaultID  `json:"fault"`
	Severity     Severity `json:"severity"`
	Conversation int64    `json:"conversation_id"` // 0: the file.
	Table        string   `json:"table"`
	Row          string   `json:"row"` // The row's key: a summary_id, a message_id, the ordinal of a context item.
	Detail       string   `json:"detail"`
	Repair       string   `json:"repair"`
	// Rows are all rows concerned, in the same form, where there is more than one:
	// of duplicates first the one that stays, of a stretch of messages all of it.
	Rows []string `json:"rows,omitempty"`
	// Summaries are those that the finding is about beside Row and Rows.
	Summaries []string `json:"-"`
	// Kept are, of a stretch of messages that is stored again, the messages that say the same
	// as Rows, one for each.
	Kept []string `json:"-"`
	// Decided says of a fault that is mended by choice that here nothing is to be
	// chosen: it can't be anything else.
	Decided bool `json:"-"`
	// Lost says of a fault that is repaired by rule that here the file doesn't hold what
	// the repair takes.
	Lost bool `json:"-"`

	// AcrossConversations says that the finding shows only beside other conversations.
	AcrossConversations bool `json:"-"`
}

// Concerns reports whether a finding is about a summary: about its row, its links, or its
// places.
func (f Finding) Concerns(summary string) bool {
	return f.Row == summary || slices.Contains(f.Rows, summary) || slices.Contains(f.Summaries, summary)
}

// Kind is the entry of the finding's fault.
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

// Of is the number of findings of a severity.
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

// Diagnosis is what a check found, in the order of the catalogue, then by
// conversation and row.
type Diagnosis struct {
	Findings []Finding `json:"findings"`
	Counts   Counts    `json:"counts"`
}

// newDiagnosis puts findings in order and counts them.
func newDiagnosis(found []Finding) Diagnosis {
	place := map[FaultID]int{}
	for i, f := range Faults() {
		place[f.ID] = i
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(place[a.Fault], place[b.Fault]), cmp.Compare(a.Conversation, b.Conversation),
			strings.Compare(a.Table, b.Table), compareKeys(a.Row, b.Row), strings.Compare(a.Detail, b.Detail), slices.Compare(a.Rows, b.Rows))
	})
	return Diagnosis{Findings: append([]Finding{}, found...)}.withCounts()
}

func (d Diagnosis) withCounts() Diagnosis {
	d.Counts = Counts{}
	for _, f := range d.Findings {
		d.Counts.Add(f.Severity)
	}
	return d
}

// AtLeast is the part of the diagnosis that is so bad or worse.
func (d Diagnosis) AtLeast(s Severity) Diagnosis {
	out := Diagnosis{Findings: []Finding{}}
	for _, f := range d.Findings {
		if f.Severity.AtLeast(s) {
			out.Findings = append(out.Findings, f)
		}
	}
	return out.withCounts()
}

// compareKeys compares numbers as numbers and ids as text.
func compareKeys(a, b string) int {
	x, errX := strconv.ParseInt(a, 10, 64)
	y, errY := strconv.ParseInt(b, 10, 64)
	if errX == nil && errY == nil {
		return cmp.Compare(x, y)
	}
	return strings.Compare(a, b)
}

// findings is the list that checks add to, from more than one goroutine.
type findings struct {
	conv int64
	mu   sync.Mutex
	list []*Finding
}

// location is where a finding is.
type location struct{ table, row string }

func contextItemAt(ordinal int64) location {
	return location{"context_items", strconv.FormatInt(ordinal, 10)}
}
func messageAt(id int64) location      { return location{"messages", strconv.FormatInt(id, 10)} }
func partAt(id string) location        { return location{"message_parts", id} }
func summaryAt(id string) location     { return location{"summaries", id} }
func conversationAt(id int64) location { return location{"conversations", strconv.FormatInt(id, 10)} }
func rowAt(table, key string) location { return location{table, key} }
func formatID(id int64) string         { return strconv.FormatInt(id, 10) }
func formatIDs(ids []int64) (out []string) {
	for _, id := range ids {
		out = append(out, formatID(id))
	}
	return out
}

// pluralize is a number of things in words.
func pluralize(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// add notes a finding with the severity and remedy of the catalogue.
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

// addSummaryOf names the summary that a place holds, if it does.
func (f *Finding) addSummaryOf(i data.RawContextItem) {
	if i.Summary != "" {
		f.Summaries = append(f.Summaries, i.Summary)
	}
}

// downgrade makes a finding good to know only, where the rows speak for it.
func (f *Finding) downgrade() { f.Severity = Info }
