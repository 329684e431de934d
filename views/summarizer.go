package views

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/settings"
	"lcm-tui/engine/summarize"
	"lcm-tui/ops"
	"lcm-tui/ops/rewrite"
	"lcm-tui/ui"
)

// Summarizer is what summaries are made with: the model and the settings in force.
type Summarizer struct {
	Model    summarize.Model
	Settings settings.Settings
	Form     summarize.Form
	Job      summarize.Job
}

// jobsAtOnce is how many calls a screen lets run side by side.
const jobsAtOnce = 4

// summarizer finds what summaries are made with.
func (e *Env) summarizer(ctx context.Context) (Summarizer, error) {
	if e.Summarizer == nil {
		return Summarizer{}, errors.New("no model is set up")
	}
	return e.Summarizer(ctx, e.chosenModel())
}

// make plans an operation that has summaries made. What it's made with is found
// out at that moment, so that a change of the settings is seen.
func (e *Env) make(owner ui.Screen, name string, request func(context.Context, Summarizer) (ops.Op, error)) tea.Cmd {
	return e.planned(owner, name, func(ctx context.Context) (ops.Op, error) {
		m, err := e.summarizer(ctx)
		if err != nil {
			return nil, err
		}
		return request(ctx, m)
	})
}

// rewrite opens the review of rewriting summaries: an estimate at first.
func (e *Env) rewrite(owner ui.Screen, conv int64, pick rewrite.Pick) tea.Cmd {
	return e.make(owner, "rewrite", func(_ context.Context, m Summarizer) (ops.Op, error) { return rewriteOp(m, conv, pick), nil })
}

func rewriteOp(m Summarizer, conv int64, pick rewrite.Pick) *rewrite.Op {
	return &rewrite.Op{Conversation: conv, Pick: pick, Options: m.making()}
}

// making is how texts are regenerated, which is an estimate at first.
func (m Summarizer) making() regenerate.Options {
	c := m.Settings.Compaction()
	return regenerate.Options{
		Model: m.Model, Form: m.Form, Job: m.Job, Jobs: jobsAtOnce,
		LeafTarget: int(c.LeafTargetTokens), CondensedTarget: int(c.CondensedTargetTokens),
	}
}

// prompt shows what a model would be asked to rewrite a summary, before anything is
// sent.
func (e *Env) prompt(owner ui.Screen, conv int64, summary string) tea.Cmd {
	db := e.DB
	return e.Jobs.Start(owner, "read the prompt", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		m, err := e.summarizer(ctx)
		if err != nil {
			return nil, err
		}
		r, err := rewriteOp(m, conv, rewrite.Pick{Summary: summary}).Request(ctx, db)
		if err != nil {
			return nil, err
		}
		return ui.PushMsg{Screen: newPrompt(e, m.Model.Name(), lcm.Summary{ID: summary}, r)}, nil
	})
}

// summarizerMissing says why no summaries can be made, or is empty.
func (e *Env) summarizerMissing() string {
	if e.Summarizer == nil {
		return "no model is set up"
	}
	return e.readOnly()
}
