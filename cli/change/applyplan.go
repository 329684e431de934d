package change

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/fileidentity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/planfile"
	sweep "lcm-tui/ops/secrets"
	"lcm-tui/ui"
)

// planFlags is how a plan file is checked and applied.
type planFlags struct {
	exact, irreversible, whole, rows, write, dry bool
	flags                                        *pflag.FlagSet
}

func (p *planFlags) bind(fs *pflag.FlagSet) {
	p.flags = fs
	fs.BoolVar(&p.exact, "exact", true, "plan what needs no model again, and refuse the file where its rows are others")
}

func planCommand(a *cli.App) *cobra.Command {
	p := &planFlags{}
	cmd := a.Command(cli.GroupCare, "plan ACTION", "Show or check a plan that stands in a file", p.run)
	cmd.ValidArgsFunction = a.CompleteActions
	cmd.Long = `Shows or checks a plan file. Each command that changes the database writes one with --plan-out
FILE, instead of the database. ACTION is

  show FILE   show the plan as it was shown when it was made; no database is needed
  check FILE  look whether lcm-tui apply FILE could write it; nothing is written

The file holds texts of conversations, so it is private to you. What was changed in it, or got
lost, is noticed.`
	cmd.Example = `lcm-tui dissolve 12 sum_1a2b3c4d5e6f7a8b --plan-out plan.json
lcm-tui plan show plan.json
lcm-tui plan check plan.json --db /srv/copy/lcm.db`
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&p.whole, "whole-texts", false, "show: changed texts whole, not as what differs")
	fs.BoolVar(&p.rows, "rows", false, "show: every row that would change")
	p.bind(fs)
	return cmd
}

func applyPlanCommand(a *cli.App) *cobra.Command {
	p := &planFlags{}
	cmd := a.Command(cli.GroupCare, "apply PLAN", "Write a plan that stands in a file", p.apply)
	cmd.Long = `Writes the plan of a file that --plan-out made: the rows that were shown then, and no others.
Nothing is written where a row is no longer as the plan saw it (exit code 4), where the file is
of another database, or where it was applied already (exit code 3). The database may have been
moved, copied or rewritten since, and may have grown.

Texts that a model made are in the file: applying it asks no model. What needs none is planned
again and compared. lcm-tui undo undoes it as usual.

Writes at once, because the plan was seen before; --dry-run only checks it.`
	cmd.Example = `lcm-tui plan show plan.json
lcm-tui apply plan.json`
	cmd.ValidArgsFunction = nil // Files.
	fs := cmd.Flags()
	fs.SortFlags = false
	p.bind(fs)
	fs.BoolVar(&p.write, "apply", false, "write it, which is the rule anyway")
	fs.BoolVar(&p.dry, "dry-run", false, "only look whether it could be written, as lcm-tui plan check does")
	fs.BoolVar(&p.irreversible, "irreversible", false, "confirm a plan of secrets, which can't be undone")
	return cmd
}

// run runs plan show and plan check.
func (p *planFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	switch c.Action {
	case "show":
		if p.flags.Changed("exact") { // Turned off too.
			return nil, cli.UsageErrorf("--exact needs a check: what is shown isn't compared with the database")
		}
		f, err := planfile.Open(c.Args[0], false)
		if err != nil {
			return nil, err
		}
		return &planFileResult{PlanResult: cli.PlanResult{Plan: f.Plan, ShowWhole: p.whole, ShowRows: p.rows}, File: planFileInfoOf(f)}, nil
	case "check":
		f, ready, err := p.prepare(ctx, c)
		if err != nil {
			return nil, err
		}
		return &planFileResult{PlanResult: cli.PlanResult{Plan: ready.Plan}, File: planFileInfoOf(f), Checked: true}, nil
	}
	return nil, cli.UsageErrorf("plan %s: expected show or check%s", c.Args[0], cli.DidYouMean(c.Args[0], "", []string{"show", "check"}))
}

