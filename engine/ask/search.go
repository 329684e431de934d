package ask

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
)

// matchingCandidates are the summaries of a scope that a full-text search finds.
func matchingCandidates(_ context.Context, _ *data.DB, _ string, _ retrieve.Scope) ([]candidate, error) {
	return nil, nil
}

// messageBackedCandidates are the leaves that hold messages which a search finds, where no
// conversation of the scope has summaries of summaries.
func messageBackedCandidates(_ context.Context, _ *data.DB, _ string, _ retrieve.Scope) ([]candidate, error) {
	return nil, nil
}

type grepArguments struct {
	Pattern string `json:"pattern"`
}

func (t *Tools) grep(_ context.Context, _ grepArguments) (string, error) {
	return "", &InputError{"searching isn't possible here", "use lcm_describe and lcm_expand"}
}

func (t *Tools) matching(_ context.Context, _ string) ([]string, error) { return nil, nil }
