package lcm

import (
	"context"
	"strings"

	"lcm-tui/data"
)

// familyOrder is the order in which hosts list the conversations of a session.
const familyOrder = " ORDER BY 5 DESC, 8 DESC, 1 DESC"

// SessionConversation returns the conversation that a session is in now, as a host finds it: the
// newest active one with the session key, else the active one of the session id. Where both
// are given and name different active conversations, the key is stale and the id wins.
func SessionConversation(ctx context.Context, db data.Querier, key, id string) (c Conversation, ok bool, err error) {
	byKey, err := activeConversation(ctx, db, "session_key", key)
	if err != nil {
		return c, false, err
	}
	byID, err := activeConversation(ctx, db, "session_id", id)
	switch {
	case err != nil:
		return c, false, err
	case len(byID) > 0:
		return byID[0], true, nil
	case len(byKey) > 0:
		return byKey[0], true, nil
	}
	return c, false, nil
}

// activeConversation returns the newest active conversation with this text in a column, in a list
// of at most one.
func activeConversation(ctx context.Context, db data.Querier, column, text string) ([]Conversation, error) {
	found, err := sessionConversations(ctx, db, column, text)
	if err != nil || len(found) == 0 || !found[0].Active {
		return nil, err
	}
	return found[:1], nil
}

// sessionConversations returns the conversations with this text in a column, active ones first,
// then the newest.
func sessionConversations(ctx context.Context, db data.Querier, column, text string) ([]Conversation, error) {
	text = strings.TrimSpace(text)
	if text == "" || !db.Schema().Has("conversations", column) {
		return nil, nil
	}
	return conversations(ctx, db, "WHERE c."+column+" = ?"+familyOrder, text)
}

// SessionFamily returns the conversations, archived ones too, that have c's session key, or where
// it has none its session id: active ones first, then the newest. An isolated scheduled run has
// no family but itself.
func SessionFamily(ctx context.Context, db data.Querier, c Conversation) ([]Conversation, error) {
	column, text := "session_key", c.SessionKey
	if strings.TrimSpace(text) == "" {
		column, text = "session_id", c.SessionID
	}
	if isScheduledRun(c.SessionKey) {
		return []Conversation{c}, nil
	}
	family, err := sessionConversations(ctx, db, column, text)
	if err == nil && len(family) == 0 {
		family = []Conversation{c}
	}
	return family, err
}

// isScheduledRun reports whether a session key is agent:<agent>:cron:<job>…, of which hosts
// never join the runs.
func isScheduledRun(key string) bool {
	parts := strings.Split(strings.TrimSpace(key), ":")
	return len(parts) >= 4 && parts[0] == "agent" && parts[2] == "cron"
}
