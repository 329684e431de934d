package views

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/engine/regenerate"
	"lcm-tui/ops"
	"lcm-tui/ui"
)

// Review is the one door through which everything changes: it shows what an
// operation would do, from every side, and applies it on the user's word. Enter
// never applies.
type Review struct {
	env   *Env
	op    ops.Op
	plan  ops.Plan
	page  int
	pages [reviewPages]*ui.Pager
	drawn [reviewPages]int // The width for which a page's text was made.

	unified bool
	state   reviewState
	record  int64 // The last one, of several steps.
	first   int64
	took    time.Duration
	err     error
	change  int // The changed place that n went to last; -1 is none.
	items   *regenerate.Progress

	selected  string // The id of the text that is on the page of texts; empty is the first.
	toEnd     bool   // Its end is to be shown.
	listWidth int    // Of the list of texts, as drawn last; 0 where there is none.
	listFirst int    // Its first text on the screen.

	compared  comparedMsg // The long texts that were compared last.
	comparing ops.Text    // The one that is being compared.

	running    ops.Op                   // The one that calls a model, once it was started.
	generating bool                     // The present operation calls a model when it is planned.
	question   *question                // Asked before a model is called; nil is none.
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
	reviewPages
)

var _ ui.Screen = (*Review)(nil)

// NewReview shows a plan of op.
func NewReview(env *Env, op ops.Op, p ops.Plan) *Review {
	r := &Review{env: env, op: op, plan: p, page: firstPage(p), items: &regenerate.Progress{}, change: -1, calls: p.Spent().ModelCalls}
	if i, ok := op.(itemized); ok {
		r.op = i.WithProgress(r.items)
	}
	for i := range r.pages {
		r.pages[i] = ui.NewPager(env.Styles)
		r.pages[i].Keys.Search = key.Binding{} // n and N go from change to change instead.
	}
	return r
}

