package views

import (
	"context"
	"math"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/summarize"
	"lcm-tui/ui"
)

// CompactAbove is the share of a budget from which on a host compacts.
const CompactAbove = assemble.CompactAbove

// Counts are the numbers of a conversation that have to be counted.
type Counts struct {
	lcm.Stats
	damage int // Summaries that carry a marker.
	// opening is the first words of the user, of a conversation that has no name.
	Opening string
}

// CountOne counts what a list shows of a conversation.
func CountOne(ctx context.Context, db *data.DB, id int64) (*Counts, error) {
	stats, err := lcm.ReadStats(ctx, db, id)
	if err != nil {
		return nil, err
	}
	n := &Counts{Stats: stats}
	if n.Opening, err = OpeningOf(ctx, db, id); err != nil || stats.SummaryCount() == 0 {
		return n, err
	}
	marked, err := summarize.FindMarkers(ctx, db, id)
	n.damage = len(marked)
	return n, err
}

// OpeningOf returns the first words of the user, else of anybody, of a conversation without
// title and key; empty for any other.
func OpeningOf(ctx context.Context, db *data.DB, id int64) (string, error) {
	c, err := lcm.ReadConversation(ctx, db, id)
	if err != nil || c.Title != "" || c.SessionKey != "" {
		return "", err
	}
	ms, err := lcm.MessagesFrom(ctx, db, id, lcm.SeqPage{From: math.MinInt64, Limit: 6, Clip: 400})
	opening := ""
	for _, m := range ms {
		text := ui.LineN(strings.TrimSpace(m.Content), openingWidth)
		if m.Role == "user" && text != "" {
			return text, err
		}
		opening = FirstNonEmpty(opening, text)
	}
	return opening, err
}

// openingWidth is how many cells of a user's first words are kept as a name.
const openingWidth = 80
