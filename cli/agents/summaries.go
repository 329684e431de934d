package agents

import (
	"context"
	"slices"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
)

// resolveSummaries opens the database and finds the summaries that a command names and the conversations to
// look into. Without flags these are the ones of the summaries: an id belongs to one conversation only.
func resolveSummaries(ctx context.Context, c *cli.Invocation, flags *cli.ScopeFlags, names []string) (*data.DB, retrieve.Scope, []string, error) {
	if err := flags.Check(); err != nil {
		return nil, retrieve.Scope{}, nil, err
	}
	var ids []string
	var owners []int64
	for _, name := range names {
		s, err := c.Summary(ctx, name)
		if err != nil {
			return nil, retrieve.Scope{}, nil, err
		}
		if !slices.Contains(ids, s.ID) { // Two beginnings may name one.
			ids = append(ids, s.ID)
		}
		if !slices.Contains(owners, s.Conversation) {
			owners = append(owners, s.Conversation)
		}
	}
	db, scope, err := flags.Resolve(ctx, c, owners...)
	return db, scope, ids, err
}
