package compact

import (
	"fmt"

	"lcm-tui/engine/compact"
	"lcm-tui/internal/filesystem"
	"lcm-tui/ops"
)

// besideOthers returns the operation as it runs beside other processes. While one may have the file
// open it condenses no summary that was placed less than ten minutes ago: a host that is
// compacting may just have written it, and go on with it.
func (o *Op) besideOthers(held filesystem.Holders) *Op {
	next := *o
	next.Request.Settled = !held.Away()
	return &next
}

// noteUnsettled notes that summaries were left for later.
func noteUnsettled(p *ops.Plan, out compact.Outcome, held filesystem.Holders) {
	if out.Unsettled {
		p.Note(fmt.Sprintf("%s, so summaries that are less than ten minutes in the context are not condensed yet", held))
	}
}
