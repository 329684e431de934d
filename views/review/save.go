package review

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ops"
	"lcm-tui/ops/planfile"
	"lcm-tui/ui"
	"lcm-tui/views"
)

var keySavePlan = ui.Act("W", "W", "save the plan in a file")

// savePlanAction asks whether the plan is to be saved, and saves it.
func (r *Review) savePlanAction(busy string) views.Action {
	_, fromFile := r.proposal.op.(*planfile.Op)
	nothing := ""
	if !r.proposal.applicable() {
		nothing = r.proposal.whyNotApplicable()
	}
	why := views.FirstNonEmpty(
		busy, views.TextWhen(r.env.PlanFiles == nil, "no plan can be saved here"), views.TextWhen(r.proposal.state != proposed, "only a plan that isn't applied can be saved"),
		views.TextWhen(fromFile, "the plan is in a file already"), nothing)
	return views.Action{Action: keySavePlan.In("Look").Off(why == "", why), Run: r.askSavePlan}
}

// askSavePlan says where the plan goes, and writes it after a yes.
func (r *Review) askSavePlan() tea.Cmd {
	to := planfile.DefaultPath(r.env.DB)
	op, p := r.proposal.op, r.proposal.plan
	return ui.Say(ui.AskMsg{
		Title: "Save the plan in a file?",
		Text: "It goes to " + ui.Line(views.ShortenHome(to)) + " and can be applied later, also to a copy of the database. " +
			"It holds texts of conversations and is private to you. The database isn't changed.",
		Verb: "save", Do: func() tea.Cmd { return savePlan(r.env, r, op, p, to) },
	})
}

// savePlan writes a plan to a file.
func savePlan(e *views.Env, owner any, op ops.Op, p ops.Plan, to string) tea.Cmd {
	db, files := e.DB, *e.PlanFiles
	return e.Jobs.Start(owner, "save the plan", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		err := errors.Join(planfile.CheckPlace(to), planfile.Check(op))
		if err != nil {
			return nil, err
		}
		f, err := planfile.Make(ctx, db, op, p, files.Codecs, files.Version)
		if err != nil {
			return nil, err
		}
		if err := f.Write(to); err != nil {
			return nil, err
		}
		return ui.StatusMsg{Text: "saved the plan in " + ui.Line(views.ShortenHome(to)) + ", " + ui.Size(f.Bytes), Kind: ui.Done}, nil
	})
}
