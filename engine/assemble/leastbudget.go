package assemble

import (
	"context"
	"slices"

	"lcm-tui/data"
)

// Visibility says whether a model sees a place of a context.
type Visibility struct {
	Shown bool // Under the budget that was asked for.
	// Resolved is false for a place that no budget shows: what it names doesn't exist or is blank,
	// or a focus brief stands for it.
	Resolved bool
	// Least is the lowest budget in tokens under which the place is shown; 0 where it always is,
	// as in the fresh tail.
	Least int64
}

// FindVisibility says whether a model sees the place of a conversation's context with an
// ordinal, where nothing depends on a prompt.
func FindVisibility(ctx context.Context, db *data.DB, conv, ordinal int64, o Options) (Visibility, error) {
	o.PromptAware = false
	c, err := newContents(ctx, db, conv, o)
	if err != nil {
		return Visibility{}, err
	}
	defer c.stopReadAhead()
	kept, err := c.choose(ctx)
	if err != nil {
		return Visibility{}, err
	}
	at := slices.IndexFunc(c.items, func(it item) bool { return it.Ordinal == ordinal && it.brief == nil })
	if at < 0 {
		return Visibility{}, nil
	}
	v := Visibility{Shown: kept[at], Resolved: true}
	if at >= c.tail {
		return v, nil
	}
	for i := at; i < len(c.items); i++ {
		n, err := c.tokens(ctx, i)
		if err != nil {
			return Visibility{}, err
		}
		v.Least += n
	}
	if c.pinned >= 0 && c.pinned < at {
		v.Least += c.items[c.pinned].tokens
	}
	return v, nil
}
