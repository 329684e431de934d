package views

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/token"
	"lcm-tui/ops"
	"lcm-tui/ops/rewrite"
)

// edit opens the editor on the stored text of b.
func (v *Summaries) edit(b *branch) tea.Cmd { return v.env().readText(v, b.id) }

// resumeEdit opens the editor on the text of b that was written before and not applied.
func (v *Summaries) resumeEdit(b *branch) tea.Cmd {
	h := v.env().handTexts[b.id]
	if h == nil {
		return nil
	}
	return v.env().Editor(h.text, func(next string, err error) tea.Msg {
		return editedMsg{b.id, h.stored, h.stored, next, err} // Unchanged it is reviewed all the same.
	})
}

// edited opens the review of a text that came back from the editor.
func (v *Summaries) edited(m editedMsg) tea.Cmd {
	if say, unchanged := m.unchanged(); unchanged {
		return say
	}
	v.env().keepHandText(m.id, m.stored, m.text)
	conv := v.hub.row.ID
	return v.env().planned(v, "rewrite", func(ctx context.Context) (ops.Op, error) {
		var op rewrite.Op
		if summarizer, err := v.env().summarizer(ctx); err == nil { // For another candidate; the edit itself calls no model.
			op = *rewriteOp(summarizer, conv, rewrite.Pick{})
		}
		op.Conversation, op.Pick, op.Texts = conv, rewrite.Pick{Summary: m.id}, map[string]string{m.id: m.text}
		op.Job.Estimator = token.Of(v.env().DB.Kind().Level)
		return &op, nil
	})
}
