package fakehost

import "time"

// New plays /new: the context loses its messages, and the summaries that aren't deep
// enough; the ordinals of what stays are kept.
func (h *Host) New(conv int64) error {
	return h.Tx(func(*Writer) error {
		if err := h.Exec("DELETE FROM context_items WHERE conversation_id = ? AND item_type = 'message'", conv); err != nil {
			return err
		}
		if h.Config.RetainDepth >= 0 {
			err := h.Exec(`DELETE FROM context_items WHERE conversation_id = ? AND item_type = 'summary'
				AND summary_id IN (SELECT summary_id FROM summaries WHERE depth < ?)`, conv, h.Config.RetainDepth)
			if err != nil {
				return err
			}
		}
		if !h.Has("conversation_bootstrap_state", "soft_reset_pruned_at") {
			return nil
		}
		return h.Exec("UPDATE conversation_bootstrap_state SET soft_reset_pruned_at = datetime('now'), updated_at = datetime('now') WHERE conversation_id = ?", conv)
	})
}

// Reset returns /reset: the conversation is archived and another one begins under its key,
// and with its session id, unless nothing has been said in it yet. It returns the one that goes on.
func (h *Host) Reset(conv int64) (next int64, err error) {
	var messages int
	var key, session string
	err = h.Read([]any{&messages, &key, &session}, `SELECT (SELECT count(*) FROM messages WHERE conversation_id = ?1), coalesce(session_key, ''), session_id
		FROM conversations WHERE conversation_id = ?1`, conv)
	if err != nil || messages == 0 {
		return conv, err
	}
	err = h.Tx(func(*Writer) error {
		cause := ""
		if h.Has("conversations", "archive_cause") {
			cause = "archive_cause = 'manual-reset', "
		}
		err := h.Exec("UPDATE conversations SET active = 0, archived_at = datetime('now'), "+cause+"updated_at = datetime('now') WHERE conversation_id = ?", conv)
		if err == nil {
			next, err = h.Conversation(Conversation{SessionID: session, SessionKey: key, Active: true, At: time.Now()})
		}
		return err
	})
	return next, err
}
