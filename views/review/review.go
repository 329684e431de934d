package review

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/engine/regenerate"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Review is the only way in which anything is changed: it shows what an
// operation would do, from every side, and applies it on the user's word. Enter
// never applies.
type Review struct {
	env      *views.Env
	proposal *proposal
	planner  *planner
	question *question // Asked before a model is called; nil is none.

	page     int
	pages    [reviewPages]page
	texts    *textPage
	findings *findingsPage
	view     reviewView // Of contexts and texts.
	// Of the last View: its width, and the lines above the page.
	width, top int
}

const (
	pageContext = iota
	pageText
	pageRows
	pageNotes
	pageFindings // Only where the plan lists findings.
	reviewPages
)

var _ ui.Screen = (*Review)(nil)

// OpenReview plans an operation. It returns the review of the plan.
func OpenReview(ctx context.Context, env *views.Env, op ops.Op, report data.Report) (ui.Screen, error) {
	p, err := plan(ctx, env.DB, op, report)
	if err != nil {
		return nil, err
	}
	return NewReview(env, op, p), nil
}

// NewReview shows a plan of op.
func NewReview(env *views.Env, op ops.Op, p ops.Plan) *Review {
	r := &Review{env: env, page: firstPage(p)}
	pr := &proposal{env: env, owner: r, op: op, plan: p, items: &regenerate.Progress{}, heads: textHeads{}, calls: p.Spent().ModelCalls}
	if i, ok := op.(itemized); ok {
		pr.op = i.WithProgress(pr.items)
	}
	r.proposal = pr
	r.planner = &planner{proposal: pr, ask: func(q *question) { r.question = q }, showTexts: func() { r.page = pageText }, model: env.ModelState.Chosen.Load()}
	r.texts = newTextPage(r.planner, &r.view)
	r.findings = newFindingsPage(r.planner, r.showText, r.texts.edit)
	rows := newScrollPage(env.Styles, func(width int) string { return rowsText(env, &pr.plan, width) })
	notes := newScrollPage(env.Styles, func(int) string { return noteText(env, &pr.plan) })
	rows.eachLine, notes.eachLine = true, true
	r.pages = [reviewPages]page{newContextPage(pr, &r.view), r.texts, rows, notes, r.findings}
	return r
}

// present returns the page that is shown.
func (r *Review) present() page { return r.pages[r.page] }

// showText turns to a text.
func (r *Review) showText(id string) {
	r.turn(pageText)
	r.texts.show(id)
}

// redraw has all pages show another plan.
func (r *Review) redraw() {
	for _, p := range r.pages {
		p.redraw()
	}
}

// load does the work that the page needs beside the loop.
func (r *Review) load() tea.Cmd {
	if r.page != pageText {
		return nil
	}
	return r.texts.load()
}

// firstPage returns the page that tells most of a plan.
func firstPage(p ops.Plan) int {
	moves := slices.ContainsFunc(p.Changes, func(c change.Change) bool { return c.Table == "context_items" })
	switch {
	case len(p.Items) > 0:
		return pageFindings
	case moves && p.Undoes == 0 || p.Estimate() && len(p.Contexts) > 0:
		return pageContext
	case p.Estimate(), p.Undoes != 0 && len(p.Changes) == 0:
		return pageNotes
	case len(p.Texts) > 0:
		return pageText
	}
	return pageRows
}

// Title implements ui.Screen.
func (r *Review) Title() string { return "Review" }

// Purpose implements ui.Screen.
func (r *Review) Purpose() string {
	return "What the operation would change, before it does: the context, the texts and the rows. Nothing is written until you press a."
}

// Init implements ui.Screen.
func (r *Review) Init() tea.Cmd {
	return tea.Batch(r.load(), r.findings.load(), r.env.FindModels())
}

// Typing implements ui.Typer.
func (r *Review) Typing() bool { return r.question != nil || r.present().Typing() }

// Escape implements ui.Escaper.
func (r *Review) Escape() bool {
	return r.present().Escape()
}

