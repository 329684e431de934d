package sessionkey

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// maxKey is how long a session key may be, in bytes.
const maxKey = 512

// Rename gives Conversation another session key, or none.
type Rename struct {
	Conversation int64
	// Key is the new key; empty takes the key away, and the host gives the conversation that of its
	// session at the next contact.
	Key string
	// Family renames the archived conversations of the old key as well, so that what looks in the whole
	// family of a key still finds them.
	Family bool
	// Force allows keys of scheduled jobs, of which hosts make one for each run.
	Force bool
	Host  Host
}

var _ ops.Op = (*Rename)(nil)

// Name implements ops.Op.
func (*Rename) Name() string { return "key rename" }

// Plan implements ops.Op. The conversation's host goes on in it under the new key, whether it keeps the
// session's transcript or begins another, since it finds the transcript itself.
func (o *Rename) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	what := "rename the session of " + lcm.Label(ctx, db, o.Conversation)
	if err := checkFile(db, what, "session_key"); err != nil {
		return ops.Plan{}, err
	}
	c, err := read(ctx, db, o.Conversation)
	if err != nil {
		return ops.Plan{}, err
	}
	if err := o.check(ctx, db, what, c); err != nil {
		return ops.Plan{}, err
	}
	p := ops.New(o.Name(), o.title(c))
	var key any
	if o.Key != "" {
		key = o.Key
	}
	if err := o.checkSessions(ctx, db, &p, what, c); err != nil {
		return ops.Plan{}, err
	}
	if isOne(db) {
		setColumns(db, &p, conversations, c.row, data.Row{"session_key": key})
	} else {
		c.set(db, &p, data.Row{"session_key": key})
	}
	if err := c.copyKey(ctx, db, &p, key); err != nil {
		return ops.Plan{}, err
	}
	if c.Active && o.Key != "" {
		p.Guard(conversations, data.Row{"session_key": o.Key, "active": int64(1)}, 0)
	}
	if !isOne(db) {
		o.detach(db, &p, c)
	}
	if err := o.renameFamily(ctx, db, &p, c, key); err != nil {
		return ops.Plan{}, err
	}
	o.addWarnings(&p, c)
	return p, nil
}

// title says what the key is and becomes.
func (o *Rename) title(c conversation) string {
	was, is := c.SessionKey, o.Key
	if was == "" {
		was = "no key"
	}
	if is == "" {
		is = "no key"
	}
	return fmt.Sprintf("rename the session of %s from %s to %s", c.Label(), was, is)
}

// check refuses a key that no host could use, or that another conversation has.
func (o *Rename) check(ctx context.Context, db *data.DB, what string, c conversation) error {
	switch {
	case o.Key == c.SessionKey:
		return fmt.Errorf("conversation %d has this session key already: %w", c.ID, ops.ErrNothing)
	case checkKey(o.Key) != "":
		return &RefusedError{What: what, Why: checkKey(o.Key), Next: "give another one"}
	case !o.Force && (lcm.IsScheduledRun(c.SessionKey) || lcm.IsScheduledRun(o.Key)):
		return &RefusedError{
			What: what, Why: "it is the key of a scheduled job, and hosts begin a conversation of their own for each run",
			Next: "add --force if you are sure", NextOnScreen: "use the command line if you are sure",
		}
	}
	if !c.Active || o.Key == "" {
		return nil
	}
	others, err := holders(ctx, db, "session_key", o.Key, c.ID)
	if err != nil || len(others) == 0 {
		return err
	}
	return &RefusedError{
		What: what, Why: fmt.Sprintf("conversation %d is active under this key", others[0]),
		Next: fmt.Sprintf("lcm-tui key move %d --to %d gives conversation %d its place; lcm-tui transplant %d %d copies the memory instead",
			c.ID, others[0], c.ID, c.ID, others[0]),
		NextOnScreen: fmt.Sprintf("move it to conversation %d, or transplant its memory there", others[0]),
	}
}

// checkKey says why no host could use a key, or is empty.
func checkKey(key string) string {
	switch {
	case key != strings.TrimSpace(key):
		return "the key begins or ends with a blank"
	case len(key) > maxKey:
		return fmt.Sprintf("the key has %s, and at most %d are allowed", plural.Count(len(key), "byte", "bytes"), maxKey)
	case strings.ContainsFunc(key, unicode.IsControl) || strings.ToValidUTF8(key, "") != key:
		return "the key has control characters, or isn't UTF-8"
	}
	return ""
}

// detach has the host look for its transcript again, unless its index gives the new key the transcript
// that it follows already.
func (o *Rename) detach(db *data.DB, p *ops.Plan, c conversation) {
	if c.path() == "" {
		return
	}
	if o.Key != "" && hostactivity.Transcript(c.path(), o.Key) == c.path() {
		p.Note("the host knows the transcript of the conversation under the new key, and goes on with it")
		return
	}
	c.detach(db, p)
	p.Note("the host looks for the transcript again at its next contact, and goes on in the same conversation")
}

// renameFamily renames the archived conversations of the old key, or says that they stay.
func (o *Rename) renameFamily(ctx context.Context, db *data.DB, p *ops.Plan, c conversation, key any) error {
	if c.SessionKey == "" || !db.Schema().Has(conversations, "active") {
		return nil
	}
	rows, err := data.Images(ctx, db, conversations, data.Row{"session_key": c.SessionKey, "active": int64(0)})
	if err != nil {
		return err
	}
	n := 0
	for _, r := range rows {
		if data.CellInteger(r["conversation_id"]) == c.ID {
			continue
		}
		n++
		if !o.Family {
			continue
		}
		setColumns(db, p, conversations, r, data.Row{"session_key": key})
		other := conversation{Conversation: lcm.Conversation{ID: data.CellInteger(r["conversation_id"]), SessionKey: c.SessionKey}}
		if err := other.copyKey(ctx, db, p, key); err != nil {
			return err
		}
	}
	if n > 0 && !o.Family {
		p.NoteFlag(plural.Count(n, "archived conversation keeps", "archived conversations keep")+" the old key, so searches in the family of the new one don't see them; --family renames them as well",
			plural.Count(n, "archived conversation keeps", "archived conversations keep")+" the old key, so searches in the family of the new one don't see them")
	}
	return nil
}

// addWarnings warns of keys that the host would not use.
func (o *Rename) addWarnings(p *ops.Plan, c conversation) {
	if c.Active {
		p.Note("a turn that the host is in just now may still be stored under the old key")
	}
	words := strings.SplitN(o.Key, ":", 3)
	switch {
	case o.Key == "" && !c.Active:
		return
	case o.Key == "":
		p.Note("the host gives the conversation the key of its session at the next contact")
		return
	case len(words) < 3 || words[0] != "agent" || words[1] == "":
		p.Warn("the key isn't of the form agent:AGENT:…, as hosts make them")
	case len(o.Host.Agents) > 0 && !slices.ContainsFunc(o.Host.Agents, func(a string) bool { return strings.EqualFold(a, words[1]) }):
		p.Warn("the host has no agent " + words[1])
	}
	if o.Host.Ignored == nil {
		return
	}
	if pattern := o.Host.Ignored(o.Key); pattern != "" {
		p.Warn("the host stores nothing of this key: its configuration leaves out " + pattern)
	}
}
