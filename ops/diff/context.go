package diff

import (
	"context"

	"lcm-tui/ops/diff/filepair"
)

// ItemChange is an item of a context that differs.
type ItemChange struct {
	Change string `json:"change"` // added, removed, moved or changed.
	Type   string `json:"item_type"`
	Ref    string `json:"id"` // Of the message or summary, in the second file where the item is there.
	Before *int64 `json:"before_ordinal"`
	After  *int64 `json:"after_ordinal"`
	Tokens int64  `json:"token_count"`
	// Run is how many items, this one first, moved by the same number of places one after another;
	// 0 where each is listed by itself.
	Run int `json:"run,omitempty"`
}

// Moved reports whether the item is at another ordinal.
func (i ItemChange) Moved() bool { return i.Change == moved }

// continues reports whether an item goes on a run of moved ones.
func (i ItemChange) continues(next ItemChange) bool {
	n := int64(i.Run)
	return i.Moved() && next.Moved() && *next.Before == *i.Before+n && *next.After == *i.After+n
}

// Changes of an item of a context, beside added, removed and changed.
const moved = "moved"

// alignItems compares two contexts: the n-th item of a message or summary with its n-th item in
// the other. It calls fn for each that differs, removed ones first, then in the order of the second.
func alignItems(before, after []filepair.Item, fn func(ItemChange)) {
	type place struct{ kind, ref string }
	at := map[place][]int{}
	for i, item := range before {
		if item.Partner != "" {
			k := place{item.Type, item.Partner}
			at[k] = append(at[k], i)
		}
	}
	partner := make([]int, len(after))
	taken := make([]bool, len(before))
	for j, item := range after {
		partner[j] = -1
		k := place{item.Type, item.Ref}
		if list := at[k]; len(list) > 0 {
			partner[j], at[k] = list[0], list[1:]
			taken[list[0]] = true
		}
	}
	for i := range before {
		if b := &before[i]; !taken[i] {
			fn(ItemChange{string(filepair.Removed), b.Type, b.Ref, &b.Ordinal, nil, b.Tokens, 0})
		}
	}
	for j := range after {
		a := &after[j]
		if partner[j] < 0 {
			fn(ItemChange{string(filepair.Added), a.Type, a.Ref, nil, &a.Ordinal, a.Tokens, 0})
			continue
		}
		b := &before[partner[j]]
		switch {
		case b.Ordinal != a.Ordinal:
			fn(ItemChange{moved, a.Type, a.Ref, &b.Ordinal, &a.Ordinal, a.Tokens, 0})
		case !filepair.SameInstant(b.CreatedAt, a.CreatedAt):
			fn(ItemChange{string(filepair.Changed), a.Type, a.Ref, &b.Ordinal, &a.Ordinal, a.Tokens, 0})
		}
	}
}

// contexts returns the contexts of a conversation in both files.
func (c *Comparison) contexts(ctx context.Context, entry *Conversation) (before, after []filepair.Item, err error) {
	if before, err = c.pair.Context(ctx, filepair.Before, entry.pair.Key()); err != nil {
		return nil, nil, err
	}
	after, err = c.pair.Context(ctx, filepair.After, entry.pair.Key())
	return before, after, err
}

// countContexts counts what differs in the contexts of which rows differ.
func (c *Comparison) countContexts(ctx context.Context) error {
	for s, entries := range c.byID {
		for _, entry := range entries {
			if entry.items.IsZero() || s == int(filepair.Before) && entry.AfterID != nil {
				continue
			}
			before, after, err := c.contexts(ctx, entry)
			if err != nil {
				return err
			}
			entry.Context = countContext(before, after)
		}
	}
	return nil
}

// countContext counts what differs between two contexts.
func countContext(before, after []filepair.Item) (n ContextCounts) {
	alignItems(before, after, func(i ItemChange) {
		switch i.Change {
		case string(filepair.Added):
			n.Added++
		case string(filepair.Removed):
			n.Removed++
		case moved:
			n.Moved++
		default:
			n.Changed++
		}
	})
	n.TokensBefore, n.TokensAfter = tokensOf(before), tokensOf(after)
	return n
}

func tokensOf(items []filepair.Item) (n int64) {
	for _, i := range items {
		n += i.Tokens
	}
	return n
}
