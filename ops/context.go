package ops

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
)

// ChangeContext adds to the plan what turns a conversation's context from before into
// after, row by row, and counts the impact. It gives the items of after their ordinals:
// those that were there keep theirs, and what replaces some stands at the last of theirs
// (see data.LayOut). Where that isn't possible they are moved if the host is away, or if
// the plan is forced; else it returns a *data.HostError.
func (p *Plan) ChangeContext(ctx context.Context, db *data.DB, conv int64, before, after []data.ContextItem) error {
	return p.changeContext(ctx, db, conv, before, data.LayOut(before, after))
}

// RenumberContext is ChangeContext with all items numbered from 0 without gaps.
func (p *Plan) RenumberContext(ctx context.Context, db *data.DB, conv int64, before, after []data.ContextItem) error {
	return p.changeContext(ctx, db, conv, before, data.Dense(after))
}

// PlaceContext is ChangeContext for a context whose items have their ordinals already.
func (p *Plan) PlaceContext(ctx context.Context, db *data.DB, conv int64, before []data.ContextItem, after data.Layout) error {
	return p.changeContext(ctx, db, conv, before, after)
}

func (p *Plan) changeContext(ctx context.Context, db *data.DB, conv int64, before []data.ContextItem, l data.Layout) error {
	if len(before) > 0 && l.Precedes && !before[0].IsSettled(db.Now()) {
		l.Inserts = true // The gap has come so lately that a host may have chosen its places.
	}
	if !l.Safe() {
		if err := p.guardHost(ctx, db, conv, l); err != nil {
			return err
		}
	}
	p.Contexts = append(p.Contexts, ContextChange{conv, before, l.Items})
	p.Impact.ItemsBefore += len(before)
	p.Impact.ItemsAfter += len(l.Items)
	p.Impact.TokensBefore += tokens(before)
	p.Impact.TokensAfter += tokens(l.Items)
	p.Guards = append(p.Guards, data.GuardContext(conv, before))
	p.changePlaces(before, l.Items)
	return nil
}

// guardHost refuses a layout beside a host that may be at work, and else says what it was
// judged by.
func (p *Plan) guardHost(ctx context.Context, db *data.DB, conv int64, l data.Layout) error {
	presence, err := db.Presence(ctx, conv)
	if err != nil {
		return err
	}
	p.Away = append(p.Away, conv)
	if presence.Away() {
		p.Note(fmt.Sprintf("items of the context of conversation %d get other places, as its host is %s", conv, presence))
		return nil
	}
	need := "there is no room for what comes into its context, so items behind it would have to move"
	if !l.Moves {
		need = "what comes between two items of its context would be deleted unseen if the host has chosen these to compact"
	}
	if !p.Force {
		return &data.HostError{Conversation: conv, Presence: presence, Need: need}
	}
	p.Warn(fmt.Sprintf("forced, though its host is %s: if it is compacting conversation %d now, messages may be lost from the context", presence, conv))
	return nil
}

// changePlaces adds the rows of a context that differ, place by place.
func (p *Plan) changePlaces(before, after []data.ContextItem) {
	was, is := byOrdinal(before), byOrdinal(after)
	var ordinals []int64
	for o := range was {
		ordinals = append(ordinals, o)
	}
	for o := range is {
		if _, ok := was[o]; !ok {
			ordinals = append(ordinals, o)
		}
	}
	slices.Sort(ordinals)
	for _, o := range ordinals {
		if !was[o].Equal(is[o]) {
			p.Changes = append(p.Changes, data.Change{
				Table: "context_items", Key: []string{"conversation_id", "ordinal"}, Before: was[o], After: is[o],
			})
		}
	}
}

func byOrdinal(items []data.ContextItem) map[int64]data.Row {
	m := make(map[int64]data.Row, len(items))
	for _, it := range items {
		m[it.Ordinal] = it.Row()
	}
	return m
}

func tokens(items []data.ContextItem) (n int64) {
	for _, it := range items {
		n += it.Tokens
	}
	return n
}
