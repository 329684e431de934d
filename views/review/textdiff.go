package review

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// twoColumns is the width from which two texts stand beside each other.
const twoColumns = 72

// textDiff shows what changes in a text, in the present view. It compares long texts and reads what
// they are made from in jobs.
type textDiff struct {
	env   *views.Env
	owner ui.Screen // Of its jobs.
	view  *reviewView

	compared  comparedMsg       // The long texts that were compared last.
	comparing ops.Text          // The one that is being compared.
	sources   map[string]string // What summaries are made from, by id, as far as it was read.
}

// comparedMsg is the difference of two long texts.
type comparedMsg struct {
	before, after string
	pieces        []ops.Piece
}

// comparedAtOnce is how many bytes two texts may have together to be compared while they
// are drawn; longer ones would keep the keys waiting.
const comparedAtOnce = 32 << 10

// sourceMsg is what a summary is made from, as a model is given it.
type sourceMsg struct{ id, text string }

// noSource stands where nothing is left of what a text is made from.
const noSource = "nothing that it is made from is left in this file"

// heading names the columns of a text, with the tokens of each.
func (d *textDiff) heading(t ops.Text, width int) string {
	s, count := d.env.Styles, token.Of(d.env.DB.Kind().Level).Count
	old, fresh := count(t.Before), count(t.After)
	tokens := ui.Tokens(fresh)
	if !t.Made {
		tokens += fmt.Sprintf(" (%s)", ui.Signed(fresh-old))
	}
	before, after := "before  "+ui.Tokens(old), "after  "+tokens
	wide := width >= twoColumns
	switch {
	case t.After == "" && !t.Made:
		after = "after  nothing: it is deleted"
	case t.Made && !wide:
		before, after = "", "new text  "+tokens
	case t.Made:
		before, after = "made from", "new text  "+tokens
	case *d.view == viewSource && wide:
		before = "made from"
	case *d.view == viewSource:
		before = ""
	}
	if wide && (*d.view != viewUnified || t.Made) {
		if *d.view == viewSides && !t.Made { // The texts stand behind their signs.
			before, after = "  "+before, "  "+after
		}
		half := (width - 3) / 2
		return s.Muted.Render(ui.Pad(before, half)) + s.Faint.Render(" │ ") + s.Muted.Render(ui.Cut(after, half))
	}
	if before == "" || *d.view == viewSource {
		return s.Muted.Render(after)
	}
	return s.Removed.Render(views.SignRemoved) + s.Muted.Render(before) + "   " + s.Added.Render(views.SignAdded) + s.Muted.Render(after)
}

// draw returns what changes in a text, in the present view.
func (d *textDiff) draw(t ops.Text, width int) string {
	s := d.env.Styles
	wide := width >= twoColumns
	if t.Made { // There is no older version to compare with.
		return views.BesideSource(t.Before, t.After, wide && *d.view != viewUnified, width, s)
	}
	if *d.view == viewSource {
		source, known := d.sources[t.ID]
		if !known {
			source = "reading what it is made from …"
		}
		return views.BesideSource(source, t.After, wide, width, s)
	}
	wide = wide && *d.view == viewSides
	pieces, ok := d.pieces(t)
	switch {
	case !ok:
		return s.Muted.Render("comparing " + ui.Size(int64(len(t.Before)+len(t.After))) + " of text…")
	case wide:
		return views.SideBySide(views.DiffRows(pieces, s), width, s)
	}
	return views.Unified(views.DiffRows(pieces, s), width, s)
}

func isLong(t ops.Text) bool { return len(t.Before)+len(t.After) > comparedAtOnce }

// pieces returns what differs in a text; ok is false while that isn't known yet.
func (d *textDiff) pieces(t ops.Text) (pieces []ops.Piece, ok bool) {
	if !isLong(t) {
		return ops.Words(t.Before, t.After), true
	}
	c := d.compared
	return c.pieces, c.pieces != nil && c.before == t.Before && c.after == t.After
}

// compare compares a text beside the loop, where it's long and isn't compared yet.
func (d *textDiff) compare(t ops.Text) tea.Cmd {
	if _, known := d.pieces(t); !isLong(t) || known || d.comparing == t {
		return nil
	}
	d.comparing = t
	return d.env.Jobs.Quiet(d.owner, "compare", views.Read(func(context.Context) (comparedMsg, error) {
		return comparedMsg{t.Before, t.After, ops.Words(t.Before, t.After)}, nil
	}))
}

// readSource reads what the text of an id is made from, where it is shown beside it. texts are the
// new ones of the plan, by id.
func (d *textDiff) readSource(id string, texts map[string]string) tea.Cmd {
	if _, known := d.sources[id]; known || *d.view != viewSource || d.env.Jobs.Running(d.owner, "source") {
		return nil
	}
	env := d.env
	return env.Jobs.Quiet(d.owner, "source", views.Read(func(ctx context.Context) (sourceMsg, error) {
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
