package repair

import (
	"context"
	"errors"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
)

// Preview is what a repair would do, before anything is asked of a model.
type Preview struct {
	Items      []ops.Item // The findings, each with what the plan does about it, or why nothing is done.
	ModelCalls int        // How many calls of a model it would take.
}

// Preview plans the repair of findings that a check has found already, and returns what the plan says. That
// nothing can be repaired is no error.
func (o *Op) Preview(ctx context.Context, db *data.DB, found []integrity.Finding) (Preview, error) {
	var p ops.Plan
	var err error
	ignore := func(int, int, string) {}
	if o.All {
		p, err = o.planFile(ctx, db, found, ignore)
	} else {
		p, _, err = o.of(o.Conversation, found).plan(ctx, db, ignore)
	}
	var nothing *NothingError
	if errors.As(err, &nothing) {
		return Preview{Items: nothing.Items}, nil
	}
	return Preview{p.Items, p.Impact.ModelCalls}, err
}
