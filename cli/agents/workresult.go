package agents

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/engine/model/choose"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/ui/userconfig"
	"lcm-tui/work"
)

// workResult is what waits, what was done, and what it took.
type workResult struct {
	Database string     `json:"database"`
	Paused   string     `json:"paused_since,omitempty"`
	Enabled  bool       `json:"enabled"`
	Provider string     `json:"provider"`
	Model    string     `json:"model,omitempty"`
	Spend    work.Spend `json:"spend_today"`
	work.Limits
	Ended []work.Job `json:"ended,omitempty"` // In this run.
	Jobs  []work.Job `json:"jobs"`
	// What keeps single conversations or models from work: since when, and until when.
	PausedOnes map[int64]string  `json:"paused_conversations"`
	Resting    map[string]string `json:"models_with_refused_key"`
	AtLimit    bool              `json:"at_limit"`
	Check      *work.Checkup     `json:"last_check"` // Of the whole file; null where there was none.
	Findings   []work.Finding    `json:"findings"`   // What hosts did to what was written.
	Uncovered  int64             `json:"uncovered_messages"`
	cli.WarningList

	limits userconfig.Work
}

// read fills in what the sidecar has.
func (r *workResult) read(ctx context.Context, s *station, chosen choose.Choice) (err error) {
	const mostEnded = 20
	r.Enabled, r.Limits = r.limits.Enabled, s.limits()
	resolved, failed := s.app.ResolveModel(chosen)
	if failed != nil {
		return failed
	}
	r.Provider, r.Model = resolved.Provider, resolved.Model
	now := time.Now()
	for _, read := range []func() error{
		func() (err error) { r.Paused, err = s.notes.Paused(ctx); return err },
		func() (err error) { r.PausedOnes, err = s.notes.PausedOnes(ctx); return err },
		func() (err error) { r.Spend, err = s.notes.Today(ctx, now); return err },
		func() (err error) { r.AtLimit, err = s.atLimit(ctx); return err },
		func() (err error) { r.Resting, err = s.notes.Breakers(ctx, r.Rests, now); return err },
		func() (err error) { r.Findings, err = s.notes.Checks().Findings(ctx); return err },
		func() (err error) { r.Uncovered, err = s.notes.Checks().Uncovered(ctx); return err },
		func() (err error) { r.Jobs, err = s.notes.Jobs(ctx, mostEnded); return err },
	} {
		if err := read(); err != nil {
			return err
		}
	}
	for i := range r.Jobs {
		j := &r.Jobs[i]
		begun := j.State == work.Queued && j.StartedAt != ""
		if begun && errors.Is(s.locks.Check(ctx, s.path, []int64{j.Conversation}), ops.ErrBusy) {
			j.State = work.Running
		}
	}
	last, ok, err := s.notes.Checks().LastCheckup(ctx, 0)
	if ok {
		r.Check = &last
	}
	return err
}

// Print implements cli.Result.
func (r *workResult) Print(p *cli.Printer) {
	state := "hooks start it"
	switch {
	case r.Paused != "":
		state = "paused since " + r.Paused + "; lcm-tui work resume lets it go on"
	case !r.Enabled:
		state = "hooks don't start it: enabled = false in config.toml"
	}
	p.Line("work   " + state)
	p.Line("model  " + ui.Line(strings.TrimSpace(r.Provider+" "+r.Model)))
	today := fmt.Sprintf("today  %s of %s, $%.4f of %s", plural.Count(r.Spend.Calls, "call", "calls"), ui.Num(int64(r.Calls)), r.Spend.Dollars, r.limits.LimitText())
	if r.AtLimit {
		today += "; the limit is reached, and work goes on tomorrow"
	}
	p.Line(today)
	if r.Check != nil {
		p.Line("check  " + r.Check.At + ": " + checkText(*r.Check))
	}
	r.printRests(p)
	if len(r.Jobs) == 0 {
		p.Line("\nnothing waits, and nothing was done")
		return
	}
	p.Write("\n")
	rows := make([][]string, len(r.Jobs))
	for i, j := range r.Jobs {
		conversation := ui.Num(j.Conversation)
		if j.Conversation == 0 {
			conversation = "file"
		}
		rows[i] = []string{string(j.Kind), conversation, string(j.Reason), ui.Line(jobState(j)), ui.Line(jobNote(j))}
	}
	p.Table([]cli.Column{{Title: "job"}, {Title: "conv", Right: true}, {Title: "because of"}, {Title: "state"}, {Title: "outcome", Grows: true}}, rows)
}

// printRests prints what rests, and what hosts did to what was written.
func (r *workResult) printRests(p *cli.Printer) {
	for _, id := range slices.Sorted(maps.Keys(r.PausedOnes)) {
		p.Linef("rests  conversation %d is paused since %s", id, r.PausedOnes[id])
	}
	for _, name := range slices.Sorted(maps.Keys(r.Resting)) {
		p.Linef("rests  %s: its key was refused, and it isn't asked until %s", ui.Line(name), r.Resting[name])
	}
	for _, f := range r.Findings {
		p.Block("host   " + ui.Line(f.What))
		if f.Plan != "" {
			p.Line("       lcm-tui apply " + ui.Line(f.Plan) + " repairs it")
		}
	}
}

// checkText says in words what a check found.
func checkText(c work.Checkup) string {
	if n := c.Fatal + c.Error + c.Warn; n > 0 {
		return plural.Count(n, "finding", "findings") + "; lcm-tui doctor shows them"
	}
	return "nothing is wrong"
}

// jobState says how far a job is.
func jobState(j work.Job) string {
	if (j.State == work.Queued || j.State == work.Blocked) && j.NotBefore > data.FormatTimeMillis(time.Now()) {
		return "waits until " + j.NotBefore
	}
	return string(j.State)
}

// jobNote says what a job did, or why it did nothing.
func jobNote(j work.Job) string {
	if j.Result != "" && j.Error != "" {
		return j.Result + "; " + j.Error
	}
	return j.Result + j.Error
}

// jobLine returns a job that ended as a line.
func jobLine(j work.Job) string {
	if j.Conversation == 0 {
		return fmt.Sprintf("%s of the file: %s: %s", j.Kind, jobState(j), jobNote(j))
	}
	return fmt.Sprintf("%s of conversation %d: %s: %s", j.Kind, j.Conversation, jobState(j), jobNote(j))
}
