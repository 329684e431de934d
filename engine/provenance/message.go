package provenance

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
)

// MessageTrace says where a message went: which summaries were made of it, directly and through
// others, and where it and they stand in the context.
type MessageTrace struct {
	Message lcm.Message
	// Summaries are those above the message that exist, by id, with the start of their texts.
	Summaries map[string]lcm.Summary
	// Missing are summaries that links above the message name and the file doesn't have.
	Missing []string
	// Foreign are summaries above the message that belong to another conversation.
	Foreign []string
	// Places are where the message and the summaries above it stand in contexts, those of the
	// message's own conversation first.
	Places []lcm.ContextPosition
	// Pending are nodes that a host prepares of the message and hasn't published. From 1.0.
	Pending []lcm.PendingNode
	Reason  Reason

	leaves  []string            // Made of the message itself.
	derived map[string][]string // The summaries that were made of one, in the order of their ids.
}

// Options say for which model a message is traced.
type Options struct {
	Budget int64 // Tokens; 0 is what the host noted for the conversation, or the reference engine's default.
	// Tail is what the host keeps as it is; nil is the reference engine's default.
	Tail *assemble.Tail
}

// previewBytes is how much of a summary's text is read.
const previewBytes = 240

// TraceMessage follows a message up to the context. It fails with a NotFoundError if the message
// doesn't exist.
func TraceMessage(ctx context.Context, db *data.DB, id int64, o Options) (*MessageTrace, error) {
	m, err := lcm.ReadMessage(ctx, db, id)
	if err != nil {
		return nil, err
	}
	t := &MessageTrace{Message: m, Summaries: map[string]lcm.Summary{}, derived: map[string][]string{}}
	if err := t.climb(ctx, db); err != nil {
		return nil, err
	}
	if err := t.findPlaces(ctx, db); err != nil {
		return nil, err
	}
	if err := t.findPending(ctx, db); err != nil {
		return nil, err
	}
	t.Reason, err = t.findReason(ctx, db, o)
	return t, err
}

// climb walks from the message's leaves to all summaries above. It goes through each once, so
// that a cycle ends.
func (t *MessageTrace) climb(ctx context.Context, db *data.DB) error {
	links, err := lcm.LeafLinks(ctx, db, t.Message.ID)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	var level []string
	for _, l := range links {
		if !seen[l.Summary] {
			seen[l.Summary] = true
			level = append(level, l.Summary)
		}
	}
	t.leaves = level
	for len(level) > 0 {
		if err := t.describe(ctx, db, level); err != nil {
			return err
		}
		links, err := lcm.DerivedLinks(ctx, db, level)
		if err != nil {
			return err
		}
		level = nil
		for _, l := range links {
			if !slices.Contains(t.derived[l.Source], l.Summary) {
				t.derived[l.Source] = append(t.derived[l.Source], l.Summary)
			}
			if !seen[l.Summary] {
				seen[l.Summary] = true
				level = append(level, l.Summary)
			}
		}
	}
	return nil
}

// describe reads the summaries of a level.
func (t *MessageTrace) describe(ctx context.Context, db *data.DB, ids []string) error {
	found, err := lcm.SummariesByID(ctx, db, ids, previewBytes)
	if err != nil {
		return err
	}
	for _, id := range ids {
		s, ok := found[id]
		if !ok {
			t.Missing = append(t.Missing, id)
			continue
		}
		t.Summaries[id] = s
		if s.Conversation != t.Message.Conversation {
			t.Foreign = append(t.Foreign, id)
		}
	}
	return nil
}

func (t *MessageTrace) findPlaces(ctx context.Context, db *data.DB) (err error) {
	ids := make([]string, 0, len(t.Summaries)+len(t.Missing))
	for id := range t.Summaries {
		ids = append(ids, id)
	}
	if t.Places, err = lcm.ContextPositions(ctx, db, t.Message.ID, append(ids, t.Missing...)); err != nil {
		return err
	}
	own := func(p lcm.ContextPosition) bool { return p.Conversation == t.Message.Conversation }
	foreign := slices.DeleteFunc(slices.Clone(t.Places), own)
	t.Places = append(slices.DeleteFunc(t.Places, func(p lcm.ContextPosition) bool { return !own(p) }), foreign...)
	return nil
}

// PlacesOf returns the places of a summary or, if id is empty, of the message itself.
func (t *MessageTrace) PlacesOf(id string) (out []lcm.ContextPosition) {
	for _, p := range t.Places {
		if p.Summary == id {
			out = append(out, p)
		}
	}
	return out
}

func (t *MessageTrace) findPending(ctx context.Context, db *data.DB) error {
	if !db.Schema().Has(data.PendingNodeTable) {
		return nil
	}
	of := lcm.PendingSelection{Conversation: t.Message.Conversation, OnlyActive: true}
	sources, err := lcm.ReadPendingSources(ctx, db, of)
	if err != nil {
		return err
	}
	nodes, err := lcm.PendingNodes(ctx, db, of, previewBytes)
	if err != nil {
		return err
	}
	for i := range nodes {
		if s := sources[nodes[i].ID]; s != nil && nodes[i].Status != lcm.NodePromoted && t.isMadeOf(s) {
			t.Pending = append(t.Pending, nodes[i])
		}
	}
	return nil
}

// isMadeOf reports whether a pending node's sources are the message or a summary above it.
func (t *MessageTrace) isMadeOf(s *lcm.PendingSources) bool {
	return slices.ContainsFunc(s.Messages, func(m lcm.PendingMessage) bool { return m.Message == t.Message.ID }) ||
		slices.ContainsFunc(s.Children, func(c lcm.PendingChild) bool { _, above := t.Summaries[c.ChildSummary]; return above })
}
