package integrity

import "sync"

// Collector gathers what a running check finds, so that a screen shows it before the check
// ends. Its methods may be called from any goroutine. Its zero value is empty.
//
//	var found integrity.Collector
//	request.OnPart = found.Add                 // In the job of the check.
//	d, conversations := found.Diagnosis()      // In the screen, whenever the job reports progress.
//
// The diagnosis that Check returns replaces it: only at the end of a check is it known which
// tables of a damaged file couldn't be read completely, and which findings are uncertain for that reason.
type Collector struct {
	mu       sync.Mutex
	findings []Finding
	checked  int
	latest   Diagnosis
	stale    bool // Something was added after latest was made.
}

// Part is what one step of a check found.
type Part struct {
	Conversation int64 // The conversation that was checked; 0 where the step was about the file.
	Findings     []Finding
	// FromKnown says that the findings come from Request.KnownFindings and nothing was read.
	FromKnown bool
}

// Add takes what a step of a check found. It is made for Request.OnPart.
func (c *Collector) Add(p Part) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.Conversation != 0 {
		c.checked++
	}
	c.findings = append(c.findings, p.Findings...)
	c.stale = c.stale || len(p.Findings) > 0
}

// Diagnosis returns what a check found, in the order of Faults, then by conversation and row.
func (c *Collector) Diagnosis() (d Diagnosis, conversations int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stale || c.latest.Findings == nil {
		c.latest, c.stale = newDiagnosis(c.findings), false
	}
	return c.latest, c.checked
}
