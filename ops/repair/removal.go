package repair

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
)

// newestKept is how many of a conversation's newest messages are never deleted: hosts
// compare so many with what they are given.
const newestKept = 500

// removal is a message that goes, and the one that says the same and stays, or 0.
type removal struct{ message, keep int64 }

// removals is the one way in which a repair deletes single messages. Each leaves the
// context. Its row goes only where the conversation is over and the message isn't one of
// the newest: else the host would store it, and all that follows, again.
type removals struct {
	*draft
	placed map[int64]bool // Messages in the context.
	under  map[int64]bool // Messages that the context reaches through summaries.
	newest int64          // Messages from this seq on stay.
	going  string         // Why the conversation may go on.
	kept   []int64        // Those of which the row stays.
}

func (d *draft) newRemovals(ctx context.Context) (*removals, error) {
	r := &removals{
		draft: d, placed: map[int64]bool{}, under: d.under(d.tops()...),
	}
	for _, it := range d.items {
		if !it.IsSummary() {
			r.placed[it.Message] = true
		}
	}
	if n := len(d.slims); n > 0 {
		r.newest = d.slims[max(0, n-newestKept)].Seq
	}
	var err error
	r.going, err = d.goesOn(ctx)
	return r, err
}

// remove takes messages that a finding is about out of the context and, where it may, out
// of the file.
func (r *removals) remove(ctx context.Context, f integrity.Finding, list ...removal) error {
	changed, why := false, ""
	for _, m := range list {
		did, stays, err := r.one(ctx, m)
		if err != nil {
			return err
		}
		changed = changed || did
		if stays != "" {
			why = stays
		}
	}
	switch {
	case changed:
		r.done(f)
	case why != "":
		r.leave(f, why)
	}
	return nil
}

// one removes a message, or says why it stays; changed is false where nothing was to do.
func (r *removals) one(ctx context.Context, m removal) (changed bool, why string, err error) {
	slim, ok := r.bySlim[m.message]
	if !ok {
		return false, "", nil // It is gone already.
	}
	linked := r.linksOf(m.message)
	_, hasKeep := r.bySlim[m.keep]
	if hasKeep && r.placed[m.message] && !r.under[m.message] && !r.placed[m.keep] && !r.under[m.keep] {
		return false, fmt.Sprintf("message %d, which says the same, isn't reached from the context, so this one stays", m.keep), nil
	}
	switch {
	case r.going != "":
		why = r.going
	case slim.Seq >= r.newest:
		why = fmt.Sprintf("it is one of the newest %d", newestKept)
	case len(linked) > 0 && !hasKeep:
		why = linked[0].summary + " covers it"
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
	return true, "", r.deleteRows(ctx, m.message)
}

// linksOf are the links of summaries to a message that are left.
func (r *removals) linksOf(message int64) []*tie {
	return slices.DeleteFunc(slices.Clone(r.byMessage[message]), func(t *tie) bool { return t.gone || !r.alive(t.summary) })
}

// unlink takes a link away. The summary covers the message that stays instead, unless one
// does already.
func (r *removals) unlink(t *tie, keep int64) {
	t.gone = true
	r.renumbered[t.summary], r.unsynced[t.summary] = true, true
	if len(r.linksOf(keep)) > 0 {
		return
	}
	r.newTie(t.summary, "", keep)
	r.under[keep] = r.under[keep] || r.under[t.message]
}

// finish takes the removed messages out of the draft's context.
func (r *removals) finish() {
	if stored := len(r.slims); len(r.bySlim) < stored {
		// That the conversation is over has to hold when it is written, too.
		r.plan.Guard("messages", data.Row{"conversation_id": r.op.Conversation}, stored)
		r.slims = slices.DeleteFunc(r.slims, func(m data.MessageHeader) bool { _, stays := r.bySlim[m.ID]; return !stays })
	}
	r.syncAll()
	r.items = slices.DeleteFunc(r.items, func(it data.ContextItem) bool { return !it.IsSummary() && !r.placed[it.Message] })
	for _, id := range r.kept {
		if !r.under[id] {
			r.plan.Leaves = append(r.plan.Leaves, id)
		}
	}
	if n := len(r.kept); n > 0 {
		why := r.going
		if why == "" {
			why = fmt.Sprintf("a summary covers what is said there, or it is among the newest %d messages", newestKept)
		}
		rows := "their rows stay"
		if n == 1 {
			rows = "its row stays"
		}
		r.plan.Note(fmt.Sprintf("%s the context only, and %s: %s", ops.Count(n, "message leaves", "messages leave"), rows, why))
	}
}