// firstPage is the page that tells most of a plan.
func firstPage(p ops.Plan) int {
	moves := slices.ContainsFunc(p.Changes, func(c data.Change) bool { return c.Table == "context_items" })
	switch {
	case moves && p.Undoes == 0 || p.Estimate() && len(p.Contexts) > 0:
		return pageContext
	case p.Estimate():
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

var (
	keyApply    = ui.Act("a", "a", "apply")
	keyLeave    = ui.Act("esc", "esc", "leave")
	keyClose    = ui.Act("enter", "⏎", "close")
	keyAgain    = ui.Act("P", "P", "plan again")
	keyRun      = ui.Act("x", "x", "run")
	keySkip     = ui.Act("s", "s", "skip this text")
	keyUnskip   = ui.Act("s", "s", "don't skip it")
	keyOtherOne = ui.Act("r", "r", "another candidate")
	keyWrite    = ui.Act("e", "e", "edit the text")
	keyPage     = ui.Act("tab", "tab", "next page")
	keyUnified  = ui.Act("v", "v", "unified/side by side")
	keyChange   = ui.Act("n", "n", "next change")
	keyChangeUp = ui.Act("N", "N", "previous change")
	keyPatch    = ui.Act("Y", "Y", "copy as patch")
)

var pageKeys = [reviewPages]ui.Action{
	ui.Act("1", "1", "context"), ui.Act("2", "2", "text"), ui.Act("3", "3", "rows"), ui.Act("4", "4", "notes"),
}

// actions are the review's own keys. Leaving is the shell's.
func (r *Review) actions() []action {
	ro := r.env.readOnly()
	busy := ""
	if r.generatingNow() {
		busy = "texts are being made: esc cancels"
	}
	whyNotDecidable, skip := r.whyNotDecidable(), keySkip
	if e, ok := r.current(); ok && e.state == regenerate.StateSkipped {
		skip = keyUnskip
	}
	out := []action{
		{keyRun.In("Change").InFooter().Off(r.runnable() && busy == "", first(busy, "this is no estimate")), r.run},
		{keyApply.In("Change").InFooter().Off(r.applicable() && ro == "" && busy == "", first(ro, busy, r.whyNotApplicable())), r.apply},
		{keyUndo.In("Change").InFooter().Off(r.state == applied, "nothing was applied here"), r.undo},
		{keyLeave.In("Look").InFooter().Off(r.state != applied, "it is applied: enter closes"), nil},
		{keyClose.In("Look").InFooter().Off(r.state == applied || r.state == undone, "enter never applies; a does"), r.close},
		{skip.In("Change").InFooter().Off(whyNotDecidable == "", whyNotDecidable), r.skip},
		{keyOtherOne.In("Change").InFooter().Off(whyNotDecidable == "", whyNotDecidable), r.nextCandidate},
		{keyWrite.In("Change").InFooter().Off(r.whyNotEditable() == "", r.whyNotEditable()), r.edit},
		{keyPage.In("Look").InFooter(), func() tea.Cmd { return r.turn((r.page + 1) % reviewPages) }},
		{keyUnified.In("Look").InFooter(), r.unify},
		{keyChange.In("Look").InFooter(), func() tea.Cmd { return r.nextChange(1) }},
		{keyChangeUp.In("Look"), func() tea.Cmd { return r.nextChange(-1) }},
		{keyAgain.In("Change").InFooter().Off(r.state != applied && busy == "", first(busy, "undo first")), r.planAgain},
		{keyPatch.In("Look"), r.copyPatch},
	}
	for i, a := range pageKeys {
		out = append(out, action{a.In("Pages"), func() tea.Cmd { return r.turn(i) }})
	}
	return out
}

// Actions implements ui.Screen.
func (r *Review) Actions() (out []ui.Action) {
	for _, a := range r.actions() {
		out = append(out, a.Action)
	}
	return append(append(out, r.pager().Actions()...), r.questionActions()...)
}

// runnable reports whether the plan is an estimate of work that can be started.
func (r *Review) runnable() bool {
	_, ok := r.op.(ops.Generator)
	return ok && r.state == proposed && (r.plan.Estimate() || r.plan.More)
}

func (r *Review) applicable() bool {
	return r.state == proposed && !r.plan.Empty() && r.plan.Refused == nil
}

func (r *Review) whyNotApplicable() string {
	if r.runnable() {
		return "this is an estimate: x runs it"
	}
	if r.plan.Refused != nil {
		return r.plan.Refused.Error()
	}
	return "there is nothing to apply now"
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func (r *Review) pager() *ui.Pager { return r.pages[r.page] }

// Init implements ui.Screen.
func (r *Review) Init() tea.Cmd { return r.compare() }

// Typing implements ui.Typer.
func (r *Review) Typing() bool { return r.question != nil || r.pager().Typing() }

// Escape implements ui.Escaper.
func (r *Review) Escape() bool { return r.pager().Escape() }

// Copy implements ui.Copier.
func (r *Review) Copy() string {
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
	}
	undoneMsg    struct{}
	replannedMsg struct {
		op   ops.Op
		plan ops.Plan
	}
	notWrittenMsg struct{ err error }
	checkedMsg    struct{ err error }
)

// Update implements ui.Screen.
func (r *Review) Update(msg tea.Msg) tea.Cmd {
	return tea.Batch(r.update(msg), r.compare())
}

func (r *Review) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case comparedMsg:
		r.compared, r.drawn[pageText] = msg, 0
	case appliedMsg:
		return r.showApplied(msg)
	case undoneMsg:
		r.state, r.err = undone, nil
		return ui.Say(ui.ChangedMsg{})
	case ui.ChangedMsg:
		if msg.External {
			return r.check()
		}
	case checkedMsg:
		r.markStale(msg)
	case notWrittenMsg:
		return r.showFailure(msg.err)
	case replannedMsg:
		r.replanned(msg)
	case writtenMsg:
		return r.written(msg)
	case proposedMsg:
		return r.proposed(msg)
	case stoppedMsg:
		return r.stopped(msg)
	case estimatedMsg:
		r.estimated(msg)
	case tea.KeyPressMsg:
		return r.press(msg)
	case tea.MouseClickMsg:
		r.click(msg.Mouse())
	case tea.MouseWheelMsg:
		if r.page == pageText {
			return r.wheelText(msg)
		}
		return r.pager().Update(msg)
	case tea.PasteMsg:
		return r.pager().Update(msg)
	}
	return nil
}

