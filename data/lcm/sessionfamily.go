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
	if IsScheduledRun(c.SessionKey) {
		return []Conversation{c}, nil
	}
	family, err := sessionConversations(ctx, db, column, text)
	if err == nil && len(family) == 0 {
		family = []Conversation{c}
	}
	return family, err
}

// IsScheduledRun reports whether a session key is agent:<agent>:cron:<job>…: of such a job each run is a
// conversation of its own, and hosts never join the runs.
func IsScheduledRun(key string) bool { return isOfLane(key, 2, "cron") }

// IsSubagent reports whether a session key is that of an agent that another one called: agent:<agent>:subagent:<id>
// of hosts, or agent:<project>:<client>:<session>:subagent:<id>, as this program names those of coding agents.
func IsSubagent(key string) bool { return isOfLane(key, 2, "subagent") || isOfLane(key, 4, "subagent") }

// isOfLane reports whether a session key has a word at a place, counted from 0, and something behind it.
func isOfLane(key string, place int, word string) bool {
	parts := strings.Split(strings.TrimSpace(key), ":")
	return len(parts) > place+1 && parts[0] == "agent" && parts[place] == word
}
