package retrieve

import (
	"context"
	"errors"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// ExpandRequest asks for what lies below some summaries.
type ExpandRequest struct {
	Summaries []string
	// Query asks, instead of Summaries, for the newest summaries that a full-text grep finds. They
	// are expanded without messages.
	Query    string
	MaxDepth *int64 // In steps towards the messages; nil is DefaultExpandDepth.
	TokenCap *int64 // The most tokens, at least 1; nil is no limit but that of Limits.
	Messages bool   // With the messages of leaves.
	Full     bool   // The text has the contents, and not only ids and a snippet.
	Limits   Limits
}

// Expansions are what lies below some summaries.
type Expansions struct {
	Expansions []*Expansion `json:"expansions"`
	CitedIDs   []string     `json:"citedIds"` // The expanded summaries and what was found below them, each once.
	Tokens     int64        `json:"totalTokens"`
	Truncated  bool         `json:"truncated"`
	// Notes say what the grep for a query didn't search, or searched in another way than usual.
	Notes []string `json:"notes,omitempty"`
	full  bool
}

// Run expands the summaries one after the other, each under what is left of the cap. The first
// that doesn't fit ends everything. A summary outside of the scope or the limits is a *ToolError.
func (r ExpandRequest) Run(ctx context.Context, db *data.DB, scope Scope) (*Expansions, error) {
	e := &Expansions{Expansions: []*Expansion{}, CitedIDs: []string{}, full: r.Full}
	err := r.check(ctx, db, scope)
	if r.Query != "" {
		e.Notes, err = r.find(ctx, db, scope)
	}
	if err != nil {
		return nil, err
	}
	o := ExpandOptions{Depth: r.depth(), Messages: r.Messages, Bodies: r.Full}
	cited := map[string]bool{}
	cite := func(id string) {
		if !cited[id] {
			cited[id] = true
			e.CitedIDs = append(e.CitedIDs, id)
		}
	}
	limit := r.tokenCap()
	for _, id := range r.Summaries {
		if e.Truncated {
			break
		}
		if limit != nil {
			o.TokenCap = new(*limit - e.Tokens)
			if *o.TokenCap <= 0 {
				e.Truncated = true
				break
			}
		}
		x, err := Expand(ctx, db, scope, id, o)
		if err != nil {
			return nil, err
		}
		e.Expansions, e.Tokens, e.Truncated = append(e.Expansions, x), e.Tokens+x.Tokens, x.Truncated
		cite(id)
		for _, c := range x.Children {
			cite(c.ID)
		}
	}
	return e, nil
}

// mostFound is how many summaries a query expands.
const mostFound = 50

// find makes the summaries that the query finds those of the request.
func (r *ExpandRequest) find(ctx context.Context, db *data.DB, scope Scope) (notes []string, err error) {
	found, err := GrepRequest{Pattern: r.Query, Literal: true, Mode: FullText, In: InSummaries, Limit: mostFound}.Run(ctx, db, scope)
	if err != nil {
		return nil, err
	}
	r.Summaries, r.Messages = nil, false
	for _, s := range found.Summaries {
		if r.Limits.allows(s.ID) {
			r.Summaries = append(r.Summaries, s.ID)
		}
	}
	return found.Notes, nil
}

// depth returns how deep the request may go.
func (r ExpandRequest) depth() int64 {
	depth := int64(DefaultExpandDepth)
	if r.MaxDepth != nil {
		depth = *r.MaxDepth
	}
	return clamp(depth, r.Limits.MaxDepth)
}

// tokenCap returns how many tokens the request may give; nil is without a limit.
func (r ExpandRequest) tokenCap() *int64 {
	if r.TokenCap == nil {
		return r.Limits.Tokens
	}
	return new(clamp(max(1, *r.TokenCap), r.Limits.Tokens))
}

// check refuses what isn't in the scope or the limits. A summary that doesn't exist, or of which the
// caller may not know, has nothing below it, which is no error.
func (r ExpandRequest) check(ctx context.Context, db *data.DB, scope Scope) error {
	if len(r.Summaries) == 0 {
		return &ToolError{Message: "Either summaryIds or query must be provided.", Advice: "Find summaries with lcm_grep (scope=summaries)."}
	}
	if i := slices.IndexFunc(r.Summaries, func(id string) bool { return !r.Limits.allows(id) }); i >= 0 {
		return &ToolError{"Summary " + r.Summaries[i] + " is not among those that may be expanded.", "These may be: " + strings.Join(r.Limits.Summaries, ", "), OutOfScope}
	}
	if scope.All() {
		return nil
	}
	var outside []string
	for _, id := range r.Summaries {
		s, err := lcm.ReadSummary(ctx, db, id)
		switch {
		case errors.Is(err, data.ErrNotFound):
		case err != nil:
			return err
		case !scope.Contains(s.Conversation) && scope.Knows(s.Conversation):
			outside = append(outside, id)
		}
	}
	if len(outside) == 0 {
		return nil
	}
	return outOfScope(strings.Join(outside, ", "))
}
