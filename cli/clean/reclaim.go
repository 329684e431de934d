package clean

import (
	"context"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/ops/reclaim"
	"lcm-tui/ops/space"
	"lcm-tui/ui"
)

// reclaimResult is the result of reclaim.
type reclaimResult struct {
	reclaim.Result
	// FileBytes and AfterBytes are what the file and its -wal took before and take now.
	FileBytes  int64 `json:"file_bytes"`
	AfterBytes int64 `json:"after_bytes"`
	cli.WarningList
}

// reclaimEstimate is the result of reclaim --estimate.
type reclaimEstimate struct {
	reclaim.Estimate
	FileBytes  int64 `json:"file_bytes"`
	AfterBytes int64 `json:"after_bytes"`
	cli.WarningList
}

func reclaimCommand(a *cli.App) *cobra.Command {
	var o reclaim.Options
	var estimate, dry, apply bool
	cmd := a.Command(cli.GroupCare, "reclaim", "Give unused space of the database back to the disk", func(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
		if apply && estimate {
			return nil, cli.UsageErrorf("--apply and --estimate exclude each other")
		}
		if estimate || dry {
			return estimateReclaim(ctx, c, o)
		}
		return reclaimFile(ctx, c, o)
	})
	cmd.Long = `Gives back to the disk what the database no longer needs. No row changes, and there is
nothing to undo.

Where no other program has the file open, a compacted copy is written, verified and put in
its place. Beside a host the search tables are merged in short steps and the -wal is emptied;
the file itself keeps its size, unless it was converted with --incremental before. --online
rewrites it beside a host, which can't write meanwhile: it is refused where that takes
15 seconds or more.

Writes at once, because no row changes; --estimate only shows what would be given back.`
	cmd.Example = `  lcm-tui reclaim --estimate
  lcm-tui reclaim
  lcm-tui reclaim --wal`
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&estimate, "estimate", false, "only show what would be given back, and write nothing")
	f.BoolVar(&dry, "dry-run", false, "the same as --estimate")
	f.BoolVar(&apply, "apply", false, "give it back, which is the rule anyway")
	f.BoolVar(&o.WAL, "wal", false, "only write the -wal into the file and empty it")
	f.BoolVar(&o.Online, "online", false, "rewrite the file although a host has it open, if that takes less than 15 seconds")
	f.BoolVar(&o.Incremental, "incremental", false, "convert the file, so that free pages can be given back beside a host from now on")
	return cmd
}

// reclaim gives the space of the database back. The handle on it is closed before.
func reclaimFile(ctx context.Context, c *cli.Invocation, o reclaim.Options) (cli.Result, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	if err := db.Writable(); err != nil {
		return nil, err
	}
	c.CoverageErrors = nil // The handle is closed when they would be read.
	if err := db.Close(); err != nil {
		return nil, err
	}
	c.DB = nil
	r, err := reclaim.File(ctx, db.Path(), o, c.Progress())
	if err != nil {
		return nil, err
	}
	return &reclaimResult{Result: r, FileBytes: r.Before.Total(), AfterBytes: r.After.Total()}, nil
}

func estimateReclaim(ctx context.Context, c *cli.Invocation, o reclaim.Options) (cli.Result, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	rewritten := int64(0)
	if !o.WAL {
		progress := c.Progress()
		m, err := space.Measure(ctx, db, func(m *space.Measurement) { progress(int(m.Done), int(m.Total), "measuring the file") })
		if err != nil {
			return nil, err
		}
		rewritten = space.Predict(m, nil).After
	}
	e, err := reclaim.EstimateOf(ctx, db, rewritten, o)
	if err != nil {
		return nil, err
	}
	return &reclaimEstimate{Estimate: e, FileBytes: e.Before.Total(), AfterBytes: e.After.Total()}, nil
}

// reclaimMethods say what was done, and what would be done.
var reclaimMethods = map[reclaim.Method][2]string{
	reclaim.MethodSwap:   {"a compacted and verified copy has taken the place of the file", "a compacted and verified copy takes the place of the file"},
	reclaim.MethodVacuum: {"the file was rewritten in its place", "the file is rewritten in its place"},
	reclaim.MethodSteps:  {"search tables were merged and the -wal was emptied, in short steps", "search tables are merged and the -wal is emptied, in short steps"},
	reclaim.MethodWAL:    {"the -wal was emptied", "the -wal is emptied"},
}

func (r *reclaimResult) Print(p *cli.Printer) {
	p.Fact("database", ui.Line(r.Path))
	p.Fact("done", reclaimMethods[r.Method][0])
	printSizes(p, r.Before, r.After)
	p.Write("\n")
	width := 0
	for _, s := range r.Steps {
		width = max(width, ansi.StringWidth(ui.Line(s.Name)))
	}
	for _, s := range r.Steps {
		p.Line(ui.Pad(ui.Line(s.Name), width) + "  " + stepGain(s))
		if s.Note != "" {
			p.Block(cli.Styled(p.Styles.Warn, "    ! "+ui.Line(s.Note)))
		}
	}
	printNotes(p, r.Notes)
}

func (e *reclaimEstimate) Print(p *cli.Printer) {
	p.Fact("database", ui.Line(e.Path))
	p.Fact("would do", reclaimMethods[e.Method][1])
	printSizes(p, e.Before, e.After)
	if e.Needed > 0 {
		room := "needed"
		if e.Free != nil {
			room = fmt.Sprintf("needed of %s that are free", ui.Size(*e.Free))
		}
		p.Fact("disk", ui.Size(e.Needed)+" "+room)
	}
	if len(e.InUseBy) > 0 {
		p.Fact("open in", ui.Line(strings.Join(e.InUseBy, ", ")))
	}
	printNotes(p, e.Notes)
	p.Muted("nothing was written")
}

func printNotes(p *cli.Printer, notes []string) {
	for _, n := range notes {
		p.Block(cli.Styled(p.Styles.Warn, "note: "+ui.Line(n)))
	}
}

func printSizes(p *cli.Printer, before, after reclaim.Sizes) {
	p.Fact("file", ui.Size(before.File)+" → "+ui.Size(after.File))
	p.Fact("-wal", ui.Size(before.WAL)+" → "+ui.Size(after.WAL))
	p.Fact("free in it", ui.Size(before.Free)+" → "+ui.Size(after.Free))
}

// stepGain says what a step gave, and how long others had to wait for it.
func stepGain(s reclaim.Step) string {
	gain := "nothing to give back"
	switch given, freed := s.Before.Total()-s.After.Total(), s.After.Free-s.Before.Free; {
	case given > 0:
		gain = ui.Size(given) + " given back"
	case freed > 0:
		gain = ui.Size(freed) + " became free in the file"
	}
	return fmt.Sprintf("%s, %d ms, longest lock %d ms", gain, s.Milliseconds, s.Longest)
}