// press takes a key: the answer to a question, what is typed, or a key of its own.
func (r *Review) press(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case r.question != nil:
		return r.answer(msg)
	case r.Typing():
		return r.pager().Update(msg)
	}
	return r.key(msg)
}

// replanned shows another plan, on the page where the last one was, unless that was
// an estimate of this one.
func (r *Review) replanned(msg replannedMsg) {
	if r.plan.Estimate() {
		r.page = firstPage(msg.plan)
	}
	r.env.Jobs.Cancel(r, "check") // It was of the plan before.
	r.op, r.plan, r.state, r.err, r.stoppedBy = msg.op, msg.plan, proposed, nil, nil
	r.calls += msg.plan.Spent().ModelCalls
	r.generating = r.generating || msg.op == r.running
	r.drawn, r.change = [reviewPages]int{}, -1
}

// showApplied shows what was applied.
func (r *Review) showApplied(msg appliedMsg) tea.Cmd {
	r.state, r.record, r.first, r.took, r.err = applied, msg.last, msg.record, msg.took, nil
	if r.plan.Undoes != 0 {
		r.state = undone
	}
	r.plan.Notes = append(r.plan.Notes, msg.notes...)
	for _, t := range r.plan.Texts {
		delete(r.env.drafts, t.ID)
	}
	if msg.broken != nil && !errors.Is(msg.broken, context.Canceled) {
		return tea.Batch(ui.Say(ui.ChangedMsg{}), ui.Say(ui.ErrorMsg{Err: msg.broken}))
	}
	return ui.Say(ui.ChangedMsg{})
}

// check compares the plan with the file after another process wrote to it.
func (r *Review) check() tea.Cmd {
	if !r.applicable() || r.generatingNow() || r.env.Jobs.Running(r, "apply") {
		return nil
	}
	db, p := r.env.DB, r.plan
	return r.env.Jobs.Quiet(r, "check", read(func(ctx context.Context) (checkedMsg, error) {
		return checkedMsg{ops.Check(ctx, db, p)}, nil
	}))
}

// markStale says at once that a plan can't be written any more, not only when it's applied.
func (r *Review) markStale(msg checkedMsg) {
	var s *data.StaleError
	if r.state == proposed && !r.env.Jobs.Running(r, "apply") && errors.As(msg.err, &s) {
		r.state, r.err = stale, msg.err
	}
}

func (r *Review) showFailure(err error) tea.Cmd {
	var s *data.StaleError
	if r.err = err; errors.As(err, &s) && r.state == proposed {
		r.state = stale
		return nil
	}
	var unfinished *data.UnfinishedError
	if errors.Is(err, context.Canceled) && !errors.As(err, &unfinished) {
		said := "cancelled: nothing was written"
		var unwritten *ops.UnwrittenError
		if errors.As(err, &unwritten) {
			said += "; the backup that was made before stays: " + ui.Line(unwritten.Backup)
		}
		return ui.Say(ui.StatusMsg{Text: said, Kind: ui.Warn})
	}
	return ui.Say(ui.ErrorMsg{Err: err})
}

func (r *Review) key(msg tea.KeyPressMsg) tea.Cmd {
	for _, a := range r.actions() {
		if a.run != nil && key.Matches(msg, a.Key) {
			return a.run()
		}
	}
	if key.Matches(msg, keyClose.Key) {
		return ui.Say(ui.StatusMsg{Text: "enter never applies: press a to apply, esc to leave"})
	}
	if r.page == pageText {
		return r.scrollText(msg)
	}
	return r.pager().Update(msg)
}

func (r *Review) close() tea.Cmd { return ui.Say(ui.PopMsg{}) }

func (r *Review) turn(page int) tea.Cmd {
	r.page, r.change = page, -1
	return nil
}

func (r *Review) unify() tea.Cmd {
	r.unified, r.drawn = !r.unified, [reviewPages]int{}
	return nil
}

