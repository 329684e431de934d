package summarize

import (
	"context"

	"lcm-tui/data"
)

// FindMarkers are the markers of a conversation's summaries, by id, of those that
// carry one.
func FindMarkers(ctx context.Context, db *data.DB, conv int64) (map[string]Marker, error) {
	found, err := db.SummariesContaining(ctx, conv, Substrings(), Models())
	if err != nil {
		return nil, err
	}
	out := map[string]Marker{}
	for _, s := range found {
		if m := Detect(s.Content, s.Model); m != None {
			out[s.ID] = m
		}
	}
	return out, nil
}
