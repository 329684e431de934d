package cli

import (
	"context"

	"github.com/spf13/pflag"

	"lcm-tui/data"
	"lcm-tui/ops"
	"lcm-tui/ops/planfile"
	sweep "lcm-tui/ops/secrets"
	"lcm-tui/ui"
)

// bindPlanOut adds the flag that writes a plan to a file.
func bindPlanOut(fs *pflag.FlagSet, path *textFlag) {
	path.noun = "FILE"
	fs.Var(path, "plan-out", "write the plan to this new file, for lcm-tui apply")
}

// planPlace is the whole path that --plan-out names, checked before anything is planned; empty where
// it isn't given.
func (c *invocation) planPlace(db *data.DB, flag textFlag, op ops.Op) (string, error) {
	if flag.value == "" {
		return "", nil
	}
	path, err := c.newFile(db, flag.value)
	if err == nil {
		err = planfile.CheckPlace(path)
	}
	if err == nil {
		err = planfile.Check(op)
	}
	return path, err
}

// writePlan writes a plan of an operation to a file.
func (c *invocation) writePlan(ctx context.Context, db *data.DB, op ops.Op, o *planResult, path string) error {
	f, err := planfile.Make(ctx, db, op, o.Plan, c.codecs(), c.sys.version())
	if err != nil {
		return err
	}
	if err := f.Write(path); err != nil {
		return err
	}
	o.PlanFile, o.FileSHA256 = path, f.SHA256
	return nil
}

// planFileLine says how a plan in a file is applied.
func (o *planResult) planFileLine() string {
	line := "nothing was written to the database; lcm-tui apply " + ui.Line(o.PlanFile) + " applies the plan"
	if o.isIrreversible() {
		line += " with --irreversible"
	}
	return line
}

// isIrreversible reports whether there is no undo of the plan.
func (o *planResult) isIrreversible() bool { return o.Op == sweep.OpName }
