package change

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/engine/integrity"
)

// doctorRepair is the flags by which doctor repairs what it finds, as the doctor of the
// reference program does: the work is repair's.
type doctorRepair struct {
	*repairFlags
	apply, show, timestamps bool
	isTyped                 func(flag string) bool // Whether it was given.
}

// defaultFault is what is repaired where no fault is named: summaries that no model
// wrote.
const defaultFault = integrity.SummaryFallback

func (h *doctorRepair) bind(cmd *cobra.Command) {
	h.repairFlags, h.isTyped = newRepairing(), cmd.Flags().Changed
	fs := cmd.Flags()
	fs.BoolVar(&h.apply, "apply", false, "repair what was found, as lcm-tui repair does")
	fs.BoolVar(&h.show, "show-diff", false, "have the summaries made that --apply would write, and show what differs")
	fs.BoolVar(&h.timestamps, "timestamps", true, "give the model the times of messages and sources")
	h.ModelFlags.Bind(cmd)
}

// requested reports whether a repair is asked for.
func (h *doctorRepair) requested() bool {
	return h.apply || h.show || isRepairFlagGiven(h.isTyped)
}

// run repairs the conversation that is named, or shows what that would take.
func (h *doctorRepair) run(ctx context.Context, c *cli.Invocation, faults []integrity.FaultID) (cli.Result, error) {
	h.faults.ids, h.generate, h.Untimed = faults, h.show, !h.timestamps
	if len(faults) == 0 {
		h.faults.ids = []integrity.FaultID{defaultFault}
	}
	op, err := h.op(ctx, c)
	if err != nil {
		return nil, err
	}
	r, err := c.Perform(ctx, op, h.apply)
	if nothing, ok := nothingWrong(err); ok {
		return nothing, nil
	}
	return r, err
}
