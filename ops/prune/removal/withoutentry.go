package removal

import (
	"context"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
)

// staleReason is why pending batches become stale, in words for the log of a host.
const staleReason = "texts were pruned by lcm-tui"

// takeEntries takes the entries of the transcript off messages whose text is another one now, with their trust
// rows, as a host of 1.0 does at its next start when it finds that they differ. Hash, key of the event and
// everything else by which it knows them again stays. Batches that it prepared from them become stale.
func takeEntries(ctx context.Context, t *change.Turn, texts []text) error {
	if !t.Schema().Has(data.AnchorTrustTable, "message_id") || !t.Schema().Has("messages", "transcript_entry_id") || len(texts) == 0 {
		return nil
	}
	ids := make([]int64, 0, len(texts))
	for _, m := range texts {
		ids = append(ids, m.message)
	}
	for _, statement := range []string{
		"UPDATE messages SET transcript_entry_id = NULL WHERE transcript_entry_id IS NOT NULL AND message_id IN (SELECT value FROM json_each(?))",
		"DELETE FROM " + data.AnchorTrustTable + " WHERE message_id IN (SELECT value FROM json_each(?))",
	} {
		if _, err := t.Exec(ctx, statement, list(ids)); err != nil {
			return err
		}
	}
	_, err := t.GiveUp(ctx, staleReason, ids)
	return err
}

// checkRule reports whether a conversation is as it was planned, and the rows by which a host of 1.0 finds
// its place still vouch for their entries: what a start of the host between two turns changed is seen.
func (w *forgetter) checkRule(ctx context.Context, t *change.Turn, r TextRule) (same bool, err error) {
	if same, err = w.check(ctx, t, r.Conversation); !same || err != nil || r.Anchors == nil {
		return same, err
	}
	anchored := 0
	query := "SELECT 1 FROM messages m JOIN " + data.AnchorTrustTable + ` t ON t.message_id = m.message_id AND t.conversation_id = m.conversation_id
		WHERE m.conversation_id = ? AND m.transcript_entry_id = t.transcript_entry_id AND t.trust_state IN ('` + lcm.TrustVerified + "', '" + lcm.TrustRepaired + `')
		AND m.seq >= ? AND m.message_id IN (SELECT value FROM json_each(?))`
	err = t.EachRow(ctx, query, []any{r.Conversation, r.Anchors.Before, list(r.Anchors.Newest)}, func(data.RowScanner) error {
		anchored++
		return nil
	})
	if err == nil && anchored < len(r.Anchors.Newest) {
		w.left[r.Conversation] = &data.StaleError{What: fmt.Sprintf("conversation %d", r.Conversation), Why: "has other messages by which the host finds its place than the plan saw"}
	}
	return w.left[r.Conversation] == nil, err
}
