package compact

import (
	"context"
	"strings"

	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
)

// estimatingModel answers without a call, with as much text as a real model is asked for, but
// never more than half of its source. Its texts have no meaning.
type estimatingModel struct{}

// Name implements summarize.Model.
func (estimatingModel) Name() string { return "estimate" }

// Summarize implements summarize.Model.
func (estimatingModel) Summarize(_ context.Context, r summarize.Request) (summarize.Reply, error) {
	n := max(1, min(int64(r.Target), token.Weighted.Count(r.Source)/2))
	return summarize.Reply{
		Text:         strings.Repeat("Zz ~", int(n)), // A token each, and no echo of a source.
		InputTokens:  token.Weighted.Count(r.System) + token.Weighted.Count(r.Prompt),
		OutputTokens: n, Priced: true,
	}, nil
}
