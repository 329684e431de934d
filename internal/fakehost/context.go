package fakehost

import (
	"errors"
	"fmt"
)

// ErrNotAdjacent says that the items to replace do not stand in one run in the context.
var ErrNotAdjacent = errors.New("items are not one run of the context")

// appendItem puts a message or a summary at the end of a context.
func (h *Writer) appendItem(conv int64, kind string, id any, at string) error {
	var ordinal int64
	if err := h.one(&ordinal, "SELECT COALESCE(MAX(ordinal) + 1, 0) FROM context_items WHERE conversation_id = ?", conv); err != nil {
		return err
	}
	return h.item(conv, ordinal, kind, id, at)
}

// item writes one context item.
func (h *Writer) item(conv, ordinal int64, kind string, id any, at string) error {
	_, err := h.insert("context_items", cell{"conversation_id", conv}, cell{"ordinal", ordinal},
		cell{"item_type", kind}, cell{kind + "_id", id}, cell{"created_at", at})
	return err
}

// replaceRun replaces the run of items that refer to ids by one summary and closes the gap.
func (h *Writer) replaceRun(conv int64, kind string, ids []any, summary, at string) error {
	lo, hi, err := h.runOf(conv, kind, ids)
	if err != nil {
		return err
	}
	if hi-lo+1 != int64(len(ids)) {
		return fmt.Errorf("replace %d items at %d–%d: %w", len(ids), lo, hi, ErrNotAdjacent)
	}
	if err := h.Exec("DELETE FROM context_items WHERE conversation_id = ? AND ordinal BETWEEN ? AND ?", conv, lo, hi); err != nil {
		return err
	}
	if err := h.item(conv, lo, "summary", summary, at); err != nil {
		return err
	}
	if lo == hi {
		return nil
	}
	// Through the negatives: the key would collide on the way down.
	if err := h.Exec("UPDATE context_items SET ordinal = -(ordinal - ?) - 1 WHERE conversation_id = ? AND ordinal > ?", hi-lo, conv, hi); err != nil {
		return err
	}
	return h.Exec("UPDATE context_items SET ordinal = -ordinal - 1 WHERE conversation_id = ? AND ordinal < 0", conv)
}

// runOf finds the first and the last ordinal of the items that refer to ids.
func (h *Writer) runOf(conv int64, kind string, ids []any) (lo, hi int64, err error) {
	for i, id := range ids {
		var o int64
		if err := h.one(&o, "SELECT ordinal FROM context_items WHERE conversation_id = ? AND "+kind+"_id = ?", conv, id); err != nil {
			return 0, 0, fmt.Errorf("find %s %v in context: %w", kind, id, err)
		}
		if i == 0 {
			lo, hi = o, o
		}
		lo, hi = min(lo, o), max(hi, o)
	}
	return lo, hi, nil
}
