package filepair

import (
	"context"

	"lcm-tui/data"
)

// Conversation is what a conversation is known by.
type Conversation struct {
	ID        int64
	SessionID string
	Key       string
	Title     string
	Active    bool // True where the file doesn't know archived conversations.
	CreatedAt data.Time
}

// ConversationKey names a conversation in both files; 0 where a file hasn't it.
type ConversationKey struct{ Before, After int64 }

// ConversationPair is a conversation in both files; one may lack it.
type ConversationPair struct{ Before, After *Conversation }

// Key names the pair.
func (c ConversationPair) Key() (k ConversationKey) {
	if c.Before != nil {
		k.Before = c.Before.ID
	}
	if c.After != nil {
		k.After = c.After.ID
	}
	return k
}

// id returns the conversation's id on a side, or 0.
func (k ConversationKey) id(s Side) int64 {
	if s == Before {
		return k.Before
	}
	return k.After
}

// Conversations returns all conversations of both files: those of the second file in its order, then
// those that only the first has.
func (p *Pair) Conversations() []ConversationPair { return p.conversations }

// readConversations returns the conversations of one file, by id.
func (p *Pair) readConversations(ctx context.Context, s Side) (out []*Conversation, err error) {
	has := p.sides[s].Schema()
	if !has.Has("conversations", "conversation_id") {
		return nil, nil
	}
	columns := ""
	for _, c := range words("session_id session_key title active created_at") {
		if has.Has("conversations", c) {
			columns += ", " + c
		} else {
			columns += ", NULL"
		}
	}
	knowsArchived := has.Has("conversations", "active")
	query := "SELECT conversation_id" + columns + " FROM " + s.schema() + ".conversations ORDER BY conversation_id"
	err = p.each(ctx, "read conversations", query, nil, func(scan data.RowScanner) error {
		c := &Conversation{}
		var session, key, title data.Text
		var active data.Integer
		err := scan((*data.Integer)(&c.ID), &session, &key, &title, &active, &c.CreatedAt)
		c.SessionID, c.Key, c.Title, c.Active = string(session), string(key), string(title), active != 0 || !knowsArchived
		out = append(out, c)
		return err
	})
	return out, p.tolerate(err, "conversations", ConversationKey{})
}

// pairConversations decides how the files are related and finds each conversation in the other.
func (p *Pair) pairConversations(ctx context.Context) error {
	before, err := p.readConversations(ctx, Before)
	if err != nil {
		return err
	}
	after, err := p.readConversations(ctx, After)
	if err != nil {
		return err
	}
	same := pairByID(before, after)
	if p.Lineage == "" {
		if p.Lineage, err = p.lineage(ctx, same); err != nil {
			return err
		}
	}
	partner := map[int64]*Conversation{} // Of the second file, by id.
	if p.Lineage == ByID {
		for _, c := range same {
			if !isOther(c.Before, c.After) {
				partner[c.After.ID] = c.Before
			}
		}
		p.mapped = len(partner) < len(same)
	} else {
		partner = pairByMeaning(before, after)
		p.mapped = true
	}
	paired := map[int64]bool{}
	for _, c := range after {
		p.conversations = append(p.conversations, ConversationPair{partner[c.ID], c})
		if b := partner[c.ID]; b != nil {
			paired[b.ID] = true
		}
	}
	for _, c := range before {
		if !paired[c.ID] {
			p.conversations = append(p.conversations, ConversationPair{Before: c})
		}
	}
	return p.makePairTables(ctx)
}

// pairByID returns the conversations that both files have under the same id.
func pairByID(before, after []*Conversation) (out []ConversationPair) {
	byID := map[int64]*Conversation{}
	for _, c := range before {
		byID[c.ID] = c
	}
	for _, c := range after {
		if b := byID[c.ID]; b != nil {
			out = append(out, ConversationPair{b, c})
		}
	}
	return out
}

// isOther reports whether two conversations with one id have nothing in common: both files made
// a new one after they were parted.
func isOther(b, a *Conversation) bool {
	return b.SessionID != a.SessionID && (b.Key != a.Key || b.Key == "") && !SameInstant(b.CreatedAt, a.CreatedAt)
}

// SameInstant compares times by instant where both can be read, and as texts elsewhere.
func SameInstant(a, b data.Time) bool {
	if a.Valid() && b.Valid() {
		return a.Equal(b.Time)
	}
	return a.Raw == b.Raw
}

// pairByMeaning finds the partner in the first file of conversations of the second, by id of the
// latter: by key and time of creation, then by session and key, then by session alone.
func pairByMeaning(before, after []*Conversation) map[int64]*Conversation {
	partner, taken := map[int64]*Conversation{}, map[*Conversation]bool{}
	instant := func(c *Conversation) string {
		if c.CreatedAt.Valid() {
			return data.FormatTimeMillis(c.CreatedAt.Time)
		}
		return c.CreatedAt.Raw
	}
	for _, name := range []func(*Conversation) string{
		func(c *Conversation) string { return keyOr(c.Key, c.SessionID) + "\x00" + instant(c) },
		func(c *Conversation) string { return c.SessionID + "\x00" + c.Key },
		func(c *Conversation) string { return c.SessionID },
	} {
		named := map[string][]*Conversation{}
		for _, b := range before {
			if !taken[b] {
				named[name(b)] = append(named[name(b)], b)
			}
		}
		for _, a := range after {
			if n := name(a); partner[a.ID] == nil && len(named[n]) > 0 {
				partner[a.ID], named[n] = named[n][0], named[n][1:]
				taken[partner[a.ID]] = true
			}
		}
	}
	return partner
}

// keyOr returns a session key, or the session where there is none.
func keyOr(key, session string) string {
	if key == "" {
		return "session " + session
	}
	return key
}
