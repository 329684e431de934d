package views

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ops"
	"lcm-tui/ops/planfile"
	"lcm-tui/ops/secrets"
	"lcm-tui/ui"
)

// PlanFiles is what plans in files need.
type PlanFiles struct {
	Codecs  planfile.Codecs
	Version string // Of this program.
}

var keySavePlan = ui.Act("W", "W", "save the plan in a file")

// savePlanAction asks whether the plan is to be saved, and saves it.
func (r *Review) savePlanAction(busy string) action {
	_, fromFile := r.op.(*planfile.Op)
	nothing := ""
	if !r.applicable() {
		nothing = r.whyNotApplicable()
	}
	why := firstNonEmpty(
		busy, textWhen(r.env.PlanFiles == nil, "no plan can be saved here"), textWhen(r.state != proposed, "only a plan that isn't applied can be saved"),
		textWhen(fromFile, "the plan is in a file already"), nothing)
	return action{keySavePlan.In("Look").Off(why == "", why), r.askSavePlan}
}

// askSavePlan says where the plan goes, and writes it after a yes.
func (r *Review) askSavePlan() tea.Cmd {
	to := planfile.DefaultPath(r.env.DB)
	op, p := r.op, r.plan
	return ui.Say(ui.AskMsg{
		Title: "Save the plan in a file?",
		Text: "It goes to " + ui.Line(shortenHome(to)) + " and can be applied later, also to a copy of the database. " +
			"It holds texts of conversations and is private to you. The database isn't changed.",
		Verb: "save", Do: func() tea.Cmd { return r.env.savePlan(r, op, p, to) },
	})
}

// savePlan writes a plan to a file.
func (e *Env) savePlan(owner any, op ops.Op, p ops.Plan, to string) tea.Cmd {
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
		return ui.StatusMsg{Text: "saved the plan in " + ui.Line(shortenHome(to)) + ", " + ui.Size(f.Bytes), Kind: ui.Done}, nil
	})
}

// findPlans lists the plan files beside the database for a query that asks for them, and the file
// that it names.
func (e *Env) findPlans(_ context.Context, query string) (out []ui.Command, err error) {
	if e.PlanFiles == nil {
		return nil, nil
	}
	add := func(path, name string) {
		name = "apply the plan " + ui.Line(name)
		out = append(out, ui.Command{Name: name, Kind: "Plan", Why: e.readOnly(), Run: func() tea.Cmd { return e.openPlan(path) }})
	}
	for _, path := range planfile.Beside(e.DB.Path()) {
		if name := filepath.Base(path); len(out) < maxFound && strings.Contains("apply the plan "+name, query) {
			add(path, name)
		}
	}
	if path := expandHome(query); filepath.IsAbs(path) && strings.HasSuffix(path, ".json") {
		add(path, query)
	}
	return out, nil
}

// errSecretsPlan says that the screens don't apply a plan that can't be undone from a file.
var errSecretsPlan = errors.New("a plan of secrets can't be undone, so it is applied by the command apply only")

// openPlan reads a plan file and shows its review.
func (e *Env) openPlan(path string) tea.Cmd {
	files, large := *e.PlanFiles, e.Files
	return e.planned(e, "from a file", func(context.Context) (ops.Op, error) {
		f, err := planfile.Open(path, true)
		if err != nil {
			return nil, err
		}
		if f.Op == secrets.OpName {
			return nil, errSecretsPlan
		}
		return &planfile.Op{File: f, Options: planfile.Options{Codecs: files.Codecs, FilesDir: large, Exact: true}}, nil
	})
}
