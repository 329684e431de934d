package ops

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
)

// NotePending notes in a plan what it would do to the summaries that a host has prepared in the
// background, before anybody applies it: they become stale, and the host pays for others.
func NotePending(ctx context.Context, db *data.DB, p *Plan) error {
	if !lcm.HasPendingTables(db.Schema()) {
		return nil
	}
	stale, deleted, err := change.AffectedBatches(ctx, db, p.contextChanges())
	if err != nil {
		return err
	}
	if len(stale) > 0 {
		note, err := staleNote(ctx, db, stale)
		if err != nil {
			return err
		}
		p.Warn(note)
	}
	if n := len(deleted); n > 0 {
		p.Note(plural.Count(n, "pending batch", "pending batches") + " of the host " + plural.Noun(n, "names", "name") + " what is deleted, and " + plural.Noun(n, "is", "are") + " deleted, too")
	}
	return nil
}

// contextChanges returns the changes of a plan. An estimate has none yet, but shows which contexts
// would change.
func (p Plan) contextChanges() []change.Change {
	if !p.Estimate() {
		return p.Changes
	}
	var out []change.Change
	for _, c := range p.Contexts {
		out = append(out, change.Change{Table: "context_items", Before: data.Row{"conversation_id": c.Conversation}})
	}
	return out
}

// staleNote says what is lost with batches that become stale.
func staleNote(ctx context.Context, db *data.DB, stale []string) (string, error) {
	var nodes int
	var tokens int64
	conversations := map[int64]bool{}
	for _, id := range stale {
		found, err := lcm.PendingNodes(ctx, db, lcm.PendingSelection{Batch: id}, 0)
		if err != nil {
			return "", err
		}
		for i := range found {
			if n := &found[i]; n.Status == lcm.NodeReady {
				nodes, tokens = nodes+1, tokens+n.Tokens.Value
			}
			conversations[found[i].Conversation] = true
		}
	}
	whose := "this conversation"
	if n := len(conversations); n > 1 {
		whose = plural.Count(n, "conversation", "conversations")
	}
	if nodes == 0 {
		return "the summaries that the host plans for " + whose + " become stale: it plans others by itself", nil
	}
	return "the summaries that the host has prepared for " + whose + " become stale (" + plural.Count(nodes, "node", "nodes") + ", " +
		plural.Count(tokens, "token", "tokens") + " of text): it prepares others by itself, and asks its model again", nil
}
