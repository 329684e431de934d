package conversation

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/token"
	"lcm-tui/ops"
	"lcm-tui/ops/rewrite"
	"lcm-tui/views"
)

// edit opens the editor on the stored text of b.
func (v *Summaries) edit(b *branch) tea.Cmd { return v.Env().ReadText(v, b.id) }

// resumeEdit opens the editor on the text of b that was written before and not applied.
func (v *Summaries) resumeEdit(b *branch) tea.Cmd {
	h := v.Env().HandTexts[b.id]
	if h == nil {
		return nil
	}
	return v.Env().Editor(h.Text, func(next string, err error) tea.Msg {
		return views.EditedMsg{ID: b.id, Stored: h.Stored, Given: h.Stored, Text: next, Err: err} // Unchanged it is reviewed all the same.
	})
}

// edited opens the review of a text that came back from the editor.
func (v *Summaries) edited(m views.EditedMsg) tea.Cmd {
	if say, unchanged := m.Unchanged(); unchanged {
		return say
	}
	v.Env().KeepHandText(m.ID, m.Stored, m.Text)
	conv := v.Hub.Row.ID
	return v.Env().Planned(v, "rewrite", func(ctx context.Context) (ops.Op, error) {
		var op rewrite.Op
		if summarizer, err := v.Env().FindSummarizer(ctx); err == nil { // For another candidate; the edit itself calls no model.
			op = *views.RewriteOp(summarizer, conv, rewrite.Pick{})
		}
		op.Conversation, op.Pick, op.Texts = conv, rewrite.Pick{Summary: m.ID}, map[string]string{m.ID: m.Text}
		op.Job.Estimator = token.Of(v.Env().DB.Kind().Level)
		return &op, nil
	})
}
