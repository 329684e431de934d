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

// FindSummarizer finds what summaries are made with.
func (e *Env) FindSummarizer(ctx context.Context) (Summarizer, error) {
	if e.Summarizer == nil {
		return Summarizer{}, errors.New("no model is set up")
	}
	return e.Summarizer(ctx, e.ChosenModel())
}

// makeSummaries plans an operation that has summaries made. What it's made with is found
// out at that moment, so that a change of the settings is seen.
func makeSummaries(e *Env, owner ui.Screen, name string, request func(context.Context, Summarizer) (ops.Op, error)) tea.Cmd {
	return e.Planned(owner, name, func(ctx context.Context) (ops.Op, error) {
		m, err := e.FindSummarizer(ctx)
		if err != nil {
			return nil, err
		}
		return request(ctx, m)
	})
}

// Rewrite opens the review of rewriting summaries: an estimate at first.
func (e *Env) Rewrite(owner ui.Screen, conv int64, pick rewrite.Pick) tea.Cmd {
	return makeSummaries(e, owner, "rewrite", func(_ context.Context, m Summarizer) (ops.Op, error) { return RewriteOp(m, conv, pick), nil })
}

// RewriteOp rewrites summaries of a conversation with a summarizer.
func RewriteOp(m Summarizer, conv int64, pick rewrite.Pick) *rewrite.Op {
	return &rewrite.Op{Conversation: conv, Pick: pick, Options: m.Making()}
}

// Making returns how texts are regenerated, which is an estimate at first.
func (m Summarizer) Making() regenerate.Options {
	c := m.Settings.Compaction()
	return regenerate.Options{
		Model: m.Model, Form: m.Form, Job: m.Job, Jobs: jobsAtOnce,
		LeafTarget: int(c.LeafTargetTokens), CondensedTarget: int(c.CondensedTargetTokens),
	}
}

// Prompt shows what a model would be asked to rewrite a summary, before anything is
// sent.
func (e *Env) Prompt(owner ui.Screen, conv int64, summary string) tea.Cmd {
	db := e.DB
	return e.Jobs.Open(owner, "read the prompt", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		m, err := e.FindSummarizer(ctx)
		if err != nil {
			return nil, err
		}
		r, err := RewriteOp(m, conv, rewrite.Pick{Summary: summary}).Request(ctx, db)
		if err != nil {
			return nil, err
		}
		return ui.PushMsg{Screen: newPrompt(e, m.Model.Name(), lcm.Summary{ID: summary}, r)}, nil
	})
}

// SummarizerMissing says why no summaries can be made, or is empty.
func (e *Env) SummarizerMissing() string {
	if e.Summarizer == nil {
		return "no model is set up"
	}
	return e.ReadOnly()
}
