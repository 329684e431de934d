package pending

import (
	"cmp"
	"context"
	"errors"
	"math"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/parallel"
	"lcm-tui/internal/sorting"
)

// Batch is a pending batch with all that its judgement needs.
type Batch struct {
	lcm.PendingBatch
	Nodes []*Node // In the order in which the host works on them.
	// Items are the places of the context in the batch's range and behind it. Only active
	// batches have them.
	Items []Item
	// Archived says that the conversation is archived or gone: the host doesn't work on it.
	Archived bool
	// Superseded says that a newer batch of the conversation is active: the host looks only at
	// that one.
	Superseded bool
}

// Node is a node of a batch with its sources.
type Node struct {
	lcm.PendingNode
	lcm.PendingSources
}

// Item is a place of the context.
type Item struct {
	Ordinal     int64
	Message     int64  // 0 where the place has a summary.
	Summary     string // Empty where the place has a message.
	Role        string // Of the message.
	Tokens      int64
	Fingerprint string // Empty behind the ranges of batches, and where the row named doesn't exist.
}

// IsSummary reports whether the place has a summary.
func (i Item) IsSummary() bool { return i.Summary != "" }

// Read reads the batches of a conversation, or for 0 of the file, newest first. Each node has at
// least the first clipBytes bytes of its text. Read takes six statements, whatever the number of
// batches.
func Read(ctx context.Context, db *data.DB, conv int64, clipBytes int) ([]*Batch, error) {
	return readWhole(ctx, db, lcm.PendingSelection{Conversation: conv}, clipBytes)
}

// ReadActive works as Read for the batches that the host may still publish, without texts.
func ReadActive(ctx context.Context, db *data.DB, conv int64) ([]*Batch, error) {
	return readWhole(ctx, db, lcm.PendingSelection{Conversation: conv, OnlyActive: true}, 0)
}

// readWhole reads batches with all that their judgement needs.
func readWhole(ctx context.Context, db *data.DB, of lcm.PendingSelection, clipBytes int) ([]*Batch, error) {
	batches, err := readBatches(ctx, db, of)
	if err != nil || len(batches) == 0 {
		return nil, err
	}
	byID := map[string]*Batch{}
	for _, b := range batches {
		byID[b.ID] = b
	}
	var sources map[string]*lcm.PendingSources
	var failures [3]error
	var work parallel.Group
	work.Go(func() { failures[0] = readNodes(ctx, db, of, byID, clipBytes) })
	work.Go(func() { sources, failures[1] = lcm.ReadPendingSources(ctx, db, of) })
	work.Go(func() { failures[2] = readItems(ctx, db, of, batches) })
	work.Wait()
	for _, b := range batches {
		for _, n := range b.Nodes {
			if s := sources[n.ID]; s != nil {
				n.PendingSources = *s
			}
		}
	}
	return batches, errors.Join(failures[:]...)
}

// readItems reads the contexts in which batches are active. Batches of one context share it.
func readItems(ctx context.Context, db *data.DB, of lcm.PendingSelection, batches []*Batch) error {
	last, items := map[int64]int64{}, map[int64][]Item{}
	for _, b := range batches {
		if known, ok := last[b.Conversation]; b.Active() && (!ok || known < b.Last) {
			last[b.Conversation] = b.Last
		}
	}
	err := lcm.EachPendingItem(ctx, db, of, func(i *lcm.PendingItem) error {
		items[i.Conversation] = append(items[i.Conversation], newItem(i, last[i.Conversation]))
		return nil
	})
	for _, of := range items {
		sorting.Stable(of, func(x, y *Item) int { return cmp.Compare(x.Ordinal, y.Ordinal) })
	}
	for _, b := range batches {
		if b.Active() {
			b.Items = itemsIn(items[b.Conversation], b.First, math.MaxInt64)
		}
	}
	return err
}

func newItem(i *lcm.PendingItem, last int64) Item {
	out := Item{Ordinal: i.Ordinal, Message: i.Message, Summary: i.Summary, Role: i.Role, Tokens: i.Tokens.Value}
	if i.Ordinal <= last {
		out.Fingerprint = ItemFingerprint(i)
	}
	return out
}

// readBatches reads batches alone.
func readBatches(ctx context.Context, db *data.DB, of lcm.PendingSelection) ([]*Batch, error) {
	rows, err := lcm.PendingBatches(ctx, db, of)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	active, err := activeConversations(ctx, db, of.Conversation)
	if err != nil {
		return nil, err
	}
	newest := map[int64]bool{}
	out := make([]*Batch, 0, len(rows))
	for _, r := range rows {
		b := &Batch{PendingBatch: r, Archived: !active[r.Conversation]}
		if r.Active() {
			b.Superseded, newest[r.Conversation] = newest[r.Conversation], true
		}
		out = append(out, b)
	}
	return out, nil
}

// blankBytes is how much of a text tells whether it is blank.
const blankBytes = 64

// readNodes reads the nodes of batches, without their sources.
func readNodes(ctx context.Context, db *data.DB, of lcm.PendingSelection, byID map[string]*Batch, clipBytes int) error {
	if clipBytes != data.WholeText {
		clipBytes = max(clipBytes, blankBytes)
	}
	nodes, err := lcm.PendingNodes(ctx, db, of, clipBytes)
	for _, n := range nodes {
		if b := byID[n.Batch]; b != nil {
			b.Nodes = append(b.Nodes, &Node{PendingNode: n})
		}
	}
	return err
}

// activeConversations returns the conversations that aren't archived: this one, or for 0 all.
func activeConversations(ctx context.Context, db *data.DB, conv int64) (map[int64]bool, error) {
	if conv != 0 {
		c, err := lcm.ReadConversation(ctx, db, conv)
		if errors.Is(err, data.ErrNotFound) {
			return nil, nil
		}
		return map[int64]bool{conv: c.Active}, err
	}
	all, err := lcm.Conversations(ctx, db)
	out := make(map[int64]bool, len(all))
	for _, c := range all {
		out[c.ID] = c.Active
	}
	return out, err
}
