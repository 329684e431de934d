package backfill

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"lcm-tui/data"
	"lcm-tui/ops"
)

// mostTries is how often a batch is planned again because another process wrote in the meantime, and longestPause how
// long at most is waited before: several hooks import at once.
const (
	mostTries    = 12
	longestPause = 20 * time.Millisecond
)

// Import plans and writes all steps of a session file, and returns their records. With an error those
// before it are written. Close the operation afterwards; Done says what was added, also with an error. It takes no locks of
// conversations: what it adds at the end of one is in nobody's way.
func (o *Op) Import(ctx context.Context, db *data.DB, report data.Report) (records []int64, err error) {
	ctx = ops.WithLocks(ctx, nil)
	records = []int64{}
	for n, tries := 0, 0; ; n++ {
		step, _ := o.Step(n)
		p, err := step.Plan(ctx, db, report)
		var filtered *FilteredError
		if errors.As(err, &filtered) {
			return records, err
		}
		if errors.Is(err, ops.ErrNothing) {
			return records, nil
		}
		var record int64
		if err == nil {
			if record, err = ops.Apply(ctx, db, p, report); err != nil {
				o.run.survey = o.run.last.before // Done says what is written.
			}
		}
		if tries++; isOvertaken(err) && tries < mostTries && ctx.Err() == nil {
			n--
			time.Sleep(rand.N(longestPause)) // Of several not all try again at the same moment.
			continue
		}
		if err != nil {
			return records, err
		}
		tries, records = 0, append(records, record)
	}
}

// isOvertaken reports whether another process wrote what a batch was planned on: it may even have made the same
// conversation, of which the schema allows one.
func isOvertaken(err error) bool {
	var stale *data.StaleError
	return errors.As(err, &stale) || errors.Is(err, data.ErrConstraint)
}
