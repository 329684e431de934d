package sessionkey

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/ops"
)

// stores reads what the databases of the host's agents say about sessions.
func (h Host) stores(ctx context.Context) *hostactivity.SessionStores {
	return hostactivity.ReadSessionStores(ctx, h.Folder, h.AgentFolders...)
}

// findStore is what to do where it isn't known which sessions the host has.
const findStore = "run this where the host's databases of sessions can be read, or say with --state-dir where its state folder is"

// unknown refuses what depends on sessions of the host that aren't known.
func unknown(what, why string) error {
	return &RefusedError{
		What: what, Why: why + ", so it isn't known whether the host goes on with the session", Next: findStore,
		NextOnScreen: "open the file where the host's databases of sessions can be read",
	}
}

// whyKnown says why the host may go on with the conversation, by its session key and its session; empty
// is that it doesn't know them.
func (c conversation) whyKnown(stores *hostactivity.SessionStores) string {
	if why := stores.Unknown(c.SessionKey); why != "" {
		return why
	}
	if known := stores.Knows(c.SessionKey, c.SessionID); len(known) > 0 {
		return "the host knows its session " + strings.Join(known, " and ")
	}
	return ""
}

// checkSessions refuses, where hosts of 1.0 keep the file, a new key of a session that the host has
// under the old one, and says what becomes of a session that it has under neither. A host that goes on
// under the old key finds nothing there, begins another conversation, and stores the session again.
func (o *Rename) checkSessions(ctx context.Context, db *data.DB, p *ops.Plan, what string, c conversation) error {
	if !isOne(db) || !c.Active {
		return nil
	}
	stores := o.Host.stores(ctx)
	for _, key := range []string{c.SessionKey, o.Key} {
		if why := stores.Unknown(key); why != "" {
			return unknown(what, why)
		}
	}
	if o.Key == "" {
		if !stores.Maps(c.SessionKey, c.SessionID) {
			p.Warn("the host has this session under no such key any more, so the conversation stays without one, and the next session of the key begins another")
		}
		return nil
	}
	under := stores.KeysOf(c.SessionID)
	if c.SessionKey != "" {
		under = slices.DeleteFunc(under, func(key string) bool { return key != c.SessionKey })
	}
	under = slices.DeleteFunc(under, func(key string) bool { return key == o.Key })
	switch {
	case len(under) > 0:
		return &RefusedError{
			What: what, Why: fmt.Sprintf("the host still has the session %s under the key %s: it would begin another conversation there, and store the session again", c.SessionID, under[0]),
			Next: "change the key in the host first, as with session.identityLinks of its configuration: once its database has the session under " + o.Key + ", this command makes the conversation follow",
		}
	case !stores.Maps(o.Key, c.SessionID):
		p.Warn("the host doesn't have this session under the new key: at its next start there it archives this conversation and begins an empty one; searches by the key still find what this one holds")
	}
	return nil
}

// checkSessions refuses, where hosts of 1.0 keep the file, a conversation whose key has another session
// in the host, and one after which others of the session went on: the host would store again what these hold.
func (o *Unarchive) checkSessions(ctx context.Context, db *data.DB, what string, c conversation) error {
	stores := o.Host.stores(ctx)
	if why := stores.Unknown(c.SessionKey); why != "" {
		return unknown(what, why)
	}
	for _, session := range stores.Sessions(c.SessionKey) {
		if session != c.SessionID {
			return &RefusedError{
				What: what, Why: fmt.Sprintf("the host has another session (%s) under its key, and would archive the conversation at its next start", session),
				Next:         fmt.Sprintf("let the host begin a conversation of that session, and give conversation %d its place: lcm-tui key move %d --to OTHER", c.ID, c.ID),
				NextOnScreen: "let the host begin a conversation of that session, and move this one to it",
			}
		}
	}
	later, err := laterOfSession(ctx, db, c)
	if err != nil || len(later) == 0 {
		return err
	}
	if len(stores.Knows(c.SessionID)) == 0 {
		return nil
	}
	return &RefusedError{
		What: what, Why: fmt.Sprintf("the session went on in conversation %d: the host would store again what that holds", later[0]),
		Next:         fmt.Sprintf("lcm-tui key move %d --to %d brings these messages along, once conversation %d is active", c.ID, later[0], later[0]),
		NextOnScreen: fmt.Sprintf("make conversation %d active, and move this one to its place", later[0]),
	}
}

// laterOfSession returns the other conversations of a conversation's session that have a newer message,
// or one whose time isn't known.
func laterOfSession(ctx context.Context, db *data.DB, c conversation) (out []int64, err error) {
	if c.SessionID == "" {
		return nil, nil
	}
	newest, some, err := lcm.NewestMessageTime(ctx, db, c.ID)
	if err != nil {
		return nil, err
	}
	rows, err := data.Images(ctx, db, conversations, data.Row{"session_id": c.SessionID})
	for _, r := range rows {
		id := data.CellInteger(r["conversation_id"])
		if err != nil || id == c.ID {
			continue
		}
		var other data.Time
		var has bool
		if other, has, err = lcm.NewestMessageTime(ctx, db, id); has && !(some && newest.Valid() && other.Valid() && !other.After(newest.Time)) {
			out = append(out, id)
		}
	}
	return out, err
}
