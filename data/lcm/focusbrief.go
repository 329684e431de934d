package lcm

import (
	"context"

	"lcm-tui/data"
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
	CoveredAt    data.Time     `json:"covered_latest_at"`
	CoveredSeq   int64         `json:"covered_message_seq"`
	Error        string        `json:"error,omitempty"`
	CreatedAt    data.Time     `json:"created_at"`
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

// FocusBriefs returns the focus briefs of a conversation, newest first.
func FocusBriefs(ctx context.Context, db data.Querier, conv int64) ([]FocusBrief, error) {
	s := db.Schema()
	if !s.Has("focus_briefs") {
		return nil, nil
	}
	query := "SELECT " + s.Exprs("focus_briefs", "b", "brief_id", "conversation_id", "prompt", "content", "status", "token_count",
		"target_tokens", "covered_latest_at", "covered_message_seq", "error", "created_at") +
		" FROM focus_briefs b WHERE b.conversation_id = ? ORDER BY b.created_at DESC, b.brief_id"
	bs, err := data.Collect(ctx, db, "read focus briefs", query, []any{conv}, func(scan data.RowScanner, b *FocusBrief) error {
		b.Sources = []FocusSource{}
		return scan((*data.Text)(&b.ID), (*data.Integer)(&b.Conversation), (*data.Text)(&b.Prompt), (*data.Text)(&b.Content), (*data.Text)(&b.Status),
			(*data.Integer)(&b.Tokens), (*data.Integer)(&b.Target), &b.CoveredAt, (*data.Integer)(&b.CoveredSeq), (*data.Text)(&b.Error), &b.CreatedAt)
	})
	if err != nil || !s.Has("focus_brief_sources") {
		return bs, err
	}
	for i := range bs {
		if bs[i].Sources, err = focusSources(ctx, db, bs[i].ID); err != nil {
			return nil, err
		}
	}
	return bs, nil
}

func focusSources(ctx context.Context, db data.Querier, brief string) ([]FocusSource, error) {
	query := `SELECT f.brief_id, f.summary_id, f.ordinal, f.role, s.summary_id IS NULL FROM focus_brief_sources f
		LEFT JOIN summaries s ON s.summary_id = f.summary_id WHERE f.brief_id = ? ORDER BY f.ordinal, f.summary_id`
	return data.Collect(ctx, db, "read focus sources", query, []any{brief}, func(scan data.RowScanner, f *FocusSource) error {
		var missing data.Integer
		err := scan((*data.Text)(&f.Brief), (*data.Text)(&f.Summary), (*data.Integer)(&f.Ordinal), (*data.Text)(&f.Role), &missing)
		f.Missing = missing != 0
		return err
	})
}
