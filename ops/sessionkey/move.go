package sessionkey

import (
	"context"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Move gives Conversation the place of To: the key, the session and the transcript of a conversation
// that a host goes on with. To is archived. The host's next turn lands in Conversation.
type Move struct {
	Conversation int64
	To           int64
	// Messages copies the memory of To and all of its messages into Conversation before that, in the
	// same record; nil leaves them behind. On files of 1.0 it isn't used: the rows that Conversation lacks move.
	Messages ops.Op
	Host     Host
}

var _ ops.Op = (*Move)(nil)

// Name implements ops.Op.
func (*Move) Name() string { return "key move" }

// Plan implements ops.Op. Only with the session id and the noted transcript of To the host goes on
// where it stands, and only with its messages it stores nothing again when it is handed the history
// of the session once more. The plan warns where it would.
func (o *Move) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	what := fmt.Sprintf("move %s to the session of %s", lcm.Label(ctx, db, o.Conversation), lcm.Label(ctx, db, o.To))
	if err := checkFile(db, what, "session_key", "active"); err != nil {
		return ops.Plan{}, err
	}
	c, err := read(ctx, db, o.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	to, err := read(ctx, db, o.To)
	if err != nil {
		return ops.Plan{}, err
	}
	if err := check(what, c, to); err != nil {
		return ops.Plan{}, err
	}
	p := ops.New(o.Name(), what)
	if isOne(db) {
		return o.withRows(ctx, db, p, c, to)
	}
	if to.transcript == nil {
		return ops.Plan{}, &RefusedError{
			What: what, Why: fmt.Sprintf("the host has noted no transcript of conversation %d, so it would store all of it again", to.ID),
			Next:         fmt.Sprintf("lcm-tui transplant %d %d copies the memory instead", c.ID, to.ID),
			NextOnScreen: "transplant its memory instead",
		}
	}
	if err := o.swap(ctx, db, &p, c, to); err != nil {
		return ops.Plan{}, err
	}
	if o.Messages != nil {
		return o.withMessages(ctx, db, p, report)
	}
	return o.withoutMessages(ctx, db, p, to)
}

// check refuses a target that no host goes on with.
func check(what string, c, to conversation) error {
	switch {
	case c.ID == to.ID:
		return fmt.Errorf("it is the same conversation: %w", ops.ErrNothing)
	case !to.Active:
		return &RefusedError{
			What: what, Why: fmt.Sprintf("conversation %d is archived, so no host goes on with it", to.ID),
			Next:         fmt.Sprintf("lcm-tui key unarchive %d makes conversation %d active, where its key is free", c.ID, c.ID),
			NextOnScreen: "unarchive it instead",
		}
	case lcm.IsScheduledRun(to.SessionKey):
		return &RefusedError{
			What: what, Why: fmt.Sprintf("conversation %d is a run of a scheduled job: the host begins another conversation for the next run, and would archive this one", to.ID),
			Next:         fmt.Sprintf("lcm-tui transplant %d %d copies the memory instead", c.ID, to.ID),
			NextOnScreen: "transplant its memory instead",
		}
	case to.SessionKey == "":
		return &RefusedError{
			What: what, Why: fmt.Sprintf("conversation %d has no session key", to.ID),
			Next:         fmt.Sprintf("lcm-tui key rename %d KEY gives it one", to.ID),
			NextOnScreen: "give it one first",
		}
	}
	return nil
}

// swap adds the changes: To is archived first, since only one active conversation may have a key.
func (o *Move) swap(ctx context.Context, db *data.DB, p *ops.Plan, c, to conversation) error {
	if err := to.archive(ctx, db, p, CauseEnded); err != nil {
		return err
	}
	c.set(db, p, data.Row{
		"active": int64(1), "archived_at": nil, "archive_cause": nil, "session_key": to.SessionKey,
		"session_id": to.row["session_id"], "bootstrapped_at": to.row["bootstrapped_at"],
	})
	if err := c.copyKey(ctx, db, p, to.SessionKey); err != nil {
		return err
	}
	noted := data.Row{}
	for column, v := range to.transcript {
		noted[column] = v
	}
	noted["conversation_id"] = c.ID
	if c.transcript == nil {
		p.Changes = append(p.Changes, change.Insert(db, bootstrap, noted))
	} else {
		setColumns(db, p, bootstrap, c.transcript, noted)
	}
	to.detach(db, p)
	p.Guard(conversations, data.Row{"session_key": to.SessionKey, "active": int64(1)}, 1)
	p.Note("a turn that the host is in just now may still be stored in the old conversation")
	if c.Active {
		p.Warn(fmt.Sprintf("the session %s of conversation %d begins a new conversation at its next turn", c.Name(), c.ID))
	}
	return nil
}

// withoutMessages says what stays behind, and what the host makes of that.
func (o *Move) withoutMessages(ctx context.Context, db *data.DB, p ops.Plan, to conversation) (ops.Plan, error) {
	n, _, err := lcm.CountMessagesAndItems(ctx, db, to.ID)
	if err != nil || n == 0 {
		return p, err
	}
	p.Warn(plural.Count(int(n), "message", "messages") + fmt.Sprintf(" of conversation %d stay there and leave the agent's context; ", to.ID) + o.storedAgain("once"))
	return p, nil
}

// storedAgain says what the host stores when it is handed the history of the session again.
func (o *Move) storedAgain(when string) string {
	return fmt.Sprintf("%s the host is handed the whole history of the session again, it stores all of it in conversation %d", when, o.Conversation)
}

// warn warns where the host doesn't recognize the messages that come along.
func (o *Move) warn(ctx context.Context, db *data.DB, p *ops.Plan) error {
	why, err := hostactivity.New(db.Now(), o.Host.Folder).ReadStoredAgain(ctx, db, o.To)
	if err != nil {
		return err
	}
	if why != "" {
		p.Warn(o.storedAgain("once") + " a second time: " + why)
		return nil
	}
	p.Note("the host recognizes all messages that come along; " + o.storedAgain("where it later moves a payload of one, such as a picture, into a file, and then") + " a second time")
	return nil
}

// withMessages adds what copies the memory of To, to be written with the rest.
func (o *Move) withMessages(ctx context.Context, db *data.DB, p ops.Plan, report data.Report) (ops.Plan, error) {
	if err := o.warn(ctx, db, &p); err != nil {
		return ops.Plan{}, err
	}
	copied, err := o.Messages.Plan(ctx, db, report)
	if errors.Is(err, ops.ErrNothing) {
		p.Note(fmt.Sprintf("conversation %d has all of the memory already", o.Conversation))
		return p, nil
	}
	if err != nil {
		return ops.Plan{}, fmt.Errorf("copy the memory of conversation %d: %w", o.To, err)
	}
	for i, c := range p.Changes { // The copy sets the time of the change as well.
		if c.Table == conversations && data.CellInteger(c.Before["conversation_id"]) == o.Conversation {
			p.Changes[i].After["updated_at"] = c.Before["updated_at"]
		}
	}
	all := ops.New(p.Op, p.Title+", with its messages")
	if err := ops.Join(&all, p, o.Conversation, lcm.Label(ctx, db, o.Conversation)); err != nil { // First, since it frees the key.
		return ops.Plan{}, err
	}
	return all, ops.Join(&all, copied, o.To, lcm.Label(ctx, db, o.To))
}
