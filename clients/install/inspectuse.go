package install

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"lcm-tui/internal/regularfile"
)

// silence is how long after an installation a client must have been used before hooks that never ran are a fault.
const silence = 24 * time.Hour

// checkSilence notes hooks that are installed and never ran, although the client was in use since.
func (p *place) checkSilence() {
	use, isKnown := p.Uses[p.client.Name]
	r := p.Environment.receipt(PartHooks, p.hookPath)
	if !isKnown || r == nil || len(p.ours) == 0 || use.Session.Sub(r.At) < silence {
		return
	}
	var silent []string
	for _, event := range hookTables[p.client.Name] {
		if (event.name == "SessionStart" || event.name == "Stop" || event.name == "AfterAgent") && !use.Fired[event.name] {
			silent = append(silent, event.name)
		}
	}
	if len(silent) == 0 {
		return
	}
	var causes []string
	for _, f := range p.found {
		if f.Severity == SeverityError || f.ID == "I09" {
			causes = append(causes, f.ID+": "+f.Text)
		}
	}
	if len(causes) == 0 {
		causes = []string{"another settings file turns hooks off, the client runs with another configuration folder, or it was not started again since"}
	}
	p.add("I07", SeverityError, p.hookPath, "/hooks", p.client.Title+" was used since the installation, but never called the hook of "+strings.Join(silent, " and "),
		"likely causes: "+strings.Join(causes, "; ")+"; lcm-tui hook test "+p.client.Name+" runs the hooks as they are written")
}

// logAge is how far back the log of hooks is read.
const logAge = 7 * 24 * time.Hour

// badShare is the share of failed hooks from which on they are an error.
const badShare = 0.05

// hookRuns are the runs of hooks of one client.
type hookRuns struct {
	runs, failed int
	last         string             // The last error.
	took         map[string][]int64 // In milliseconds, by event.
}

// checkHookLog notes hooks that failed in the last week, by client, with how long each event took.
func (i *Inspection) checkHookLog(only string) (found []Finding) {
	if i.HookLog == "" || i.Now.IsZero() {
		return nil
	}
	clients := map[string]*hookRuns{}
	for _, path := range []string{i.HookLog + ".1", i.HookLog} {
		content, err := regularfile.Read(path, maxSize)
		if err != nil {
			continue // It was never written.
		}
		readHookLog(content, i.Now.Add(-logAge), clients)
	}
	for _, name := range slices.Sorted(maps.Keys(clients)) {
		c := clients[name]
		if c.failed == 0 || only != "" && only != name {
			continue
		}
		severity := SeverityWarn
		if float64(c.failed) >= badShare*float64(c.runs) {
			severity = SeverityError
		}
		var times []string
		for _, event := range slices.Sorted(maps.Keys(c.took)) {
			times = append(times, fmt.Sprintf("%s %d ms", event, percentile95(c.took[event])))
		}
		found = append(found, Finding{
			ID: "I20", Severity: severity, Client: name, Path: i.HookLog,
			Text:   fmt.Sprintf("%d of %d hooks failed in 7 days, the last with: %s; 95 of 100 took at most: %s", c.failed, c.runs, c.last, strings.Join(times, ", ")),
			Repair: "see the file, and lcm-tui hook test " + name,
		})
	}
	return found
}

// readHookLog counts the runs since a time. A line that isn't one of this program is passed over.
func readHookLog(content []byte, since time.Time, clients map[string]*hookRuns) {
	lines := bufio.NewScanner(bytes.NewReader(content))
	lines.Buffer(nil, maxSize)
	for lines.Scan() {
		var line struct {
			Time   time.Time `json:"time"`
			Client string    `json:"client"`
			Event  string    `json:"event"`
			Took   int64     `json:"duration_ms"`
			Error  string    `json:"error"`
		}
		if json.Unmarshal(lines.Bytes(), &line) != nil || line.Client == "" || line.Time.Before(since) {
			continue
		}
		c := clients[line.Client]
		if c == nil {
			c = &hookRuns{took: map[string][]int64{}}
			clients[line.Client] = c
		}
		c.runs++
		event := cmp.Or(line.Event, "?")
		c.took[event] = append(c.took[event], line.Took)
		if line.Error != "" {
			c.failed++
			c.last = line.Error
		}
	}
}

// percentile95 returns the value that 95 of 100 don't exceed.
func percentile95(values []int64) int64 {
	values = slices.Sorted(slices.Values(values))
	return values[(len(values)*95+99)/100-1]
}
