package backfill

import (
	"context"
	"errors"

	"lcm-tui/data"
	"lcm-tui/ops"
)

// mostTries is how often a batch is planned again because a host wrote in the meantime.
const mostTries = 3

// Import plans and writes all steps of a session file, and returns their records. With an error those
// before it are written. Close the operation afterwards; Done says what was added. It takes no locks of
// conversations: what it adds at the end of one is in nobody's way.
func (o *Op) Import(ctx context.Context, db *data.DB, report data.Report) (records []int64, err error) {
	ctx = ops.WithLocks(ctx, nil)
	records = []int64{}
	for n, tries := 0, 0; ; n++ {
		step, _ := o.Step(n)
		p, err := step.Plan(ctx, db, report)
		if errors.Is(err, ops.ErrNothing) {
			return records, nil
		}
		var record int64
		if err == nil {
			record, err = ops.Apply(ctx, db, p, report)
		}
		var stale *data.StaleError
		if tries++; errors.As(err, &stale) && tries < mostTries {
			n--
			continue
		}
		if err != nil {
			return records, err
		}
		tries, records = 0, append(records, record)
	}
}