func (r *Review) copyPatch() tea.Cmd {
	return copied(patch(r.plan), "as a patch")
}

// apply can't be cancelled half-way: either all of it is written or nothing. What
// is written step by step goes on from the first one, and can be broken off between
// two of them.
func (r *Review) apply() tea.Cmd {
	db, p, op := r.env.DB, r.plan, r.op
	return r.env.Jobs.Start(r, "apply", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		start := time.Now()
		out, err := ops.ApplyPlan(ctx, db, p, report)
		if err != nil {
			return notWrittenMsg{err}, nil
		}
		last, err := applySteps(ctx, db, op, report)
		return appliedMsg{out.Record, max(out.Record, last), err, time.Since(start), ops.Outcome(out)}, nil
	})
}

// applySteps writes what follows the first step of an operation, and gives the last
// record.
func applySteps(ctx context.Context, db *data.DB, op ops.Op, report data.Report) (last int64, err error) {
	s, ok := op.(ops.Stepper)
	for n := 1; ok; n++ {
		var step ops.Op
		if step, ok = s.Step(n); !ok {
			break
		}
		p, err := step.Plan(ctx, db, report)
		if errors.Is(err, ops.ErrNothing) {
			break
		}
		if err == nil {
			last, err = ops.Apply(ctx, db, p)
		}
		if err != nil {
			return last, err
		}
	}
	return last, nil
}

func (r *Review) undo() tea.Cmd {
	db, id := r.env.DB, r.record
	return r.env.Jobs.Start(r, "undo", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		if err := ops.Undo(ctx, db, id); err != nil {
			return notWrittenMsg{err}, nil
		}
		return undoneMsg{}, nil
	})
}

// replan plans an operation in place of the present one, which stays until that has
// worked.
func (r *Review) replan(op ops.Op) tea.Cmd {
	db := r.env.DB
	return r.env.Jobs.Start(r, "plan "+op.Name(), func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		p, err := op.Plan(ctx, db, report)
		var ends *regenerate.StoppedError
		if errors.As(err, &ends) {
			return stoppedMsg{err, ends}, nil
		}
		return replannedMsg{op, p}, err
	})
}

// outcome is the line that says what happened to the plan.
func (r *Review) outcome() string {
	s := r.env.Styles
	switch r.state {
	case applied:
		if r.first < r.record {
			return s.Good.Render(fmt.Sprintf("applied as #%d to #%d in %s", r.first, r.record, ui.Took(r.took))) + s.Muted.Render(" · u undo the last · enter close")
		}
		return s.Good.Render(fmt.Sprintf("applied as #%d in %s", r.record, ui.Took(r.took))) + s.Muted.Render(" · u undo · enter close")
	case undone:
		return s.Good.Render(fmt.Sprintf("#%d is undone: what it changed is as it was", r.record)) + s.Muted.Render(" · P plan again · enter close")
	case stale:
		return s.Bad.Render("! "+ui.Line(r.err.Error())) + s.Muted.Render(" · P plan again")
	}
	switch {
	case r.question != nil:
		return s.Warn.Render("? "+r.question.what) + s.Muted.Render(" · y yes · esc no")
	case r.generatingNow():
		return s.Accent.Render("texts are being made") + s.Muted.Render(" · nothing is written yet · esc cancels")
	case r.stoppedBy != nil:
		return r.stoppedLine()
	}
	if r.plan.More && !r.plan.Empty() {
		return s.Warn.Render("~ part of it is an estimate") + s.Muted.Render(" · a applies the rest · x asks the model first")
	}
	if r.plan.Refused != nil && r.state == proposed {
		why, _, _ := strings.Cut(r.plan.Refused.Error(), ";")
		return s.Warn.Render("~ it can't be applied: "+ui.Line(why)) + s.Muted.Render(" · the notes (4) say more")
	}
	if r.runnable() {
		return s.Warn.Render("~ an estimate") + s.Muted.Render(" · no model was called and nothing is written · x runs it")
	}
	return s.Muted.Render("nothing is written yet")
}
