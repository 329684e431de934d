package sessionkey

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Archive ends conversations that no host goes on with.
type Archive struct {
	Conversations []int64
	Cause         string // One of Causes; empty is CauseEnded.
	Ended         bool   // Their program said so: nobody goes on, however new they are.
	Host          Host
}

var _ ops.Op = (*Archive)(nil)

// Name implements ops.Op.
func (*Archive) Name() string { return "key archive" }

// Plan implements ops.Op. Of several conversations those that may go on are left out, with a warning;
// a single one is refused.
func (o *Archive) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	what := "archive " + lcm.Labels(ctx, db, o.Conversations)
	if err := checkFile(db, what, "active"); err != nil {
		return ops.Plan{}, err
	}
	p := ops.New(o.Name(), "")
	var stores *hostactivity.SessionStores
	if isOne(db) {
		stores = o.Host.stores(ctx)
	}
	check, done := hostactivity.New(db.Now(), o.Host.Folder), 0
	for i, id := range slices.Compact(slices.Sorted(slices.Values(o.Conversations))) {
		report(i, len(o.Conversations), "looking whether a host goes on")
		c, err := read(ctx, db, id)
		if err != nil {
			return ops.Plan{}, err
		}
		if !c.Active {
			p.Note(c.name() + " is archived already")
			continue
		}
		var why string
		if o.Ended {
			why = ""
		} else if stores != nil {
			why = c.whyKnown(stores)
		} else if why, err = check.Read(ctx, db, id); err != nil {
			return ops.Plan{}, err
		}
		if why != "" {
			refused := &RefusedError{
				What: "archive " + c.name(), Why: why + ": the host would begin another one and store the newest part of its transcript again",
				Next: endInHost,
			}
			if len(o.Conversations) == 1 {
				return ops.Plan{}, refused
			}
			p.RefusedConversations = append(p.RefusedConversations, ops.Refusal{Conversation: id, Reason: why})
			continue
		}
		done++
		c.keepsTime = o.Ended
		if err := c.archive(ctx, db, &p, o.cause()); err != nil {
			return ops.Plan{}, err
		}
	}
	left := refusalTexts(ctx, db, p.RefusedConversations)
	if len(left) > 0 {
		p.Warn(plural.Count(len(left), "conversation is", "conversations are") + " left out, since a host may go on: " + shorten(left))
	}
	switch {
	case done > 0:
		p.Title = "archive " + plural.Count(done, "conversation", "conversations")
	case len(left) > 0:
		return ops.Plan{}, &RefusedError{What: what, Why: "each of them may go on: " + shorten(left), Next: endInHost}
	default:
		return ops.Plan{}, fmt.Errorf("%s: %w", strings.Join(p.Notes, "; "), ops.ErrNothing)
	}
	if len(o.Conversations) == 1 {
		p.Title = what
	}
	return p, nil
}

// endInHost is what to do about a conversation that may go on.
const endInHost = "end the session in the host first, as with /reset, or wait"

// refusalTexts say which conversations are left as they are, and why.
func refusalTexts(ctx context.Context, db *data.DB, refused []ops.Refusal) (out []string) {
	for _, r := range refused {
		out = append(out, lcm.Label(ctx, db, r.Conversation)+": "+r.Reason)
	}
	return out
}

// shorten joins reasons, and counts those beyond the first few.
func shorten(reasons []string) string {
	const most = 3
	if n := len(reasons) - most; n > 0 {
		return strings.Join(reasons[:most], "; ") + fmt.Sprintf("; and %d more", n)
	}
	return strings.Join(reasons, "; ")
}

// cause returns what is noted as the cause.
func (o *Archive) cause() string {
	if o.Cause == "" {
		return CauseEnded
	}
	return o.Cause
}

// Unarchive makes an archived conversation active again.
type Unarchive struct {
	Conversation int64
	Host         Host `json:"-"`
}

var _ ops.Op = (*Unarchive)(nil)

// Name implements ops.Op.
func (*Unarchive) Name() string { return "key unarchive" }

// Plan implements ops.Op.
func (o *Unarchive) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	what := "unarchive " + lcm.Label(ctx, db, o.Conversation)
	if err := checkFile(db, what, "active"); err != nil {
		return ops.Plan{}, err
	}
	c, err := read(ctx, db, o.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	if c.Active {
		return ops.Plan{}, fmt.Errorf("conversation %d is active already: %w", c.ID, ops.ErrNothing)
	}
	p := ops.New(o.Name(), what)
	for _, column := range []string{"session_key", "session_id"} {
		value := data.CellText(c.row[column])
		if value == "" {
			continue
		}
		others, err := holders(ctx, db, column, value, c.ID)
		if err != nil {
			return ops.Plan{}, err
		}
		if len(others) > 0 {
			return ops.Plan{}, &RefusedError{
				What: what, Why: fmt.Sprintf("conversation %d is active in the same session", others[0]),
				Next:         fmt.Sprintf("lcm-tui key move %d --to %d gives conversation %d its place", c.ID, others[0], c.ID),
				NextOnScreen: fmt.Sprintf("move it to conversation %d", others[0]),
			}
		}
		p.Guard(conversations, data.Row{column: value, "active": int64(1)}, 0)
	}
	if isOne(db) {
		if err := o.checkSessions(ctx, db, what, c); err != nil {
			return ops.Plan{}, err
		}
	}
	c.set(db, &p, data.Row{"active": int64(1), "archived_at": nil, "archive_cause": nil})
	if c.detach(db, &p) {
		p.Note("the host looks for the transcript at its next contact, and goes on in this conversation")
	}
	return p, nil
}

// Detach has the host look for the transcript of Conversation again: it goes on in the same
// conversation with whatever transcript its session has by then.
type Detach struct{ Conversation int64 }

var _ ops.Op = (*Detach)(nil)

// Name implements ops.Op.
func (*Detach) Name() string { return "key detach" }

// Plan implements ops.Op.
func (o *Detach) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	what := "detach the transcript from " + lcm.Label(ctx, db, o.Conversation)
	if err := checkFile(db, what); err != nil {
		return ops.Plan{}, err
	}
	if isOne(db) {
		return ops.Plan{}, &RefusedError{
			What: what, Why: "hosts of 1.0 follow no session file, so there is none to detach: they compare the session in their database with the stored messages, and without the ids of these they would store some again, or nothing any more",
			Next: "nothing has to be detached: the host begins another conversation by itself when the session is a new one",
		}
	}
	c, err := read(ctx, db, o.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	p := ops.New(o.Name(), what)
	if !c.detach(db, &p) {
		return ops.Plan{}, fmt.Errorf("no transcript is noted for conversation %d: %w", c.ID, ops.ErrNothing)
	}
	p.Note("the host looks for the transcript again at its next contact, and goes on in the same conversation; what is stored stays")
	return p, nil
}
