package fakehost

import (
	"time"
)

// Write ends a compaction: it stores the summary of what was chosen, with its links, and
// puts it in the place of the chosen ordinals. It doesn't look whether they still mean
// what they meant: whatever stands there now goes. A source that is gone ends it before
// anything is written.
func (h *Host) Write(c Choice, text string) (id string, err error) {
	err = h.Tx(func(*Writer) error {
		unplaced := SummaryOptions{At: time.Now(), NoContext: true, Model: "fake/model"}
		if len(c.Messages) > 0 {
			id, err = h.Leaf(c.Conversation, c.Messages, text, unplaced)
			if err == nil && h.Has("summaries", "source_message_token_count") {
				err = h.Exec("UPDATE summaries SET source_message_token_count = ? WHERE summary_id = ?", c.tokens, id)
			}
		} else {
			id, err = h.Condense(c.Conversation, c.Summaries, text, unplaced)
		}
		if err != nil {
			return err
		}
		if err := h.replace(c.Conversation, c.First, c.Last, id); err != nil {
			return err
		}
		return h.renumber(c.Conversation)
	})
	return id, err
}

// replace puts a summary in the place of the ordinals from first to last.
func (h *Host) replace(conv, first, last int64, summary string) error {
	if err := h.Exec("DELETE FROM context_items WHERE conversation_id = ? AND ordinal BETWEEN ? AND ?", conv, first, last); err != nil {
		return err
	}
	return h.Exec("INSERT INTO context_items (conversation_id, ordinal, item_type, summary_id) VALUES (?, ?, 'summary', ?)", conv, first, summary)
}

// renumber makes the ordinals of a context 0 … n-1, by way of negative ones, unless they
// are that already.
func (h *Host) renumber(conv int64) error {
	items, err := h.context(conv)
	if err != nil {
		return err
	}
	dense := true
	for n, i := range items {
		dense = dense && int64(n) == i.ordinal
	}
	if dense {
		return nil
	}
	for n, i := range items {
		if err := h.Exec("UPDATE context_items SET ordinal = ? WHERE conversation_id = ? AND ordinal = ?", -(n + 1), conv, i.ordinal); err != nil {
			return err
		}
	}
	return h.Exec("UPDATE context_items SET ordinal = -ordinal - 1 WHERE conversation_id = ? AND ordinal < 0", conv)
}