// prepare reads a plan file and checks it against the database.
func (p *planFlags) prepare(ctx context.Context, c *cli.Invocation) (*planfile.File, planfile.Prepared, error) {
	f, err := planfile.Open(c.Args[0], true)
	if err != nil {
		return nil, planfile.Prepared{}, err
	}
	db, err := c.Open(ctx)
	if err != nil {
		return nil, planfile.Prepared{}, err
	}
	if err := c.ReadyToWrite(ctx, db); err != nil {
		return nil, planfile.Prepared{}, err
	}
	ready, err := f.Prepare(ctx, db, planfile.Options{Codecs: c.Codecs(), FilesDir: c.Locations.FilesDir, Exact: p.exact, Report: c.Progress()})
	return f, ready, err
}

// apply writes the plan of a file.
func (p *planFlags) apply(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	f, ready, err := p.prepare(ctx, c)
	if err != nil {
		return nil, err
	}
	if p.dry {
		return &planFileResult{PlanResult: cli.PlanResult{Plan: ready.Plan}, File: planFileInfoOf(f), Checked: true}, nil
	}
	secrets, isSecrets := ready.Op.(*sweep.Op)
	switch {
	case isSecrets && !p.irreversible:
		return nil, cli.UsageErrorf("apply: a plan of secrets needs --irreversible: the secrets are in no record, so there is no undo")
	case !isSecrets && p.irreversible:
		return nil, cli.UsageErrorf("--irreversible has no effect on this plan: it is for plans of secrets")
	case isSecrets:
		return c.ApplySecrets(ctx, secrets, ready.Plan)
	}
	out, err := ops.ApplyPlan(ctx, c.DB, ready.Plan, c.Progress())
	if err != nil {
		return nil, f.Explain(ctx, c.DB, err)
	}
	o := &cli.PlanResult{Plan: ready.Plan, Applied: true, Record: &out.Record, PlanFile: f.Path}
	o.Notes = append(o.Notes, ops.Outcome(out)...)
	return o, nil
}

// planFileResult is the result of plan show and plan check.
type planFileResult struct {
	cli.PlanResult
	File    planFileInfo `json:"file"`
	Checked bool         `json:"checked"` // It could be applied.
}

// planFileInfo is where a plan file comes from.
type planFileInfo struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	MadeBy string `json:"made_by"`
	MadeAt string `json:"made_at"`
	SHA256 string `json:"sha256"`
	// Replanned says that the file has the request, which is planned again when it is applied.
	Replanned bool                  `json:"replanned"`
	Database  fileidentity.Identity `json:"database"`
}

func planFileInfoOf(f *planfile.File) planFileInfo {
	return planFileInfo{f.Path, f.Bytes, f.MadeBy, f.MadeAt, f.SHA256, string(f.Request) != "null", f.Database}
}

func (r *planFileResult) Print(p *cli.Printer) {
	p.Fact("plan file", ui.Line(r.File.Path)+"  "+ui.Size(r.File.Bytes))
	p.Fact("made", ui.Line(madeAt(r.File.MadeAt)+" by "+cli.Program+" "+r.File.MadeBy))
	d := r.File.Database
	p.Fact("for", ui.Line(d.Path+"  "+d.Kind+" "+d.SchemaLevel)+", "+plural.Count(d.Rows["conversations"], "conversation", "conversations"))
	p.Fact("sha256", ui.Line(r.File.SHA256))
	if r.Checked {
		p.Line(cli.Styled(p.Styles.Good, "✓") + " " + ui.Line(r.Title) + ": it can be applied to this database; nothing was written")
		return
	}
	p.Write("\n")
	r.PlanFile = r.File.Path
	r.PlanResult.Print(p)
}

// madeAt returns the time of a plan file in the form of all times.
func madeAt(text string) string {
	at, ok := data.ParseTime(text)
	if !ok {
		return text
	}
	return ui.Timestamp(at)
}
