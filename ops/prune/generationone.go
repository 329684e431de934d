package prune

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/prune/removal"
)

// setAnchorRule sets what of an active conversation of a file of 1.0 stays so that its host finds its place
// in the transcript again, or says why it would store texts again.
func (p *pruning) setAnchorRule(ctx context.Context, c *candidate) (why string, err error) {
	anchors, err := p.live.Anchors(ctx, p.db, hostFacts(c.facts))
	if err != nil {
		return "", err
	}
	newest := anchors.Newest()
	switch {
	case anchors.Distrusted > 0:
		return "nobody vouches for the entries of " + plural.Count(anchors.Distrusted, "message", "messages") +
			" (start the host once, and then repair what the doctor calls T12)", nil
	case len(newest) == 0:
		return "its host hasn't vouched for any message that it stored (start it once)", nil
	}
	rule := &removal.AnchorRule{Before: newest[0].Seq}
	for _, a := range newest {
		rule.Newest = append(rule.Newest, a.Message)
	}
	below := min(newest[0].Seq, c.facts.MaxSeq-newestKept+1)
	rule.Mileposts = slices.Sorted(maps.Keys(anchors.Mileposts(below)))
	c.rule.Anchors = rule
	again, err := p.live.WhyStoredAgain(ctx, p.db, hostFacts(c.facts))
	if err != nil || again == "" {
		return "", err
	}
	if p.op.Externalise {
		p.outputsOnly[c.ID] = true
	} else {
		p.storedAgain = append(p.storedAgain, c.ID)
	}
	return "", nil
}

// whyStartStoresAgain says why the start of a host of 1.0 would store messages of a conversation again once it
// is gone: an active one of the same session without a message takes them from the transcript, also
// those before a reset.
func (p *pruning) whyStartStoresAgain(c candidate) string {
	if !c.facts.One {
		return ""
	}
	for _, id := range slices.Sorted(maps.Keys(p.facts)) {
		f := p.facts[id]
		if f.ID != c.ID && f.Active && f.Messages == 0 && sameSession(f, c.facts) {
			return fmt.Sprintf("its session goes on in conversation %d, which has no message yet: the host would store these again there", f.ID)
		}
	}
	return ""
}

// sameSession reports whether two conversations are of one session, by its id or its key.
func sameSession(a, b removal.Facts) bool {
	return a.SessionID != "" && a.SessionID == b.SessionID || strings.TrimSpace(a.SessionKey) != "" && a.SessionKey == b.SessionKey
}

// unknownSessions returns the sessions of what was chosen of which no host knows anything.
func (p *pruning) unknownSessions(ctx context.Context) (out []string) {
	for _, c := range p.chosen {
		if c.facts.One && p.live.WhyKnown(ctx, hostFacts(c.facts)) == "" {
			out = append(out, c.facts.SessionID)
		}
	}
	return out
}

// refuseReferred leaves conversations as they are to whose messages or summaries others refer that stay.
func (p *pruning) refuseReferred(ctx context.Context) error {
	by, err := removal.References(ctx, p.db)
	if err != nil || len(by) == 0 {
		return err
	}
	for more := true; more; {
		more = false
		was := slices.Clone(p.chosen)
		p.chosen = slices.DeleteFunc(p.chosen, func(c candidate) bool {
			i := slices.IndexFunc(by[c.ID], func(id int64) bool {
				return !slices.ContainsFunc(was, func(o candidate) bool { return o.ID == id })
			})
			if i >= 0 {
				p.refuse(c.ID, "conversation %d refers to its messages or summaries", by[c.ID][i])
				more = true
			}
			return i >= 0
		})
	}
	return nil
}

// successors returns, of archived conversations that were chosen, those whose session goes on in an active one: after a
// reset the host took the earlier messages into that too.
func (p *pruning) successors() (archived []int64) {
	for _, c := range p.chosen {
		if !c.facts.One || c.Active {
			continue
		}
		for _, f := range p.facts {
			if f.Active && f.SessionID != "" && f.SessionID == c.facts.SessionID {
				archived = append(archived, c.ID)
				break
			}
		}
	}
	slices.Sort(archived)
	return archived
}

// addSuccessorNote says where messages of archived conversations may stand as well.
func (p *pruning) addSuccessorNote(plan *ops.Plan) {
	if s := p.successors(); len(s) > 0 {
		plan.Note("the session of " + plural.Noun(len(s), "conversation ", "conversations ") + numbers(s) + " goes on: after a reset its host takes the earlier messages there too, where they stay")
	}
}

// addAnchorNotes says what a host of 1.0 makes of other texts.
func (p *pruning) addAnchorNotes(plan *ops.Plan) {
	kept := 0
	var without, again []int64
	for _, c := range p.chosen {
		r := c.rule.Anchors
		if r == nil {
			continue
		}
		if kept += len(r.Mileposts); len(r.Mileposts) == 0 {
			without = append(without, c.ID)
		}
		if slices.Contains(p.storedAgain, c.ID) {
			again = append(again, c.ID)
		}
	}
	if len(without) > 0 {
		plan.Warn("the host vouches for no older message of " + plural.Noun(len(without), "conversation ", "conversations ") + numbers(without) +
			": where a user goes back to one, the host begins another conversation, with or without this, and stores newer ones up to there again, with these texts")
	}
	if kept > 0 && !p.op.KeepUser {
		plan.NoteFlag("a user who goes back to an earlier message brings back at most what users said between two messages that stay ("+plural.Count(kept, "message stays", "messages stay")+" for that); --keep-user keeps all of it",
			"a user who goes back to an earlier message brings back at most what users said between two messages that stay ("+plural.Count(kept, "message stays", "messages stay")+" for that)")
	}
	if n := len(again); n > 0 {
		plan.Warn(plural.Count(n, "conversation has", "conversations have") + " messages that a host doesn't recognize by their hash (" + numbers(again) +
			"): one that is handed the whole history again, as hosts before 1.0 were, stores all of it again, with these texts")
	}
}

// numbers returns ids, separated by commas.
func numbers(ids []int64) string {
	var out []string
	for _, id := range ids {
		out = append(out, strconv.FormatInt(id, 10))
	}
	return strings.Join(out, ", ")
}
