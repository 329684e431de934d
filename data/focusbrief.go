package data

import (
	"context"
)

// FocusBrief is a row of focus_briefs, which exist from 0.11: a text that replaces summaries
// in what a model sees.
type FocusBrief struct {
	ID           string        `json:"brief_id"`
	Conversation int64         `json:"conversation_id"`
	Prompt       string        `json:"prompt"`
	Content      string        `json:"content"`
	Status       string        `json:"status"` // draft, active, superseded, failed or inactive.
	Tokens       int64         `json:"token_count"`
	Target       int64         `json:"target_tokens"`
	CoveredAt    Time          `json:"covered_latest_at"`
	CoveredSeq   int64         `json:"covered_message_seq"`
	Error        string        `json:"error,omitempty"`
	CreatedAt    Time          `json:"created_at"`
	Sources      []FocusSource `json:"sources"`
}

// FocusSource is a summary that a brief was made of or mentions. No foreign key
// keeps it in step with the summaries.
type FocusSource struct {
	Brief   string `json:"-"`
	Summary string `json:"summary_id"`
	Ordinal int64  `json:"ordinal"`
	Role    string `json:"role"`
	Missing bool   `json:"missing,omitempty"` // The summary doesn't exist.
}

// FocusBriefs are the focus briefs of a conversation, newest first.
func (db *DB) FocusBriefs(ctx context.Context, conv int64) ([]FocusBrief, error) {
	s := db.Schema()
	if !s.Has("focus_briefs") {
		return nil, nil
	}
	query := "SELECT " + s.exprs("focus_briefs", "b", "brief_id", "conversation_id", "prompt", "content", "status", "token_count",
		"target_tokens", "covered_latest_at", "covered_message_seq", "error", "created_at") +
		" FROM focus_briefs b WHERE b.conversation_id = ? ORDER BY b.created_at DESC, b.brief_id"
	bs, err := Collect(ctx, db, "read focus briefs", query, []any{conv}, func(scan RowScanner, b *FocusBrief) error {
		b.Sources = []FocusSource{}
		return scan((*Text)(&b.ID), (*Integer)(&b.Conversation), (*Text)(&b.Prompt), (*Text)(&b.Content), (*Text)(&b.Status),
			(*Integer)(&b.Tokens), (*Integer)(&b.Target), &b.CoveredAt, (*Integer)(&b.CoveredSeq), (*Text)(&b.Error), &b.CreatedAt)
	})
	if err != nil || !s.Has("focus_brief_sources") {
		return bs, err
	}
	for i := range bs {
		if bs[i].Sources, err = db.focusSources(ctx, "f.brief_id = ?", bs[i].ID); err != nil {
			return nil, err
		}
	}
	return bs, nil
}

// FocusMentions are the places in focus briefs that name a summary.
func (db *DB) FocusMentions(ctx context.Context, summary string) ([]FocusSource, error) {
	if !db.Schema().Has("focus_brief_sources") {
		return nil, nil
	}
	return db.focusSources(ctx, "f.summary_id = ?", summary)
}

func (db *DB) focusSources(ctx context.Context, where, id string) ([]FocusSource, error) {
	query := `SELECT f.brief_id, f.summary_id, f.ordinal, f.role, s.summary_id IS NULL FROM focus_brief_sources f
		LEFT JOIN summaries s ON s.summary_id = f.summary_id WHERE ` + where + ` ORDER BY f.ordinal, f.summary_id`
	return Collect(ctx, db, "read focus sources", query, []any{id}, func(scan RowScanner, f *FocusSource) error {
		var missing Integer
		err := scan((*Text)(&f.Brief), (*Text)(&f.Summary), (*Integer)(&f.Ordinal), (*Text)(&f.Role), &missing)
		f.Missing = missing != 0
		return err
	})
}
