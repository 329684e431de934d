package provenance

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/internal/plural"
)

// ReasonKind says in a word why a model sees a message or doesn't.
type ReasonKind string

// The kinds of reason.
const (
	InContext        ReasonKind = "in the context as itself"
	ThroughSummaries ReasonKind = "in the context through summaries"
	Evicted          ReasonKind = "evicted by the budget"
	BehindBrief      ReasonKind = "behind a focus brief"
	Unshown          ReasonKind = "in the context, but not shown"
	Pruned           ReasonKind = "pruned by /new"
	Cleared          ReasonKind = "archived with an empty context"
	HostNote         ReasonKind = "a note of the host"
	Blank            ReasonKind = "without text"
	InNothing        ReasonKind = "in nothing"
)

// Reason says why a model sees a message or doesn't.
type Reason struct {
	Kind ReasonKind
	// Steps is how many summaries lead to the place in the context; 0 for the message itself.
	Steps int
	// Above is how many summaries exist above the message, in the context or not.
	Above int
	// Place is where the message or the topmost summary stands, if it stands in the context.
	Place *lcm.ContextPosition
	// Budget is the budget in tokens that was assumed, Least the lowest under which the place is
	// shown; 0 where it always is.
	Budget, Least int64
	// Likely says that the file doesn't note the reason, and that it fits what the file has.
	Likely bool
}

// IsFault reports whether the agent has lost the message.
func (r Reason) IsFault() bool { return r.Kind == InNothing }

// DependsOnBudget reports whether a model with another budget may see the message, or see it no more.
func (r Reason) DependsOnBudget() bool {
	return r.Kind == InContext || r.Kind == ThroughSummaries || r.Kind == Evicted
}

// Text returns the reason as a sentence without a point.
func (r Reason) Text() string {
	place := ""
	if r.Place != nil {
		place = fmt.Sprintf("place %d", r.Place.Ordinal)
	}
	through := place
	if r.Steps > 0 {
		through = plural.Count(r.Steps, "summary", "summaries") + ", the topmost at " + place
		if r.Steps == 1 {
			through = "1 summary, at " + place
		}
	}
	tokens := func(n int64) string { return plural.Count(n, "token", "tokens") }
	switch r.Kind {
	case InContext:
		return "in the context as itself, at " + place
	case ThroughSummaries:
		return "in the context through " + through
	case Evicted:
		return "evicted by the budget of " + tokens(r.Budget) + ": it stands in the context (" + through + "), but a model sees it only from a budget of " + tokens(r.Least) + " on"
	case BehindBrief:
		return "behind the active focus brief, which stands for the summaries that cover it (" + through + ")"
	case Unshown:
		return "at " + place + " of the context, but a model isn't shown it: it has no text and no parts"
	case Pruned:
		if r.Likely {
			return "older than all that the context holds, as /new leaves messages"
		}
		return "pruned by /new, which took it out of the context"
	case Cleared:
		return "in no context: the conversation is archived and its context was cleared"
	case HostNote:
		return "a note of the host about a compaction, which no context holds"
	case Blank:
		return "in no context and under no summary; it has no text and no parts"
	}
	if r.Above > 0 {
		return "in nothing: " + plural.Count(r.Above, "summary was made of it, but it doesn't stand", "summaries were made of it, but none of them stands") +
			" in the context, so the agent has lost it"
	}
	return "in nothing: neither the context nor any summary in it holds the message, so the agent has lost it"
}

// findReason says why a model sees the message or doesn't.
func (t *MessageTrace) findReason(ctx context.Context, db *data.DB, o Options) (Reason, error) {
	r := Reason{Budget: o.Budget, Above: len(t.Summaries)}
	for _, p := range t.PlacesOf("") {
		if p.Conversation == t.Message.Conversation {
			r.Kind, r.Place = InContext, &p
			return t.checkVisible(ctx, db, r, o.Tail)
		}
	}
	if steps, place, ok := t.topmost(); ok {
		r.Kind, r.Steps, r.Place = ThroughSummaries, steps, &place
		return t.checkVisible(ctx, db, r, o.Tail)
	}
	return t.findAbsence(ctx, db, r)
}

// checkVisible asks the assembler whether a model is shown a place.
func (t *MessageTrace) checkVisible(ctx context.Context, db *data.DB, r Reason, tail *assemble.Tail) (Reason, error) {
	if r.Budget <= 0 {
		var err error
		if r.Budget, err = lcm.Budget(ctx, db, t.Message.Conversation); err != nil {
			return r, err
		}
	}
	if r.Budget <= 0 {
		r.Budget = assemble.DefaultBudget
	}
	if tail == nil {
		tail = &assemble.Tail{Count: assemble.DefaultFreshTail}
	}
	v, err := assemble.FindVisibility(ctx, db, t.Message.Conversation, r.Place.Ordinal, assemble.Options{
		Budget: r.Budget, Tail: *tail,
	})
	switch {
	case err != nil:
	case !v.Resolved && r.Kind == InContext:
		r.Kind = Unshown
	case !v.Resolved:
		r.Kind = BehindBrief
	case !v.Shown:
		r.Kind = Evicted
	}
	r.Least = v.Least
	return r, err
}

// findAbsence says why neither the message nor a summary above it stands in the context.
func (t *MessageTrace) findAbsence(ctx context.Context, db *data.DB, r Reason) (Reason, error) {
	m := &t.Message
	at, noted, err := lcm.ResetAt(ctx, db, m.Conversation)
	if err != nil {
		return r, err
	}
	seqs, err := lcm.ContextSeqs(ctx, db, m.Conversation)
	if err != nil {
		return r, err
	}
	cleared, err := t.isCleared(ctx, db)
	if err != nil {
		return r, err
	}
	switch {
	case isHostNote(m):
		r.Kind = HostNote
	case at.Valid() && m.CreatedAt.Valid() && !m.CreatedAt.After(at.Time):
		r.Kind = Pruned
	case cleared:
		r.Kind = Cleared
	case strings.TrimSpace(m.Content) == "" && len(m.Parts) == 0 && m.LargeContent == "":
		r.Kind = Blank
	case !noted && db.Schema().Has("conversations", "active") && isBefore(m.Seq, seqs):
		r.Kind, r.Likely = Pruned, true
	default:
		r.Kind = InNothing
	}
	return r, nil
}

// isHostNote reports whether a message is the note that hosts up to 0.6 kept of a compaction.
func isHostNote(m *lcm.Message) bool {
	return m.Role == "system" && strings.HasPrefix(m.Content, "LCM compaction ") && strings.Contains(m.Content, " pass (")
}

// isCleared reports whether the message's conversation is archived and its context empty.
func (t *MessageTrace) isCleared(ctx context.Context, db *data.DB) (bool, error) {
	c, err := lcm.ReadConversation(ctx, db, t.Message.Conversation)
	if errors.Is(err, data.ErrNotFound) || err == nil && c.Active {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	places, err := lcm.ContextPlaces(ctx, db, t.Message.Conversation)
	return len(places) == 0, err
}

// isBefore reports whether a seq is lower than all of some.
func isBefore(seq int64, of []int64) bool {
	for _, s := range of {
		if s <= seq {
			return false
		}
	}
	return len(of) > 0
}
