package sessionkey

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/ops"
)

// End ends the session of a conversation for a reason, as a host does then.
type End struct {
	Conversation int64
	Reason       string
	// NextSession is the session id of the conversation that begins, where one does; empty is that of the
	// one that ends.
	NextSession string
	Lifecycle
}

var _ ops.Op = (*End)(nil)

// Name implements ops.Op.
func (*End) Name() string { return "session end" }

// EndReasons are reasons for which sessions end, and EndText says what a host does for each. Any other is
// dealt with as an idle one.
var EndReasons = []string{"idle", "reset", "deleted", "new", "restart", "shutdown", "unknown"}

// EndText says in words what a host does with the conversation of a session that ends for a reason.
func EndText(reason string) string {
	switch cause, successor := causeOfEnd(reason); {
	case cause == "":
		return "does nothing, since the session goes on"
	case successor:
		return "archives it (" + cause + "), and begins another one"
	default:
		return "archives it (" + cause + ")"
	}
}

// causeOfEnd returns the cause that a host notes of a conversation whose session ends for a reason, and
// whether another one takes its place. An empty cause is that it does nothing.
func causeOfEnd(reason string) (cause string, successor bool) {
	switch strings.TrimSpace(reason) {
	case "", "new", "unknown", "restart", "shutdown":
		return "", false
	case "deleted":
		return CauseDeleted, false
	case "reset":
		return CauseReset, true
	}
	return CauseEnded, true
}

// Plan implements ops.Op.
func (o *End) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	what := "end the session of " + lcm.Label(ctx, db, o.Conversation)
	cause, successor := causeOfEnd(o.Reason)
	if successor {
		return o.replace(ctx, db, o.Name(), what, o.Conversation, cause, o.NextSession)
	}
	c, err := o.begin(ctx, db, what, o.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	switch reason := strings.TrimSpace(o.Reason); {
	case cause == "" && reason == "":
		return ops.Plan{}, fmt.Errorf("a host does nothing at the end of a session without a reason; --reason says one: %w", ops.ErrNothing)
	case cause == "":
		return ops.Plan{}, fmt.Errorf("a host does nothing at the end of a session for the reason %q, since the session goes on: %w", reason, ops.ErrNothing)
	}
	p := ops.New(o.Name(), what)
	if err := o.checkHost(ctx, db, &p, what, c, false); err != nil {
		return ops.Plan{}, err
	}
	c.guardActive(db, &p, 1)
	p.Note(fmt.Sprintf("conversation %d is archived: %s; its messages and summaries stay, and no other one begins", c.ID, CauseText(cause)))
	return p, c.archive(ctx, db, &p, cause)
}
