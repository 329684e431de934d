package views

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/summarize"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/rewrite"
	"lcm-tui/ui"
)

// Maker is what summaries are made with: the model and the settings in force.
type Maker struct {
	Model  summarize.Model
	Config engine.Config
	Form   summarize.Form
	Job    summarize.Job
}

// jobsAtOnce is how many calls a screen lets run side by side.
const jobsAtOnce = 4

// make plans an operation that has summaries made. What it's made with is found
// out at that moment, so that a change of the settings is seen.
func (e *Env) make(owner ui.Screen, name string, request func(Maker) ops.Op) tea.Cmd {
	maker := e.Maker
	return e.planned(owner, name, func(ctx context.Context) (ops.Op, error) {
		m, err := maker(ctx)
		if err != nil {
			return nil, err
		}
		return request(m), nil
	})
}

// compact opens the review of compacting a conversation: an estimate at first.
func (e *Env) compact(owner ui.Screen, conv, budget int64) tea.Cmd {
	return e.make(owner, "compact", func(m Maker) ops.Op {
		return &compact.Op{Conversation: conv, Model: m.Model, Request: engine.Request{
			Mode: engine.Sweep, Config: m.Config, Budget: budget, Job: m.Job, Force: true,
		}}
	})
}

// rewrite opens the review of rewriting summaries: an estimate at first.
func (e *Env) rewrite(owner ui.Screen, conv int64, pick rewrite.Pick) tea.Cmd {
	return e.make(owner, "rewrite", func(m Maker) ops.Op { return rewriteOp(m, conv, pick) })
}

func rewriteOp(m Maker, conv int64, pick rewrite.Pick) *rewrite.Op {
	return &rewrite.Op{
		Conversation: conv, Pick: pick, Model: m.Model, Form: m.Form, Job: m.Job, Jobs: jobsAtOnce,
		LeafTarget: int(m.Config.LeafTargetTokens), CondensedTarget: int(m.Config.CondensedTargetTokens),
	}
}

// prompt shows what a model would be asked to rewrite a summary, before anything is
// sent.
func (e *Env) prompt(owner ui.Screen, conv int64, summary string) tea.Cmd {
	maker, db := e.Maker, e.DB
	return e.Jobs.Start(owner, "read the prompt", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		m, err := maker(ctx)
		if err != nil {
			return nil, err
		}
		r, err := rewriteOp(m, conv, rewrite.Pick{Summary: summary}).Request(ctx, db)
		if err != nil {
			return nil, err
		}
		return ui.PushMsg{Screen: newPrompt(e, m.Model.Name(), data.Summary{ID: summary}, r)}, nil
	})
}

// unmakeable says why no summaries can be made, or is empty.
func (e *Env) unmakeable() string {
	if e.Maker == nil {
		return "no model is set up"
	}
	return e.readOnly()
}
