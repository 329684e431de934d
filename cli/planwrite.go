package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/pflag"

	"lcm-tui/data"
	"lcm-tui/ops"
	"lcm-tui/ops/planfile"
	sweep "lcm-tui/ops/secrets"
	"lcm-tui/ui"
)

// BindPlanOut adds the flag that writes a plan to a file.
func BindPlanOut(fs *pflag.FlagSet, path *TextFlag) {
	path.Noun = "FILE"
	fs.Var(path, "plan-out", "write the plan to this new file, for lcm-tui apply")
}

// PlanPlace returns the whole path that --plan-out names, checked before anything is planned; empty where
// it isn't given.
func (c *Invocation) PlanPlace(db *data.DB, flag TextFlag, op ops.Op) (string, error) {
	if flag.Value == "" {
		return "", nil
	}
	path, err := c.NewFile(db, flag.Value)
	if err == nil {
		err = planfile.CheckPlace(path)
	}
	if err == nil {
		err = planfile.Check(op)
	}
	return path, err
}

// WritePlan writes a plan of an operation to a file.
func (c *Invocation) WritePlan(ctx context.Context, db *data.DB, op ops.Op, o *PlanResult, path string) error {
	f, err := planfile.Make(ctx, db, op, o.Plan, c.Codecs(), c.Sys.VersionText())
	if err != nil {
		return err
	}
	if err := f.Write(path); err != nil {
		return err
	}
	o.PlanFile, o.FileSHA256, o.home = path, f.SHA256, homeCommand(db)
	return nil
}

// homeCommand returns the words of the command by which a plan for a copy or a replica reaches the machine that has the database. It is empty
// where the database itself can be written.
func homeCommand(db *data.DB) string {
	if of, ok := db.Replica(); ok && of.Home == nil {
		return "fleet order " + of.Source
	}
	if m, ok := data.CopyOf(db.Path()); ok {
		return "fleet apply " + m.Name
	}
	return ""
}

// planFileLine says how a plan in a file is applied.
func (o *PlanResult) planFileLine() string {
	if o.home != "" {
		return "nothing was written; lcm-tui " + ui.Line(o.home+" "+o.PlanFile) + " sends the plan to the machine that has the database"
	}
	line := "nothing was written to the database; lcm-tui apply " + ui.Line(o.PlanFile) + " applies the plan"
	if o.isIrreversible() {
		line += " with --irreversible"
	}
	return line
}

// isIrreversible reports whether the plan is applied only where somebody confirms that it has no undo.
func (o *PlanResult) isIrreversible() bool { return o.Op == sweep.OpName }

// hasNoUndo reports whether there is no undo of the plan.
func (o *PlanResult) hasNoUndo() bool {
	return o.isIrreversible() || o.Set != nil && ops.KeepsNothing(o.Set.Verb)
}

// NewCodec makes a codec of functions on an operation and on its request. Folders and settings are those of the
// run c: a file doesn't say them.
func NewCodec[Op ops.Op, Request any](c *Invocation, encode func(Op, ops.Plan) (any, error), decode func(*Invocation, Request) (ops.Op, error)) planfile.Codec {
	return planfile.Codec{
		Encode: func(op ops.Op, p ops.Plan) (any, error) {
			o, ok := op.(Op)
			if !ok {
				return nil, fmt.Errorf("the plan of %s is of another operation", p.Op)
			}
			return encode(o, p)
		},
		Decode: func(request json.RawMessage) (ops.Op, error) {
			var r Request
			if err := planfile.DecodeRequest(request, &r); err != nil {
				return nil, err
			}
			return decode(c, r)
		},
	}
}
