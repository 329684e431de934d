package ops

import (
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
)

// WarnOfBudget warns where the context that the plan leaves is over the token
// budget of a conversation, or so near that the host compacts. A budget of 0 is the
// one that the host noted, or the default; it returns the one that it went by.
func (p *Plan) WarnOfBudget(ctx context.Context, db *data.DB, conv, budget int64) (int64, error) {
	if budget == 0 {
		noted, err := lcm.Budget(ctx, db, conv)
		if err != nil {
			return 0, err
		}
		if budget = noted; budget == 0 {
			budget = assemble.DefaultBudget
		}
	}
	after := p.Impact.TokensAfter
	switch {
	case after > budget:
		p.Warn(fmt.Sprintf("the context would hold %d tokens, %d over its budget of %d: the oldest items would not reach the model",
			after, after-budget, budget))
	case float64(after) > assemble.CompactAbove*float64(budget):
		p.Warn(fmt.Sprintf("the context would hold %d of %d tokens: the host compacts above %d, so it may fold this again",
			after, budget, int64(assemble.CompactAbove*float64(budget))))
	}
	return budget, nil
}
