package review

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/summarize"
	"lcm-tui/ops"
	"lcm-tui/views"
)

// sourceMsg is what a summary is made from, as a model is given it.
type sourceMsg struct{ id, text string }

// noSource stands where nothing is left of what a text is made from.
const noSource = "nothing that it is made from is left in this file"

// readSource reads what the text on the screen is made from, where it is shown beside it.
func (r *Review) readSource() tea.Cmd {
	e, ok := r.current()
	if !ok || r.page != pageText || r.view != viewSource || e.text == nil || e.text.Made {
		return nil
	}
	if _, known := r.sources[e.id]; known || r.env.Jobs.Running(r, "source") {
		return nil
	}
	env, id, texts := r.env, e.id, newTexts(r.plan)
	return env.Jobs.Quiet(r, "source", views.Read(func(ctx context.Context) (sourceMsg, error) {
		text, err := sourceOf(ctx, env, id, texts)
		if errors.Is(err, data.ErrNotFound) || text == "" && err == nil {
			text, err = noSource, nil
		}
		return sourceMsg{id, text}, err
	}))
}

// newTexts returns the texts that a plan would store, by id.
func newTexts(p ops.Plan) map[string]string {
	texts := map[string]string{}
	for _, t := range p.Texts {
		texts[t.ID] = t.After
	}
	return texts
}

// sourceOf returns what a model is given to make a summary from: its messages, or the summaries
// below it with their new texts where there are some.
func sourceOf(ctx context.Context, e *views.Env, id string, texts map[string]string) (string, error) {
	var form summarize.Form
	if s, err := e.FindSummarizer(ctx); err == nil {
		form = s.Form
	}
	row, err := lcm.ReadSummary(ctx, e.DB, id)
	if err != nil {
		return "", err
	}
	g, err := lineage.Load(ctx, e.DB, row.Conversation, 0)
	if err != nil {
		return "", err
	}
	n, ok := g.Node(id)
	if !ok || len(n.Sources) == 0 {
		messages, err := lcm.LeafMessages(ctx, e.DB, id)
		return form.Leaf(messages), err
	}
	var sources []lcm.Summary
	for _, source := range n.Sources {
		s, err := lcm.ReadSummary(ctx, e.DB, source)
		if errors.Is(err, data.ErrNotFound) {
			continue
		}
		if err != nil {
			return "", err
		}
		if text, made := texts[source]; made {
			s.Content = text
		}
		sources = append(sources, s)
	}
	return form.Condensed(sources), nil
}
