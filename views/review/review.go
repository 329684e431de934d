package review

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/engine/model/choose"
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
	env   *views.Env
	op    ops.Op
	plan  ops.Plan
	page  int
	pages [reviewPages]*ui.Pager
	drawn [reviewPages]int // The width for which a page's text was made.

	view   reviewView
	state  reviewState
	record int64 // The last one, of several steps.
	first  int64
	took   time.Duration
	// keptStale is how many pending batches stay stale after an undo.
	keptStale int64
	err       error
	change    int // The change that n went to last, from 0; -1 is none.
	changes   int // How many changes the page had then.
	items     *regenerate.Progress

	selected string // The id of the text that is on the page of texts; empty is the first.
	toEnd    bool   // Its end is to be shown.
	// The list of texts as drawn last: its size, of which the width is 0 where there is none,
	// and its first text on the screen.
	listWidth, listHeight, listFirst int

	findings              *ui.List[*ops.Item]
	places                *views.FindingPlaces // Of the findings.
	several               bool                 // They are of more than one conversation.
	width, findingsHeight int                  // As drawn last.

	compared  comparedMsg       // The long texts that were compared last.
	comparing ops.Text          // The one that is being compared.
	sources   map[string]string // What summaries are made from, by id, as far as it was read.
	heading   string            // Above the columns of the page of texts, as drawn last.

	running    ops.Op                   // The one that calls a model, once it was started.
	asked      bool                     // A model was to be asked by the plan that is being made.
	generating bool                     // The present operation calls a model when it is planned.
	question   *question                // Asked before a model is called; nil is none.
	model      *choose.Choice           // Chosen on the screen when it was planned; nil is none.
	calls      int                      // Calls of a model that were made in this review.
	stoppedBy  *regenerate.StoppedError // How the last run ended without a plan; nil where it gave one.
}

type reviewState int

const (
	proposed reviewState = iota
	applied
	undone
	stale
)

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
	r := &Review{env: env, op: op, plan: p, page: firstPage(p), items: &regenerate.Progress{}, change: -1, calls: p.Spent().ModelCalls, model: env.ModelState.Chosen.Load()}
	if i, ok := op.(itemized); ok {
		r.op = i.WithProgress(r.items)
	}
	for i := range r.pages {
		r.pages[i] = ui.NewPager(env.Styles)
	}
	r.sources, r.places, r.findings = map[string]string{}, views.NewFindingPlaces(), r.newFindingList()
	r.setFindings(p.Items)
	return r
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

func (r *Review) pager() *ui.Pager { return r.pages[r.page] }

// Init implements ui.Screen.
func (r *Review) Init() tea.Cmd {
	return tea.Batch(r.compare(), r.readSource(), r.readPlaces(), r.env.FindModels())
}

// Typing implements ui.Typer.
func (r *Review) Typing() bool { return r.question != nil || r.typingHere() }

// typingHere reports whether the page takes keys as text.
func (r *Review) typingHere() bool {
	if r.onFindings() {
		return r.findings.Typing()
	}
	return r.pager().Typing()
}

// Escape implements ui.Escaper.
func (r *Review) Escape() bool {
	if r.onFindings() {
		return r.findings.Escape()
	}
	return r.pager().Escape()
}

// Copy implements ui.Copier.
func (r *Review) Copy() string {
	if i, ok := r.finding(); ok && r.onFindings() {
		return i.Problem
	}
	if e, ok := r.current(); ok {
		return e.id
	}
	return r.plan.Title
}

type (
	appliedMsg struct {
		record, last int64 // The last one differs where there was more than one step.
		broken       error // Why the steps ended early.
		took         time.Duration
		notes        []string // What became of it beyond its rows.
		stale        int64    // Of an undo: pending batches that stay stale.
	}
	undoneMsg struct {
		stale int64 // Pending batches that stay stale.
	}
	replannedMsg struct {
		op   ops.Op
		plan ops.Plan
	}
	notWrittenMsg struct{ err error }
	checkedMsg    struct{ err error }
)

// Update implements ui.Screen.
func (r *Review) Update(msg tea.Msg) tea.Cmd {
	return tea.Batch(r.update(msg), r.compare(), r.readSource())
}

func (r *Review) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case comparedMsg:
		r.compared, r.drawn[pageText] = msg, 0
	case sourceMsg:
		r.sources[msg.id], r.drawn[pageText] = msg.text, 0
	case appliedMsg:
		return r.showApplied(msg)
	case undoneMsg:
		r.state, r.err, r.keptStale = undone, nil, msg.stale
		return ui.Say(ui.ChangedMsg{})
	case ui.ChangedMsg:
		if msg.External {
			return r.check()
		}
	case ui.ShownMsg:
		return r.useChosenModel()
	case checkedMsg:
		r.markStale(msg)
	case notWrittenMsg:
		return r.showFailure(msg.err)
	case replannedMsg:
		return r.replanned(msg)
	case views.StoredTextMsg:
		return r.env.Edit(msg.ID, msg.Text, msg.Text)
	case views.EditedMsg:
		return r.edited(msg)
	case proposedMsg:
		return r.proposed(msg)
	case ui.FailedMsg:
		r.runFailed(msg)
		if e, ok := r.current(); ok && msg.Name == "source" {
			r.sources[e.id], r.drawn[pageText] = "what it is made from could not be read", 0
		}
	case stoppedMsg:
		return r.stopped(msg)
	case estimatedMsg:
		r.estimated(msg)
	default:
		return r.updateInput(msg)
	}
	return nil
}

// updateInput takes keys, pastes and the mouse.
func (r *Review) updateInput(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return r.press(msg)
	case tea.MouseClickMsg:
		if r.onFindings() {
			return r.updateFindings(msg)
		}
		r.click(msg.Mouse())
	case tea.MouseWheelMsg:
		if r.page == pageText {
			return r.wheelText(msg)
		}
		return r.updatePage(msg)
	case tea.PasteMsg:
		return r.updatePage(msg)
	}
	return nil
}

// updatePage sends a message to what the page shows.
func (r *Review) updatePage(msg tea.Msg) tea.Cmd {
	if r.onFindings() {
		return r.updateFindings(msg)
	}
	return r.pager().Update(msg)
}

// pageCount returns how many pages the review has now.
func (r *Review) pageCount() int {
	if len(r.plan.Items) > 0 {
		return reviewPages
	}
	return pageFindings
}

func (r *Review) close() tea.Cmd { return ui.Say(ui.PopMsg{Screen: r}) }

func (r *Review) turn(page int) tea.Cmd {
	r.page, r.change = page, -1
	return nil
}

func (r *Review) copyPatch() tea.Cmd {
	return views.CopyToClipboard(patch(r.plan), plural.Count(len(r.plan.Texts), "text", "texts")+" as a patch")
}