// Copy implements ui.Copier.
func (r *Review) Copy() string {
	if i, ok := r.findings.finding(); ok && r.page == pageFindings {
		return i.Problem
	}
	if e, ok := r.texts.current(); ok {
		return e.id
	}
	return r.proposal.plan.Title
}

// Update implements ui.Screen.
func (r *Review) Update(msg tea.Msg) tea.Cmd {
	return tea.Batch(r.update(msg), r.load())
}

func (r *Review) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case comparedMsg, sourceMsg, headsMsg:
		r.texts.receive(msg)
	case appliedMsg:
		return r.proposal.showApplied(msg)
	case redoneMsg:
		return r.proposal.showRedone(msg)
	case undoneMsg:
		return r.proposal.showUndone(msg)
	case ui.ChangedMsg:
		if msg.External {
			return r.proposal.check()
		}
	case ui.ShownMsg:
		return r.planner.useChosenModel()
	case checkedMsg:
		r.proposal.markStale(msg)
	case notWrittenMsg:
		return r.proposal.showFailure(msg.err)
	case replannedMsg:
		return r.replanned(msg)
	case views.StoredTextMsg:
		return r.env.Edit(msg.ID, msg.Text, msg.Text)
	case views.EditedMsg:
		return r.texts.edited(msg)
	case proposedMsg:
		return r.planner.proposed(msg)
	case ui.FailedMsg:
		r.failed(msg)
	case stoppedMsg:
		r.texts.redraw()
		return r.planner.stopped(msg)
	case estimatedMsg:
		if r.planner.estimated(msg) {
			r.redraw()
		}
	default:
		return r.updateInput(msg)
	}
	return nil
}

// replanned shows another plan, on the page where the last one was, unless that was an estimate of
// this one.
func (r *Review) replanned(msg replannedMsg) tea.Cmd {
	if r.proposal.plan.Estimate() {
		r.page = firstPage(msg.plan)
	}
	cmd := r.planner.replanned(msg)
	r.texts.diff.sources = map[string]string{}
	r.redraw()
	r.turn(min(r.page, r.pageCount()-1))
	return tea.Batch(r.findings.load(), cmd, r.texts.addCandidates())
}

// failed shows which texts a run could not make or read.
func (r *Review) failed(msg ui.FailedMsg) {
	if r.planner.runFailed(msg) {
		r.texts.redraw()
	}
	if msg.Name == "source" {
		r.texts.sourceFailed()
	}
}

// updateInput takes keys, pastes and the mouse.
func (r *Review) updateInput(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return r.press(msg)
	case tea.MouseClickMsg:
		if tab, hit := r.tabs().Hit(msg.X, r.width); hit && msg.Y == r.top-1 && r.question == nil {
			return r.turn(tab)
		}
		return r.present().update(ui.ShiftMouse(msg, 0, r.top))
	case tea.MouseWheelMsg:
		return r.present().update(ui.ShiftMouse(msg, 0, r.top))
	case tea.PasteMsg:
		return r.present().update(msg)
	}
	return nil
}

// pageCount returns how many pages the review has now.
func (r *Review) pageCount() int {
	if len(r.proposal.plan.Items) > 0 {
		return reviewPages
	}
	return pageFindings
}

func (r *Review) turn(page int) tea.Cmd {
	r.page = page
	r.present().enter()
	return nil
}

func (r *Review) copyPatch() tea.Cmd {
	return views.CopyToClipboard(patch(r.proposal.plan), plural.Count(len(r.proposal.plan.Texts), "text", "texts")+" as a patch")
}

// Left implements ui.Leaver.
func (r *Review) Left() tea.Cmd {
	if kept := r.proposal.unsaved(); kept != "" {
		return ui.Say(ui.StatusMsg{Text: strings.TrimSuffix(kept, ".")})
	}
	return nil
}

// Unsaved implements ui.Unsaver.
func (r *Review) Unsaved() string { return r.proposal.unsaved() }
