package draft

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Conversation is a conversation as it will be.
type Conversation struct {
	ID       int64
	Messages *Messages
	Graph    *Graph
	Context  *Context
}

// Empty returns a conversation without rows: what belongs to the file and to no conversation is
// repaired in it.
func Empty(db *data.DB, rows *Rows) *Conversation {
	m := NewMessages()
	g := newGraph(m, rows)
	return &Conversation{Messages: m, Graph: g, Context: newContext(db, 0, nil, g)}
}

// Load reads a conversation. Of summaries that don't exist it reads the links that are left,
// where missing or the context names them. What changes goes to rows.
func Load(ctx context.Context, db *data.DB, id int64, missing []string, rows *Rows) (*Conversation, error) {
	items, err := lcm.Context(ctx, db, id)
	if err != nil {
		return nil, err
	}
	headers, err := lcm.ClassifiedMessageHeaders(ctx, db, id)
	if err != nil {
		return nil, err
	}
	m := NewMessages(headers...)
	g := newGraph(m, rows)
	if err := g.load(ctx, db, id, items, missing); err != nil {
		return nil, err
	}
	return &Conversation{ID: id, Messages: m, Graph: g, Context: newContext(db, id, slices.Clip(items), g)}, nil
}
