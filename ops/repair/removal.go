package repair

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/repair/draft"
)

// newestKept is how many of a conversation's newest messages are never deleted: hosts
// compare so many with what they are given.
const newestKept = 500

// removal is a message that goes, and the one with the same text that stays, or 0.
type removal struct{ message, keep int64 }

// removals is the one way in which a repair deletes single messages. Each leaves the
// context. Its row goes only where the conversation is over and the message isn't one of
// the newest: else the host would store it, and all that follows, again.
type removals struct {
	state   *state
	placed  map[int64]bool // Messages that stand in the context themselves.
	below   map[int64]bool // Messages that the context reaches through summaries.
	newest  int64          // Messages from this seq on stay.
	ongoing string         // Why the conversation may go on; empty where it is over.
	kept    []int64        // Messages that leave the context and whose rows stay.
	ended   bool           // A row was deleted because the conversation is over.
}

// newRemovals returns no removal yet.
func newRemovals(ctx context.Context, s *state) (*removals, error) {
	r := &removals{state: s, placed: s.context.Messages(), below: s.graph.MessagesBelow(s.context.Summaries()...)}
	headers := slices.Collect(s.messages.All())
	if n := len(headers); n > 0 {
		r.newest = headers[max(0, n-newestKept)].Seq
	}
	var err error
	r.ongoing, err = whyOngoing(ctx, s)
	return r, err
}

// remove removes the messages of a finding from the context and, where it may, from the file.
func (r *removals) remove(ctx context.Context, f integrity.Finding, list ...removal) error {
	changed, why := false, ""
	for _, m := range list {
		removed, stays, err := r.one(ctx, m)
		if err != nil {
			return err
		}
		changed = changed || removed
		if stays != "" {
			why = stays
		}
	}
	switch {
	case changed:
		r.state.found.markRepaired(f)
	case why != "":
		r.state.found.leave(f, why)
	}
	return nil
}

// one removes a message, or says why it stays; changed is false where nothing was to do.
func (r *removals) one(ctx context.Context, m removal) (changed bool, why string, err error) {
	if !r.state.messages.Has(m.message) {
		return false, "", nil // It is removed already.
	}
	linked, hasKeep := r.linksOf(m.message), r.state.messages.Has(m.keep)
	if hasKeep && r.placed[m.message] && !r.below[m.message] && !r.placed[m.keep] && !r.below[m.keep] {
		return false, fmt.Sprintf("message %d, which has the same text, isn't reached from the context, so this one stays", m.keep), nil
	}
	switch {
	case r.ongoing != "":
		why = r.ongoing
	case r.state.messages.Seq(m.message) >= r.newest:
		why = fmt.Sprintf("it is one of the newest %d", newestKept)
	case len(linked) > 0 && !hasKeep:
		why = linked[0].Summary + " covers it"
	}
	was := r.placed[m.message]
	delete(r.placed, m.message)
	if why != "" {
		if was {
			r.kept = append(r.kept, m.message)
			return true, "", nil
		}
		return false, "its row stays, since " + why + "; the context doesn't hold it", nil
	}
	for _, t := range linked {
		r.unlink(t, m.keep)
	}
	r.ended = true
	return true, "", deleteMessage(ctx, r.state, m.message)
}

// linksOf returns the links of summaries to a message that are left.
func (r *removals) linksOf(message int64) []*draft.Edge {
	return slices.DeleteFunc(slices.Clone(r.state.graph.EdgesToMessage(message)), func(t *draft.Edge) bool { return t.IsDeleted() || !r.state.graph.Has(t.Summary) })
}

// unlink deletes a link. The summary covers the message that stays instead, unless one does
// already.
func (r *removals) unlink(e *draft.Edge, keep int64) {
	r.state.graph.Unlink(e)
	if len(r.linksOf(keep)) > 0 {
		return
	}
	r.state.graph.Add(draft.MessageTable, data.Row{"summary_id": e.Summary, "message_id": keep})
	r.below[keep] = r.below[keep] || r.below[e.Message]
}

// finish removes the messages from the context.
func (r *removals) finish() {
	s := r.state
	if stored := s.messages.Stored(); r.ended {
		// That the conversation is over has to hold when the plan is written, too.
		s.plan.Guard("messages", data.Row{"conversation_id": s.op.Conversation}, stored)
	}
	s.context.Remove(func(it lcm.ContextItem) bool { return !it.IsSummary() && !r.placed[it.Message] })
	for _, id := range r.kept {
		if !r.below[id] {
			s.plan.Leaves = append(s.plan.Leaves, id)
		}
	}
	if n := len(r.kept); n > 0 {
		why := r.ongoing
		if why == "" {
			why = fmt.Sprintf("a summary covers it, or it is among the newest %d messages", newestKept)
		}
		rows := "their rows stay"
		if n == 1 {
			rows = "its row stays"
		}
		s.plan.Note(fmt.Sprintf("%s the context only, and %s: %s", plural.Count(n, "message leaves", "messages leave"), rows, why))
	}
}

// whyOngoing says why the conversation may go on, or is empty where it is over. A host compares
// the rows of one that goes on with what it is given again, and stores all of that again
// where rows are missing. What isn't known counts as going on.
func whyOngoing(ctx context.Context, s *state) (why string, err error) {
	if s.ongoing == nil {
		why, err = hostactivity.New(s.db.Now(), "").Read(ctx, s.db, s.op.Conversation)
		s.ongoing = &why
	}
	return *s.ongoing, err
}
