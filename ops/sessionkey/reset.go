package sessionkey

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/ops"
)

// Reset archives the active conversation of a session, and begins another one under the same key, as a host
// does at /reset.
type Reset struct {
	// Conversation is the one that is archived. 0 begins one under Key, which has no active one.
	Conversation int64
	Key          string
	// NextSession is the session id of the conversation that begins; empty is that of the one that ends, or
	// of the newest of Key.
	NextSession string
	Lifecycle
}

var _ ops.Op = (*Reset)(nil)

// Name implements ops.Op.
func (*Reset) Name() string { return "session reset" }

// Plan implements ops.Op. Where nothing was said in the conversation yet, there is nothing to do.
func (o *Reset) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	if o.Conversation == 0 {
		return o.create(ctx, db)
	}
	return o.replace(ctx, db, o.Name(), "reset "+lcm.Label(ctx, db, o.Conversation), o.Conversation, CauseReset, o.NextSession)
}

// replace plans that a conversation ends for a cause and another one takes its place.
func (l *Lifecycle) replace(ctx context.Context, db *data.DB, op, what string, id int64, cause, session string) (ops.Plan, error) {
	c, err := l.begin(ctx, db, what, id)
	if err != nil {
		return ops.Plan{}, err
	}
	fresh, err := c.isFresh(ctx, db)
	if err != nil {
		return ops.Plan{}, err
	}
	if fresh {
		return ops.Plan{}, fmt.Errorf("nothing was said in %s yet, so that it stays: %w", c.name(), ops.ErrNothing)
	}
	if session == "" {
		session = data.CellText(c.row["session_id"])
	}
	p := ops.New(op, what)
	if err := l.checkHost(ctx, db, &p, what, c, true); err != nil {
		return ops.Plan{}, err
	}
	if err := c.archive(ctx, db, &p, cause); err != nil { // First, since only one active conversation may have a key.
		return ops.Plan{}, err
	}
	c.guardActive(db, &p, 1)
	p.Note(fmt.Sprintf("conversation %d is archived: %s; its messages and summaries stay", c.ID, CauseText(cause)))
	if err := succeed(ctx, db, &p, c.SessionKey, session); err != nil {
		return ops.Plan{}, err
	}
	noteLane(&p, c.SessionKey, session == c.SessionID)
	return p, nil
}

// guardActive guards how many active conversations have the key.
func (c conversation) guardActive(db *data.DB, p *ops.Plan, count int) {
	if c.SessionKey != "" && db.Schema().Has(conversations, "session_key", "active") {
		p.Guard(conversations, data.Row{"session_key": c.SessionKey, "active": int64(1)}, count)
	}
}

// create plans the first conversation of a key, or the next one after all were archived.
func (o *Reset) create(ctx context.Context, db *data.DB) (ops.Plan, error) {
	what := "begin a conversation under the key " + o.Key
	if err := o.checkFile(db, what); err != nil {
		return ops.Plan{}, err
	}
	if err := checkColumns(db, what, "session_key"); err != nil {
		return ops.Plan{}, err
	}
	if why := checkKey(o.Key); why != "" || o.Key == "" {
		return ops.Plan{}, &RefusedError{What: what, Why: strings.TrimSpace(why + " " + "no conversation can have this key"), Next: "give the whole session key, such as agent:main:main"}
	}
	others, err := holders(ctx, db, "session_key", o.Key, 0)
	if err != nil {
		return ops.Plan{}, err
	}
	if len(others) > 0 {
		return ops.Plan{}, &RefusedError{What: what, Why: fmt.Sprintf("conversation %d is active under it", others[0]), Next: fmt.Sprintf("lcm-tui session reset %d archives that one first", others[0])}
	}
	session, err := o.sessionOfKey(ctx, db)
	if err != nil {
		return ops.Plan{}, err
	}
	if why := o.Filter.Why(o.Key, session); why != "" {
		return ops.Plan{}, fmt.Errorf("a host does nothing under the key %s: %s: %w", o.Key, why, ops.ErrNothing)
	}
	switch {
	case session == "" && lcm.IsScheduledRun(o.Key):
		return ops.Plan{}, &RefusedError{What: what, Why: "each run of a scheduled job has a session of its own, so that the session of the next one isn't known", Next: "--next-session ID says it"}
	case session == "":
		return ops.Plan{}, &RefusedError{What: what, Why: "no conversation has this key, so that its session isn't known", Next: "--next-session ID says it"}
	}
	p := ops.New(o.Name(), what)
	p.Guard(conversations, data.Row{"session_key": o.Key, "active": int64(1)}, 0)
	return p, succeed(ctx, db, &p, o.Key, session)
}

// sessionOfKey returns the session that the conversation gets: the one that was named, or that of the newest
// one of the key. It is empty where there is none, and for a run of a scheduled job: the runs share their key, but
// no session.
func (o *Reset) sessionOfKey(ctx context.Context, db *data.DB) (string, error) {
	if o.NextSession != "" || lcm.IsScheduledRun(o.Key) {
		return o.NextSession, nil
	}
	all, err := lcm.ConversationsOf(ctx, db, "", o.Key)
	for _, c := range all { // Newest first.
		if c.SessionKey == o.Key {
			return c.SessionID, err
		}
	}
	return "", err
}
