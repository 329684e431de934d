package filepair

import (
	"context"
	"slices"

	"lcm-tui/data"
)

// probedConversations is how many common conversations have their messages compared to find out
// whether the files are of one lineage.
const probedConversations = 3

// lineage says whether equal ids name the same rows: most conversations under one id have the same
// session and time of creation, and the first and last common messages of three have the same hash.
func (p *Pair) lineage(ctx context.Context, same []ConversationPair) (Lineage, error) {
	var equal []ConversationPair
	for _, c := range same {
		if c.Before.SessionID == c.After.SessionID && SameInstant(c.Before.CreatedAt, c.After.CreatedAt) {
			equal = append(equal, c)
		}
	}
	if len(equal) == 0 || 2*len(equal) <= len(same) {
		return ByMeaning, nil
	}
	agree, differ := 0, 0
	first := []ConversationPair{equal[0], equal[len(equal)/2], equal[len(equal)-1]}
	seen, probed := map[int64]bool{}, 0
	for _, c := range slices.Concat(first, equal) {
		if seen[c.After.ID] || probed == probedConversations {
			continue
		}
		seen[c.After.ID] = true
		a, d, err := p.probeMessages(ctx, c)
		if err != nil {
			return ByMeaning, err
		}
		if agree, differ = agree+a, differ+d; a+d > 0 {
			probed++
		}
	}
	if differ > agree {
		return ByMeaning, nil
	}
	return ByID, nil
}

// probeMessages compares the first and the last message that a conversation has in both files
// under one id: how many are the same one, and how many are not.
func (p *Pair) probeMessages(ctx context.Context, c ConversationPair) (agree, differ int, err error) {
	if !p.has("messages", "message_id", "conversation_id") {
		return 0, 0, nil
	}
	hash := "NULL"
	if p.has("messages", "identity_hash") {
		hash = "b.identity_hash = a.identity_hash"
	}
	instead := "1"
	for _, column := range words("role created_at") {
		if p.has("messages", column) {
			instead += " AND " + sameValue(column)
		}
	}
	for _, order := range []string{"", " DESC"} {
		query := "SELECT coalesce(" + hash + ", " + instead + `) FROM main.messages b JOIN other.messages a
			ON a.message_id = b.message_id AND +a.conversation_id = ?1 WHERE b.conversation_id = ?1 ORDER BY +b.message_id` + order + " LIMIT 1"
		err := p.each(ctx, "read messages", query, []any{c.Before.ID}, func(scan data.RowScanner) error {
			var is data.Integer
			err := scan(&is)
			if is != 0 {
				agree++
			} else {
				differ++
			}
			return err
		})
		if err := p.tolerate(err, "messages", c.Key()); err != nil {
			return agree, differ, err
		}
	}
	return agree, differ, nil
}
