package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lcm-tui/cli"
	"lcm-tui/fleet"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ui"
)

// defaultEvery is how long pull --watch waits between two times.
const defaultEvery = time.Minute

// pull runs the action pull. A machine that fails doesn't stop the others.
func (f *fleetFlags) pull(ctx context.Context, c *cli.Invocation, s fleet.Store) (cli.Result, error) {
	for {
		chosen, err := s.Chosen(c.Args...)
		if err != nil {
			return nil, err
		}
		o := f.options()
		o.Report = c.Progress()
		r := &pullResult{Machines: s.PullEach(ctx, chosen, int(f.jobs.Value), o)}
		c.Wipe()
		if !f.watch {
			return r, r.failure(c)
		}
		if err := c.Emit(r, nil); err != nil {
			return nil, err
		}
		every := defaultEvery
		if f.every.IsSet {
			every = f.every.Value
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(every):
		}
	}
}

// pullResult is the result of fleet pull.
type pullResult struct {
	Machines []fleet.Pulled `json:"machines"`
	cli.WarningList
}

// failure returns the error of the pull: that of the machine where there is one only, else how many failed. Copies that came are
// there whatever failed.
func (r *pullResult) failure(c *cli.Invocation) error {
	var failed []fleet.Pulled
	for _, p := range r.Machines {
		if p.Err != nil {
			failed = append(failed, p)
		}
	}
	switch {
	case len(failed) == 0:
		return nil
	case len(failed) == len(r.Machines) && !slices.ContainsFunc(failed, func(p fleet.Pulled) bool { return !errors.Is(p.Err, fleet.ErrBusy) }):
		return fmt.Errorf("%w: %w", ops.ErrBusy, failed[0].Err)
	case len(r.Machines) == 1:
		return failed[0].Err
	}
	c.Partial = true
	err := fmt.Errorf("%d of %s failed", len(failed), plural.Count(len(r.Machines), "machine", "machines"))
	for _, p := range failed {
		if errors.Is(p.Err, context.Canceled) {
			return p.Err
		}
	}
	return &hint.Error{Err: err, Next: "lcm-tui fleet status says why; the others have their copies"}
}

// Print implements cli.Result.
func (r *pullResult) Print(p *cli.Printer) {
	var rows [][]string
	for _, m := range r.Machines {
		what, came := "new copy", ui.Size(m.Packed)
		switch {
		case m.Err != nil:
			what, came = "failed: "+ui.ErrorLine(m.Err), ""
		case m.Unchanged:
			what, came = "nothing has changed", ""
		}
		size := ""
		if m.Bytes > 0 {
			size = ui.Size(m.Bytes)
		}
		rows = append(rows, []string{ui.Line(m.Name), size, came, what})
	}
	p.Table([]cli.Column{{Title: "machine"}, {Title: "size", Right: true}, {Title: "fetched", Right: true}, {Title: "", Grows: true}}, rows)
}
