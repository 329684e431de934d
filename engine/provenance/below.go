package provenance

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// below is what a summary was made of, directly and through other summaries.
type below struct {
	leaves   []string           // Those that have messages, in the order of the links.
	messages map[string][]int64 // Of each leaf, in the order of its links.
	missing  []string           // Summaries that links name and the file doesn't have.
}

// total returns how many messages the leaves have. One of several leaves counts for each.
func (b *below) total() (n int) {
	for _, ids := range b.messages {
		n += len(ids)
	}
	return n
}

// loadBelow walks from a summary to its messages. It goes through each summary once, so that a
// cycle ends.
func loadBelow(ctx context.Context, db *data.DB, id string) (*below, error) {
	b := &below{messages: map[string][]int64{}}
	seen := map[string]bool{id: true}
	for level := []string{id}; len(level) > 0; {
		found, err := lcm.SummariesByID(ctx, db, level, 1)
		if err != nil {
			return nil, err
		}
		links, err := lcm.MessageLinksOf(ctx, db, level)
		if err != nil {
			return nil, err
		}
		for _, l := range links {
			b.messages[l.Summary] = append(b.messages[l.Summary], l.Message)
		}
		for _, id := range level {
			if len(b.messages[id]) > 0 {
				b.leaves = append(b.leaves, id)
			}
			if _, ok := found[id]; !ok {
				b.missing = append(b.missing, id)
			}
		}
		sources, err := lcm.SourceLinks(ctx, db, level)
		if err != nil {
			return nil, err
		}
		level = nil
		for _, l := range sources {
			if !seen[l.Source] {
				seen[l.Source] = true
				level = append(level, l.Source)
			}
		}
	}
	return b, nil
}
