package removal

import (
	"context"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/hint"
)

// guarded leaves conversations as they are that have changed since the plan: the others are
// written, and a second run plans what is left.
type guarded struct {
	guards  map[int64]change.ConversationGuard // Of conversations that weren't looked at yet.
	left    map[int64]*data.StaleError         // Why conversations are left as they are.
	written int64                              // What was written so far.
}

func newGuarded(guards []change.ConversationGuard) guarded {
	g := guarded{guards: map[int64]change.ConversationGuard{}, left: map[int64]*data.StaleError{}}
	for _, c := range guards {
		g.guards[c.Conversation] = c
	}
	return g
}

// check reports whether a conversation is as it was planned. It is looked at once, in the turn in
// which the first of its rows is written.
func (g *guarded) check(ctx context.Context, t *change.Turn, conversation int64) (same bool, err error) {
	if c, unchecked := g.guards[conversation]; unchecked {
		var stale *data.StaleError
		switch err := t.CheckConversation(ctx, c); {
		case errors.As(err, &stale):
			g.left[conversation] = stale
		case err != nil:
			return false, err
		}
		delete(g.guards, conversation)
	}
	return g.left[conversation] == nil, nil
}

// checkWritten fails at the end of a set of which nothing was written, since every conversation
// has changed, or another process has removed all of it.
func (g *guarded) checkWritten(waiting int) error {
	if waiting > 0 || g.written > 0 {
		return nil
	}
	for _, why := range g.left {
		return why
	}
	return errNothingLeft()
}

// warn names the conversations that were left.
func (g *guarded) warn(db *data.DB) {
	if g.written == 0 {
		return // The set failed for that reason.
	}
	for _, why := range g.left {
		db.Warn(hint.New(fmt.Sprintf("%s was left as it is: it %s", why.What, why.Why), "give the same command again, which plans what is left"))
	}
}
