package data

import "context"

// ConversationsNamed are the conversations that a name stands for, newest first:
// those with this session key, else those whose key begins with it, else the same
// by session id. Case matters, as it does to hosts.
func (db *DB) ConversationsNamed(ctx context.Context, name string) ([]Conversation, error) {
	for _, column := range []string{"session_key", "session_id"} {
		if name == "" || !db.schema.Has("conversations", column) {
			continue
		}
		for _, where := range []string{"c." + column + " = ?1", "substr(c." + column + ", 1, length(?1)) = ?1"} {
			found, err := db.conversations(ctx, "WHERE "+where+" ORDER BY c.conversation_id DESC", name)
			if err != nil || len(found) > 0 {
				return found, err
			}
		}
	}
	return nil, nil
}
